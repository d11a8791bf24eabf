// Sites that move from one service to another by requests of their WordPress.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { describe, it, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type Client, createClient } from 'trousseau-client';
import { until } from '../../dev/until.ts';
import type { Database } from '../src/store/database.ts';
import { MOVED } from '../src/store/moved-tables.ts';
import { openDatabase } from '../src/store/open.ts';
import { agrees } from './claim-service.ts';
import { basic, type FakeHost, PASSWORD, sendJson, startFakeHost } from './fake-host.ts';
import { type Answer, type Call, keyOf, startManySites, startManySitesHere, stores } from './many-sites.ts';
import type { EmptyStore } from './postgres.ts';
import { freshSqlite, startTestService, temporaryFolder } from './support.ts';

const PLACE = '/trousseau/v1/joining';
const DAY = 24 * 60 * 60_000;
const GZIP = 'application/gzip';
const PAN = { registry_id: 7, name: 'Pan', url: 'https://shop.example/pan', quantity_needed: 9 };
const MOVING = { detail: 'This site is moving to another service' };
const GONE = { detail: 'This site has moved to another service' };
const newToken = () => randomBytes(32).toString('base64url');

/** Shows a token at the site's address; gives it. */
function show(host: FakeHost, token = newToken()): string {
  host.misbehave = ({ route }, response, usual) =>
    route === PLACE ? sendJson(response, 200, { token }) : usual();
  return token;
}

const settingsFor = (hosts: FakeHost[]) => ({
  REGISTRY_CACHE_TTL: '0',
  LOOKUP_ALLOW: hosts.map(({ url }) => new URL(url).host).join(),
});

/** One process, which waits for no other to notice. */
const startMany = (store: EmptyStore, hosts: FakeHost[], { wall = Date.now, env = {}, moves = {} } = {}) =>
  startManySitesHere(
    store,
    {
      clock: { wall },
      limits: { jobsEveryMs: DAY, moves: { noticedMs: 0, ...moves } },
    },
    { ...settingsFor(hosts), TRUST_PROXY: '127.0.0.1', ...env },
  );

let callers = 0;

type Exported = Answer & { file: Buffer };
type Site = ReturnType<typeof siteOf>;

/** A site of a service, as its WordPress sees it. */
function siteOf(many: { at(base: string): Call }, base: string) {
  const call = many.at(base);
  return {
    ...{ call, base, key: keyOf(base) },

    async export(json: object, as = 'admin', from = `203.0.113.${++callers % 250}`): Promise<Exported> {
      const response = await fetch(`${base}/export`, {
        method: 'POST',
        headers: {
          ...{ authorization: basic(as), 'content-type': 'application/json', 'x-forwarded-for': from },
        },
        body: JSON.stringify(json),
      });
      const file = Buffer.from(await response.arrayBuffer());
      const body = response.ok ? undefined : JSON.parse(file.toString());
      return { status: response.status, headers: response.headers, body, file };
    },

    end: (state: unknown, as = 'admin') => call('/export', { method: 'PUT', as, json: { state } }),

    import: (file: Buffer, as = 'admin', type = GZIP) =>
      call('/import', { method: 'POST', as, body: new Uint8Array(file), headers: { 'content-type': type } }),

    items: () => call('/registries/7/items', { as: 'ann' }),
    add: (json: object = {}) => call('/items', { method: 'POST', as: 'ann', json: { ...PAN, ...json } }),
    claim: (item: number, json: object = {}) =>
      call(`/registries/7/items/${item}/claims`, { method: 'POST', as: 'bob', json }),
  };
}

async function said(status: number, answer: Promise<Answer>) {
  const { status: was, body } = await answer;
  assert.equal(was, status, JSON.stringify(body));
  return body;
}

