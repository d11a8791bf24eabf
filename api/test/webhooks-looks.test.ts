// Webhooks of owners end, or are silent, with what the host says first after a gift: whatever comes late, and whichever process has
// seen it.
// @slow
// @again postgres
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { until } from '../../dev/until.ts';
import { ONLY_SITE } from '../src/store/sites.ts';
import { WHEN_DECIDED, webhookStore } from '../src/store/webhooks.ts';
import { askAt } from './answers.ts';
import { everythingSent, openStore } from './claim-service.ts';
import { basic, post, refuse, sendJson, startFakeHost } from './fake-host.ts';
import { startReceiver } from './receiver.ts';
import { openedDatabase, PAN, partsOf, startTestService, type TestService } from './support.ts';

const IDS: Record<string, number> = { ann: 1, bob: 2, admin: 3, guest: 4, mallory: 5, boss: 6 };
const PANS = { ...PAN, quantity_needed: 99 };
// As the site's own pages ask, without a question to the host.
const AS_PAGE = { prefer: 'wait=0, notice=none', 'trousseau-owner': '1' };
/** What the plugin tells of a registry. */
const RIGHTS = {
  ...{ status: 'publish', user_id: 1, registry_owners: [] },
  ...{ registry_surprise_until: null, registry_surprise_keeps: 'all' },
};

it('a registry about which the host never answers keeps no other from being asked about', async () => {
  await using db = await openedDatabase('sqlite::memory:');
  for (let registry = 1; registry <= 101; registry++)
    await db.write([
      `insert into deliveries (site_id, webhook_id, place, registry_id, number, part, at, due_at)
       values ($1, 'hook', $2, $2, 1, 1, 0, $3)`,
      [ONLY_SITE, registry, WHEN_DECIDED],
    ]);
  const { awaitedRegistries } = webhookStore(db, ONLY_SITE);
  const asked = new Set<number>();
  for (let run = 0; run < 1_000 && asked.size < 101; run++)
    for (const id of await awaitedRegistries(100)) asked.add(id);
  assert.equal(asked.size, 101);
});

