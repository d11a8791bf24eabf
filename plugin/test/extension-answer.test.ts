// The site's answers to the browser's extension: a person's lists, a gift, and taking it off again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeSite } from '../../dev/wordpress/describe-site.ts';
import type { Visitor } from '../../dev/wordpress/site.ts';

const DOOR = '/registries/add/?extension=1';
const EXTENSION = { origin: 'chrome-extension://abcdefghijklmnopabcdefghijklmnop', 'sec-fetch-site': 'none' };
const GIFT = {
  address: 'https://www.teaco.example/p/teapot?colour=blue',
  name: 'Blue Teapot',
  description: 'Colour: Blue\nFor two',
  image: 'https://www.teaco.example/teapot.jpg',
  retailer: 'Tea & Co',
  price: '43.9',
  currency: 'EUR',
};

describeSite('answers to the extension', {}, (site) => {
  const { alice, carol } = site.visitors;

  const client = () => site.client();
  const list = async (title = 'Us & ours', fields: object = {}) =>
    (await site.list({ title, meta: { registry_currency: 'EUR' }, ...fields })).id;
  const account = async (visitor: Visitor) => (await visitor(DOOR, undefined, EXTENSION)).json.account;
  const send = (visitor: Visitor, form: Record<string, string>, headers: object = EXTENSION) =>
    visitor(DOOR, form, headers as Record<string, string>);
  const items = async (id: number) => (await client().registries.items.list(id))!;

  test('a person’s own lists, and nobody else’s, in an answer that no cache keeps and no other origin reads', async () => {
    const id = await list();
    const shared = await list('Shared', { meta: { registry_owners: ['bob'] } });
    await site.addPost({
      post_type: 'registry',
      post_title: 'Draft',
      post_status: 'draft',
      post_author: site.users.alice.id,
    });
    const answer = await alice(DOOR, undefined, { origin: 'https://shop.example' });
    assert.deepEqual([answer.status, answer.json], [403, null], 'a page of another site');
    for (const headers of [{}, EXTENSION]) {
      const { status, headers: sent, json } = await alice(DOOR, undefined, headers);
      assert.equal(status, 200);
      assert.equal(sent.get('access-control-allow-origin'), null);
      assert.match(sent.get('cache-control')!, /no-store/);
      assert.equal(sent.get('x-content-type-options'), 'nosniff');
      const names = new Map(
        json.account.lists.map(({ id, name }: { id: number; name: string }) => [id, name]),
      );
      assert.equal(names.get(id), 'Us & ours');
      assert.ok(![...names.values()].includes('Draft'));
    }
    const bob = await account(await site.visit('bob'));
    assert.deepEqual(
      bob.lists.map(({ id }: { id: number }) => id),
      [shared],
    );
    assert.deepEqual((await account(carol)).lists, []);
    const { json } = await (await site.visit())(DOOR, undefined, EXTENSION);
    assert.equal(json.account, null);
    assert.match(json.sign_in, /wp-login\.php\?redirect_to=/);
  });

  test('a gift goes on the list as the shop shows it, once for a press however often it is sent', async () => {
    const id = await list();
    const { nonce, key } = await account(alice);
    const form = { ...GIFT, list: String(id), nonce, key };
    const [one, other] = [await send(alice, form), await send(alice, form)];
    assert.deepEqual([one.status, other.status], [201, 201]);
    assert.equal(one.json.id, other.json.id);
    assert.equal(one.json.note, '');
    const [item, ...more] = await items(id);
    assert.deepEqual(more, []);
    const { name, url, price, description, retailer, image_url } = item!;
    assert.deepEqual(
      { name, address: url, price, description, retailer, image: image_url },
      {
        ...{ name: GIFT.name, address: GIFT.address, price: 43.9, description: GIFT.description },
        ...{ retailer: GIFT.retailer, image: GIFT.image },
      },
    );
    const page = await alice(one.json.address);
    assert.match(page.text, /value="Blue Teapot"/);

    const again = await send(alice, { ...form, key: (await account(alice)).key });
    assert.equal(again.status, 201);
    assert.equal((await items(id)).length, 2, 'a new press adds one more');
  });

  test('a gift is taken off again, also if the press is sent twice', async () => {
    const id = await list();
    const { nonce, key } = await account(alice);
    const { json } = await send(alice, { ...GIFT, list: String(id), nonce, key });
    for (const status of [200, 200]) {
      const form = { do: 'remove', list: String(id), item: String(json.id), nonce };
      assert.equal((await send(alice, form)).status, status);
    }
    assert.deepEqual(await items(id), []);
  });

  test('another currency is said, and the price is left for the person', async () => {
    const id = await list();
    const { nonce, key } = await account(alice);
    const { status, json } = await send(alice, { ...GIFT, currency: 'USD', list: String(id), nonce, key });
    assert.equal(status, 201);
    assert.match(json.note, /your list uses EUR/);
    assert.equal((await items(id))[0]!.price, null);
  });

  test('nothing is stored without the nonce, for another site’s page, or on a list of others', async () => {
    const id = await list();
    const { nonce, key } = await account(alice);
    const form = { ...GIFT, list: String(id), nonce, key };
    const stranger = await site.visit();
    const foreign = await account(carol);
    const refused: [string, Visitor, Record<string, string>, number, object?][] = [
      ['no nonce', alice, { ...form, nonce: '' }, 403],
      ['another’s nonce', alice, { ...form, nonce: foreign.nonce }, 403],
      ['a shop’s page', alice, form, 403, { origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' }],
      ['a frame without origin', alice, form, 403, { origin: 'null' }],
      ['signed out', stranger, form, 403],
      ['another’s list', carol, { ...form, nonce: foreign.nonce, key: foreign.key }, 404],
      ['no list', alice, { ...form, list: '0' }, 404],
      ['no name', alice, { ...form, name: ' ' }, 422],
      ['no price', alice, { ...form, price: 'cheap' }, 422],
    ];
    for (const [what, visitor, sent, status, headers] of refused)
      assert.equal((await send(visitor, sent, headers)).status, status, what);
    assert.deepEqual(await items(id), []);
    const { json } = await send(stranger, form);
    assert.equal(json.account, null, 'the extension learns that nobody is signed in');
    const { json: fresh } = await send(alice, { ...form, nonce: 'old' });
    assert.equal((await send(alice, { ...form, nonce: fresh.account.nonce })).status, 201);
  });

  test('a service that is away is told apart from a refusal', async () => {
    const id = await list();
    const { nonce, key } = await account(alice);
    await site.setOption('trousseau_base_url', 'http://127.0.0.1:9');
    const { status, json } = await send(alice, { ...GIFT, list: String(id), nonce, key });
    await site.setOption('trousseau_base_url', site.service.url);
    assert.equal(status, 503);
    assert.ok(json.problem.length > 10);
    assert.equal((await send(alice, { ...GIFT, list: String(id), nonce, key })).status, 201);
  });

  test('every page of the site names the door', async () => {
    const { text } = await (await site.visit())('/');
    assert.match(text, new RegExp(`<link rel="trousseau-add" href="${site.url}/registries/add/">`));
  });
});
