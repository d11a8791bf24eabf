// Sites that add themselves to a service of many, over HTTP, beside the sites' own address.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { describe, it, type TestContext, test } from 'node:test';
import { until } from '../../dev/until.ts';
import type { Options } from '../src/app/service.ts';
import { type FakeHost, post, sendJson, startFakeHost } from './fake-host.ts';
import { keyOf, startManySitesHere, stores } from './many-sites.ts';
import { manualClock, PAN, partsOf, startTestService } from './support.ts';

const PLACE = '/trousseau/v1/joining';
const newToken = () => randomBytes(32).toString('base64url');
const addressOf = ({ url }: FakeHost) => new URL(url).host;

const answering = (host: FakeHost, answer: (response: ServerResponse) => void) => {
  host.misbehave = ({ route }, response, usual) => (route === PLACE ? answer(response) : usual());
};
const showing = (host: FakeHost, token: string) =>
  answering(host, (response) => sendJson(response, 200, { token }));

const startJoinable = (
  store: { url: string },
  hosts: FakeHost[],
  join: 'open' | 'code',
  env: Record<string, string> = {},
  options: Options = {},
) =>
  startManySitesHere(store, options, {
    ...{ SITES_JOIN: join, LOOKUP_ALLOW: hosts.map(addressOf).join(), TRUST_PROXY: '127.0.0.1', ...env },
  });

async function start(
  t: TestContext,
  open = stores[0]!.open,
  ...[join = 'open', env, options]: [join?: 'open' | 'code', env?: Record<string, string>, options?: Options]
) {
  const parts = partsOf(t);
  const store = parts.use(await open());
  const [host, other] = [parts.use(await startFakeHost()), parts.use(await startFakeHost())];
  const many = parts.use(await startJoinable(store, [host, other], join, env, options));
  return { store, host, other, many };
}
type Many = Awaited<ReturnType<typeof startJoinable>>;

let callers = 0;
/** Each from an address of its own, unless one is given. */
const ask = (many: Many, json: unknown, from = `203.0.113.${++callers % 250}`) =>
  many.at(many.url)(undefined, 'POST /sites', json, { 'x-forwarded-for': from });
const join = async (
  many: Many,
  host: FakeHost,
  more: { code?: string; url?: string; secret?: string } = {},
) => {
  const token = newToken();
  showing(host, token);
  return ask(many, { url: host.url, token, ...more });
};
const below = (many: Many, base: string) => many.at(`${many.url}/sites/${keyOf(base)}`);
const codeFor = async (many: Many, ...args: string[]) => (await many.command('code', ...args)).out.trim();