/** Ann's registry 7 with a pan, a store, and services on it. */
async function world(t: TestContext, services = 1) {
  const parts = partsOf(t);
  const receiver = parts.use(await startReceiver());
  const host = parts.use(await startFakeHost());
  const store = parts.use(await openStore());
  const held: (() => void)[] = [];
  const state = { holds: false, held, gone: '', holdsUser: '', isDeleted: false, clock: 0 };
  host.misbehave = ({ route = '', method, authorization = '' }, response, usual) => {
    const name = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString().split(':')[0]!;
    const isRegistry = route === '/wp/v2/registry/7';
    if (route === `/wp/v2/users/${IDS[state.gone]}`) return refuse(response, 404, 'rest_user_invalid_id');
    if (name && name === state.gone) return refuse(response, 401, 'rest_not_logged_in');
    if (isRegistry && state.isDeleted) return refuse(response, 404, 'rest_post_invalid_id');
    if (isRegistry && method === 'GET' && name === 'guest' && state.holds) {
      const then = structuredClone(host.posts.get(7));
      state.held.push(() => sendJson(response, 200, then));
      return;
    }
    if (route !== '/wp/v2/users/me') return usual();
    const roles = [['admin', 'boss'].includes(name) ? 'administrator' : 'subscriber'];
    const username = name === 'mallory' ? 'carol@example.test' : name;
    const tell = () =>
      sendJson(response, 200, { id: IDS[name], username, email: `${name}@example.test`, roles });
    if (name === state.holdsUser) state.held.push(tell);
    else tell();
  };
  const set = (owners: string[], surprise = '', { author = 1, status = 'publish' } = {}) => {
    const meta = {
      ...{ ...post(7).meta, registry_invitees: '["guest"]' },
      registry_owners: JSON.stringify(owners),
      registry_surprise_until: surprise,
    };
    host.posts.set(7, post(7, { author, status, meta }));
  };
  set([]);
  const env = {
    ...{ DATABASE_URL: store.url, HOST_URL: host.url, LOOKUP_ALLOW: receiver.host, ITEM_ACCESS: 'registry' },
    REGISTRY_CACHE_TTL: '0',
  };
  const webhooks = { limits: { dueEveryMs: 20, eventsEveryMs: 50 } };
  const clock = { wall: () => Date.now() + state.clock };
  const started: TestService[] = [];
  for (let n = 0; n < services; n++)
    started.push(parts.use(await startTestService(env, { webhooks, limits: { jobsEveryMs: 20 }, clock })));
  const call = (as: string, target: string, json?: unknown, { on = 0, headers = {} } = {}) =>
    askAt(started[on]!.url, basic)(as, target, json, headers);
  const { body } = await call('ann', 'POST /registries/7/items', PANS);
  const hook = async (as: string, types: string[] = [], on = 0) => {
    const json = { url: receiver.url(`/${as}`), types };
    assert.equal((await call(as, 'POST /registries/7/webhooks', json, { on })).status, 201);
  };
  const give = async (on = 0, owner = 1) => {
    const claim = { giver: { name: 'Grandma', email: 'grandma@example.test' } };
    const path = `POST /registries/7/items/${body.data.id}/claims`;
    const headers = { ...AS_PAGE, 'trousseau-owner': `${owner}` };
    assert.equal((await call('admin', path, claim, { on, headers })).status, 201);
  };
  /** The plugin's report, with the service's question if it answers one. */
  const report = async (rights: object = {}) => {
    const json = { ...RIGHTS, ...rights };
    assert.equal((await call('admin', 'PUT /registries/7/rights', json, { headers: AS_PAGE })).status, 204);
  };
  const asked = async (): Promise<string> => {
    const questions = () => host.seen.filter(({ route }) => route === '/trousseau/v1/registries/7/look');
    await until('the plugin is asked', async () => questions().some(({ body }) => body?.asked));
    return questions().findLast(({ body }) => body?.asked)!.body.asked;
  };
  /** Waits until the webhook of the whole site has heard of this, and all others of what they are to hear. */
  const heard = async (type: string, count = 1) => {
    await until(`${type} is told`, async () => {
      const told = receiver.types('/admin').filter((one) => one === type);
      return told.length >= count;
    });
    // What a look makes due meanwhile counts, too; a retry comes later.
    await everythingSent(store, Date.now() + 4_000);
  };
  assert.equal((await call('admin', 'POST /webhooks', { url: receiver.url('/admin') })).status, 201);
  /** A guest's look that the host answers late, as things were before `change`. */
  const lateLook = async (change: () => Promise<unknown>) => {
    state.holds = true;
    const look = call('guest', 'GET /registries/7');
    await until('the host is asked', async () => state.held.length === 1);
    state.holds = false;
    await new Promise((resolve) => setTimeout(resolve, 5));
    await change();
    state.held[0]!();
    assert.equal((await look).status, 200);
  };
  /** A report that has arrived, while the host doesn't say yet who makes it; the function has it say so, and gives the answer. */
  const lateReport = async () => {
    state.holdsUser = 'boss';
    const reported = call('boss', 'PUT /registries/7/rights', RIGHTS);
    await until('the host is asked', async () => state.held.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 5));
    return async () => {
      state.held[0]!();
      return (await reported).status;
    };
  };
  const rename = async () => {
    const path = `PUT /items/${body.data.id}`;
    assert.equal((await call('admin', path, { name: 'Large pan' }, { headers: AS_PAGE })).status, 200);
  };
  const claimsTold = async (): Promise<string[]> => {
    const { events } = (await call('ann', 'GET /registries/7/events')).body as { events: { type: string }[] };
    return events.flatMap(({ type }) => (type.startsWith('claim') ? [type] : []));
  };
  const steps = { set, call, hook, give, report, lateReport, asked, heard, claimsTold, lateLook, rename };
  return { receiver, store, state, host, ...steps };
}

/** What the site changes without telling the service, before a guest gives: whose webhook must not hear of the gift? */
const CHANGES: Record<string, { maker: string; owners?: string[]; owner?: number; change(w: World): void }> =
  {
    'a surprise': { maker: 'ann', change: (w) => w.set([], 'always') },
    'another author': { maker: 'ann', owner: 2, change: (w) => w.set([], '', { author: 2 }) },
    'another author, named by no page': { maker: 'ann', change: (w) => w.set([], '', { author: 2 }) },
    'a co-owner removed': { maker: 'bob', owners: ['bob'], change: (w) => w.set([]) },
    'a draft': { maker: 'ann', change: (w) => w.set([], '', { status: 'draft' }) },
    'a surprise for an administrator who is the author now': {
      ...{ maker: 'boss', owner: 6 },
      change: (w) => w.set([], 'always', { author: 6 }),
    },
  };

