// Pages of the site that wait for the service: it must not need the site meanwhile.
// @slow
// @again postgres workers
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { until } from '../../dev/until.ts';
import { askAt, type Call } from './answers.ts';
import { openStore } from './claim-service.ts';
import { basic, type FakeHost, post, sendJson, startFakeHost } from './fake-host.ts';
import { manualClock, ONE_PROCESS, partsOf, startTestService, type TestService } from './support.ts';

const NO_WAIT = { prefer: 'wait=0' };
const SOON = { everyMs: 0 };

async function start(t: TestContext, env: Record<string, string> = {}, options = {}) {
  const parts = partsOf(t);
  const host = parts.use(await startFakeHost());
  const settings = { HOST_URL: host.url, ITEM_ACCESS: 'registry', ...env };
  const service = parts.use(await startTestService(settings, options));
  const call = askAt<string>(service.url, basic);
  return { host, service, call };
}

const gift = { name: 'Copper kettle', url: 'https://shop.example/kettle' };

describe('Prefer: wait=0', () => {
  it('from an unknown caller is answered at once, and the host is asked after the response', async (t) => {
    const site = await start(t, {}, ONE_PROCESS);
    const release = site.host.hang();
    const list = () => site.call('admin', 'GET /registries/7/items', undefined, NO_WAIT);
    for (let n = 0; n < 3; n++) {
      const { status, headers, body } = await list();
      const found = [status, headers.get('retry-after'), headers.get('preference-applied'), body];
      assert.deepEqual(found, [503, '1', 'wait=0', { detail: 'Signing in takes a moment' }]);
    }
    release();
    let answer = await list();
    for (; answer.status === 503; answer = await list()) await turn();
    assert.deepEqual([answer.status, answer.body], [200, []]);
    const seen = site.host.count(({ route }) => route === '/wp/v2/users/me');
    assert.equal(seen, 1);
  });

  it('gives no credentials away and lets nobody in: wrong ones are refused as soon as the host has said so', async (t) => {
    // Where no time passes, no failure is forgiven.
    const { steady } = manualClock();
    const site = await start(t, { LOG_LEVEL: 'trace' }, { clock: { steady } });
    const headers = { ...NO_WAIT, authorization: basic('admin', 'a guess at it') };
    let failures = 0;
    for (let n = 0; n < 200; n++) {
      const { status } = await site.call('admin', 'GET /registries/7/items', undefined, headers);
      assert.ok(status === 503 || status === 429, `${status}`);
      if (status === 429) failures++;
      await turn();
    }
    const asked = site.host.count(({ route }) => route === '/wp/v2/users/me');
    assert.ok(asked <= 5, `guessed ${asked} times, ${failures} refused`);
    assert.ok(!site.service.log.join('').includes(basic('admin', 'a guess at it').slice(6)));
  });

  it('takes, changes and gives claims for an admin who names the owner without asking the host anything', async (t) => {
    const { call, host } = await start(t, {}, ONE_PROCESS);
    const made = await call('alice', 'POST /registries/7/items', gift);
    await call('admin', 'GET /items');
    const asked = () => host.seen.filter(({ route }) => !route?.startsWith('/trousseau/')).length;
    const before = asked();
    const headers = { ...NO_WAIT, 'trousseau-owner': '1' };
    const as = (path: string, method = 'GET', json?: unknown) =>
      call('admin', `${method} ${path}`, json, headers);
    const json = { quantity: 1, giver: { name: 'May', email: 'may@example.test' } };
    const path = `/registries/7/items/${made.body.data.id}/claims`;
    const { status, body } = await as(path, 'POST', json);
    assert.equal(status, 201);
    const claim = `/claims/${body.id}`;
    assert.equal((await as(claim)).body.giver.name, 'May');
    assert.equal((await as(claim, 'PATCH', { state: 'purchased' })).body.state, 'purchased');
    assert.equal((await as('/registries/7/claims')).body.claims[0].id, body.id);
    for (const query of [`ids=${body.id}`, 'email=may@example.test']) {
      const [one] = (await as(`/claims?${query}&with=item`)).body;
      assert.deepEqual([one.id, one.item.quantity_purchased], [body.id, 1], query);
    }
    const { events } = (await as('/events')).body;
    const found = [events[0].type, ...events.slice(-2).map(({ type }: { type: string }) => type)];
    assert.deepEqual(found, ['item.created', 'claim.created', 'claim.updated']);
    assert.equal((await as(claim, 'DELETE')).status, 204);
    assert.equal((await as('/registries/7/items/999/claims', 'POST', json)).status, 404);
    assert.equal(asked(), before, 'nothing is asked');
    // The registry is Alice's, and a surprise for her.
    await as(path, 'POST', json);
    host.posts.get(7).meta.registry_surprise_until = 'always';
    const own = (await call('alice', 'GET /registries/7/claims')).body;
    assert.deepEqual(own, { claims: [], concealed_until: 'always' });
    const unnamed = await call('admin', `POST ${path}`, json, NO_WAIT);
    assert.equal(unnamed.status, 409);
    assert.ok(asked() > before, 'the host is asked where the owner is not named');
  });

  it('keeps the surprise of a registry that an admin took over, unless they state that it is not theirs', async (t) => {
    const { call, host } = await start(t, { REGISTRY_CACHE_TTL: '0' }, ONE_PROCESS);
    const json = { ...gift, quantity_needed: 3 };
    const made = await call('alice', 'POST /registries/7/items', json);
    host.posts.get(7).meta.registry_invitees = JSON.stringify(['bob']);
    const path = `/registries/7/items/${made.body.data.id}/claims`;
    const { body: claim } = await call('bob', `POST ${path}`, { message: 'secret' });
    await call('admin', 'GET /items');
    const admin = 3; // alice is user 1, bob 2
    Object.assign(host.posts.get(7), { author: admin });
    host.posts.get(7).meta.registry_surprise_until = 'always';
    const as = (path: string, method = 'GET', json?: unknown, headers = {}) =>
      call('admin', `${method} ${path}`, json, { ...NO_WAIT, ...headers });
    for (const query of [`ids=${claim.id}`, 'email=bob@example.test'])
      assert.deepEqual((await as(`/claims?${query}&with=item`)).body, [], query);
    const own = { 'trousseau-owner': `${admin}` };
    for (const headers of [{}, own]) {
      assert.equal((await as(`/claims/${claim.id}`, 'GET', undefined, headers)).status, 404);
      assert.equal((await as(`/claims/${claim.id}`, 'PATCH', { message: 'x' }, headers)).status, 404);
      assert.deepEqual((await as('/registries/7/claims', 'GET', undefined, headers)).body.claims, []);
      assert.equal((await as(path, 'POST', { quantity: 5 }, headers)).status, 403);
      const [item] = (await as('/registries/7/items', 'GET', undefined, headers)).body;
      assert.equal(item.quantity_purchased, 0);
      const alone = await as(`/items/${item.id}`, 'GET', undefined, headers);
      assert.equal(alone.body.data.quantity_purchased, 0);
    }
  });

  it('gives nobody more than they may have', async (t) => {
    const { call, host } = await start(t);
    host.posts.set(8, post(8, { author: 99 }));
    await call('alice', 'GET /items'); // user 1, who owns registry 7
    const bobs = await call('bob', 'GET /registries/8/items', undefined, NO_WAIT);
    assert.equal(bobs.status, 503);
    await call('bob', 'GET /items');
    const noWait = () => call('bob', 'GET /registries/8/items', undefined, NO_WAIT);
    let again = await noWait();
    // Another process may not know bob yet.
    for (; again.status === 503; again = await noWait()) await turn();
    assert.equal(again.status, 403);
    const { body } = await call('alice', 'POST /registries/7/items', gift);
    for (const [method, json] of [['GET'], ['PUT', {}], ['DELETE', {}]] as const)
      assert.equal((await call('bob', `${method} /items/${body.data.id}`, json, NO_WAIT)).status, 403);
  });

  it('accepts no other preference', async (t) => {
    const site = await start(t);
    const others = ['wait=10', 'respond-async', 'await=0', 'wait=05', ''];
    // Each request comes from an unknown caller.
    const ask = async (prefer: string, n: number) =>
      (await site.call(`guest-${n}`, 'GET /registries', undefined, { prefer })).status;
    assert.deepEqual(await Promise.all([...others, 'wait=0'].map(ask)), [200, 200, 200, 200, 200, 503]);
  });
});