for (const { name, open, skip } of stores) {
  describe(`a site that joins a service on ${name}`, { skip }, () => {
    it('gets its base URL with a token that it shows, and the same one with the next', async (t) => {
      const parts = partsOf(t);
      const host = parts.use(await startFakeHost());
      const plain = parts.use(await startFakeHost({ plainPermalinks: true }));
      const env = { PUBLIC_URL: 'https://gifts.example' };
      const many = parts.use(await startJoinable(parts.use(await open()), [host, plain], 'open', env));

      const first = await join(many, host);
      assert.equal(first.status, 201, JSON.stringify(first.body));
      assert.deepEqual(Object.keys(first.body), ['base_url', 'secret']);
      assert.match(first.body.base_url, /^https:\/\/gifts\.example\/sites\/[\w-]{22}$/);
      assert.equal((await below(many, first.body.base_url)('ann', 'GET /status')).status, 200);

      const { base_url, secret } = first.body;
      const again = await join(many, host, { url: `${host.url}/`, secret });
      assert.deepEqual([again.status, again.body], [200, { base_url }]);
      const other = await join(many, plain);
      assert.equal(other.status, 201);
      assert.notEqual(other.body.base_url, first.body.base_url);
      const { out } = await many.command('show', keyOf(first.body.base_url));
      assert.match(out, /admin roles +administrator,trousseau_service/);
      assert.equal((await many.command('list')).out.trim().split('\n').length, 2);
    });

    it('is refused without a proof, with a wrong one and with one that was used', async (t) => {
      const { host, other, many } = await start(t, open);
      const token = newToken();
      const refusals = [await ask(many, { url: host.url, token })];
      showing(other, token);
      const wrong = [newToken(), `${token}x`, '', 7, null, [token], undefined];
      for (const answer of [
        ...wrong.map((shown) => (response: ServerResponse) => sendJson(response, 200, { token: shown })),
        (response: ServerResponse) => sendJson(response, 404, { token }),
        (response: ServerResponse) => response.end(token),
      ]) {
        answering(host, answer);
        refusals.push(await ask(many, { url: host.url, token }));
      }

      showing(host, token);
      const [joined, ...again] = (
        await Promise.all([1, 2, 3].map(() => ask(many, { url: host.url, token })))
      ).sort((one, other) => one.status - other.status);
      assert.equal(joined!.status, 201);
      refusals.push(...again, await ask(many, { url: host.url, token }));
      await many.command('remove', keyOf(joined!.body.base_url), '--yes');
      refusals.push(await ask(many, { url: host.url, token }));
      for (const { status, body } of refusals)
        assert.deepEqual([status, body], [403, refusals[0]!.body], JSON.stringify(body));
      assert.equal((await many.command('list')).out, '');
    });

    it('needs a code that is not used up, only to be added; two at once cannot share one', async (t) => {
      const parts = partsOf(t);
      const store = parts.use(await open());
      const hosts: FakeHost[] = [];
      for (let n = 0; n < 5; n++) hosts.push(parts.use(await startFakeHost()));
      const many = parts.use(await startJoinable(store, hosts, 'code'));
      const [host, other, ...more] = hosts as [FakeHost, FakeHost, ...FakeHost[]];
      const words = (await ask(many, { url: host.url, token: newToken() })).body;

      const code = await codeFor(many);
      assert.match(code, /^[\w-]{22}$/);
      for (const wrong of [{}, { code: '' }, { code: 'x'.repeat(22) }]) {
        const { status, body } = await join(many, host, wrong);
        assert.deepEqual([status, body], [403, words]);
      }
      const atOnce = await Promise.all([join(many, host, { code }), join(many, other, { code })]);
      assert.deepEqual(atOnce.map(({ status }) => status).sort(), [201, 403]);
      const used = await join(many, more[0]!, { code });
      assert.deepEqual([used.status, used.body], [403, words]);
      const [added, { secret }] =
        atOnce[0]!.status === 201 ? [host, atOnce[0]!.body] : [other, atOnce[1]!.body];
      assert.equal((await join(many, added, { secret })).status, 200);

      const two = await codeFor(many, '--uses', '2');
      const three = await Promise.all(more.map((each) => join(many, each, { code: two })));
      assert.deepEqual(three.map(({ status }) => status).sort(), [201, 201, 403]);
      assert.equal((await many.command('list')).out.trim().split('\n').length, 3);
      for (const uses of ['0', 'x', '1.5'])
        assert.equal((await many.command('code', `--uses=${uses}`)).code, 1, uses);

      const withdrawn = await codeFor(many, '--uses', '3');
      for (const exit of [0, 1])
        assert.equal((await many.command('code', '--withdraw', withdrawn)).code, exit);
      assert.equal((await join(many, added === host ? other : host, { code: withdrawn })).status, 403);
    });

    it('stays suspended when it joins again, and is another site after it was removed', async (t) => {
      const { host, many } = await start(t, open);
      const { body } = await join(many, host);
      const key = keyOf(body.base_url);
      await many.command('suspend', key);
      const again = await join(many, host, { secret: body.secret });
      assert.deepEqual([again.status, again.body.base_url], [200, body.base_url]);
      assert.match((await many.command('list')).out, /suspended/);

      await many.command('remove', key, '--yes');
      const anew = await join(many, host);
      assert.equal(anew.status, 201);
      assert.notEqual(keyOf(anew.body.base_url), key);
    });

    it('does not get the former holder of its address, nor a way to it', async (t) => {
      const { host, other: added, many } = await start(t, open);
      const { body } = await join(many, host);
      const key = keyOf(body.base_url);
      const pan = { registry_id: 7, ...PAN };
      assert.equal((await below(many, body.base_url)('ann', 'POST /items', pan)).status, 201);

      await many.command('add', added.url);
      for (const [site, secret] of [
        [host, undefined],
        [host, ''],
        [host, `${body.secret}x`],
        [host, key],
        [added, undefined],
        [added, body.secret],
      ] as const) {
        const { status, body: words } = await join(many, site, { ...(secret !== undefined && { secret }) });
        assert.deepEqual([status, Object.keys(words)], [409, ['detail']]);
      }
      // Nobody but who shows the token learns that the address is taken.
      const token = newToken();
      assert.equal((await ask(many, { url: host.url, token })).status, 403);

      const handed = (await many.command('secret', key)).out.trim();
      assert.equal((await join(many, host, { secret: body.secret })).status, 409);
      const again = await join(many, host, { secret: handed });
      assert.deepEqual([again.status, again.body], [200, { base_url: body.base_url }]);

      assert.equal((await many.command('release', key)).code, 0);
      assert.match((await many.command('list')).out, new RegExp(`^${key} - suspended$`, 'm'));
      const next = await join(many, host, { secret: handed });
      assert.equal(next.status, 201);
      assert.notEqual(keyOf(next.body.base_url), key);
      const seen = await below(many, next.body.base_url)('ann', 'GET /registries/7/items');
      assert.deepEqual(seen.body, []);

      for (const refused of [`resume ${key}`, `export ${key} never.jsonl`, 'release x', 'secret x'])
        assert.equal((await many.command(...refused.split(' '))).code, 1, refused);
      assert.equal((await many.command('set', key, '--admin-roles', 'editor')).code, 0);
      assert.equal((await many.command('set', key, '--url', 'https://former.example')).code, 0);
      assert.equal((await many.command('resume', key)).code, 0);
      const found = (await many.command('list')).out;
      assert.match(found, new RegExp(`^${key} https://former.example active$`, 'm'));
    });

    it('joins again with a secret of its own making, should the first answer be lost', async (t) => {
      const { host, other, many } = await start(t, open, 'code');
      const secret = newToken();
      assert.equal((await join(many, host, { secret })).status, 403);
      const code = await codeFor(many);
      const lost = await join(many, host, { code, secret });
      assert.deepEqual([lost.status, lost.body.secret], [201, secret]);
      const again = await join(many, host, { code, secret });
      assert.deepEqual([again.status, again.body], [200, { base_url: lost.body.base_url }]);
      assert.equal((await join(many, host, { code, secret: newToken() })).status, 409);

      const weak = await join(many, other, { code: await codeFor(many), secret: 'x' });
      assert.equal(weak.status, 201);
      assert.match(weak.body.secret, /^[\w-]{22}$/);
    });

    it('holds at most SITE_ITEMS active items; sites that were added have no limit', async (t) => {
      const env = { SITE_ITEMS: '6', REGISTRY_CACHE_TTL: '0' };
      const { store, host, other: free, many } = await start(t, open, 'open', env);
      for (const each of [host, free]) for (const id of [8, 9]) each.posts.set(id, post(id));
      const { body } = await join(many, host);
      const site = below(many, body.base_url);
      const create = (at: typeof site, registry_id: number, more = {}) =>
        at('ann', 'POST /items', { registry_id, ...PAN, ...more });
      const numbers = [7, 8, 9, 7, 8, 9, 7, 8, 9];

      const first = await create(site, 7);
      assert.equal(first.status, 201);
      // Another service on the same store, where the engine has several writers.
      const second = partsOf(t).use(await startJoinable(store, [host], 'open', env));
      const beside = below(name === 'SQLite' ? many : second, body.base_url);
      const atOnce = await Promise.all(numbers.map((id, i) => create(i % 2 ? beside : site, id)));
      const statuses = atOnce.map(({ status }) => status).sort();
      assert.deepEqual(statuses, [...Array(5).fill(201), ...Array(4).fill(409)]);
      const full = await create(site, 8);
      assert.deepEqual([full.status, full.body.detail], [409, 'This site holds at most 6 active items']);
      assert.equal((await create(site, 8, { is_active: false })).status, 201);

      const path = `/items/${first.body.data.id}`;
      const put = (json: unknown) => site('ann', `PUT ${path}`, json);
      assert.equal((await put({ name: 'Pot' })).status, 200);
      assert.equal((await site('ann', `DELETE ${path}`)).status, 200);
      assert.equal((await put({ is_active: true })).status, 200);
      assert.equal((await site('ann', `DELETE ${path}`)).status, 200);
      assert.equal((await create(site, 8)).status, 201);
      assert.equal((await put({ is_active: true })).status, 409);

      // A registry that is deleted makes room for all its items.
      const left = (await site('ann', 'GET /registries/8/items')).body.length as number;
      host.posts.delete(8);
      assert.equal((await site('ann', 'GET /registries/8/items')).status, 404);
      const refilled = await Promise.all(Array.from({ length: left + 2 }, () => create(site, 9)));
      assert.equal(refilled.filter(({ status }) => status === 201).length, left);

      // The operator may give it more, which counts at once, and less, but not less than it has.
      const set = (...args: string[]) => many.command('set', ...args);
      assert.equal((await create(site, 9)).status, 409);
      const key = keyOf(body.base_url);
      assert.match((await set(key, '--items', '5')).err, /has more than 5 active items/);
      assert.match((await set(key, '--items', '0')).err, /--items must be a whole number/);
      assert.match((await set(key, '--items', '7', '--item-access', 'registry')).err, /by itself/);
      assert.equal((await set(key, '--items', '7')).code, 0);
      assert.match((await many.command('show', key)).out, /^items +7 at most$/m);
      assert.equal((await create(site, 9)).status, 201);
      assert.equal((await create(site, 9)).body.detail, 'This site holds at most 7 active items');

      const base = await many.add(free.url);
      assert.match((await set(keyOf(base), '--items', '7')).err, /has no limit/);
      const unlimited = many.at(base);
      for (const id of numbers) assert.equal((await create(unlimited, id)).status, 201);
    });

    it('is never asked at a private address, wherever its name leads later', async () => {
      await using store = await open();
      await using host = await startFakeHost();
      await using added = await startFakeHost();
      const keys: string[] = [];
      {
        await using many = await startJoinable(store, [host], 'open');
        keys.push(keyOf((await join(many, host)).body.base_url), keyOf(await many.add(added.url)));
      }
      host.seen.length = 0;
      await using many = await startManySitesHere(store, {}, { REGISTRY_CACHE_TTL: '0' });
      const [joined, own] = keys.map((key) => many.at(`${many.url}/sites/${key}`));
      assert.equal((await own!('ann', 'GET /registries/7/items')).status, 200);
      assert.equal((await joined!('ann', 'GET /registries/7/items')).status, 502);
      assert.deepEqual(host.seen, []);
    });
  });
}

