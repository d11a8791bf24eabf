// The extension in a real Chromium, on shops that keep robots out, with real sites: from pressing the button to the list.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { listen } from '../../api/test/listen.ts';
import { patientClient } from '../../api/test/support.ts';
import { signIn, skipWithoutChromium } from '../../dev/wordpress/browser.ts';
import { setOption } from '../../dev/wordpress/set-up.ts';
import { startWholeSite, type WholeSite } from '../../dev/wordpress/whole-site.ts';
import { skipWithoutWordPress } from '../../dev/wordpress/wordpress.ts';
import { type Extended, launchWithExtension, type Popup } from './browser.ts';

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><rect width="400" height="400" fill="#2060c0"/></svg>';

const messages = JSON.parse(
  readFileSync(join(import.meta.dirname, '../_locales/en/messages.json'), 'utf8'),
) as Record<string, { message: string }>;
const words = (name: string) => messages[name]!.message;
/** Returns a pattern that matches these texts of the extension in order. */
const saying = (...names: string[]) =>
  new RegExp(
    names
      .map((name) =>
        words(name)
          .replace(/[.?]/g, '\\$&')
          .replace(/\$\w+\$/g, '.+'),
      )
      .join('\\s*'),
  );

/** Starts a shop that answers 403 until a script of its page has run in a browser, as many do to keep robots out. */
async function startShop() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://shop');
    asked.push(pathname);
    if (pathname.endsWith('.svg')) {
      response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(PICTURE);
      return;
    }
    const html = { 'content-type': 'text/html; charset=utf-8' };
    if (!request.headers.cookie?.includes('human=yes')) {
      const script = '<script>document.cookie = "human=yes"; location.reload()</script>';
      response.writeHead(403, html).end(`<title>Just a moment...</title>${script}`);
      return;
    }
    const name = decodeURIComponent(pathname.slice(1)).replaceAll('-', ' ');
    const listed = ['Cup', 'Plate', 'Bowl'].map(
      (thing) =>
        `<li class="row"><a href="/${thing}"><img src="/${thing}.svg" width="90" height="90" alt=""></a><h3>${thing}</h3><span>12,50 €</span></li>`,
    );
    const body = name.startsWith('About')
      ? `<h1>${name}</h1><p>We are a small shop.</p>`
      : name === 'Wish list'
        ? `<h1>${name}</h1><ul>${listed.join('')}</ul>`
        : `<h1>${name}</h1><img src="/${name.length}.svg" width="400" height="400" alt="${name}"><div class="price" id="price">43,90 €</div>
        <form action="/cart/add"><fieldset><legend>Colour</legend>
        <input type="radio" id="blue" name="Colour" value="Blue" checked><label for="blue">Blue</label>
        <input type="radio" id="red" name="Colour" value="Red"><label for="red">Red</label></fieldset>
        <button name="add">Add to cart</button></form>`;
    response
      .writeHead(200, html)
      .end(`<!doctype html><html lang="en"><title>${name} – Tea &amp; Co</title><main>${body}</main></html>`);
  });
  const room = await listen(server);
  // The extension may access 127.0.0.1, where the sites are, so the shop uses another name.
  return Object.assign(room, { asked, url: `http://localhost:${room.port}` });
}

const LOSE_ANSWER = `add_action( 'trousseau_written', function () {
	if ( get_option( 'test_lose_answer' ) ) {
		delete_option( 'test_lose_answer' );
		exit;
	}
}, 99 );`;

