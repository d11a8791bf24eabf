// The feed of what has happened: complete, in order, and silent about what is concealed.
// @again postgres
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { until } from '../../dev/until.ts';
import { changeEvent, eventStore } from '../src/store/events.ts';
import { ONLY_SITE } from '../src/store/sites.ts';
import { type ClaimService, DAY, expected, MINUTE, openClaimService } from './claim-service.ts';
import { eventsAgree } from './events-agree.ts';
import { type Name, openedDatabase, PAN, partsOf, startTestService } from './support.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are examined field by field
type Event = { id: string; type: string; item_id: number | null; claim_id: string | null; data: any };
type Feed = { events: Event[]; next: string };

const feedOf = async (service: ClaimService, as: Name, path: string, query = ''): Promise<Feed> =>
  expected(200, await service.call(as, `GET ${path}${query}`));
async function open(t: TestContext, limits = {}, meta = {}, as: Name = 'alice') {
  const service = partsOf(t).use(await openClaimService({}, limits));
  const registry = await service.registry(meta, as);
  const item = await service.item(registry, { quantity_needed: 9 });
  return { service, call: service.call, registry, item, path: `/registries/${registry}/events` };
}
const typesOf = ({ events }: Feed) => events.map(({ type }) => type);
const idsOf = ({ events }: Feed) => events.map(({ id }) => id);

async function follow(service: ClaimService, as: Name, path: string, limit: number, after?: string) {
  const events: Event[] = [];
  let next = after;
  for (;;) {
    const query = `?limit=${limit}${next === undefined ? '' : `&after=${next}`}`;
    const page = await feedOf(service, as, path, query);
    assert.ok(page.events.length <= limit);
    if (page.events.length === 0) {
      if (next !== undefined) assert.equal(page.next, next, 'nothing new, and the same cursor');
      return { events, next: page.next };
    }
    events.push(...page.events);
    next = page.next;
  }
}

/** A cursor that somebody has computed. */
function cursorFrom(feed: string, text: string): string {
  const check = hash('sha256', `cursor ${feed} ${text}`, 'base64url').slice(0, 11);
  return `evc_${Buffer.from(text).toString('base64url')}_${check}`;
}

const forget = ({ store }: ClaimService, left: number) =>
  until('old events are forgotten', async () => {
    const [row] = await store.query<{ kept: number }>('select count(*) as kept from events');
    return Number(row!.kept) === left;
  });