test('a site that cannot be asked for its token is refused in words', async (t) => {
  const { limit, advance } = manualClock();
  const { host, other: hangs, many } = await start(t, undefined, 'open', {}, { clock: { limit } });
  const token = newToken();
  const to = async (url: string) => {
    const { status, body } = await ask(many, { url, token });
    return [status, body.detail];
  };

  answering(hangs, () => {});
  const late = to(hangs.url);
  await until('the site is asked', () => hangs.seen.length > 0);
  advance(8_000);
  assert.deepEqual(await late, [504, 'The site does not answer in time']);
  const long = { token, more: 'x'.repeat(10 * 1024 * 1024) };
  const location = 'https://a.example/';
  const answers: [answer: (it: ServerResponse) => void, status: number, words: RegExp][] = [
    [(it) => it.writeHead(302, { location }).end(), 422, /another address/],
    [(it) => sendJson(it, 200, long), 502, /more than a token/],
    [(it) => sendJson(it, 500, {}), 502, /an error \(status 500\)/],
    [(it) => it.destroy(), 502, /^The site cannot be reached$/],
  ];
  for (const [answer, status, words] of answers) {
    answering(host, answer);
    const [found, detail] = await to(host.url);
    assert.equal(found, status);
    assert.match(detail, words);
  }
  for (const url of ['https://nowhere.invalid', 'https://localhost'])
    assert.deepEqual(await to(url), [502, 'The site cannot be reached']);

  // biome-ignore format: addresses
  for (const url of [
    'https://127.0.0.1', 'https://10.1.2.3', 'https://169.254.169.254', 'https://[::1]',
    'https://[::ffff:127.0.0.1]', 'https://0x7f.1', 'https://203.0.113.7', 'https://example.com:8443',
  ])
    assert.deepEqual(await to(url), [422, 'url: must lead to a site on the public internet'], url);
  for (const url of ['http://example.com', 'http://127.0.0.1:1', 'http://localhost'])
    assert.deepEqual(await to(url), [422, 'url: must begin with https://'], url);
  for (const url of [
    ...['nonsense.example', 'ftp://a.example/', 'https://a:b@a.example', 'https://a.example/?x=1'],
    ...[`${host.url}//a`, `${host.url}/%61`, 'https://example.com.', 'https://a.example./b'],
  ])
    assert.equal((await to(url))[0], 422, url);
  for (const body of [{}, { url: 7, token }, { url: host.url, token: 7 }])
    assert.equal((await ask(many, body)).status, 422, JSON.stringify(body));
  for (const short of ['', 'x'.repeat(31)]) {
    showing(host, short);
    assert.equal((await ask(many, { url: host.url, token: short })).status, 403, short);
  }
  assert.equal((await ask(many, { url: host.url })).status, 403);
  assert.equal((await many.command('list')).out, '');
});

