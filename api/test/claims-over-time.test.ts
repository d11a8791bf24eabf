// @again postgres
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { until } from '../../dev/until.ts';
import { deletionScan } from '../src/background/deletion-scan.ts';
import type { Claim } from '../src/contract/index.ts';
import { callsOf } from './answers.ts';
import { agrees, DAY, etagOf, expected, key, MINUTE, openClaimService } from './claim-service.ts';
import { eventsAgree } from './events-agree.ts';
import { refuseWalks } from './plans.ts';
import { PAN, startTestService } from './support.ts';

refuseWalks();

type Event = { entry: number; at: number; actor: string; actor_id: number | null; state: string };

const service = await openClaimService();
const { call } = service;
after(() => agrees(service.store).finally(() => service.close()));

describe('claims over time', () => {
  let registry: number;
  let item: number;
  beforeEach(async () => {
    registry = await service.registry();
    item = await service.item(registry, { quantity_needed: 2 });
  });

  const to = (id = item, of = registry) => `POST /registries/${of}/items/${id}/claims`;
  const ledgerOf = (id: string) =>
    service.store.query<Event>(`select * from claim_events where claim_id = '${id}' order by entry`);

  it('ends with its time, to the millisecond, before a job has expired it', async () => {
    for (const body of [{ state: 'pending' }, { expires_in: 60 }, {}]) {
      item = await service.item(registry, { quantity_needed: 1 });
      const claim = await service.claim('bob', registry, item, body);
      service.advance(Date.parse(claim.expires_at!) - service.now() - 1);
      const early = await call('carol', to(), {});
      assert.equal(expected(409, early).detail, '0 left of this item: 1 cannot be taken');
      assert.equal((await service.read('bob', claim.id)).state, claim.state);
      service.advance(1);
      const over = { ...claim, state: 'expired', updated_at: claim.expires_at };
      const seen = await call('bob', `GET /claims/${claim.id}`);
      assert.deepEqual(seen.body, over);
      expected(409, await call('bob', `PATCH /claims/${claim.id}`, { state: 'purchased' }));
      expected(409, await call('bob', `PATCH /claims/${claim.id}`, { quantity: 1 }));
      await service.claim('carol', registry, item);
      const noted = await call('bob', `GET /claims/${claim.id}`);
      assert.deepEqual([noted.text, etagOf(noted)], [seen.text, etagOf(seen)], 'to note it changes nothing');
      const [made, ended] = [claim.created_at, claim.expires_at!].map(Date.parse);
      const entries = await ledgerOf(claim.id);
      const ledger = entries.map(({ at, actor, actor_id }) => `${at} ${actor} ${actor_id}`);
      assert.deepEqual(ledger, [`${made} giver 3`, `${ended} clock null`]);
    }
  });

  it('counts its time from its own creation, on a running clock', async () => {
    let now = service.now();
    const clock = { wall: () => now++ };
    await using other = await startTestService({}, { clock });
    const ask = await callsOf(other);
    const r = expected(201, await ask('alice', 'POST /registries', { title: 'Ann' })).id;
    const path = `/registries/${r}/items`;
    const { data } = expected(201, await ask('alice', `POST ${path}`, { ...PAN, quantity_needed: 9 }));
    for (const state of ['pending', 'reserved']) {
      const body = { state, expires_in: 60 };
      const claim: Claim = expected(201, await ask('alice', `POST ${path}/${data.id}/claims`, body));
      assert.equal(Date.parse(claim.expires_at!) - Date.parse(claim.created_at), MINUTE);
      assert.equal(claim.updated_at, claim.created_at);
    }
  });

  it('vanishes from every response by itself, in a process without requests', async () => {
    await using other = await openClaimService({}, { jobsEveryMs: 20 });
    const here = await other.registry();
    const thing = await other.item(here, { quantity_needed: 9 });
    const etags = async () => [
      etagOf(await other.call('alice', `GET /items/${thing}`)),
      etagOf(await other.call('alice', `GET /registries/${here}/items`)),
    ];
    const [ofItem, ofList] = await etags();
    const made = await Promise.all(
      Array.from({ length: 5 }, (_, n) => other.claim('bob', here, thing, { expires_in: 60 + n })),
    );
    await other.claim('carol', here, thing);
    other.advance(MINUTE + 3_000);
    const live = () =>
      other.store.query<{ claimed: number }>(`select claimed from items where id = ${thing}`);
    await until('the job notes them', async () => (await live())[0]!.claimed === 2);
    assert.equal(await other.purchased(thing), 2);
    const [itemNow, listNow] = await etags();
    assert.ok(itemNow !== ofItem && listNow !== ofList);
    assert.equal((await other.read('bob', made[4]!.id)).state, 'reserved');
    await agrees(other.store);
  });

  it('every change is an entry in the ledger: who, when, what, how many', async () => {
    const giver = { name: 'Bob', email: 'bob@example.test' };
    const claim = await service.claim('admin', registry, item, { state: 'pending', giver });
    const steps = [
      ['bob', { state: 'reserved' }],
      ['bob', { quantity: 2, message: 'Soup' }],
      ['alice', { thanked: true }],
      ['admin', { state: 'purchased' }],
      ['bob', { state: 'purchased' }],
      ['bob', {}],
      ['bob', { state: 'released' }],
    ] as const;
    for (const [as, body] of steps) {
      service.advance(1_000);
      expected(200, await call(as, `PATCH /claims/${claim.id}`, body));
    }
    const start = Date.parse(claim.created_at);
    const ledger = (await ledgerOf(claim.id)).map(
      ({ entry, at, actor, actor_id, state }) => `${entry} ${at - start} ${actor} ${actor_id} ${state}`,
    );
    assert.deepEqual(ledger, [
      ...['1 0 admin 1 pending', '2 1000 giver 3 reserved', '3 2000 giver 3 reserved'],
      ...['4 3000 owner 2 reserved', '5 4000 admin 1 purchased', '6 7000 giver 3 released'],
    ]);
  });

  it('ten thousand fit into a registry, whatever their state', async () => {
    await service.claim('bob', registry, item);
    await service.store.query(`update claims set place = 9999 where registry_id = ${registry} returning id`);
    const last = expected(201, await call('bob', to(), {}, key('last')));
    expected(204, await call('bob', `DELETE /claims/${last.id}`));
    for (const state of ['pending', 'reserved', 'purchased']) {
      const { detail } = expected(409, await call('bob', to(), { state }));
      assert.equal(detail, 'A registry holds at most 10,000 claims');
    }
    assert.equal(expected(201, await call('bob', to(), {}, key('last'))).state, 'reserved');
    const other = await service.registry();
    await service.claim('bob', other, await service.item(other));
  });

  describe('a deleted registry', () => {
    it('releases them: seen on the giver’s visit to the claim', async () => {
      await using other = await openClaimService({ REGISTRY_CACHE_TTL: '0' });
      const r = await other.registry();
      const claim = await other.claim('bob', r, await other.item(r));
      assert.equal((await other.onHost('DELETE', `registry/${r}?force=true`)).status, 200);
      assert.equal((await other.read('bob', claim.id)).state, 'released');
    });

    it('releases them: deleted on the site, found by the job; not from the trash', async () => {
      await using other = await openClaimService({}, { jobsEveryMs: 20, scanAgainMs: 0 });
      const [first, trashed, last] = [await other.registry(), await other.registry(), await other.registry()];
      const claims: Claim[] = [];
      for (const r of [first, trashed, last]) claims.push(await other.claim('bob', r, await other.item(r)));
      assert.equal((await other.onHost('DELETE', `registry/${trashed}`)).status, 200);
      const rows = 'select state from claims order by registry_id';
      const states = async () => (await other.store.query<{ state: string }>(rows)).map(({ state }) => state);
      // They are checked one after another: the one in the trash between these two.
      for (const [at, r] of [first, last].entries()) {
        assert.equal((await other.onHost('DELETE', `registry/${r}?force=true`)).status, 200);
        await until('the job finds it', async () => (await states())[2 * at] === 'released');
      }
      assert.deepEqual(await states(), ['released', 'reserved', 'released']);
      expected(404, await other.call('alice', `GET /registries/${trashed}`));
      assert.equal((await other.read('bob', claims[1]!.id)).state, 'reserved');
      await agrees(other.store);
    });
  });

  it('each registry with claims is checked four times a day for a deletion that nobody told', async () => {
    const ids = [2, 3, 5, 7, 11];
    const asked: number[] = [];
    let now = 0;
    const scan = deletionScan({
      claims: {
        lastRegistry: async () => 11,
        registryAfter: async (behind) => ({ id: ids.find((id) => id > behind), last: undefined }),
      },
      registries: { deleteIfGoneOnHost: async (id) => asked.push(id) === 0 },
      clock: () => now,
    });
    for (; now < DAY; now += 20_000) await scan();
    for (const id of ids) assert.equal(asked.filter((one) => one === id).length, 4);
  });

  describe('erasing', () => {
    const email = 'aunt.may@example.test';
    const giver = { name: 'Aunt May', email, user_id: 77_077 };
    const erase = (of: string, as: 'admin' | 'bob' | 'alice' = 'admin') =>
      call(as, `DELETE /claims?email=${encodeURIComponent(of)}`);

    it('leaves no trace of a person in the store, whatever became of their claims', async () => {
      const other = await service.registry();
      const there = await service.item(other, { quantity_needed: 9 });
      const make = async (r: number, i: number, body: object, headers = {}): Promise<string> =>
        expected(201, await call('admin', to(i, r), { giver, message: 'From May', ...body }, headers)).id;
      await make(registry, item, { state: 'pending' }, key('may'));
      await make(other, there, { quantity: 3, giver: { ...giver, email: email.toUpperCase() } });
      const bought = await make(other, there, { state: 'purchased' });
      expected(200, await call('alice', `PATCH /claims/${bought}`, { thanked: true }));
      expected(204, await call('admin', `DELETE /claims/${await make(other, there, {})}`));
      await make(other, there, { expires_in: 60 });
      service.advance(MINUTE);
      const { detail } = expected(403, await erase(email, 'bob'));
      assert.equal(detail, "Only admins may read or erase someone else's claims");
      assert.deepEqual(expected(200, await erase(` ${email.replace('aunt', 'AUNT')} `)), { erased: 5 });
      await agrees(service.store);
      await eventsAgree(service.store);
      for (const table of ['claims', 'claim_events', 'events', 'idempotency_keys', 'items', 'leases']) {
        const rows = JSON.stringify(await service.store.query(`select * from ${table}`)).toLowerCase();
        for (const trace of ['aunt', 'from may', '77077'])
          assert.ok(!new RegExp(`\\b${trace}`).test(rows), `${table} holds "${trace}"`);
      }
    });

    it('leaves no user id in the ledger of an admin who has named themselves', async () => {
      const giver = {
        name: 'Ada',
        user_id: (await service.claim('admin', registry, item, {})).giver.user_id,
      };
      const { id } = await service.claim('admin', registry, item, { giver });
      expected(200, await call('admin', `DELETE /claims?user_id=${giver.user_id}`));
      const ledger = `select actor_id from claim_events where claim_id = '${id}' order by entry`;
      const [made, erased] = await service.store.query<{ actor_id: unknown }>(ledger);
      assert.deepEqual([made!.actor_id, Number(erased!.actor_id)], [null, giver.user_id]);
    });

    it('counts the claims of a person in all registries, also in a surprise for the admin', async () => {
      await using other = await openClaimService();
      const own = await other.registry({ registry_surprise_until: 'always' }, 'admin');
      const open = await other.registry();
      for (const r of [own, open]) await other.claim('bob', r, await other.item(r));
      const address = 'bob@example.test';
      assert.equal(expected(200, await other.call('bob', 'GET /claims')).length, 2);
      assert.equal(expected(200, await other.call('admin', `GET /claims?email=${address}`)).length, 1);
      const { erased } = expected(200, await other.call('admin', `DELETE /claims?email=${address}`));
      assert.equal(erased, 2);
    });

    it('finds an account’s claims that were recorded without an address, too, and no others', async () => {
      const many = await service.item(registry, { quantity_needed: 9 });
      const of = (fields: object) =>
        service.claim('admin', registry, many, { giver: { name: 'D', ...fields } });
      const bare = await of({ user_id: 88_088 });
      const old = await of({ user_id: 88_088, email: 'old@example.test' });
      const byMail = await of({ email: 'now@example.test' });
      const others = [await of({ user_id: 88_089, email: 'else@example.test' }), await of({})];
      const whose = async (query: string) =>
        (expected(200, await call('admin', `GET /claims?${query}`)) as Claim[]).map(({ id }) => id).sort();
      assert.deepEqual(await whose('user_id=88088'), [bare.id, old.id].sort());
      const both = 'user_id=88088&email=now%40example.test';
      assert.deepEqual(await whose(both), [bare.id, old.id, byMail.id].sort());
      expected(403, await call('bob', 'GET /claims?user_id=88088'));
      expected(403, await call('bob', `DELETE /claims?${both}`));
      assert.deepEqual(expected(200, await call('admin', `DELETE /claims?${both}`)), { erased: 3 });
      assert.deepEqual(expected(200, await call('admin', `DELETE /claims?${both}`)), { erased: 0 });
      assert.deepEqual(await whose(both), []);
      for (const claim of others) assert.deepEqual(await service.read('admin', claim.id), claim);
      await agrees(service.store);
    });

    it('spares live claims and new ones of an ended registry, and other registries', async () => {
      const [over, next] = [await service.registry(), await service.registry()];
      const nine = { quantity_needed: 9 };
      const [pan, pot] = [await service.item(over, nine), await service.item(next, nine)];
      const giver = { name: 'Ede', email: 'ede@example.test' };
      const gift = { giver, state: 'purchased', message: 'To you' };
      const bought = await service.claim('admin', over, pan, gift);
      const ended = await service.claim('admin', over, pan, { giver, expires_in: 60 });
      const runs = await service.claim('admin', over, pan, { giver, expires_in: 90 * 24 * 3600 });
      const there = await service.claim('admin', next, pot, { giver, state: 'purchased' });
      service.advance(60 * DAY);
      const fresh = await service.claim('bob', over, pan, { state: 'purchased' });
      const sum = await service.purchased(pan);
      const forget = (as: 'admin' | 'alice', days: number) =>
        call(as, `DELETE /claims?registry_id=${over}&unchanged_for=${(days * DAY) / 1000}`);
      expected(403, await forget('alice', 50));
      assert.deepEqual(expected(200, await forget('admin', 61)), { erased: 0 });
      assert.deepEqual(expected(200, await forget('admin', 50)), { erased: 2 });
      assert.deepEqual(expected(200, await forget('admin', 50)), { erased: 0 });
      const names = async (...claims: Claim[]) =>
        Promise.all(claims.map(async ({ id }) => (await service.read('admin', id)).giver.name));
      assert.deepEqual(await names(bought, ended, runs, there, fresh), ['', '', 'Ede', 'Ede', 'Bob']);
      assert.equal((await service.read('admin', bought.id)).message, null);
      assert.equal(await service.purchased(pan), sum);
      service.advance(DAY);
      const found = expected(200, await call('admin', `DELETE /claims?registry_id=${over}`));
      assert.deepEqual(found, { erased: 1 }, 'all at once');
      assert.deepEqual(await names(runs, there, fresh), ['Ede', 'Ede', '']);
      await agrees(service.store);
    });
  });
});