describe('events', () => {
  it('come in pages of 200, or as many as make half a megabyte, whose cursors miss nothing', async () => {
    await using service = await openClaimService();
    const registry = await service.registry();
    const long = (letter: string) => `https://shop.example/${letter.repeat(1_900)}`;
    const fields = { url: long('a'), image_url: long('b'), affiliate_url: long('c') };
    const item = await service.item(registry, { ...fields, description: 'd'.repeat(500) });
    const names = ['Pan', ...Array.from({ length: 219 }, (_, n) => `Pan ${n}`)];
    for (const name of names.slice(1))
      expected(200, await service.call('admin', `PUT /items/${item}`, { name }));
    for (const path of [`/registries/${registry}/events`, '/events']) {
      const as = path === '/events' ? 'admin' : 'alice';
      const { events } = await feedOf(service, as, path, '?limit=1000');
      assert.equal(events.length, 200);
      const all = await follow(service, as, path, 1000);
      const found = all.events.map(({ data }) => data.name);
      assert.deepEqual(found, names);
    }
  });

  it('have cursors that are read on from also behind the largest id of a registry', async () => {
    const service = await startTestService({ DATABASE_URL: 'sqlite::memory:' });
    await service.client('admin').items.create({ registry_id: Number.MAX_SAFE_INTEGER, ...PAN });
    const read = async (query = '') => (await service.fetch(`/events${query}`, { as: 'admin' })).json();
    const { next } = (await read()) as { next: string };
    assert.deepEqual(await read(`?after=${next}`), { events: [], next });
    await service.close();
  });

  it('are read on from cursors that the same feed has given, and from no computed one', async (t) => {
    const { service, call, registry, path } = await open(t);
    await service.item(await service.registry());
    assert.equal((await call('alice', 'GET /registries/999/events')).status, 404);
    assert.equal((await call('alice', 'GET /registries/x/events')).status, 404);
    const { next } = await feedOf(service, 'alice', path);
    const everywhere = (await feedOf(service, 'admin', '/events')).next;
    const changed = `${next.slice(0, -1)}${next.endsWith('A') ? 'B' : 'A'}`;
    const computed = [
      ...['1.-5.0', '1.NaN.0', 'x', '', `${registry}.1.0`, `${registry}.0.0`, `${registry}.1.0.0.`],
      ...[`${registry}.1.0.${service.now()}.`, `${registry}.1.0.${service.now()}.AAAAAAAAAAA`],
      ...[`${registry}.-1.0.0.`, `${registry}.NaN.0.0.`, `${registry}.1e300.0.0.`, `${registry}.0.0.1.`],
      `${registry}.999999999999999.999999999.${service.now()}.AAAAAAAAAAA`,
    ].map((text) => cursorFrom(`${registry}`, text));
    for (const wrong of [...computed, everywhere, changed, `${next}x`, `${next}&after=${next}`])
      assert.equal((await call('alice', `GET ${path}?after=${wrong}`)).status, 422, wrong);
    assert.equal((await call('admin', 'GET /events?after=1')).status, 422);
  });

  it('are kept for 30 days, and a cursor that has missed some is gone', async () => {
    await using service = await openClaimService({}, { jobsEveryMs: 20 });
    const { call } = service;
    const registry = await service.registry();
    const path = `/registries/${registry}/events`;
    const start = (await feedOf(service, 'alice', path)).next;
    const { next: startOfAll } = await feedOf(service, 'admin', '/events');
    const item = await service.item(registry, { quantity_needed: 9 });
    const first = await feedOf(service, 'alice', path);
    expected(200, await call('alice', `PUT /items/${item}`, { name: 'Kettle' }));
    await service.claim('bob', registry, item, { state: 'purchased' });
    const second = await feedOf(service, 'alice', path);
    const all = await feedOf(service, 'admin', '/events');
    service.advance(31 * DAY);
    const rest = async (as: Name, feed: string, { next }: Feed) =>
      assert.deepEqual(await feedOf(service, as, feed, `?after=${next}`), { events: [], next });
    await rest('alice', path, second);
    await rest('admin', '/events', all);
    for (const forgotten of [false, true]) {
      for (const cursor of [start, first.next])
        assert.equal((await call('alice', `GET ${path}?after=${cursor}`)).status, 410);
      assert.equal((await call('admin', `GET /events?after=${startOfAll}`)).status, 410);
      assert.deepEqual(await feedOf(service, 'alice', path), { events: [], next: second.next });
      if (!forgotten) await forget(service, 2);
    }
    expected(200, await call('alice', `PUT /items/${item}`, { name: 'Pot' }));
    for (const query of ['', `?after=${second.next}`])
      assert.deepEqual(typesOf(await feedOf(service, 'alice', path, query)), ['item.updated']);
    const after = await feedOf(service, 'admin', '/events', `?after=${all.next}`);
    assert.deepEqual(typesOf(after), ['item.updated']);
    service.advance(31 * DAY);
    expected(200, await call('alice', `PUT /items/${item}`, { name: 'Pan' }));
    await forget(service, 3);
    assert.equal((await call('alice', `GET ${path}?after=${second.next}`)).status, 410);
    assert.equal((await call('admin', `GET /events?after=${all.next}`)).status, 410);
    assert.deepEqual(typesOf(await feedOf(service, 'alice', path)), ['item.updated']);
  });

  it('are forgotten some at a time, however many one registry has', async () => {
    await using db = await openedDatabase('sqlite::memory:');
    for (let at = 1; at <= 1_200; at++)
      await db.write(changeEvent(ONLY_SITE, 7, null, at, 'registry.updated', null));
    const left: unknown[] = [];
    for (let after: number | undefined = 0; after !== undefined; ) {
      after = await eventStore(db, ONLY_SITE).deleteBefore(5_000, after, 500);
      left.push((await db.read('select count(*) from events'))[0]![0]);
    }
    // The newest one stays.
    assert.deepEqual(left, [700, 200, 1]);
  });

  it('of a registry that never had an item are forgotten, too', async () => {
    await using service = await openClaimService({}, { jobsEveryMs: 20 });
    const registry = await service.registry();
    for (const title of ['One', 'Two', 'Three'])
      expected(200, await service.call('alice', `PATCH /registries/${registry}`, { title }));
    service.advance(31 * DAY);
    await forget(service, 1);
  });

  it('refuse a cursor whose event a restored backup has lost, whatever has happened since', async (t) => {
    const { service, item, path } = await open(t);
    const change = async (name: string) =>
      expected(200, await service.call('alice', `PUT /items/${item}`, { name }));
    const feeds = [
      ['alice', path],
      ['admin', '/events'],
    ] as const;
    const cursors = () =>
      Promise.all(feeds.map(async ([as, path]) => (await feedOf(service, as, path)).next));
    const kept = await cursors();
    for (const name of ['Pot', 'Kettle']) await change(name);
    const lost = await cursors();
    await service.store.query('delete from events where number > 1');
    for (const grown of [false, true]) {
      if (grown) for (const name of ['Lamp', 'Clock', 'Chair']) await change(name);
      for (const [n, [as, path]] of feeds.entries()) {
        assert.equal((await service.call(as, `GET ${path}?after=${lost[n]}`)).status, 422, path);
        const { events } = await feedOf(service, as, path, `?after=${kept[n]}`);
        assert.equal(events.length, grown ? 3 : 0);
      }
    }
    service.advance(31 * DAY);
    for (const [n, [as, path]] of feeds.entries())
      assert.equal((await service.call(as, `GET ${path}?after=${lost[n]}`)).status, 410, path);
  });

  it('never tell an owner what was concealed when it happened, by a guessed cursor either', async (t) => {
    const { service, call, registry, item, path } = await open(t, {}, { registry_surprise_until: 'always' });
    const before = await feedOf(service, 'alice', path);
    const claim = await service.claim('bob', registry, item, { quantity: 3 });
    expected(200, await call('bob', `PATCH /claims/${claim.id}`, { state: 'purchased' }));
    assert.deepEqual(await feedOf(service, 'alice', path), before, 'not even the cursor tells');
    const { next } = await feedOf(service, 'admin', path);
    const guessed = await call('alice', `GET ${path}?after=${next}`);
    assert.equal(guessed.status, 422, 'a cursor that is right by chance tells nothing');
    expected(200, await call('alice', `PUT /items/${item}`, { name: 'Pot' }));
    const types = ['item.created', 'claim.created', 'claim.updated', 'item.updated'];
    assert.deepEqual(typesOf(await feedOf(service, 'admin', '/events')), types);
    await eventsAgree(service.store);
    service.advance(31 * DAY);
    expected(410, await call('alice', `GET ${path}?after=${next}`));
  });

  it('are concealed by a surprise that only a guest’s request has met so far', async (t) => {
    const { service, registry, item, path } = await open(t);
    const meta = (until: string) => ({ meta: { registry_surprise_until: until } });
    const onHost = (until: string) => service.onHost('POST', `registry/${registry}`, 'alice', meta(until));
    assert.equal((await onHost('always')).status, 200);
    await service.claim('bob', registry, item);
    assert.equal((await onHost('')).status, 200);
    const feed = await feedOf(service, 'alice', path);
    assert.ok(typesOf(feed).every((type) => !type.startsWith('claim')));
    await service.claim('carol', registry, item);
    assert.deepEqual(typesOf(await feedOf(service, 'alice', path, `?after=${feed.next}`)), ['claim.created']);
  });

  it('miss nothing behind a cursor only because a claim that is concealed is old', async (t) => {
    const meta = { registry_surprise_until: 'always' };
    const { service, registry, item, path: own } = await open(t, { jobsEveryMs: 20 }, meta, 'admin');
    const { next } = await feedOf(service, 'admin', '/events');
    await service.claim('bob', registry, item);
    service.advance(5 * DAY);
    expected(200, await service.call('admin', `PUT /items/${item}`, { name: 'Pot' }));
    service.advance(27 * DAY);
    for (const path of ['/events', own]) {
      const feed = await feedOf(service, 'admin', path, path === own ? '' : `?after=${next}`);
      assert.deepEqual(typesOf(feed), ['item.updated'], path);
      assert.equal(feed.events[0]!.data.quantity_purchased, 0, path);
    }
  });

  it('end with the registry, and its claims before it', async (t) => {
    const { service, registry, path } = await open(t);
    await service.claim('bob', registry, await service.item(registry));
    const { next } = await feedOf(service, 'admin', '/events');
    expected(204, await service.call('alice', `DELETE /registries/${registry}`));
    const end = await feedOf(service, 'admin', '/events', `?after=${next}`);
    assert.deepEqual(typesOf(end).slice(-1), ['registry.deleted']);
    const types = 'claim.released item.deleted item.deleted registry.deleted';
    assert.equal(typesOf(end).sort().join(' '), types);
    assert.deepEqual(typesOf(await feedOf(service, 'admin', path)).slice(-1), ['registry.deleted']);
    assert.equal((await service.call('alice', `GET ${path}`)).status, 404);
    await eventsAgree(service.store);
  });

  it('keep nobody’s bank details', async () => {
    await using service = await openClaimService();
    const { call } = service;
    const registry = await service.registry({ registry_currency: 'EUR', registry_pay_to: 'Ann, DE89 3704' });
    const sofa = await service.item(registry, { unit: 'money', quantity_needed: 50_000 });
    const claim = await service.claim('bob', registry, sofa, { quantity: 10_000 });
    const bought = { buys: true, pay_to: 'Bob, FR76 3000' };
    expected(200, await call('bob', `PATCH /claims/${claim.id}`, bought));
    const share = await service.claim('carol', registry, sofa, { quantity: 10_000 });
    assert.equal(expected(200, await call('admin', `GET /claims/${share.id}`)).pay_to, 'Bob, FR76 3000');
    const { events } = await feedOf(service, 'admin', `/registries/${registry}/events`);
    const told = events.slice(1).map(({ type, data }) => `${type} ${data.buys} ${data.pay_to}`);
    const created = 'claim.created false null';
    assert.deepEqual(told, [created, 'claim.updated true null', created]);
    assert.doesNotMatch(JSON.stringify(await service.store.query('select * from events')), /DE89|FR76/);

    const { email } = claim.giver;
    assert.deepEqual(expected(200, await call('admin', `DELETE /claims?email=${email}`)), { erased: 1 });
    const feed = await feedOf(service, 'admin', `/registries/${registry}/events`);
    const { type, data } = feed.events.at(-1)!;
    const now = expected(200, await call('admin', `GET /claims/${claim.id}`)).buys;
    assert.deepEqual([type, data.id, data.buys, now], ['claim.updated', claim.id, true, true]);
  });

  it('tell of claims whose time is over, and of what changed on the host', async (t) => {
    const { service, registry, item, path } = await open(t);
    await service.claim('bob', registry, item, { quantity: 9, expires_in: 60 });
    const { next } = await feedOf(service, 'alice', path);
    service.advance(2 * MINUTE);
    await service.claim('bob', registry, item);
    const title = await service.onHost('POST', `registry/${registry}`, 'alice', { title: 'Renamed' });
    assert.equal(title.status, 200);
    const feed = await feedOf(service, 'alice', path, `?after=${next}`);
    assert.deepEqual(typesOf(feed), ['claim.expired', 'claim.created', 'registry.updated']);
    assert.equal(feed.events[0]!.data.state, 'expired');
    assert.equal(feed.events[2]!.data.title, 'Renamed');
  });

  it('are whole and in one order where many write at once', async () => {
    await using service = await openClaimService();
    const registries = [await service.registry(), await service.registry(), await service.registry()];
    const change = async (n: number) => {
      const registry = registries[n % 3]!;
      const item = await service.item(registry, { quantity_needed: 9 });
      const claim = await service.claim('bob', registry, item);
      await Promise.all([
        service.call('alice', `PUT /items/${item}`, { name: `Pan ${n}` }),
        service.call('bob', `PATCH /claims/${claim.id}`, { message: `${n}` }),
      ]);
    };
    let done = false;
    const read = async (limit: number): Promise<string[]> => {
      const seen: string[] = [];
      let next: string | undefined;
      for (let isLast = false; !isLast; ) {
        isLast = done;
        const page = await follow(service, 'admin', '/events', limit, next);
        seen.push(...idsOf(page));
        next = page.next;
      }
      return seen;
    };
    const readers = [read(3), read(50)];
    await Promise.all(Array.from({ length: 12 }, (_, n) => change(n)));
    done = true;
    const whole = await follow(service, 'admin', '/events', 1000);
    const all = idsOf(whole);
    for (const seen of await Promise.all(readers))
      assert.deepEqual(seen, all, 'what was followed meanwhile is what is there');
    // Items that are added at once may change places, and then that is an event, too.
    const changes = typesOf(whole).filter((type) => type !== 'items.reordered');
    assert.equal(changes.length, 48);
    for (const registry of registries) {
      const own = idsOf(await feedOf(service, 'alice', `/registries/${registry}/events`, '?limit=1000'));
      const found = all.filter((id) => own.includes(id));
      assert.deepEqual(found, own);
    }
    await eventsAgree(service.store);
  });
});