/** Gives a site items and claims; the host has their order then. */
async function fill(site: Site, host: FakeHost): Promise<void> {
  host.posts.get(7).meta.registry_invitees = '["bob"]';
  await site.call('/items', { as: 'ann' });
  for (let n = 0; n < 3; n++) await said(201, site.add());
  const { id } = await said(201, site.claim(1, { quantity: 2, message: 'For “soups” 水' }));
  await said(200, site.call(`/claims/${id}`, { method: 'PATCH', as: 'bob', json: { state: 'purchased' } }));
  await said(201, site.claim(2));
  await until('the host has the order', async () => {
    await site.items();
    return host.posts.get(7).meta.registry_item_ids === '[1,2,3]';
  });
}

const linesOf = (file: Buffer): string[] => gunzipSync(file).toString().trimEnd().split('\n');

/** A file with these lines, as whole as an export. */
function whole(lines: string[]): Buffer {
  const text = lines.map((line) => `${line}\n`).join('');
  const sha256 = createHash('sha256').update(text).digest('hex');
  return gzipSync(`${text}${JSON.stringify({ end: {}, sha256 })}\n`);
}

type Change = (row: Record<string, unknown>, index: number) => void;

/** The file with its rows of a table changed. */
function forged(file: Buffer, table: string, change: Change): Buffer {
  let columns: string[] | undefined;
  let index = 0;
  return whole(
    linesOf(file)
      .slice(0, -1)
      .map((line) => {
        const value = JSON.parse(line);
        if (!Array.isArray(value)) {
          columns = value.table === table ? value.columns : undefined;
          return line;
        }
        if (!columns) return line;
        const row = Object.fromEntries(columns.map((column, i) => [column, value[i]]));
        change(row, index++);
        return JSON.stringify(columns.map((column) => row[column]));
      }),
  );
}

const rowsIn = (db: Database) =>
  Promise.all(Object.keys(MOVED).map(async (table) => (await db.read(`select * from ${table}`)).sort()));