describe('the extension', {
  skip: skipWithoutWordPress() || skipWithoutChromium('whole'),
  timeout: 600_000,
}, () => {
  let site: WholeSite;
  let other: WholeSite;
  let shop: Awaited<ReturnType<typeof startShop>>;
  let browser: Extended;
  let tab: Page;
  let list: number;
  let otherList: number;
  let shown: Popup | undefined;
  const parts = new AsyncDisposableStack();

  before(async () => {
    site = parts.use(await startWholeSite({ muPlugin: LOSE_ANSWER }));
    other = parts.use(await startWholeSite({ fresh: true }));
    shop = parts.use(await startShop());
    browser = parts.use(await launchWithExtension(['http://127.0.0.1/*']));
    tab = await browser.context.newPage();
    list = await makeList(site, 'alice', 'Our home');
    otherList = await makeList(other, 'bob', 'Bob’s birthday');
  });
  after(() => parts.disposeAsync());

  const client = (at: WholeSite, name: 'alice' | 'bob') =>
    patientClient({ baseUrl: at.service.url, ...at.users[name] });
  const makeList = async (at: WholeSite, name: 'alice' | 'bob', title: string) =>
    (await client(at, name).registries.create({ title, meta: { registry_currency: 'EUR' } }))!.id;
  const items = async () => (await client(site, 'alice').registries.items.list(list))!;
  const names = async () => (await items()).map(({ name }) => name);

  /** Opens it in the same tab each time, unless another one is named. */
  async function shopPage(name: string, page = tab): Promise<Page> {
    await page.goto(`${shop.url}/${name}`);
    await page.locator('h1').waitFor();
    return page;
  }
  async function press(page: Page): Promise<Popup> {
    await shown?.close();
    shown = undefined;
    shown = await browser.press(page);
    return shown;
  }
  async function addSite(address: string): Promise<string> {
    const page = await browser.open('sites.html');
    await page.getByLabel(words('siteAddress')).fill(address);
    await page.getByRole('button', { name: words('addSite') }).click();
    await page.locator(`#answer:is(.done, .problem):not(:text("${words('looking')}"))`).waitFor();
    const said = await page.locator('#answer').innerText();
    await page.close();
    return said;
  }
  const problem = (popup: Popup) =>
    popup.evaluate<string>(
      `new Promise((done) => { const look = () => { const problem = document.querySelector('.problem'); problem ? done(problem.textContent) : setTimeout(look, 20); }; look(); })`,
    );
  const type = (popup: Popup, id: string, value: string) =>
    popup.evaluate(
      `Object.assign(document.getElementById('${id}'), { value: '${value}' }).dispatchEvent(new Event('input', { bubbles: true }))`,
    );
  const chooseList = (popup: Popup, title: string) =>
    popup.evaluate(
      `const all = document.getElementById('list'); all.value = [...all.options].find(({ text }) => text === '${title}').value`,
    );
  /** Adds the gift of the popup, which asks first. */
  const add = async (popup: Popup) => {
    await popup.press(words('add'));
    return popup.text('added');
  };

  test('without a site it asks for one, and offers the site whose page is open', async () => {
    const popup = await press(await shopPage('Blue-Teapot'));
    assert.match(await popup.text('without-gift'), saying('whichSite'));
    const own = await browser.context.newPage();
    await own.goto(site.url);
    const there = await press(own);
    assert.match(await there.text('without-gift'), saying('addThisSite'));
    const href = await there.evaluate<string>('document.querySelector("main a").href');
    assert.equal(new URL(href).searchParams.get('address'), `${site.url}/registries/add/`);
    assert.deepEqual(await names(), []);
  });

  test('a site is added by any of its addresses; other addresses are refused in words', async () => {
    assert.match(await addSite('nonsense'), saying('noAddress'));
    assert.match(await addSite(shop.url.replace('localhost', '127.0.0.1')), saying('noLists'));
    assert.match(await addSite(`${site.url}/?s=list`), saying('signedOut'));
    const popup = await press(await shopPage('Blue-Teapot'));
    assert.match(await popup.text('asking'), saying('signedOut', 'signIn'));

    const page = await browser.context.newPage();
    await signIn(page, site, site.users.alice);
    await signIn(page, other, other.users.bob);
    assert.match(await addSite(site.url), /logged in there as alice/);
  });

  test('the first press asks for the list, and adds the gift with picture, price and variant as shown', async () => {
    assert.equal((await fetch(`${shop.url}/Blue-Teapot`)).status, 403, 'robots are kept out');
    const page = await shopPage('Blue-Teapot');
    await page.getByLabel('Red').check();
    await page.evaluate('document.getElementById("price").textContent = "59,90 €"');
    const before = shop.asked.length;
    const popup = await press(page);
    const text = await popup.text('asking');
    assert.match(text, /Blue Teapot\s+€59\.90 · Colour: Red/);
    assert.equal(await popup.evaluate(`document.getElementById('price').value`), '59.90');
    assert.match(await popup.evaluate('document.images[0].src'), /^data:image\/jpeg;base64,/);
    assert.match(await add(popup), /Our home · .* · alice/);
    const [item] = await items();
    assert.deepEqual(
      [item!.name, item!.price, item!.description, item!.url, item!.image_url],
      ['Blue Teapot', 59.9, 'Colour: Red', `${shop.url}/Blue-Teapot`, `${shop.url}/11.svg`],
    );
    assert.equal(shop.asked.length, before, 'the shop is asked for nothing more');
  });

  test('then one press adds to the last list; a second press on the same page adds nothing', async () => {
    const page = await shopPage('Green-Bowl');
    const popup = await press(page);
    assert.match(await popup.text('added'), saying('added'));
    const again = await press(page);
    assert.match(await again.text('added'), saying('alreadyThere'));
    assert.deepEqual(await names(), ['Blue Teapot', 'Green Bowl']);
  });

  test('a press in the popup that comes before the badge is drawn is not lost', async () => {
    const slowly = (ms: number) =>
      browser.worker.evaluate((ms) => {
        const { action } = (globalThis as unknown as { chrome: { action: Record<string, unknown> } }).chrome;
        action.drawn ??= action.setBadgeText;
        const drawn = action.drawn as (badge: object) => Promise<void>;
        action.setBadgeText = (badge: object) =>
          new Promise((done) => setTimeout(done, ms)).then(() => drawn(badge));
      }, ms);
    await slowly(500);
    const popup = await press(await shopPage('About-haste'));
    await popup.text('asking');
    await type(popup, 'price', '5');
    await add(popup);
    await popup.press(words('takeOff'));
    await popup.text('taken-off');
    await slowly(0);
  });

  test('several tabs at once: the work goes on when the popup closes', async () => {
    const pages: Page[] = [];
    for (const name of ['One', 'Two', 'Three'])
      pages.push(await shopPage(`Tab-${name}`, await browser.context.newPage()));
    const before = await items();
    for (const page of pages) await press(page);
    for (const page of pages) await (await press(page)).text('added');
    const added = (await names()).slice(before.length);
    assert.deepEqual(added.sort(), ['Tab One', 'Tab Three', 'Tab Two']);
  });

  test('a gift is taken off again, and the next press asks', async () => {
    const page = await shopPage('Mistake');
    const popup = await press(page);
    await popup.text('added');
    await popup.press(words('takeOff'));
    assert.match(await popup.text('taken-off'), saying('takenOff'));
    assert.ok(!(await names()).includes('Mistake'));
    assert.match(await (await press(page)).text('asking'), /Mistake/);
    assert.ok(!(await names()).includes('Mistake'));
  });

  test('a page that sells nothing is added only after a look', async () => {
    const page = await shopPage('About-us');
    const popup = await press(page);
    assert.match(await popup.text('asking'), saying('doubtful'));
    assert.ok(!(await names()).includes('About us'));
    await type(popup, 'name', 'A voucher');
    await type(popup, 'price', '25');
    await add(popup);
    const item = (await items()).at(-1)!;
    assert.deepEqual([item.name, item.price], ['A voucher', 25]);
    assert.match(await (await press(page)).text('added'), saying('alreadyThere'), 'by the page’s own name');
    assert.equal((await names()).filter((name) => /voucher|About us/.test(name)).length, 1);
  });

  test('what was typed is there when the popup opens again, and a number is in the currency of its field', async () => {
    const page = await shopPage('About-dollars');
    await page.evaluate(
      `document.querySelector('main').insertAdjacentHTML('beforeend', '<script type="application/ld+json">' + JSON.stringify({ '@type': 'Product', name: '', offers: { price: 59.9, priceCurrency: 'USD' } }) + '</' + 'script>')`,
    );
    const first = await press(page);
    await first.text('added');
    await first.press(words('takeOff'));
    await first.text('taken-off');
    const popup = await press(page);
    await popup.text('asking');
    await type(popup, 'name', 'Kite');
    await type(popup, 'price', '49,90');
    const again = await press(page);
    await again.text('asking');
    assert.deepEqual(
      await again.evaluate(`['name', 'price'].map((id) => document.getElementById(id).value)`),
      ['Kite', '49,90'],
    );
    await add(again);
    const item = (await items()).at(-1)!;
    assert.deepEqual([item.name, item.price], ['Kite', null], 'the list has euros');
  });

  test('of a wish list the chosen gifts are added, each once, and none before the press', async () => {
    const before = await names();
    const page = await shopPage('Wish-list');
    const popup = await press(page);
    assert.match(await popup.text('choosing'), /Cup €12\.50\s+Plate €12\.50\s+Bowl €12\.50/);
    assert.deepEqual(await names(), before);
    await popup.evaluate('document.querySelectorAll("[type=checkbox]")[1].click()');
    await setOption(site, 'test_lose_answer', '1');
    await popup.press(words('addChosen'));
    assert.match(await problem(popup), saying('away'));
    const second = await press(page);
    assert.match(await second.text('choosing'), saying('away'));
    await second.evaluate('document.querySelectorAll("[type=checkbox]")[1].click()');
    await second.press(words('addChosen'));
    assert.match(await second.text('added-all'), /On your list: 2/);
    const added = (await items()).slice(before.length).map(({ name, price, url }) => [name, price, url]);
    const chosen = ['Cup', 'Bowl'].map((thing) => [thing, 12.5, `${shop.url}/${thing}`]);
    assert.deepEqual(added, chosen);

    const again = await press(page);
    assert.match(await again.text('choosing'), /(?<!Cup.*)Plate €12\.50(?!.*Bowl)/s);
    await again.press(words('addChosen'));
    assert.match(await again.text('added-all'), /On your list: 3/);
    const third = await press(page);
    assert.match(await third.text('added-all'), /On your list: 3/);
    assert.deepEqual((await names()).slice(before.length), ['Cup', 'Bowl', 'Plate']);
    await third.press(words('anotherList'));
    assert.match(await third.text('choosing'), /Cup.*Plate.*Bowl/s);
  });

  for (const [what, option, value] of [
    ['whose answer is lost on its way', 'test_lose_answer', '1'],
    ['whose service is away', 'trousseau_base_url', 'http://127.0.0.1:9'],
  ] as const)
    test(`a site ${what} says so, and a second try makes one gift`, async () => {
      await setOption(site, option, value);
      const name = `Second try ${option.length}`;
      const popup = await press(await shopPage(name.replaceAll(' ', '-')));
      assert.match(await popup.text('asking'), saying('away'));
      await setOption(site, 'trousseau_base_url', site.service.url);
      await add(popup);
      assert.equal((await names()).filter((one) => one === name).length, 1);
    });

  test('a list that is gone is refused in the site’s own words', async () => {
    const gone = await makeList(site, 'alice', 'Gone');
    const page = await shopPage('About-the-refused');
    const popup = await press(page);
    await popup.text('asking');
    await client(site, 'alice').registries.delete(gone);
    await chooseList(popup, 'Gone');
    await type(popup, 'price', '1');
    await popup.press(words('add'));
    assert.match(await problem(popup), /Only the owners can change this list/);
  });

  test('a list on another site is another account, and is the last one from then on', async () => {
    assert.match(await addSite(other.url), /logged in there as bob/);
    const page = await shopPage('For-Bob');
    const popup = await press(page);
    await popup.text('added');
    await popup.press(words('takeOff'));
    await popup.text('taken-off');
    await popup.press(words('addAgain'));
    await popup.text('asking');
    const groups = await popup.evaluate<string[]>(
      '[...document.querySelectorAll("optgroup")].map(({ label }) => label.split(" – ").at(-1))',
    );
    assert.deepEqual(groups, ['alice', 'bob']);
    await chooseList(popup, 'Bob’s birthday');
    assert.match(await add(popup), /Bob’s birthday · .* · bob/);
    await (await press(await shopPage('Bob-Too'))).text('added');
    const his = (await client(other, 'bob').registries.items.list(otherList))!.map(({ name }) => name);
    assert.deepEqual(his, ['For Bob', 'Bob Too']);
    assert.ok(!(await names()).includes('For Bob'));
  });

  test('another account on the same site is not mistaken for the last one', async () => {
    const visitor = await browser.context.newPage();
    await signIn(visitor, other, other.users.carol);
    const popup = await press(await shopPage('For-Carol'));
    assert.match(await popup.text('asking'), saying('noList', 'makeList'));
    const his = (await client(other, 'bob').registries.items.list(otherList))!.length;
    assert.equal(his, 2);
  });

  test('the extension reads only the tab in which it was pressed, and no page of the browser’s own', async () => {
    const page = await shopPage('Untouched', await browser.context.newPage());
    const refused = await browser.worker.evaluate(async () => {
      const { chrome } = globalThis as unknown as {
        chrome: {
          tabs: { query(asked: object): Promise<{ id: number; url?: string }[]> };
          scripting: { executeScript(script: object): Promise<unknown> };
        };
      };
      const tabs = await chrome.tabs.query({});
      const seen = tabs.filter(({ url }) => url?.includes('/Untouched')).length;
      const [active] = await chrome.tabs.query({ active: true });
      const script = { target: { tabId: active!.id }, files: ['reader.js'] };
      return { seen, error: await chrome.scripting.executeScript(script).then(() => '', String) };
    });
    assert.equal(refused.seen, 0);
    assert.match(refused.error, /Cannot access contents of/);
    const own = await browser.context.newPage();
    await own.goto('chrome://version');
    assert.match(await (await press(own)).text('unreadable'), /can’t be read/);
    await page.close();
  });

  test('popup and settings have no fault of accessibility, by day and by night', async () => {
    const popup = await press(await shopPage('Axe'));
    await popup.text('asking');
    const faults = `${axe}; axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))`;
    assert.deepEqual(await popup.evaluate(faults), []);
    const page = await browser.open('sites.html');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await page.evaluate(faults), []);
    }
    assert.equal(await page.locator('li').count(), 2);
    await page
      .getByRole('button', { name: /^Remove/ })
      .first()
      .click();
    await page.getByText(words('siteRemoved')).waitFor();
    assert.equal(await page.locator('li').count(), 1);
  });
});
