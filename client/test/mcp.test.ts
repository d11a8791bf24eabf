// The tools as an assistant calls them: through the SDK's client, on the service with the embedded host.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { after, describe, it, test } from 'node:test';
import { Client as Assistant } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { ItemCreate } from '../../api/src/contract/index.ts';
import { amountOf } from '../../api/src/domain/money.ts';
import { startShop } from '../../api/test/internet/shop-server.ts';
import {
  authorization,
  type Name,
  PAN,
  PASSWORDS,
  startTestService,
  temporaryFolder,
} from '../../api/test/support.ts';
import { toAmount, toMinorUnits } from '../mcp/amounts.ts';
import type { Site } from '../mcp/invited-lists.ts';
import { createServer } from '../mcp/server.ts';
import { tools } from '../mcp/tools.ts';

const MAIN = join(import.meta.dirname, '../mcp/main.ts');
const CLIENT_INFO = { name: 'test', version: '1' };

/** Calls a tool; returns its answer, or the text of its error. */
async function call(assistant: Assistant, name: string, args: object = {}) {
  const { content, isError } = await assistant.callTool({ name, arguments: { ...args } });
  const [{ text } = { text: '' }] = content as { text: string }[];
  // biome-ignore lint/suspicious/noExplicitAny: answers are examined field by field
  return { isError: isError === true, text, json: (isError ? undefined : JSON.parse(text)) as any };
}

async function done(assistant: Assistant, name: string, args: object = {}) {
  const { isError, text, json } = await call(assistant, name, args);
  assert.equal(isError, false, text);
  return json;
}

const refused = async (assistant: Assistant, name: string, args: object, words: RegExp) => {
  const { isError, text } = await call(assistant, name, args);
  assert.equal(isError, true, text);
  assert.match(text, words);
};

const fieldsOf = (gifts: Record<string, unknown>[], ...names: string[]) =>
  gifts.map((gift) => names.map((name) => gift[name]));

/** Starts a shop whose pages sell what their address says: /ladle-12.90 is a ladle for 12.90 €. */
const startShopOfAll = () =>
  startShop(({ url = '' }, response) => {
    const [, name, price] = /^\/(\w+)-([\d.]+)$/.exec(url) ?? [];
    const offers = { '@type': 'Offer', price, priceCurrency: 'EUR' };
    const product = { '@context': 'https://schema.org', '@type': 'Product', name, offers };
    response.setHeader('content-type', 'text/html; charset=utf-8');
    if (!name) response.statusCode = 404;
    response.end(
      `<!doctype html><title>${name}</title><script type="application/ld+json">${JSON.stringify(product)}</script>`,
    );
  });

const parts = new AsyncDisposableStack();
after(() => parts.disposeAsync());
const shop = parts.use(await startShopOfAll());
const settings = { LOOKUP_ALLOW: shop.host, ITEM_ACCESS: 'registry' };
const service = parts.use(await startTestService(settings));

