// @slow
// @again postgres
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { until } from '../../dev/until.ts';
import { agrees, type ClaimService, DAY, key, openClaimService } from './claim-service.ts';
import type { Name } from './support.ts';

// `SEED` and `RUNS` of the environment look further than every day.
const seed = Number(process.env.SEED ?? 14);
const runs = Number(process.env.RUNS ?? 1);

describe('random histories of claims', () => {
  let service: ClaimService;

  before(async () => {
    service = await openClaimService({}, { jobsEveryMs: 200 });
  });
  after(() => service.close());

  it('at the same time take no more than there is, once for each key, and leave ledger and numbers agreeing', async () => {
    const step = fc.record({ a: fc.nat(99), b: fc.nat(99), c: fc.nat(99) });
    const batches = fc.array(fc.array(step, { minLength: 2, maxLength: 12, size: 'max' }), {
      ...{ minLength: 3, maxLength: 8, size: 'max' },
    });
    await fc.assert(
      fc.asyncProperty(batches, (history) => atOnce(service, history)),
      { seed, numRuns: 8 * runs },
    );
  });

  it('while a registry goes and people are erased leave nothing live, nobody named, and the ledger agreeing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(999), { minLength: 30, maxLength: 50, size: 'max' }), (steps) =>
        endAtOnce(service, steps),
      ),
      { seed, numRuns: 6 * runs },
    );
  });
});

/** Claims, changes, erasing and the end of the registry, all at the same time. */
async function endAtOnce(service: ClaimService, steps: number[]): Promise<void> {
  const { call, store } = service;
  const registry = await service.registry();
  const items = [
    await service.item(registry, { quantity_needed: 5 }),
    await service.item(registry, { quantity_needed: 50 }),
  ];
  const person = `person-${registry}@example.test`;
  const giver = { name: `Person ${registry}`, email: person };
  const claims: string[] = [];
  for (let n = 0; n < 4; n++)
    claims.push((await service.claim('admin', registry, items[n % 2]!, { giver, message: person })).id);

  const path = `/registries/${registry}/items`;
  const carryOut = async (n: number, index: number) => {
    const item = items[n % 2]!;
    if (index === Math.floor(steps.length / 2)) return call('alice', `DELETE /registries/${registry}`);
    switch (n % 7) {
      case 0:
      case 1:
        return call('admin', `POST ${path}/${item}/claims`, {
          giver,
          message: person,
          quantity: 1 + (n % 2),
        });
      case 2:
        return call('admin', `DELETE /claims?email=${person}`);
      case 3:
        return call('admin', `PATCH /claims/${claims[n % claims.length]}`, { quantity: 1 + (n % 4) });
      case 4:
        return call('admin', `DELETE /claims/${claims[n % claims.length]}`);
      case 5:
        return call('admin', `PATCH /claims/${claims[n % claims.length]}`, { message: person });
      default:
        return call('admin', `PUT /items/${item}`, { quantity_purchased: n % 9 });
    }
  };
  const answers = await Promise.all(steps.map(carryOut));
  for (const { status, text } of answers)
    assert.ok([200, 201, 204, 403, 404, 409].includes(status), `${status} ${text}`);
  await agrees(store);
  const live = await store.query(
    `select id from claims where registry_id = ${registry} and state in ('pending', 'reserved', 'purchased')`,
  );
  assert.deepEqual(live, [], 'a claim outlived its registry');
  const { status } = await call('admin', `DELETE /claims?email=${person}`);
  assert.equal(status, 200);
  await agrees(store);
  for (const table of ['claims', 'idempotency_keys']) {
    const rows = JSON.stringify(await store.query(`select * from ${table}`));
    assert.ok(!rows.includes(giver.name), `${table} names whom it was to forget`);
  }
}

type Numbers = { a: number; b: number; c: number };

async function atOnce(service: ClaimService, history: Numbers[][]): Promise<void> {
  const { call, store } = service;
  const registry = await service.registry();
  const items = [
    await service.item(registry, { quantity_needed: 2 }),
    await service.item(registry, { quantity_needed: 5, quantity_purchased: 1 }),
  ];
  const claims: string[] = [];
  const byKey = new Map<string, string>();
  const guests: Name[] = ['bob', 'carol'];

  async function carryOut({ a, b, c }: Numbers): Promise<void> {
    const item = items[a % 2]!;
    const known = claims[b % Math.max(claims.length, 1)];
    const kind = c % 10;
    if (kind < 4 || !known) {
      const body = { quantity: 1 + (b % 2), state: b % 5 ? 'reserved' : 'pending', expires_in: 60 + (c % 3) };
      const as = guests[a % 2]!;
      const name = `${registry}-${a % 4}-${b % 2}`;
      const path = `POST /registries/${registry}/items/${item}/claims`;
      const answer = await call(
        as,
        path,
        body,
        c % 2 ? key(`${name}-${body.state}-${body.expires_in}-${item}`) : {},
      );
      assert.ok([201, 404, 409, 429].includes(answer.status), answer.text);
      if (answer.status !== 201) return;
      claims.push(answer.body.id);
      if (c % 2 === 0) return;
      const keyed = `${as} ${name}-${body.state}-${body.expires_in}-${item}`;
      assert.equal(byKey.get(keyed) ?? answer.text, answer.text, 'one key, one claim');
      byKey.set(keyed, answer.text);
      return;
    }
    if (kind === 9) {
      const answer =
        b % 2
          ? await call('alice', `DELETE /items/${item}`)
          : await call('alice', `PUT /items/${item}`, { is_active: true });
      return assert.ok([200, 404].includes(answer.status), answer.text);
    }
    if (kind === 8) return service.advance(b % 3 ? 1_000 : 40_000);
    const bodies = [
      { state: 'released' },
      { quantity: 1 + (a % 3) },
      { state: 'purchased' },
      { message: `${a}` },
    ];
    const answer = await call('admin', `PATCH /claims/${known}`, bodies[(a + b) % bodies.length]);
    assert.ok([200, 409].includes(answer.status), answer.text);
  }

  for (const batch of history) {
    await Promise.all(batch.map(carryOut));
    await agrees(store);
    const oversold = await store.query(
      `select id, quantity_needed, quantity_purchased, claimed from items
       where registry_id = ${registry} and claimed > quantity_needed - quantity_purchased`,
    );
    assert.deepEqual(oversold, [], 'more is taken than there was');
  }
  service.advance(91 * DAY);
  await settled(service);
}

/** Waits until claims whose time is over are expired. */
async function settled({ store, now }: ClaimService): Promise<void> {
  const due = `select 1 from claims where state in ('pending', 'reserved') and expires_at <= ${now()} limit 1`;
  await until('what is over has been noted', async () => (await store.query(due)).length === 0, {
    everyMs: 5,
  });
}