for (const { name, open, skip } of stores) {
  describe(`a site that moves by requests, on ${name}`, { skip }, () => {
    it('is closed and exported, filled at the other service, and gone for good', async () => {
      await using from = await open();
      await using to = await open();
      await using host = await startFakeHost();
      await using old = await startMany(from, [host]);
      await using other = await startMany(to, [host]);
      const here = siteOf(old, await old.add(host.url));
      const there = siteOf(other, await other.add(host.url));
      await fill(here, host);
      const before = await here.items();
      const { next } = await said(200, here.call('/events', { as: 'admin' }));

      const exported = await here.export({ token: show(host) });
      assert.equal(exported.status, 200, JSON.stringify(exported.body));
      const { headers } = exported;
      assert.deepEqual([headers.get('content-type'), headers.get('content-encoding')], [GZIP, null]);
      const closed = await here.items();
      assert.deepEqual([closed.status, closed.body], [503, MOVING]);
      assert.equal(closed.headers.get('retry-after'), '30');
      for (const path of ['/', '/nowhere', '/status', '/claims'])
        assert.deepEqual((await here.call(path, { as: 'ann' })).body, MOVING, path);
      assert.equal((await here.call('/health')).status, 200);
      assert.match((await old.command('list')).out, / moving$/m);

      const filled = await there.import(exported.file);
      assert.deepEqual([filled.status, filled.body], [200, { items: 3, claims: 2 }]);
      const after = await there.items();
      assert.deepEqual([after.body, after.headers.get('etag')], [before.body, before.headers.get('etag')]);
      const feed = await said(200, there.call(`/events?after=${next}`, { as: 'admin' }));
      assert.deepEqual(feed, { events: [], next }, 'followers go on');
      await using db = await opened(to);
      await agrees({ query: async <T>(sql: string) => (await db.read(sql)) as T[] });

      // An answer that was lost: the same again, also with a newer file, until somebody has been here.
      const again = await here.export({ token: show(host) });
      for (const { file } of [exported, again])
        assert.deepEqual(await said(200, there.import(file)), { items: 3, claims: 2 });
      assert.deepEqual((await there.items()).body, before.body);

      assert.deepEqual((await here.end('moved')).status, 204);
      assert.deepEqual((await here.end('moved')).status, 204);
      assert.deepEqual(await said(410, here.items()), GONE);
      assert.deepEqual(await said(410, here.call('/health')), GONE);
      assert.deepEqual(await said(410, here.end('kept')), GONE);
      assert.deepEqual((await here.export({ token: show(host) })).body, GONE);
      assert.deepEqual(await said(410, here.import(exported.file)), GONE);
      assert.match((await old.command('show', here.key)).out, /^state +moved$/m);

      assert.equal((await said(201, there.add())).data.id, 4);
      assert.match((await said(409, there.import(exported.file))).detail, /not empty/);
      assert.equal((await there.items()).body.length, 4);

      await old.command('suspend', here.key);
      assert.match((await old.command('list')).out, / suspended$/m);
      await old.command('resume', here.key);
      await until('it is open again', async () => (await here.items()).status === 200);
      assert.deepEqual((await here.items()).body, before.body);
    });

    it('stays where it is when the move ends, or is broken off', async () => {
      await using store = await open();
      await using host = await startFakeHost();
      let later = 0;
      await using many = await startMany(store, [host], { wall: () => Date.now() + later });
      const site = siteOf(many, await many.add(host.url));
      await fill(site, host);
      await said(204, site.end('kept'));
      await said(409, site.end('moved'));
      assert.equal((await site.items()).status, 200);

      assert.equal((await site.export({ token: show(host) })).status, 200);
      assert.deepEqual(await said(503, site.items()), MOVING);
      await said(204, site.end('kept'));
      await said(204, site.end('kept'));
      assert.equal((await site.items()).status, 200);
      await said(409, site.end('moved'));

      assert.equal((await site.export({ token: show(host) })).status, 200);
      later += 9 * 60_000;
      assert.deepEqual(await said(503, site.items()), MOVING);
      assert.equal((await site.export({ token: show(host) })).status, 200);
      later += 9 * 60_000;
      assert.deepEqual(await said(503, site.items()), MOVING);
      later += 2 * 60_000;
      assert.equal((await site.items()).status, 200);
      await said(409, site.end('moved'));
      assert.match((await many.command('list')).out, / (active|moving)$/m);

      assert.equal((await site.export({ token: show(host) })).status, 200);
      await many.command('suspend', site.key);
      await until('it is suspended', async () => (await site.call('/health')).status === 503);
      assert.deepEqual(await said(503, site.end('kept')), { detail: 'This site is suspended' });
    });

    it('gives its file to admins with a token that it shows, once', async () => {
      await using store = await open();
      await using host = await startFakeHost();
      await using many = await startMany(store, [host]);
      const site = siteOf(many, await many.add(host.url));
      await site.items();
      const token = show(host);
      const refused = async (status: number, answer: Promise<Answer>) => {
        await said(status, answer);
        assert.equal((await site.items()).status, 200, 'it is open');
      };
      await refused(403, site.export({ token }, 'ann'));
      await refused(403, site.end('kept', 'ann'));
      await refused(403, site.import(gzipSync(''), 'ann'));
      for (const json of [{}, { token: 'short' }, { token: 7 }, { token: [token] }])
        await refused(422, site.export(json));
      for (const json of [{}, { state: 'gone' }, { state: null }])
        await refused(422, site.call('/export', { method: 'PUT', as: 'admin', json }));
      await refused(403, site.export({ token: newToken() }));
      await refused(401, site.call('/export', { method: 'POST', json: { token } }));
      host.misbehave = ({ route }, response, usual) =>
        route === PLACE ? sendJson(response, 500, {}) : usual();
      await refused(502, site.export({ token }));
      show(host, token);
      assert.equal((await site.export({ token })).status, 200);
      await said(204, site.end('kept'));
      await refused(403, site.export({ token }));

      const from = '198.51.100.1';
      for (let n = 0; n < 10; n++) await refused(403, site.export({ token: newToken() }, 'admin', from));
      const limited = await site.export({ token: show(host) }, 'admin', from);
      assert.equal(limited.status, 429);
      assert.ok(Number(limited.headers.get('retry-after')) > 3_000);
    });

    it('is exported by one of two requests at once, and by none that ends before', async () => {
      await using store = await open();
      await using host = await startFakeHost();
      await using many = await startMany(store, [host], { moves: { noticedMs: 300 } });
      const site = siteOf(many, await many.add(host.url));
      await fill(site, host);
      const asked = [show(host)].map((token) => site.export({ token }));
      await until('it is closed', async () => (await site.items()).status === 503);
      asked.push(site.export({ token: show(host) }));
      const answers = await Promise.all(asked);
      assert.deepEqual(
        answers.map(({ status }) => status),
        [409, 200],
      );
      const ended = site.export({ token: show(host) });
      await until('it is asked for its token', () => host.count(({ route }) => route === PLACE) === 3);
      await until('it opens', async () => {
        await site.end('kept');
        return (await site.items()).status === 200;
      });
      const { status } = await ended;
      assert.ok(status === 409 || status === 200);
    });

    it('keeps a limit of items of its own, and its neighbours their rows', async () => {
      await using from = await open();
      await using to = await open();
      await using host = await startFakeHost();
      await using neighbour = await startFakeHost();
      await using old = await startMany(from, [host]);
      const env = { SITES_JOIN: 'open', SITE_ITEMS: '2' };
      await using other = await startMany(to, [host, neighbour], { env });
      const here = siteOf(old, await old.add(host.url));
      await fill(here, host);
      const beside = siteOf(other, await other.add(neighbour.url));
      await fill(beside, neighbour);
      const { base_url } = await said(
        201,
        other.at(other.url)('/sites', { method: 'POST', json: { url: host.url, token: show(host) } }),
      );
      const there = siteOf(other, `${other.url}/sites/${keyOf(base_url)}`);
      const three = await here.export({ token: show(host) });
      const { detail } = await said(409, there.import(three.file));
      assert.equal(detail, 'This site holds at most 2 active items');
      assert.deepEqual((await there.items()).body, []);

      await said(204, here.end('kept'));
      await said(200, here.call('/items/3', { method: 'DELETE', as: 'ann' }));
      const two = await here.export({ token: show(host) });
      await said(200, there.import(two.file));
      assert.equal((await there.items()).body.length, 2);
      assert.equal((await said(409, there.add())).detail, 'This site holds at most 2 active items');
      assert.match((await other.command('show', there.key)).out, /^items +2 at most$/m);
      assert.equal((await beside.items()).body.length, 3);
    });

    it('takes no file that is cut off, changed, too large or of somebody else', async () => {
      await using store = await open();
      await using host = await startFakeHost();
      await using stranger = await startFakeHost();
      await using many = await startMany(store, [host, stranger]);
      const site = siteOf(many, await many.add(host.url));
      await fill(site, host);
      const elsewhere = siteOf(many, await many.add(stranger.url));
      const { file } = await site.export({ token: show(host) });
      const lines = linesOf(file);
      const [header = '', ...rest] = lines.slice(0, -1);
      const text = `${lines.join('\n')}\n`;
      const into = (to: string) =>
        whole([JSON.stringify({ ...JSON.parse(header), site: { url: to } }), ...rest]);
      const good = into(stranger.url);
      const withHeader = (more: object) =>
        whole([JSON.stringify({ ...JSON.parse(header), ...more }), ...rest]);
      await using db = await opened(store);
      const before = await rowsIn(db);

      const cases: [file: Buffer, status: number, words: RegExp][] = [
        [file, 422, /is of another site than/],
        [into(`${stranger.url}.example`), 422, /is of another site/],
        [Buffer.alloc(0), 422, /is not whole/],
        [Buffer.from(text), 422, /is not whole/],
        [file.subarray(0, file.length / 2), 422, /is not whole/],
        [Buffer.concat([good.subarray(0, 40), Buffer.alloc(40, 7), good.subarray(80)]), 422, /is not whole/],
        [gzipSync(''), 422, /is not whole/],
        [gzipSync('Dear Ann,\n'), 422, /is no file of a site/],
        [gzipSync(text.slice(0, -200)), 422, /is not whole/],
        [gzipSync(text.replace('"Pan"', '"Pot"')), 422, /has changed/],
        [withHeader({ version: 2 }), 422, /newer service/],
        [withHeader({ schema: 'z'.repeat(100_000) }), 422, /^.{1,200}$/],
        [withHeader({ site: null }), 422, /is no file of a site/],
        [whole([header, '{"table":"sites","columns":["key"]}', '["x"]']), 422, /has sites, which/],
        [whole([header, '{"table":"items","columns":["site_id"]}', '[1]']), 422, /has site_id, which/],
        [whole([header, ...rest, ...rest]), 422, /items twice/],
        [
          whole([header, JSON.stringify({ table: 'items', columns: Array(200_000).fill('x') })]),
          422,
          /^.{1,200}$/,
        ],
        [gzipSync(`{"format":"trousseau site"${' '.repeat(20_000_000)}`), 422, /is no file of a site/],
        [gzipSync(Buffer.alloc(65 * 1024 * 1024, '\n')), 413, /larger than 64 MiB/],
        [
          whole([
            header,
            '{"table":"deletions","columns":["registry_id"]}',
            ...Array.from({ length: 200_001 }, (_, n) => `[${n + 1}]`),
          ]),
          413,
          /more than 200,000 rows/,
        ],
      ];
      for (const [sent, status, words] of cases) {
        // Too large for any engine: no row of it reaches the store.
        if (status === 413 && name !== 'SQLite') continue;
        const { detail } = await said(status, elsewhere.import(sent));
        assert.match(detail, words);
      }
      for (const type of ['application/json', 'text/plain', 'application/octet-stream'])
        await said(415, elsewhere.import(good, 'admin', type));
      await said(415, elsewhere.call('/import', { method: 'POST', as: 'admin' }));
      await said(
        415,
        elsewhere.call('/items', {
          method: 'POST',
          as: 'admin',
          body: 'x',
          headers: { 'content-type': GZIP },
        }),
      );
      assert.deepEqual(await rowsIn(db), before);
      await said(200, elsewhere.import(good));
    });

    it('takes no row that the service could not have written, and believes no sum', async () => {
      await using store = await open();
      await using host = await startFakeHost();
      await using many = await startMany(store, [host]);
      const site = siteOf(many, await many.add(host.url));
      await fill(site, host);
      await said(
        201,
        site.call('/items', { method: 'POST', as: 'ann', json: PAN, headers: { 'idempotency-key': 'k' } }),
      );
      await site.call('/events', { as: 'admin' });
      const { file } = await site.export({ token: show(host) });
      await said(204, site.end('kept'));
      await using db = await opened(store);
      const empty = async () => {
        for (const table of [...Object.keys(MOVED), 'bindings', 'leases'])
          await db.write([`delete from ${table} where site_id > 0`]);
      };
      await empty();

      const set =
        (values: object): Change =>
        (row) =>
          void Object.assign(row, values);
      const first =
        (values: object): Change =>
        (row, index) =>
          void (index === 0 && Object.assign(row, values));
      const cases: [table: string, change: Change, words?: RegExp][] = [
        ...['x', '7', 1.5, -1, 0, 2 ** 53, 1e300, null].map((id): [string, Change] => [
          'items',
          first({ id }),
        ]),
        ...['x', 2, null].map((is_active): [string, Change] => ['items', set({ is_active })]),
        ...[-1, 0, 2 ** 31, '2', null].map((quantity_needed): [string, Change] => [
          'items',
          set({ quantity_needed }),
        ]),
        ['items', set({ quantity_purchased: -1 })],
        ['items', set({ version: 2 ** 31 - 1 })],
        ['items', set({ price: -1 })],
        ['items', set({ name: 'x'.repeat(100_000) })],
        ['items', set({ name: 'a\0b' })],
        ['items', set({ name: '\ud800' })],
        ['items', set({ created_at: 'yesterday' })],
        ['items', set({ currency: 'gold' })],
        ['items', (row) => row.id === 4 && Object.assign(row, { id: 3 }), /contradict/],
        ['items', set({ registry_id: 8 }), /a claim on an item that is not there/],
        ['registries', set({ registry_id: 0 })],
        ['registries', set({ version: 2 ** 53 })],
        ['claims', set({ item_id: 99 }), /a claim on an item that is not there/],
        ['claims', set({ state: 'given' })],
        ['claims', set({ place: 10_001 })],
        ['claims', set({ place: 0 })],
        ['claims', set({ place: 5 }), /contradict/],
        ['claims', set({ quantity: -3 })],
        ['claims', set({ quantity: 2 ** 31 - 1, item_id: 1 }), /more claims of an item/],
        ['claims', set({ created_at: 9e15 })],
        ['claims', set({ id: 'short' })],
        ['claims', first({ id: 'x'.repeat(22) }), /a claim without its history/],
        ['claims', set({ version: 0 }), /a history without its claim/],
        ['claim_events', first({ entry: 9 }), /without its/],
        ['claim_events', set({ actor: 'somebody' })],
        ['events', set({ type: 'item.eaten' })],
        ['events', set({ data: '{' })],
        ['events', set({ data: '[1]' })],
        ['events', set({ data: `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}` })],
        ['events', (row) => row.claim_id && Object.assign(row, { entry: 77 }), /an event of a claim/],
        ['events', set({ number: 2 ** 60 })],
        ['registry_states', set({ item_order: '{}' })],
        ['registry_states', set({ item_order: '[1,' })],
        ['registry_states', set({ surprise_until: 'tomorrow' })],
        ['idempotency_keys', set({ status: 999 })],
        ['idempotency_keys', set({ etag: 'a\r\nb' })],
        ['known_registries', set({ post_type: 7 })],
      ];
      for (const [table, change, words = /a row that fits no table/] of cases) {
        const sent = forged(file, table, change);
        assert.notDeepEqual(linesOf(sent).slice(0, -1), linesOf(file).slice(0, -1), table);
        const { detail } = await said(422, site.import(sent));
        assert.match(detail, words, `${table} ${change}`);
      }
      const many1 = forged(file, 'idempotency_keys', () => {});
      const items = linesOf(many1).slice(0, -1);
      const at = items.findIndex((line) => line.startsWith('{"table":"items"'));
      const columns = MOVED.items.columns;
      const one = JSON.parse(items[at + 3]!);
      const more = Array.from({ length: 1_000 }, (_, n) =>
        JSON.stringify(
          one
            .with(0, 100 + n)
            .with(columns.indexOf('creation_key'), null)
            .with(4, 0),
        ),
      );
      const crowded = whole([...items.slice(0, at + 1), ...more, ...items.slice(at + 1)]);
      assert.match((await said(422, site.import(crowded))).detail, /more than 1,000 active items/);
      assert.deepEqual((await rowsIn(db)).flat(), []);

      let lies = forged(file, 'items', set({ claimed: 7 }));
      lies = forged(lies, 'registries', set({ active: 1_000 }));
      await said(200, site.import(lies));
      await agrees({ query: async <T>(sql: string) => (await db.read(sql)) as T[] });
      assert.deepEqual(await db.read('select registry_id, active from registries where site_id > 0'), [
        [7, 4],
      ]);
      assert.equal((await said(201, site.add())).data.id, 5);

      // Any other value in any place, others on each engine: the file is refused, or the site it makes answers.
      let seed = name === 'SQLite' ? 4711 : 1174;
      const below = (most: number) => {
        seed = (seed * 16_807) % 2_147_483_647;
        return seed % most;
      };
      const odd = [
        null,
        0,
        1,
        -1,
        2 ** 31,
        2 ** 52,
        0.5,
        '',
        'x',
        '1',
        '{}',
        '[]',
        '{"meta":7}',
        '[[]]',
        'always',
      ];
      const tables = Object.keys(MOVED) as (keyof typeof MOVED)[];
      let taken = 0;
      for (let n = 0; n < 75; n++) {
        await empty();
        const table = tables[below(tables.length)]!;
        const column = MOVED[table].columns[below(MOVED[table].columns.length)]!;
        const value = odd[below(odd.length)]!;
        const answer = await site.import(forged(file, table, set({ [column]: value })));
        assert.ok([200, 422].includes(answer.status), `${table}.${column} ${value}: ${answer.status}`);
        if (answer.status !== 200) continue;
        taken++;
        const paths = ['/items', '/registries/7', '/registries/7/items', '/registries/7/claims', '/claims'];
        for (const path of [...paths, '/registries/7/events', '/events', '/items/1', '/items/2'])
          for (const as of ['ann', 'bob', 'admin']) {
            const { status } = await site.call(path, { as });
            assert.ok(status < 500, `${table}.${column} ${value}: ${as} ${path} ${status}`);
          }
        const key = { 'idempotency-key': 'k' };
        const writes = [
          await site.call('/items', { method: 'POST', as: 'ann', json: PAN, headers: key }),
          await site.add(),
          await site.claim(3),
          await site.call('/items/1', { method: 'PUT', as: 'ann', json: { name: 'Pot' } }),
        ];
        for (const { status } of writes)
          assert.ok(status < 500, `${table}.${column} ${value}: ${writes.map((each) => each.status)}`);
      }
      assert.ok(taken > 10, `${taken} files were taken`);
    });

    it('loses no answered change, in several processes', async () => {
      await using from = await open();
      await using to = await open();
      await using host = await startFakeHost();
      const env = { ...settingsFor([host]), WORKERS: '2' };
      await using old = await startManySites(from, env);
      await old.service.logged('Server listening at [^"]+', 2);
      const added = await old.add(host.url);
      await using other = await startMany(to, [host]);
      const there = siteOf(other, await other.add(host.url));
      // Each request on a connection of its own, so that either worker may take it.
      const apart = {
        at:
          (base: string): Call =>
          (path, init = {}) =>
            old.at(base)(path, { ...init, headers: { ...init.headers, connection: 'close' } }),
      };
      const here = siteOf(apart, added);
      await said(201, here.add());
      const answered = new Set<number>([1]);
      let isClosed = false;
      const writing = Promise.all(
        Array.from({ length: 4 }, async () => {
          while (!isClosed) {
            const { status, body } = await here.add({ is_active: false });
            if (status === 201) answered.add(body.data.id);
            else assert.deepEqual([status, body], [503, MOVING]);
          }
        }),
      );
      await until('both write', () => answered.size > 20);
      const exported = await here.export({ token: show(host) });
      isClosed = true;
      await writing;
      assert.equal(exported.status, 200, JSON.stringify(exported.body));
      const { items } = await said(200, there.import(exported.file));
      assert.equal(items, answered.size);
      await said(204, here.end('moved'));
      await until('both workers know', async () => {
        const answers = await Promise.all(Array.from({ length: 10 }, () => here.call('/health')));
        return answers.every(({ status }) => status === 410);
      });
    });
  });
}

