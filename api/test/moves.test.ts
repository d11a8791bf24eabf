// Items that move between registries while others claim, move and delete.
// @again postgres workers
import assert from 'node:assert/strict';
import { after, describe, it, type TestContext } from 'node:test';
import type { Limits } from '../src/app/service.ts';
import { agrees, expected, openClaimService } from './claim-service.ts';
import { isUpdateOf, type Seen, startHostProxy } from './host-proxy.ts';
import { authorization, type Name, partsOf } from './support.ts';

const service = await openClaimService();
const { call } = service;
after(() => service.close());

describe('items that move', () => {
  const move = (item: number, to: number, as: Name = 'alice') =>
    call(as, `POST /items/${item}/move`, { registry_id: to });
  const listed = async (registry: number): Promise<number[]> => {
    const items = expected(200, await call('alice', `GET /registries/${registry}/items`));
    return items.map(({ id }: { id: number }) => id);
  };

  /** Numbers, ledger and registries agree, and each claim is where its item is. */
  async function agree(): Promise<void> {
    await agrees(service.store);
    const strays = await service.store.query(
      `select claims.id from claims join items on items.id = claims.item_id
       where items.registry_id <> claims.registry_id`,
    );
    assert.deepEqual(strays, [], 'a claim is not where its item is');
  }

  /** The types of a feed's events about one claim or item, in turn. */
  async function told(registry: number, id: string | number): Promise<string[]> {
    const { events } = expected(200, await call('admin', `GET /registries/${registry}/events?limit=1000`));
    return events
      .filter((event: { claim_id: string; item_id: number }) => id === (event.claim_id ?? event.item_id))
      .map(({ type }: { type: string }) => type);
  }

  it('take every claim along that is made or changed meanwhile, and each change is told once', async () => {
    const [from, to] = [await service.registry(), await service.registry()];
    const item = await service.item(from, { quantity_needed: 99 });
    const early = await Promise.all(
      ['bob', 'carol', 'bob'].map((as) => service.claim(as as Name, from, item)),
    );
    const at = (registry: number) => `POST /registries/${registry}/items/${item}/claims`;
    const [moved, ...others] = await Promise.all([
      move(item, to),
      ...early.map(({ id }) => call('admin', `PATCH /claims/${id}`, { state: 'purchased' })),
      ...early.map(({ id }) => call('admin', `PATCH /claims/${id}`, { quantity: 2 })),
      ...Array.from({ length: 6 }, (_, n) => call('bob', at(n % 2 ? from : to), {})),
    ]);
    expected(200, moved!);
    assert.ok(others.every(({ status }) => [200, 201, 404].includes(status)));
    for (const { status } of others.slice(0, 6)) assert.equal(status, 200);
    await agree();
    const { claims } = expected(200, await call('alice', `GET /registries/${to}/claims`));
    const made = others.filter(({ status }) => status === 201).length;
    assert.equal(claims.length, early.length + made);
    assert.equal(await service.purchased(item), 2 * early.length + made);
    for (const { id } of claims) {
      const ledger = await service.store.query(`select entry from claim_events where claim_id = '${id}'`);
      assert.equal([...(await told(from, id)), ...(await told(to, id))].length, ledger.length);
    }
    assert.deepEqual(await told(from, item), ['item.created', 'item.deleted']);
    assert.deepEqual(await told(to, item), ['item.created']);
  });

  it('come and go without using up places of a registry', async () => {
    const [here, there] = [await service.registry(), await service.registry()];
    const items: number[] = [];
    for (let n = 0; n < 3; n++) items.push(await service.item(here, { quantity_needed: 9 }));
    for (const item of items) for (const as of ['bob', 'carol'] as const) await service.claim(as, here, item);
    for (const item of items) expected(200, await move(item, there));
    for (const item of [...items, ...items, ...items])
      for (const to of [here, there]) expected(200, await move(item, to));
    const [{ most } = { most: 0 }] = await service.store.query<{ most: number }>(
      `select max(place) as most from claims where registry_id = ${there}`,
    );
    assert.ok(Number(most) < 0, `${most}`);
    await service.claim('bob', there, items[0]!);
    await agree();
  });

  it('bring more claims than a registry takes', async () => {
    const [from, to] = [await service.registry(), await service.registry()];
    const nine = { quantity_needed: 9 };
    const [item, other] = [await service.item(from, nine), await service.item(to, nine)];
    const claim = await service.claim('bob', from, item);
    const last = await service.claim('bob', to, other);
    await service.store.query(`update claims set place = 10000 where id = '${last.id}' returning id`);
    expected(200, await move(item, to));
    expected(409, await call('bob', `POST /registries/${to}/items/${item}/claims`, {}));
    assert.equal((await service.read('bob', claim.id)).registry_id, to);
  });

  it('never fill a registry past its limit, in whatever order they arrive', async () => {
    const [from, to] = [await service.registry(), await service.registry()];
    const [one, other] = [await service.item(from), await service.item(from, { quantity_needed: 2 })];
    const there = await service.item(to);
    const claim = await service.claim('bob', from, other);
    const active = (n: number) =>
      service.store.query(
        `update registries set active = active + ${n} where registry_id = ${to} returning active`,
      );
    await active(998);
    const answers = await Promise.all([move(one, to), move(other, to)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
    assert.match(answers.find(({ status }) => status === 409)!.body.detail, /1,000 active items/);
    expected(200, await move(there, to));
    await active(-998);
    await agree();
    const stays = (await listed(from))[0]!;
    assert.equal((await service.read('bob', claim.id)).registry_id, stays === other ? from : to);
  });

  it('go no further when they are deleted at that moment', async () => {
    for (let round = 0; round < 3; round++) {
      const [from, to] = [await service.registry(), await service.registry()];
      const item = await service.item(from);
      const claim = await service.claim('bob', from, item);
      const [moved, deleted] = await Promise.all([move(item, to), call('alice', `DELETE /items/${item}`)]);
      expected(200, deleted!);
      assert.ok([200, 404].includes(moved!.status), moved!.text);
      await agree();
      assert.deepEqual([await listed(from), await listed(to)], [[], []]);
      const place = moved!.status === 200 ? to : from;
      assert.equal((await service.read('bob', claim.id)).registry_id, place);
    }
  });

  it('stay concealed from the owners of the new list while it is a surprise', async () => {
    // The new registry is another author's: what is known of its owners without the host follows.
    const from = await service.registry({ registry_owners: ['admin'], registry_surprise_until: 'always' });
    const meta = { registry_owners: ['alice'], registry_surprise_until: 'always' };
    const to = await service.registry(meta, 'admin');
    const item = await service.item(from, { quantity_needed: 3 });
    const claim = await service.claim('bob', from, item);
    expected(200, await move(item, to));
    for (const as of ['alice', 'admin'] as const) {
      expected(404, await call(as, `GET /claims/${claim.id}`));
      assert.equal(await service.purchased(item, as), 0);
    }
    const vouching = { prefer: 'wait=0', 'trousseau-owner': '999999999' };
    expected(404, await call('admin', `GET /claims/${claim.id}`, undefined, vouching));
  });
});

async function openBehindProxy(t: TestContext, env: Record<string, string> = {}, limits: Limits = {}) {
  const parts = partsOf(t);
  const real = parts.use(await openClaimService());
  const proxy = parts.use(await startHostProxy(real.host.url));
  const service = parts.use(await openClaimService({ HOST_URL: proxy.url, ...env }, limits));
  return { real, proxy, service };
}

it('an item moves while the host is slow to keep its order, and comes last', async (t) => {
  const { real, proxy, service } = await openBehindProxy(t, {}, { waits: { orderMs: 50 } });
  const [from, to] = [await service.registry(), await service.registry()];
  const [item, there] = [await service.item(from), await service.item(to)];
  const loose = { registry_id: to, name: 'Pot', url: 'https://shop.example/pot' };
  const { data } = expected(201, await service.call('alice', 'POST /items', loose));
  const held = [from, to].map((registry) => proxy.hold(isUpdateOf(registry)));
  const kept = [from, to].map((registry) => proxy.answered(isUpdateOf(registry)));
  expected(200, await service.call('alice', `POST /items/${item}/move`, { registry_id: to }));
  for (const { release } of held) release();
  await Promise.all(kept);
  const orderOf = async (registry: number) => {
    const post = await (await real.onHost('GET', `registry/${registry}?context=edit`)).json();
    return JSON.parse(post.meta.registry_item_ids);
  };
  assert.deepEqual([await orderOf(from), await orderOf(to)], [[], [there, data.id, item]]);
});

it('a claim of an owner, and a change of it, ask the host once about the registry', async (t) => {
  const { proxy, service } = await openBehindProxy(t, { REGISTRY_CACHE_TTL: '0' });
  const registry = await service.registry();
  const item = await service.item(registry);
  proxy.seen.length = 0;
  const claim = await service.claim('alice', registry, item, {});
  assert.deepEqual(askedOf(proxy.seen), [`GET ${registry}`]);
  proxy.seen.length = 0;
  expected(200, await service.call('alice', `PATCH /claims/${claim.id}`, { message: 'For us' }));
  assert.deepEqual(askedOf(proxy.seen), [`GET ${registry}`]);
});

it('a move asks the host once about each registry, and stores the order of each once', async (t) => {
  const { proxy, service } = await openBehindProxy(t, { REGISTRY_CACHE_TTL: '0' });
  const [from, to] = [await service.registry({ registry_owners: ['bob'] }), await service.registry()];
  await service.call('alice', `PATCH /registries/${to}`, { meta: { registry_owners: ['bob'] } });
  for (const as of ['alice', 'bob', 'admin'] as const) {
    const item = await service.item(from);
    proxy.seen.length = 0;
    expected(200, await service.call(as, `POST /items/${item}/move`, { registry_id: to }));
    const each = [from, to].flatMap((registry) => [`GET ${registry}`, `POST ${registry}`]);
    assert.deepEqual(askedOf(proxy.seen), each.sort(), as);
  }
  const item = await service.item(from);
  proxy.seen.length = 0;
  expected(403, await service.call('carol', `POST /items/${item}/move`, { registry_id: to }));
  assert.deepEqual(askedOf(proxy.seen), [`GET ${to}`], 'a stranger');
});

it('an item that leaves its registry while it is moved within it is judged where it is', async (t) => {
  const { proxy, service } = await openBehindProxy(t, { REGISTRY_CACHE_TTL: '0' });
  const here = await service.registry();
  const bobs = await service.registry({}, 'bob');
  const item = await service.item(here);
  const ofAlice = proxy.hold((request) => request.authorization === authorization('alice'));
  const moving = service.call('alice', `POST /items/${item}/move`, { registry_id: here });
  await ofAlice.reached;
  expected(200, await service.call('admin', `POST /items/${item}/move`, { registry_id: bobs }));
  ofAlice.release();
  expected(403, await moving);
});

function askedOf(seen: Seen[]): string[] {
  const asked = seen.map(({ method, path }) => ({ method, id: /\/registry\/(\d+)\?/.exec(path)?.[1] }));
  return asked.flatMap(({ method, id }) => (id ? [`${method} ${id}`] : [])).sort();
}

it('a claim that changes while its item moves is counted and told in the new registry', async (t) => {
  const { proxy, service } = await openBehindProxy(t, { REGISTRY_CACHE_TTL: '0' });
  for (const change of [{ state: 'purchased' }, { quantity: 3 }, { quantity: 1 }]) {
    const { quantity = 2 } = change as { quantity?: number };
    const meta = { registry_currency: 'EUR' };
    const [from, to] = [await service.registry(meta), await service.registry(meta)];
    const item = await service.item(from, { unit: 'money', quantity_needed: 3 });
    const claim = await service.claim('bob', from, item, { quantity: 2 });
    // The second time that the host is asked for a share, its change is about to be stored.
    let asked = 0;
    const ofBob = proxy.hold((request) => request.authorization === authorization('bob') && ++asked === 2);
    const changed = service.call('bob', `PATCH /claims/${claim.id}`, change);
    await ofBob.reached;
    expected(200, await service.call('alice', `POST /items/${item}/move`, { registry_id: to }));
    const known = await service.call('alice', `GET /registries/${to}/items`);
    ofBob.release();
    expected(200, await changed);
    const told = async (registry: number) => {
      const { events } = expected(200, await service.call('admin', `GET /registries/${registry}/events`));
      return events.map(({ type }: { type: string }) => type);
    };
    assert.deepEqual(await told(from), ['item.created', 'claim.created', 'item.deleted']);
    assert.deepEqual(await told(to), ['item.created', 'claim.updated']);
    assert.equal(await service.purchased(item, 'alice', to), quantity);
    const list = await service.call('alice', `GET /registries/${to}/items`);
    if (quantity !== 2) assert.notEqual(list.headers.get('etag'), known.headers.get('etag'));
    await agrees(service.store);
  }
});

it('the site that waits for a move need not keep the order first', { timeout: 120_000 }, async (t) => {
  const { proxy, service } = await openBehindProxy(t, {}, { waits: { orderMs: 1_000_000 } });
  const [from, to] = [await service.registry(), await service.registry()];
  const item = await service.item(from);
  const held = [from, to].map((registry) => proxy.hold(isUpdateOf(registry)));
  const kept = [from, to].map((registry) => proxy.answered(isUpdateOf(registry)));
  const body = { registry_id: to };
  expected(200, await service.call('admin', `POST /items/${item}/move`, body, { prefer: 'wait=0' }));
  for (const { release } of held) release();
  await Promise.all(kept);
});