type World = Awaited<ReturnType<typeof world>>;

describe('the first look after a gift', () => {
  for (const [what, { maker, owners = [], owner, change }] of Object.entries(CHANGES))
    it(`decides about it, for good: ${what}`, async (t) => {
      const w = await world(t);
      w.set(owners);
      await w.hook(maker, ['claim.*']);
      change(w);
      await w.give(0, owner);
      await w.heard('claim.created');
      assert.deepEqual(w.receiver.types(`/${maker}`), [], 'before the look');
      await w.call('admin', 'GET /registries/7');
      await w.heard('claim.created');
      w.set(owners);
      await w.call('admin', 'GET /registries/7');
      await w.give();
      await w.call('admin', 'GET /registries/7');
      await w.heard('claim.created', 2);
      const heard = w.receiver.received.filter(({ path }) => path === `/${maker}`);
      const isStopped = what !== 'a surprise' && what !== 'a draft' && maker !== 'boss';
      const found = heard.map(({ event }) => event.type);
      assert.deepEqual(found, isStopped ? [] : ['claim.created'], 'after it');
      const isConcealed = ['a surprise', 'a draft'].includes(what) || maker === 'boss';
      assert.equal((await w.claimsTold()).length, isConcealed ? 1 : 2);
    });

  for (const [what, maker, owners, author] of [
    ['a former co-owner', 'bob', ['bob'], 1],
    ['an administrator who was the author', 'boss', ['ann'], 6],
  ] as const)
    it(`leaves the webhook of ${what} as it is: owners would learn when somebody claims`, async (t) => {
      const w = await world(t);
      w.receiver.answer(({ path }) => (path === '/admin' ? 204 : 410));
      w.set([...owners], 'always', { author });
      await w.call('admin', 'GET /registries/7');
      await w.hook(maker, ['claim.*']);
      w.set([], 'always');
      await w.call('admin', 'GET /registries/7');
      await w.give();
      await w.heard('claim.created');
      const { body } = await w.call('ann', 'GET /registries/7/webhooks');
      assert.deepEqual(
        body.map(({ disabled_at }: { disabled_at: string | null }) => disabled_at),
        [null],
      );
    });

  it('tells of it where it allows that, also if the surprise begins later', async (t) => {
    const w = await world(t);
    await w.hook('ann', ['claim.*']);
    await w.give();
    await w.call('admin', 'GET /registries/7');
    await until('it came', async () => w.receiver.types('/ann').length === 1);
    w.set([], 'always');
    await w.give();
    await w.call('admin', 'GET /registries/7');
    w.set([]);
    assert.deepEqual(await w.claimsTold(), ['claim.created']);
    await w.heard('claim.created', 2);
    assert.deepEqual(w.receiver.types('/ann'), ['claim.created']);
  });

  it('is the plugin’s report, where the service has asked for it since', async (t) => {
    const w = await world(t);
    await w.hook('ann', ['claim.*']);
    await w.give();
    const asked = await w.asked();
    await w.report();
    await w.heard('claim.created');
    assert.deepEqual(w.receiver.types('/ann'), [], 'this report may be older than the gift');
    await w.give();
    await w.report({ asked });
    await w.heard('claim.created', 2);
    await until('the first one came', async () => w.receiver.types('/ann').length === 1);
    await w.report({ registry_surprise_until: 'always' });
    await w.report({ asked: '99.99' });
    await w.heard('claim.created', 2);
    assert.deepEqual(w.receiver.types('/ann'), ['claim.created'], 'the second one is concealed');
  });

  it('decides how much an item’s event tells of claims, too', async (t) => {
    const w = await world(t);
    await w.hook('ann', ['item.*']);
    w.set([], 'always');
    await w.give();
    await w.rename();
    await w.heard('item.updated');
    assert.deepEqual(w.receiver.types('/ann'), [], 'before the look');
    await w.call('admin', 'GET /registries/7');
    await until('it came', async () => w.receiver.types('/ann').length === 1);
    const { event } = w.receiver.received.find(({ path }) => path === '/ann')!;
    assert.equal(event.data.quantity_purchased, 0);
  });

  it('counts, too, after the clock was set back by an hour', async (t) => {
    const w = await world(t);
    await w.hook('ann', ['item.*']);
    w.state.clock = -3_600_000;
    const meta = { registry_surprise_until: 'always' };
    assert.equal((await w.call('ann', 'PATCH /registries/7', { meta })).status, 200);
    assert.equal((await w.call('guest', 'POST /registries/7/items/1/claims', {})).status, 201);
    await w.rename();
    await until('it came', async () => w.receiver.types('/ann').length === 1);
    const { event } = w.receiver.received.find(({ path }) => path === '/ann')!;
    assert.equal(event.data.quantity_purchased, 0);
  });

  it('never comes for a registry that is gone: its end tells nobody of claims', async (t) => {
    const w = await world(t);
    await w.hook('ann');
    w.set([], 'always');
    await w.give();
    await w.rename();
    w.state.isDeleted = true;
    assert.equal((await w.call('admin', 'GET /registries/7')).status, 404);
    await w.heard('registry.deleted');
    const heard = w.receiver.received.filter(({ path }) => path === '/ann');
    const told = heard.map(({ event }) => `${event.type} ${event.data?.quantity_purchased}`).sort();
    assert.deepEqual(told, ['item.deleted undefined', 'item.updated 0', 'registry.deleted undefined']);
  });

  it('is no report that waited while the service has looked', async (t) => {
    const w = await world(t);
    await w.hook('ann', ['item.*']);
    const late = await w.lateReport();
    w.set([], 'always');
    await w.call('admin', 'GET /registries/7');
    await w.give();
    assert.equal(await late(), 204);
    await w.rename();
    await until('it came', async () => w.receiver.types('/ann').length === 1);
    const { event } = w.receiver.received.find(({ path }) => path === '/ann')!;
    assert.equal(event.data.quantity_purchased, 0);
  });

  it('the plugin’s report of another author, or of a co-owner removed, ends a webhook', async (t) => {
    for (const maker of ['ann', 'bob']) {
      const w = await world(t);
      w.set(['bob']);
      await w.hook(maker);
      if (maker === 'ann') w.set(['bob'], '', { author: 2 });
      else w.set([]);
      await w.report(maker === 'ann' ? { registry_owners: ['bob'], user_id: 2 } : {});
      await w.rename();
      await w.heard('item.updated');
      assert.deepEqual(w.receiver.types(`/${maker}`), []);
    }
  });

  it('is no co-owner’s whose address the plugin reports as changed', async (t) => {
    const w = await world(t);
    w.set(['bob@example.test']);
    await w.hook('bob', ['claim.*']);
    const json = { roles: ['subscriber'], username: 'bob', email: 'other@example.test' };
    assert.equal((await w.call('admin', 'PUT /users/2/roles', json)).status, 204);
    await w.give();
    await w.call('admin', 'GET /registries/7');
    await w.heard('claim.created');
    assert.deepEqual(w.receiver.types('/bob'), []);
  });
});

