// A whole site in use: an owner's lists with gifts, guests and givers, and the address of every page.
import assert from 'node:assert/strict';
import { formStamp, guestLink, sealed } from '../wordpress/set-up.ts';
import { basic, fieldsOf, visit } from '../wordpress/site.ts';
import { startWholeSite, type WholeSite } from '../wordpress/whole-site.ts';
import type { WordPressOptions, WordPressUser } from '../wordpress/wordpress.ts';

export interface PageOfPeople {
  name: string;
  path: string;
  /** The user who opens the page; a visitor without an account by default. */
  user?: WordPressUser;
  status?: number;
}

export interface PeopleSite extends WholeSite {
  pages: PageOfPeople[];
}

/** Options with which lookups can reach the test's shop, which is on this machine. */
export const shopIsOnTheWeb = { muPlugins: ['right-to-left', 'shop-on-the-web'] };

export async function startPeopleSite(options: WordPressOptions = {}): Promise<PeopleSite> {
  const site = await startWholeSite({ ...shopIsOnTheWeb, ...options });
  const { admin, alice, bob } = site.users;

  const ask = async (user: WordPressUser, method: string, path: string, body?: unknown) => {
    const answer = await fetch(site.service.url + path, {
      method,
      headers: { authorization: basic(user), ...(body ? { 'content-type': 'application/json' } : {}) },
      body: body ? JSON.stringify(body) : null,
    });
    assert.ok(answer.ok, `${method} ${path}: ${answer.status}`);
    return answer.json();
  };
  const registry = async (title: string, meta: Record<string, unknown>, gifts: Record<string, unknown>[]) => {
    const { id, permalink } = await ask(alice, 'POST', '/registries', {
      title,
      status: 'private',
      story: 'In June we marry in the garden, under the two cypresses.',
      meta: {
        ...{ registry_event_type: 'Wedding', registry_event_date: '2027-06-12', registry_currency: 'EUR' },
        registry_invitees: ['bob'],
        ...meta,
      },
    });
    const items: number[] = [];
    for (const gift of gifts) {
      const { data } = await ask(alice, 'POST', `/registries/${id}/items`, {
        url: `${site.shop}/gift`,
        ...gift,
      });
      items.push(data.id);
    }
    return { id, items, path: new URL(permalink).pathname };
  };
  const claim = async (
    list: { id: number; items: number[] },
    item: number,
    fields: Record<string, unknown>,
  ) =>
    (await ask(admin, 'POST', `/registries/${list.id}/items/${list.items[item]}/claims`, fields))
      .id as string;

  const list = await registry('Amélie & Jonas', {}, [
    {
      name: 'Enamelled cast-iron cocotte',
      price: 289,
      retailer: 'Maison Bérard',
      image_url: `${site.shop}/pan.png`,
    },
    { name: 'Hand-blown wine glasses', price: 24.5, quantity_needed: 12, description: 'Twelve are a party.' },
    { name: 'A picnic blanket, woven by someone you know', description: 'No shop has it.' },
    { name: 'Stand mixer', price: 449, retailer: 'Maison Bérard' },
    { name: 'Donaudampfschifffahrtsgesellschaftskapitänskajütenschlüsselbrett', price: 12 },
  ]);
  const secret = await registry('A surprise', { registry_surprise_until: '2027-06-13' }, [{ name: 'Lamp' }]);
  const short = await registry('Two bicycles', { registry_event_date: '2026-06-13' }, [
    { name: 'Cargo bicycle', unit: 'money', quantity_needed: 240_000 },
  ]);
  const many = await registry(
    'Sixty wishes',
    {},
    Array.from({ length: 60 }, (_, n) => ({
      name: `Wish number ${n + 1}`,
      price: (n * 7) % 90 || null,
      ...(n % 3
        ? {}
        : { description: 'In any of these four colours. We like them mixed.', quantity_needed: 3 }),
      // No limit: as many as guests like.
      ...(n === 1 ? { quantity_needed: 2_147_483_647 } : {}),
    })),
  );
  const ruth = { name: 'Ruth Applebaum', email: 'ruth@example.org' };
  const reserved = await claim(list, 1, { quantity: 2, giver: ruth, message: 'For long evenings.' });
  const pending = await claim(list, 2, {
    state: 'pending',
    giver: { name: 'Vera', email: 'vera@example.org' },
  });
  const mine = { name: 'Bob', email: bob.email, user_id: bob.id };
  const bought = await claim(list, 3, { state: 'purchased', giver: mine, message: 'With love' });

  const shareOfRuth = await claim(short, 0, { quantity: 15_000, state: 'purchased', giver: ruth });
  await claim(short, 0, { quantity: 20_000, state: 'purchased', giver: mine });

  const owner = await visit(site, alice);
  const guests = `/registries/${list.id}/guests/`;
  const invite = fieldsOf((await owner(guests)).text, 'invite')!;
  const invited = await owner(guests, { ...invite, guests: 'ruth@example.org, carol', note: 'Do come!' });
  assert.equal(invited.status, 303, invited.text);
  const details = `/registries/${list.id}/details/`;
  const asked = fieldsOf((await owner(details)).text, 'change')!;
  const allowed = await owner(details, { ...asked, extras: 'yes' });
  assert.equal(allowed.status, 303, allowed.text);
  const gifts = `/registries/${list.id}/gifts/`;
  const wanted = `${gifts}?item=${list.items[1]}`;
  const change = fieldsOf((await owner(wanted)).text, 'change')!;
  const marked = await owner(wanted, { ...change, most_wanted: '1', section: 'For long evenings' });
  assert.equal(marked.status, 303, marked.text);
  for (const draft of [
    { name: 'Espresso cups', price: '38', quantity: '6', section: 'Kitchen' },
    { name: 'A weekend by the sea, for the two of us, when the children are old enough' },
  ]) {
    const form = fieldsOf((await owner(`${gifts}?by-hand=1`)).text, 'add')!;
    const drafted = await owner(gifts, { ...form, ...draft, draft: '1' });
    assert.equal(drafted.status, 303, drafted.text);
  }
  const removed = await owner(gifts, { do: 'remove', item: String(list.items[4]) });
  assert.equal(removed.status, 303, removed.text);
  await owner(gifts);
  await site.mails();

  const behind = (link: string) => new URL(link).pathname + new URL(link).search;
  const begin = async (title: string, email: string) => {
    const stranger = await visit(site, null);
    const send = async (action: string, typed: Record<string, string>) => {
      const form = fieldsOf((await stranger('/registries/new/')).text, action)!;
      const answer = await stranger('/registries/new/', { ...form, ...typed });
      assert.equal(answer.status, 303, answer.text);
    };
    await send('make', { title });
    await send('send', { email, since: await formStamp(site) });
    const [mail] = await site.mails();
    return behind(/https?:\S*\/finish\/\S*/.exec(mail!.text)![0]);
  };
  const finish = await begin('Noor & Sam', 'noor@example.org');
  const claimLink = async (id: string) => behind(await site.call('claim_link', id));
  const [gift, toConfirm, given] = [
    await claimLink(reserved),
    await claimLink(pending),
    await claimLink(bought),
  ];
  const ruths = await claimLink(shareOfRuth);
  const guest = await visit(site, bob);
  const beside = `/registries/${list.id}/secret/`;
  const telling = fieldsOf((await guest(beside)).text, 'add')!;
  const told = await guest(beside, {
    ...telling,
    text: 'A ride in a balloon over Montefiore, on a morning without wind',
  });
  assert.equal(told.status, 303, told.text);
  const invitation = behind(await guestLink(site, list.id, 'ruth@example.org'));
  const noMail = `/registries/no-mail/?of=${encodeURIComponent(await sealed(site, 'no-mail', 'ruth@example.org'))}`;
  const of = (name: string, { id } = list) => `/registries/${id}/${name}/`;
  return {
    ...site,
    pages: [
      { name: 'new', path: '/registries/new/', user: alice },
      { name: 'new, before there is an account', path: '/registries/new/' },
      { name: 'finish', path: finish },
      { name: 'mine', path: '/registries/mine/', user: alice },
      { name: 'mine, of a guest', path: '/registries/mine/', user: bob },
      { name: 'mine, before signing in', path: '/registries/mine/', status: 403 },
      { name: 'gifts', path: gifts, user: alice },
      { name: 'gift form', path: `${gifts}?by-hand=1`, user: alice },
      { name: 'gift form, changed', path: `${gifts}?item=${list.items[0]}`, user: alice },
      { name: 'home', path: of('home'), user: alice },
      { name: 'guests', path: guests, user: alice },
      { name: 'owners', path: of('people'), user: alice },
      { name: 'given', path: of('given'), user: alice },
      { name: 'given, money is missing', path: of('given', short), user: alice },
      { name: 'given, a surprise', path: of('given', secret), user: alice },
      { name: 'details', path: of('details'), user: alice },
      { name: 'the list, of its owner', path: list.path, user: alice },
      { name: 'the list', path: list.path, user: bob },
      { name: 'sixty gifts', path: many.path, user: bob },
      { name: 'give', path: `${of('give')}?item=${list.items[1]}`, user: bob },
      { name: 'news', path: of('news'), user: bob },
      { name: 'secret', path: of('secret'), user: bob },
      { name: 'gift', path: gift },
      { name: 'gift, to confirm', path: toConfirm },
      { name: 'gift, bought', path: given, user: bob },
      { name: 'gift, money is missing', path: ruths },
      { name: 'my-gifts', path: '/registries/my-gifts/', user: bob },
      { name: 'my-gifts, of a visitor', path: '/registries/my-gifts/' },
      // As an owner, since a guest's browser goes straight to the list.
      { name: 'invitation', path: invitation, user: alice },
      { name: 'invitation, not whole', path: '/registries/invitation/?for=x', status: 403 },
      { name: 'find', path: '/registries/find/' },
      { name: 'lost-invitation', path: '/registries/lost-invitation/' },
      { name: 'a list that doesn’t open', path: list.path, status: 404 },
      { name: 'add', path: `/registries/add/?text=${encodeURIComponent(`${site.shop}/gift`)}`, user: alice },
      // As after “Undo”, since a browser that follows the link unsubscribes at once.
      { name: 'no-mail', path: `${noMail}&pressed=1` },
      { name: 'nothing', path: '/registries/99999/give/', status: 404 },
      { name: 'no such gift', path: `/?trousseau_go=99999&registry=${list.id}`, user: bob, status: 404 },
    ],
  };
}