async function opened(store: EmptyStore): Promise<Database & AsyncDisposable> {
  const db = await openDatabase(store.url);
  return { ...db, [Symbol.asyncDispose]: () => db.close() };
}

test('a sender who breaks off leaves nothing, and one import runs at a time', async () => {
  await using store = await freshSqlite();
  await using folder = await temporaryFolder();
  await using host = await startFakeHost();
  await using many = await startManySites(store, { ...settingsFor([host]), TMPDIR: folder.path });
  const site = siteOf(many, await many.add(host.url));
  await site.items();
  const headers = { authorization: basic('admin'), 'content-type': GZIP };
  const begun = request(`${site.base}/import`, { method: 'POST', headers });
  begun.on('error', () => {});
  begun.write(gzipSync(randomBytes(100_000)).subarray(0, 50_000));
  const files = () => readdir(folder.path);
  await until('the file is there', async () => (await files()).length > 0);
  const second = await site.import(gzipSync(''));
  assert.equal(second.status, 503);
  assert.ok(Number(second.headers.get('retry-after')) > 0);
  begun.destroy();
  await until('it is gone', async () => (await files()).length === 0);
  await said(422, site.import(gzipSync('')));
  assert.deepEqual(await files(), []);

  const token = show(host);
  const body = JSON.stringify({ token });
  const left = request(`${site.base}/export`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'content-length': body.length },
  });
  left.on('error', () => {});
  left.end(body);
  await until('it is closed', async () => (await site.items()).status === 503);
  left.destroy();
  await said(204, site.end('kept'));
  await until('it is open', async () => (await site.items()).status === 200);
  await until('nothing is left', async () => (await files()).length === 0);
  assert.ok(many.service.log().every(({ msg }) => msg !== 'internal error'));
});