describe('an owner’s webhook', () => {
  it('ends with the ownership, though an older answer of the host comes later', async (t) => {
    const w = await world(t);
    w.set(['bob']);
    await w.hook('bob', ['item.*']);
    await w.lateLook(() => w.call('ann', 'PATCH /registries/7', { meta: { registry_owners: [] } }));
    // As the site's own page, which asks the host nothing: its answer would be newer.
    await w.rename();
    await w.heard('item.updated');
    assert.deepEqual(w.receiver.types('/bob'), []);
  });

  it('goes on for a new co-owner, and after a surprise, though an older answer comes later', async (t) => {
    const w = await world(t);
    w.set([], 'always');
    await w.hook('ann');
    await w.lateLook(async () => {
      await w.call('ann', 'PATCH /registries/7', { meta: { registry_surprise_until: '' } });
      w.set(['bob']);
      await w.hook('bob');
    });
    await w.give();
    await w.call('ann', 'GET /registries/7');
    for (const path of ['/ann', '/bob'])
      await until(`${path} hears of it`, () => w.receiver.types(path).includes('claim.created'));
  });

  it('keeps a surprise that came, went and came again, whichever process saw it', async (t) => {
    const w = await world(t, 2);
    w.set([], 'always');
    assert.equal((await w.call('guest', 'GET /registries/7')).status, 200);
    await w.hook('ann', [], 1);
    await w.call('ann', 'PATCH /registries/7', { meta: { registry_surprise_until: '' } }, { on: 1 });
    w.set([], 'always');
    assert.equal((await w.call('guest', 'GET /registries/7')).status, 200);
    await w.give();
    await w.heard('claim.created');
    assert.ok(!w.receiver.types('/ann').includes('claim.created'));
  });

  it('ends with an ownership that another process has seen begin', async (t) => {
    const w = await world(t, 2);
    await w.call('ann', 'GET /registries/7');
    await w.call('ann', 'PATCH /registries/7', { meta: { registry_owners: ['bob'] } }, { on: 1 });
    await w.hook('bob', ['claim.*'], 1);
    w.set([]);
    await w.call('ann', 'GET /registries/7');
    await w.give();
    await w.heard('claim.created');
    assert.deepEqual(w.receiver.types('/bob'), []);
  });

  for (const { who, as, on } of [
    { who: 'the owner', as: 'ann', on: 0 },
    { who: 'the owner through another process', as: 'ann', on: 1 },
    { who: 'the maker', as: 'bob', on: 0 },
  ])
    it(`ends with the plugin’s report, though the answer to an earlier change by ${who} comes later`, async (t) => {
      const w = await world(t, on + 1);
      w.set(['bob']);
      await w.hook('bob', ['item.*']);
      const usually = w.host.misbehave!;
      const held = Promise.withResolvers<() => void>();
      w.host.misbehave = (request, response, usual) => {
        if (request.method !== 'POST' || request.route !== '/wp/v2/registry/7')
          return usually(request, response, usual);
        const then = structuredClone(w.host.posts.get(7));
        held.resolve(() => sendJson(response, 200, then));
      };
      const changed = w.call(as, 'PATCH /registries/7', { title: 'Ann' }, { on });
      const answer = await held.promise;
      await new Promise((resolve) => setTimeout(resolve, 5));
      w.set([]);
      await w.report();
      await new Promise((resolve) => setTimeout(resolve, 5));
      answer();
      assert.equal((await changed).status, 200);
      await w.rename();
      await w.heard('item.updated');
      assert.deepEqual(w.receiver.types('/bob'), []);
    });

  it('is no other owner’s whose address is its maker’s user name', async (t) => {
    const w = await world(t);
    w.set(['mallory@example.test', 'carol@example.test']);
    await w.hook('mallory', ['claim.*']);
    w.set(['carol@example.test']);
    await w.give();
    // Only now is it known whether owners may hear of it.
    await w.call('ann', 'GET /registries/7');
    await w.heard('claim.created');
    assert.deepEqual(w.receiver.types('/mallory'), []);
  });

  it('ends with their account: the plugin tells it, or the host when it is asked', async (t) => {
    for (const isTold of [true, false]) {
      const w = await world(t);
      w.set(['bob']);
      await w.hook('bob', ['claim.*']);
      w.state.gone = isTold ? '' : 'bob';
      if (isTold)
        assert.equal((await w.call('admin', 'PUT /users/2/roles', { roles: [], gone: true })).status, 204);
      const live = 'select id from webhooks where maker_id = 2 and disabled_at is null';
      await until('it has ended', async () => (await w.store.query(live)).length === 0);
      await w.give();
      await w.heard('claim.created');
      assert.deepEqual(w.receiver.types('/bob'), []);
    }
  });

  it('hears of a deletion on the site, also of an empty registry, and once more when it was restored', async (t) => {
    const w = await world(t);
    const [{ id }] = (await w.call('ann', 'GET /registries/7/items')).body;
    assert.equal((await w.call('ann', `DELETE /items/${id}`)).status, 200);
    for (let count = 1; count <= 2; count++) {
      w.state.isDeleted = false;
      assert.equal((await w.call('ann', 'GET /registries/7')).status, 200);
      await w.hook('ann', ['registry.deleted']);
      w.state.isDeleted = true;
      for (let n = 0; n < 3; n++) assert.equal((await w.call('ann', 'GET /registries/7')).status, 404);
      await w.heard('registry.deleted', count);
      assert.equal(w.receiver.types('/ann').length, count);
      const hooks = () => w.store.query('select id from webhooks');
      await until('its webhook is gone', async () => (await hooks()).length === 1);
    }
    assert.equal(w.receiver.types('/admin').filter((type) => type === 'registry.deleted').length, 2);
  });
});