describe('the tools', () => {
  async function assistantOf(name: Name, site?: Site): Promise<Assistant> {
    const assistant = new Assistant(CLIENT_INFO);
    const [here, there] = InMemoryTransport.createLinkedPair();
    await createServer(service.client(name), '1', site).connect(there);
    await assistant.connect(here);
    parts.defer(() => assistant.close());
    return assistant;
  }

  const makeList = async (title: string, meta: object = {}) =>
    (await service.client('alice').registries.create({
      title,
      meta: { registry_currency: 'EUR', registry_invitees: ['bob'], ...meta },
    }))!.id;

  const addPan = async (list: number, fields: object = {}) =>
    (await service.client('alice').registries.items.create(list, { ...PAN, ...fields }))!.data.id;

  const give = (list: number, item: number, as: Name = 'bob', claim: object = {}) =>
    service.client(as).registries.items.claims.create(list, item, claim);

  it('say what they do, and which of them only read', async () => {
    const listed = (await (await assistantOf('alice')).listTools()).tools;
    const names = listed.map(({ name }) => name);
    assert.deepEqual(names, Object.keys(tools));
    for (const { name, description, annotations } of listed) {
      const promise = /\b(nothing|no email|They leave|left alone|leaves the rest|stays known)\b/i;
      assert.match(description!, promise, name);
      assert.equal(annotations!.readOnlyHint, tools[name]!.effect === 'reads', name);
      assert.equal(annotations!.destructiveHint, tools[name]!.effect === 'removes', name);
    }
  });

  it('“Add these five links to my wedding list and tell me what is left under 50 €”', async () => {
    const event = { registry_event_type: 'wedding', registry_event_date: '2027-06-12' };
    const id = await makeList('Our wedding', event);
    await makeList('Baby');
    const assistant = await assistantOf('alice');
    const { lists } = await done(assistant, 'list_my_lists');
    const wedding = lists.find(({ occasion }: { occasion: string }) => occasion === 'wedding');
    const [found] = fieldsOf([wedding], 'list_id', 'title', 'date', 'currency', 'gifts');
    assert.deepEqual(found, [id, 'Our wedding', '2027-06-12', 'EUR', 0]);
    const paths = ['ladle-12.90', 'kettle-49.99', 'mixer-349.00', 'towels-50.00', 'gone'];
    const links = paths.map((path) => ({ url: `${shop.url}/${path}` }));
    const { gifts } = await done(assistant, 'add_gifts', { list_id: id, gifts: links });
    const added = fieldsOf(gifts.slice(0, 4), 'name', 'price', 'state').map((fields) => fields.join(' '));
    assert.deepEqual(added, ['ladle 12.9 added', 'kettle 49.99 added', 'mixer 349 added', 'towels 50 added']);
    assert.equal(gifts[4].url, links[4]!.url);
    assert.match(gifts[4].problem, /^The shop gives no name: add it with a name\. .*404/);

    const mended = { list_id: id, gifts: [{ ...links[4], name: 'Vase' }, links[0]] };
    const [vase, again] = (await done(assistant, 'add_gifts', mended)).gifts;
    assert.deepEqual([vase.name, vase.price, vase.state], ['Vase', null, 'added']);
    assert.ok(vase.open.includes('It has no price.'));
    assert.deepEqual([again.gift_id, again.state], [gifts[0].gift_id, 'was on the list already']);

    await give(id, gifts[1].gift_id);
    const left = await done(assistant, 'read_list', { list_id: id, only_left: true, max_price: 50 });
    const facts = fieldsOf(left.gifts, 'name', 'price', 'left').map((fields) => fields.join(' '));
    assert.deepEqual(facts, ['ladle 12.9 1', 'towels 50 1']);
    assert.deepEqual(left.left_out_without_price, ['Vase']);
    assert.equal((await service.client('alice').registries.items.list(id))!.length, 5);
  });

  it('change, move and remove gifts', async () => {
    const [id, other] = [await makeList('Here'), await makeList('There')];
    const assistant = await assistantOf('alice');
    const pans = [
      { ...PAN, price: 20 },
      { ...PAN, url: 'https://shop.example/pot' },
    ];
    const wanted = { list_id: id, gifts: [{ name: 'A day together', quantity: 2 }, ...pans] };
    const { gifts } = await done(assistant, 'add_gifts', wanted);
    const [day, gift, pot] = gifts.map(({ gift_id }: { gift_id: number }) => gift_id);
    assert.match(gifts[0].url, /^http/, 'a gift without a shop has the address of its list');
    const change = { gift_id: gift, price: null, note: 'Blue', quantity: 3 };
    const changed = await done(assistant, 'change_gift', change);
    assert.deepEqual([changed.name, changed.price, changed.note, changed.needed], ['Pan', null, 'Blue', 3]);
    await give(id, gift);
    const moved = await done(assistant, 'move_gifts', { gift_ids: [gift, day, 999_999], to_list_id: other });
    const found = moved.gifts.map(({ list_id, problem }: Record<string, unknown>) => list_id ?? problem);
    assert.deepEqual(found, [other, other, 'There is no such gift or list, or your account may not see it.']);
    const { gifts: there } = await done(assistant, 'read_list', { list_id: other });
    assert.deepEqual(fieldsOf(there, 'gift_id', 'left').flat(), [gift, 2, day, 2]);
    assert.deepEqual(await done(assistant, 'remove_gift', { gift_id: pot }), { removed: 'Pan' });
    assert.deepEqual((await done(assistant, 'read_list', { list_id: id })).gifts, []);
  });

  it('invite, see what is given, and thank', async () => {
    const id = await makeList('Ann', { registry_invitees: [] });
    const assistant = await assistantOf('alice');
    await refused(await assistantOf('bob'), 'read_list', { list_id: id }, /\(403\)/);
    const people = ['bob', 'aunt@example.test'];
    assert.deepEqual((await done(assistant, 'invite', { list_id: id, people })).invitees, people);
    const gift_id = await addPan(id);
    const claim = (await give(id, gift_id, 'bob', { message: 'Enjoy', state: 'purchased' }))!;
    const { gifts } = await done(assistant, 'see_gifts', { list_id: id });
    const what = { claim_id: claim.id, list_id: id, gift_id, gift: 'Pan', quantity: 1 };
    const rest = { state: 'purchased', message: 'Enjoy', until: null, thanked: false };
    assert.deepEqual(gifts, [{ ...what, ...rest, giver: claim.giver.name }]);
    const thanked = await done(assistant, 'thank', { claim_ids: [claim.id, 'x'.repeat(22)] });
    assert.equal(thanked.gifts[0].state, 'thanked');
    assert.match(thanked.gifts[1].problem, /no such gift/);
    assert.equal((await done(assistant, 'see_gifts', { list_id: id })).gifts[0].thanked, true);
  });

  it('keep a surprise', async () => {
    const bare = await makeList('Ann', { registry_surprise_until: 'always' });
    const assistant = await assistantOf('alice');
    const gift_id = await addPan(bare);
    const look = async () => [
      await call(assistant, 'read_list', { list_id: bare }),
      await call(assistant, 'read_list', { list_id: bare, only_left: true }),
      await call(assistant, 'see_gifts', { list_id: bare }),
      await call(assistant, 'my_gifts'),
      await call(assistant, 'list_my_lists'),
    ];
    const before = await look();
    await give(bare, gift_id);
    assert.deepEqual(await look(), before);
    assert.match(before[0]!.json.note, /^This list is a surprise for you: /);
    assert.deepEqual(before[2]!.json.gifts, []);
    await refused(assistant, 'reserve', { list_id: bare, gift_id }, /surprise for its owners.*\(403\)/);
  });

  it('let a guest read, reserve and cancel', async () => {
    const id = await makeList('Ann');
    const gift_id = await addPan(id, { quantity_needed: 2 });
    const gift = { list_id: id, gift_id };
    const guest = await assistantOf('bob');
    assert.deepEqual((await done(guest, 'list_my_lists')).lists, []);
    const reserved = await done(guest, 'reserve', { ...gift, quantity: 2, message: 'Hi' });
    assert.deepEqual([reserved.state, reserved.quantity, reserved.bought], ['reserved', 2, false]);
    await refused(guest, 'reserve', gift, /^0 left of this item.*\(409\)/);
    await refused(guest, 'reserve', { ...gift, amount: 5 }, /Only a group gift takes an amount/);
    await refused(guest, 'reserve', { ...gift, gift_id: 999_999 }, /no such gift on this list/);
    const mine = fieldsOf((await done(guest, 'my_gifts')).gifts, 'claim_id', 'gift', 'list_id').join('\n');
    assert.match(mine, new RegExp(`^${reserved.claim_id},Pan,${id}$`, 'm'));
    await refused(guest, 'change_gift', { gift_id, price: 1 }, /\(403\)/);
    await refused(guest, 'move_gifts', { gift_ids: [], to_list_id: id }, /gift_ids/);
    await refused(await assistantOf('carol'), 'cancel', { claim_id: reserved.claim_id }, /no such gift/);
    const admin = await assistantOf('admin');
    assert.equal((await done(admin, 'see_gifts', { list_id: id })).gifts.length, 1);
    await refused(admin, 'cancel', { claim_id: reserved.claim_id }, /no such gift/);
    assert.equal((await done(guest, 'cancel', { claim_id: reserved.claim_id })).state, 'released');
    assert.deepEqual((await done(admin, 'see_gifts', { list_id: id })).gifts, []);
    assert.equal((await done(guest, 'read_list', { list_id: id })).gifts[0].left, 2);
    await addPan(id, { quantity_needed: 2_147_483_647 });
    const [, any] = (await done(guest, 'read_list', { list_id: id })).gifts;
    assert.deepEqual([any.needed, any.left], ['as many as people like', undefined]);
  });

  it('ask the site, where its address is known, which lists someone is invited to', async () => {
    let answer: [number, object] = [200, { lists: [{ list_id: 7, title: 'Amira and Tom' }] }];
    const asked: unknown[] = [];
    await using site = await startShop(({ url, headers }, response) => {
      asked.push([decodeURIComponent(url!), headers.authorization]);
      response.writeHead(answer[0], { 'content-type': 'application/json' }).end(JSON.stringify(answer[1]));
    });
    const bob = { url: `${site.url}/blog/`, username: 'bob', password: 'p w' };
    const assistant = await assistantOf('bob', bob);
    const { lists } = await done(assistant, 'list_invited_lists');
    assert.deepEqual(lists, [{ list_id: 7, title: 'Amira and Tom' }]);
    const path = '/blog/?rest_route=/wp-abilities/v1/abilities/trousseau/list-invited-lists/run';
    assert.deepEqual(asked, [[path, `Basic ${btoa('bob:p w')}`]]);
    for (const [status, words] of [
      [401, /did not accept this user name/],
      [404, /takes WordPress 6\.9 or later/],
      [503, /cannot answer now \(503\)/],
    ] as const) {
      answer = [status, { code: 'rest_no_route' }];
      await refused(assistant, 'list_invited_lists', {}, words);
    }
  });

  it('count group gifts in amounts', async () => {
    const id = await makeList('Ann', { registry_pay_to: 'Our account' });
    const [owner, guest] = [await assistantOf('alice'), await assistantOf('bob')];
    const mixer = { url: `${shop.url}/mixer-349.00`, group_gift: true };
    const wanted = { list_id: id, gifts: [mixer, { name: 'Trip', group_gift: true }] };
    const { gifts } = await done(owner, 'add_gifts', wanted);
    const gift_id = gifts[0].gift_id;
    assert.deepEqual(gifts[0].group_gift, { goal: 349, missing: 349, currency: 'EUR' });
    assert.match(gifts[1].problem, /needs a price/);
    await refused(guest, 'reserve', { list_id: id, gift_id }, /needs an amount/);
    const share = await done(guest, 'reserve', { list_id: id, gift_id, amount: 49.5 });
    assert.deepEqual([share.amount, share.currency, share.pay_to], [49.5, 'EUR', 'Our account']);
    await refused(guest, 'reserve', { list_id: id, gift_id, amount: 300 }, /299\.50 EUR are left/);
    await refused(owner, 'change_gift', { gift_id, quantity: 2 }, /give that as its price/);
    const changed = await done(owner, 'change_gift', { gift_id, price: 400 });
    assert.deepEqual(changed.group_gift, { goal: 400, missing: 350.5, currency: 'EUR' });
    const [seen] = (await done(owner, 'see_gifts', { list_id: id })).gifts;
    assert.deepEqual([seen.amount, seen.currency], [49.5, 'EUR']);
    const [mine] = (await done(guest, 'my_gifts')).gifts;
    assert.deepEqual([mine.amount, mine.currency], [49.5, 'EUR']);
  });

  it('take no price in another currency, and no address that isn’t one', async () => {
    const id = await makeList('Ann', { registry_currency: 'USD' });
    const owner = await assistantOf('alice');
    const ladle = { list_id: id, gifts: [{ url: `${shop.url}/ladle-12.90` }] };
    const [gift] = (await done(owner, 'add_gifts', ladle)).gifts;
    assert.deepEqual([gift.price, gift.open[0]], [null, "The shop's price is 12.9 EUR, the list is in USD."]);
    for (const url of ['javascript:alert(1)', 'a pan', 'file:///etc/passwd'])
      await refused(owner, 'add_gifts', { list_id: id, gifts: [{ name: 'Pan', url }] }, /url/);
  });
});