describe('the host is notified after the response', () => {
  const notices = (host: FakeHost) => host.seen.filter(({ route }) => route?.startsWith('/trousseau/'));
  // The second look, some seconds later, has no credentials. On a busy machine it comes amid a test.
  const told = (host: FakeHost) => notices(host).filter(({ authorization }) => authorization);
  const listening = (host: FakeHost, answer?: Promise<void>) => {
    host.misbehave = ({ route }, response, usual) => {
      if (!route?.startsWith('/trousseau/')) return usual();
      void Promise.resolve(answer).then(() => sendJson(response, 200, { changed: true }));
    };
  };
  const NOTICE = '/trousseau/v1/registries/7/changed';

  it('hears every change to a registry’s items, with the caller’s own credentials', async (t) => {
    const { call, service, host } = await start(t);
    listening(host);
    const send = (path: string, method: string, json?: unknown) => call('alice', `${method} ${path}`, json);
    const { body } = await send('/registries/7/items', 'POST', gift);
    const other = await send('/items', 'POST', { ...gift, registry_id: 7 });
    const item = `/items/${body.data.id}`;
    const link = { affiliate_url: 'https://partner.example/' };
    const changes: [path: string, method: string, json?: object][] = [
      [item, 'PUT', { name: 'Pot' }],
      [`/registries/7${item}/affiliate`, 'PUT', link],
      [`/registries/7${item}/affiliate`, 'DELETE'],
      [item, 'DELETE'],
      [`/registries/7/items/${other.body.data.id}`, 'DELETE'],
    ];
    for (const change of changes) {
      await until('the host is told', () => told(host).length > 0, SOON);
      await turn();
      const before = told(host).length;
      await send(...change);
      await until('the host is told again', () => told(host).length > before, SOON);
    }
    for (const { method, route, authorization } of told(host))
      assert.deepEqual([method, route, authorization], ['POST', NOTICE, basic('alice')]);
    const before = told(host).length;
    await send(item, 'PUT', { is_active: true, name: 'x'.repeat(200) });
    await send('/registries/7/items', 'GET');
    await service.close();
    assert.equal(told(host).length, before, 'nothing changed');
  });

  it('doesn’t hear its own pages’ changes, but everybody else’s', async (t) => {
    const { call, service, host } = await start(t);
    listening(host);
    const create = (as: string) => call(as, 'POST /registries/7/items', gift, { prefer: 'notice=none' });
    assert.equal((await create('alice')).status, 201);
    await until('the host is told', () => told(host).length > 0, SOON);
    await turn();
    const before = told(host).length;
    assert.equal((await create('admin')).status, 201);
    await service.close();
    assert.equal(told(host).length, before);
  });

  it('hears once more, however much changed meanwhile, and nobody waits for it', async (t) => {
    const { call, service, host } = await start(t, {}, ONE_PROCESS);
    const held = Promise.withResolvers<void>();
    listening(host, held.promise);
    const { body } = await call('alice', 'POST /items', { ...gift, registry_id: 7 });
    const put = (quantity_purchased: number) =>
      call('alice', `PUT /items/${body.data.id}`, { quantity_purchased });
    for (let n = 1; n <= 10; n++) assert.equal((await put(n)).status, 200);
    await until('the host is told', () => told(host).length > 0, SOON);
    assert.equal(told(host).length, 1);
    held.resolve();
    await service.close();
    const { length } = notices(host);
    assert.ok(length === 2 || length === 3, `told ${length} times`);
  });
});

