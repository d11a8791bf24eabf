// The page of the extension's settings: the sites that have the person's lists.
import { browser, rightTo, words } from './browser.ts';
import { listsOf } from './door.ts';
import { keep, kept } from './kept.ts';
import { button, element, theirs, translate } from './page.ts';

const form = document.querySelector('form')!;
const field = form.querySelector('input')!;
const answer = document.querySelector<HTMLElement>('#answer')!;
const list = document.querySelector('ul')!;
const atOnce = document.querySelector<HTMLInputElement>('#at-once')!;

const say = (text: string, isProblem = false) => {
  answer.textContent = text;
  answer.className = isProblem ? 'problem' : 'done';
};

/** Returns the typed address, or null if it isn't valid. Addresses are often copied without `https://`. */
function typed(): URL | null {
  const text = field.value.trim();
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  return URL.canParse(address) && new URL(address).hostname.includes('.') ? new URL(address) : null;
}

/** Returns the door that a page of a site names. */
async function doorOf(address: URL): Promise<string> {
  const response = await fetch(address, { credentials: 'include', cache: 'no-store' });
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const door = page.querySelector('link[rel="trousseau-add"]')?.getAttribute('href') ?? '';
  return URL.canParse(door, response.url) ? new URL(door, response.url).href : '';
}

/** Guesses where an address redirects to, which browsers hide without a permission. Null if it doesn't redirect. */
async function nextOf(address: URL): Promise<URL | null> {
  const asked = fetch(address, { credentials: 'include', cache: 'no-store', redirect: 'manual' });
  if ((await asked.catch(() => null))?.type !== 'opaqueredirect') return null;
  const next = new URL(address.pathname, address);
  const { protocol, hostname } = next;
  if (protocol === 'http:') next.protocol = 'https:';
  else next.hostname = hostname.startsWith('www.') ? hostname.slice(4) : `www.${hostname}`;
  return next;
}

async function add(): Promise<void> {
  const address = typed();
  if (!address) return say(words('noAddress'), true);
  // Browsers show this question only in response to a press.
  if (!(await browser.permissions.request(rightTo(address.href)))) return say(words('notGiven'), true);
  say(words('looking'));
  const door = await doorOf(address).catch(() => null);
  const next = door === null ? await nextOf(address) : door && new URL(door);
  if (!next) return say(words('noLists', address.hostname), true);
  if (!door || next.origin !== address.origin) {
    // Each origin needs its own permission.
    field.value = door ? next.origin : next.href;
    return say(words('elsewhere', next.hostname), true);
  }
  const found = await listsOf(door).catch(() => null);
  if (!found) return say(words('noLists', address.hostname), true);
  const name = found.site || address.hostname;
  await keep(({ sites }) => ({ sites: [...sites.filter((site) => site.door !== door), { door, name }] }));
  field.value = '';
  say(found.account ? words('siteAdded', name, found.account.name) : words('signedOut', name));
  await showSites();
}

async function remove(door: string): Promise<void> {
  await keep(({ sites, last }) => ({
    sites: sites.filter((site) => site.door !== door),
    last: last.filter((one) => one.door !== door),
  }));
  const { sites } = await kept();
  const [right] = rightTo(door).origins;
  // Two sites may share a host, and a browser's administrator may have granted the permission permanently.
  if (!sites.some((site) => rightTo(site.door).origins[0] === right))
    await browser.permissions.remove(rightTo(door)).catch(() => false);
  await showSites();
  say(words('siteRemoved'));
  field.focus();
}

async function showSites(): Promise<void> {
  const { sites, atOnce: isAtOnce } = await kept();
  atOnce.checked = isAtOnce;
  list.replaceChildren(
    ...sites.map(({ door, name }) =>
      element(
        'li',
        {},
        element('span', {}, theirs(name, 'name'), element('small', {}, theirs(new URL(door).hostname))),
        button(words('removeSite', name), () => void remove(door)),
      ),
    ),
  );
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void add();
});
atOnce.addEventListener('change', () => void keep(() => ({ atOnce: atOnce.checked })));
translate(words('sites'));
field.value = new URLSearchParams(location.search).get('address') ?? '';
await showSites();
field.focus();