test('ten attempts an hour come from one address, and from one network of IPv6', async (t) => {
  const { host, many } = await start(t);
  for (const [from, next, stranger] of [
    ['198.51.100.1', '198.51.100.1', '198.51.100.2'],
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:db8:1:3::1'],
  ] as const) {
    const body = { url: host.url, token: newToken() };
    for (let i = 0; i < 10; i++) assert.equal((await ask(many, body, from)).status, 403);
    const refused = await ask(many, body, next);
    assert.equal(refused.status, 429);
    const wait = Number(refused.headers.get('retry-after'));
    assert.ok(wait > 3_500 && wait <= 3_600, `${wait}`);
    assert.equal((await ask(many, body, stranger)).status, 403);
  }
});

test('joining is at the root alone, behind the gateway key, and documented only where it is on', async (t) => {
  const { host, many } = await start(t, undefined, 'open', { API_KEY: 'gate' });
  const base = await many.add(host.url);
  const json = { url: host.url, token: newToken() };
  const headers = { 'x-api-key': 'gate' };
  assert.equal((await many.at(many.url)(undefined, 'POST /sites', json)).status, 403);
  assert.equal((await many.at(base)(undefined, 'POST /sites', json, headers)).status, 404);
  const wrong = await many.at(many.url)(undefined, 'GET /sites', undefined, headers);
  assert.deepEqual([wrong.status, wrong.headers.get('allow')], [405, 'POST']);
  await using one = await startTestService();
  assert.equal((await one.fetch('/sites', { method: 'POST', json })).status, 404);
  const { paths } = (await (await one.fetch('/openapi.json')).json()) as { paths: object };
  assert.equal('/sites' in paths, false);
});