describe('the host is notified of changes by the clock', () => {
  const NOTICE = '/trousseau/v1/registries/7/changed';
  const told = (host: FakeHost) => host.seen.filter(({ route }) => route === NOTICE);
  /** Two processes on one store, at a time that only the test moves, and a claim that ends in a minute. */
  async function house(t: TestContext) {
    const parts = partsOf(t);
    const store = parts.use(await openStore());
    const host = parts.use(await startFakeHost());
    let now = Date.parse('2027-03-01T12:00:00.000Z');
    let refuses = false;
    let held = Promise.resolve();
    host.misbehave = ({ route }, response, usual) => {
      if (route !== NOTICE) return usual();
      void held.then(() => sendJson(response, refuses ? 500 : 200, { changed: true }));
    };
    const env = { HOST_URL: host.url, ITEM_ACCESS: 'registry', DATABASE_URL: store.url };
    const limits = { jobsEveryMs: 20, host: { totalMs: 600_000 } };
    const services: TestService[] = [];
    const open = async () => {
      for (let n = 0; n < 2; n++)
        services.push(await startTestService(env, { clock: { wall: () => now }, limits }));
    };
    const close = () => Promise.all(services.splice(0).map((service) => service.close()));
    parts.defer(async () => void (await close()));
    await open();
    const call: Call<string> = (...request) => askAt<string>(services[0]!.url, basic)(...request);
    const { body } = await call('alice', 'POST /registries/7/items', gift);
    const path = `/registries/7/items/${body.data.id}`;
    const claim = async () =>
      assert.equal((await call('admin', `POST ${path}/claims`, { expires_in: 60 })).status, 201);
    await claim();
    const item = `/items/${body.data.id}`;
    const left = async () => (await call('admin', `GET ${item}`)).body.data;
    const change = async () =>
      assert.equal((await call('alice', `PUT ${item}`, { description: 'Of copper' })).status, 200);
    return {
      ...{ host, left, claim, change },
      owes: async () => (await store.query('select registry_id from notices')).length > 0,
      advance(ms: number) {
        now += ms;
      },
      refuse(does: boolean) {
        refuses = does;
      },
      /** Holds the host's answers to notices until they are released. */
      hold() {
        const { promise, resolve } = Promise.withResolvers<void>();
        held = promise;
        return resolve;
      },
      restart: () => close().then(open),
    };
  }

  /** A house in which nothing of the first changes is told any more. */
  async function quietHouse(t: TestContext) {
    const it = await house(t);
    await until('the host is told twice', () => told(it.host).length >= 2, SOON);
    await it.restart();
    it.host.seen.length = 0;
    return it;
  }

  it('without credentials, by one process', async (t) => {
    const it = await quietHouse(t);
    it.advance(61_000);
    await until('the host is told', () => told(it.host).length > 0);
    assert.equal((await it.left()).quantity_purchased, 0, 'what the host finds is so already');
    await until('no notice is owed', async () => !(await it.owes()));
    // Once, and on a slow machine once more by now, as after any change.
    assert.ok(told(it.host).length <= 2, `${told(it.host).length} notices`);
    assert.ok(told(it.host).every(({ authorization }) => authorization === undefined));
  });

  it('also when the host was away at that moment, and the service has restarted since', async (t) => {
    const it = await house(t);
    it.refuse(true);
    it.advance(61_000);
    it.host.seen.length = 0;
    await until('the host is told', () => told(it.host).length > 0);
    await it.restart();
    it.host.seen.length = 0;
    it.refuse(false);
    await until('the host is told', () => told(it.host).length > 0);
  });

  it('and by requests, which another process tells where the one that was asked dies before it could', async (t) => {
    const it = await quietHouse(t);
    const release = it.hold();
    try {
      await it.change();
      assert.ok(await it.owes(), 'from the commit on');
      await until('the host is told', () => told(it.host).length > 0);
      // To the other process the first is as good as dead.
      it.advance(5_000);
      const isOthers = ({ authorization }: { authorization: string | undefined }) => !authorization;
      await until('the job tells it', () => told(it.host).some(isOthers));
    } finally {
      release();
    }
    await until('no notice is owed', async () => !(await it.owes()));
  });

  it('which nobody owes to a host without the plugin', async (t) => {
    const it = await house(t);
    it.host.misbehave = undefined;
    await it.restart();
    await it.change();
    it.advance(5_000);
    await until('no notice is owed', async () => !(await it.owes()));
  });

  it('and claims go on expiring while it is slow to answer', async (t) => {
    const it = await quietHouse(t);
    const release = it.hold();
    try {
      it.advance(61_000);
      await until('the host is told', () => told(it.host).length > 0);
      await it.claim();
      it.advance(61_000);
      await until('the next claim expires', async () => (await it.left()).quantity_purchased === 0);
    } finally {
      release();
    }
  });
});