test('amounts have the decimals of the service', () => {
  for (const currency of ['ISK', 'UYI', ...Intl.supportedValuesOf('currency')]) {
    const [, amount] = /^([\d.]+) /.exec(amountOf(123_456, currency))!;
    assert.equal(toAmount(123_456, currency), Number(amount), currency);
    assert.equal(toMinorUnits(Number(amount), currency), 123_456, currency);
  }
});

describe('npx trousseau mcp', () => {
  const env = (more: object = {}) => ({ PATH: process.env.PATH!, TROUSSEAU_BASE_URL: service.url, ...more });

  const overStdin = (password: object) =>
    new StdioClientTransport({
      ...{ command: process.execPath, args: [MAIN], stderr: 'pipe' },
      env: env({ TROUSSEAU_USERNAME: 'alice', ...password }),
    });

  /** Runs the command to its end, with nothing on its stdin. */
  async function run(args: string[], more: object = {}, without: string[] = []) {
    const given: Record<string, string> = env(more);
    for (const name of without) delete given[name];
    const child = spawn(process.execPath, [MAIN, ...args], { env: given, stdio: ['ignore', 'pipe', 'pipe'] });
    const [said, [code]] = await Promise.all([
      Promise.all([child.stdout, child.stderr].map((stream) => readText(stream))),
      once(child, 'close'),
    ]);
    return { code, said: said.join('') };
  }

  it('speaks over stdin and stdout, signed in from a file', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'password');
    await writeFile(file, `${PASSWORDS.alice}\n`);
    const assistant = new Assistant(CLIENT_INFO);
    const transport = overStdin({ TROUSSEAU_APP_PASSWORD_FILE: file });
    const said: unknown[] = [];
    transport.stderr!.on('data', (chunk) => said.push(chunk));
    await assistant.connect(transport);
    assert.equal(assistant.getServerVersion()!.name, 'trousseau');
    assert.match(assistant.getInstructions()!, /Nothing is ever bought/);
    assert.ok(Array.isArray((await done(assistant, 'list_my_lists')).lists));
    await assistant.close();
    assert.deepEqual(said, []);
  });

  it('takes no password as an argument, says what is missing, and repeats no secret', async () => {
    const secret = 'the-secret-itself';
    const named = { TROUSSEAU_USERNAME: 'alice', TROUSSEAU_APP_PASSWORD: secret };
    for (const [args, more, without, words] of [
      [[secret], named, [], /TROUSSEAU_APP_PASSWORD/],
      [[], { TROUSSEAU_USERNAME: 'alice' }, [], /^TROUSSEAU_USERNAME and TROUSSEAU_APP_PASSWORD .* not set/],
      [[], named, ['TROUSSEAU_BASE_URL'], /^TROUSSEAU_BASE_URL is not set/],
      [[], { ...named, TROUSSEAU_SITE_URL: 'gifts' }, [], /^TROUSSEAU_SITE_URL is not an address/],
      [[], { ...named, TROUSSEAU_APP_PASSWORD: '', TROUSSEAU_APP_PASSWORD_FILE: '/none' }, [], /ENOENT/],
    ] as const) {
      const { code, said } = await run([...args], more, [...without]);
      assert.equal(code, 2, said);
      assert.match(said, words);
      assert.doesNotMatch(said, new RegExp(secret));
    }
  });

  it('tells an assistant that the password is wrong, and shows it nowhere', async () => {
    const assistant = new Assistant(CLIENT_INFO);
    await assistant.connect(overStdin({ TROUSSEAU_APP_PASSWORD: 'wrong wrong wrong' }));
    const words = /^The site did not accept this user name and application password\.$/;
    await refused(assistant, 'list_my_lists', {}, words);
    await assistant.close();
  });

  it('listens on this machine alone, where each request signs in by itself', async () => {
    const stdio = ['ignore', 'ignore', 'pipe'] as ['ignore', 'ignore', 'pipe'];
    const child = spawn(process.execPath, [MAIN, '--http', '0'], { env: env(), stdio });
    try {
      const [line] = await once(child.stderr.setEncoding('utf8'), 'data');
      const url = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(line)![0];
      for (const name of ['alice', 'bob'] as const) {
        const assistant = new Assistant(CLIENT_INFO);
        const headers = { authorization: authorization(name) };
        const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
        await assistant.connect(transport as Parameters<typeof assistant.connect>[0]);
        const made = (await service.client(name).registries.create({ title: `Of ${name}` }))!;
        const { lists } = await done(assistant, 'list_my_lists');
        assert.deepEqual([lists[0].list_id, lists[0].title], [made.id, `Of ${name}`]);
        await assistant.close();
      }
      const ask = (init: RequestInit, path = '') =>
        fetch(url + path, { method: 'POST', body: '{}', ...init });
      const signedIn = { authorization: authorization('alice') };
      assert.equal((await ask({})).headers.get('www-authenticate'), 'Basic realm="trousseau"');
      for (const [status, init, path] of [
        [401, {}],
        [401, { headers: { authorization: 'Bearer x' } }],
        [403, { headers: { ...signedIn, origin: 'https://evil.example' } }],
        [405, { method: 'GET', body: null, headers: signedIn }],
        [404, { headers: signedIn }, '/other'],
      ] as const)
        assert.equal((await ask(init, path)).status, status);
    } finally {
      child.kill();
      await once(child, 'close');
    }
  });
});

test('assistants know every field of an item that its owner writes', () => {
  const source = readFileSync(join(import.meta.dirname, '../mcp/tools.ts'), 'utf8');
  const othersWrite = ['is_active', 'quantity_purchased', 'affiliate_url', 'affiliate_status'];
  for (const field of Object.keys(ItemCreate.properties).filter((name) => !othersWrite.includes(name)))
    assert.match(source, new RegExp(`\\b${field}\\b`), `${field} is missing in client/mcp/tools.ts`);
});