test('the shipped client moves a site', async () => {
  await using from = await freshSqlite();
  await using to = await freshSqlite();
  await using host = await startFakeHost();
  await using old = await startMany(from, [host]);
  await using other = await startMany(to, [host]);
  const [here, there] = [siteOf(old, await old.add(host.url)), siteOf(other, await other.add(host.url))];
  await fill(here, host);
  const clientOf = ({ base }: Site): Client =>
    createClient({ env: {}, baseUrl: base, username: 'admin', password: PASSWORD });
  await assert.rejects(clientOf(here).move.export(newToken()), { data: { status: 403 } });
  const file = (await clientOf(here).move.export(show(host)))!;
  assert.equal(file.type, GZIP);
  assert.deepEqual(await clientOf(there).move.import(file), { items: 3, claims: 2 });
  assert.equal(await clientOf(here).move.end('moved'), true);
  await assert.rejects(clientOf(here).status(), { message: GONE.detail, data: { status: 410 } });
});

test('the routes are in services of many sites alone, and documented there', async () => {
  await using store = await freshSqlite();
  await using many = await startMany(store, []);
  const { body } = await many.at(many.url)('/openapi.json');
  const { post, put } = body.paths['/export'];
  assert.deepEqual(Object.keys(post.responses['200'].content), [GZIP]);
  assert.deepEqual(Object.keys(put.responses).map(Number), [
    ...[204, 400, 401, 403, 409, 410, 413, 415, 422, 429, 500, 502, 503, 504],
  ]);
  const { requestBody, responses } = body.paths['/import'].post;
  assert.deepEqual(Object.keys(requestBody.content), [GZIP]);
  assert.match(responses['422'].description, /cut off/);
  assert.equal((await many.at(many.url)('/export', { method: 'POST', json: {} })).status, 404);
  await using one = await startTestService();
  for (const [method, path] of [
    ['POST', '/export'],
    ['PUT', '/export'],
    ['POST', '/import'],
  ] as const)
    assert.equal((await one.fetch(path, { method, as: 'admin', json: {} })).status, 404);
});
