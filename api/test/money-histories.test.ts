// Random histories of shares and pieces by an owner, a co-owner, guests and the site's account, some at the same time.
// @again postgres
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { Answer } from './answers.ts';
import { agrees, type ClaimService, DAY, expected, openClaimService } from './claim-service.ts';
import type { Name } from './support.ts';

// `SEED` and `RUNS` of the environment look further than every day.
const seed = Number(process.env.SEED ?? 14);
const runs = Number(process.env.RUNS ?? 1);

const OWNERS = ['alice', 'bob'] as const;
/** Every place to which shares are sent, so that an answer that tells one is known. */
const REGISTRY = 'place-of-the-owners';
const BUYER = 'place-of-a-buyer';

type Step = { kind: number; a: number; b: number };
const step = fc.record({ kind: fc.nat(999), a: fc.nat(999), b: fc.nat(999) });
const batches = fc.array(fc.array(step, { minLength: 1, maxLength: 6, size: 'max' }), {
  ...{ minLength: 6, maxLength: 14, size: 'max' },
});
const pick = <T>(of: readonly T[], n: number): T => of[n % of.length]!;

describe('random histories of shares', () => {
  let service: ClaimService;
  before(async () => {
    service = await openClaimService();
  });
  after(() => service.close());

  it('keep the goal, one buyer, equal bytes for the owners, and places from everybody else', async () => {
    await fc.assert(
      fc.asyncProperty(batches, (history) => follow(service, history)),
      { seed, numRuns: 5 * runs, endOnFailure: true },
    );
  });
});

/** The claims of one history: their ids and givers. */
type Claims = Map<string, Name>;

async function follow(service: ClaimService, history: Step[][]): Promise<void> {
  const { call } = service;
  const registry = await service.registry({
    registry_owners: ['bob'],
    registry_invitees: ['carol'],
    registry_currency: 'EUR',
    registry_pay_to: REGISTRY,
  });
  const goals = [
    await service.item(registry, { unit: 'money', quantity_needed: 1000 }),
    await service.item(registry, { unit: 'money', quantity_needed: 333, quantity_purchased: 33 }),
    await service.item(registry, { quantity_needed: 9 }),
  ];
  const claims: Claims = new Map();
  for (const batch of history) {
    await Promise.all(batch.map((one) => carryOut(service, registry, goals, claims, one)));
    await holds(service, registry, goals);
  }
  await agrees(service.store);
  for (const item of goals) expected(200, await call('alice', `DELETE /items/${item}`));
  service.advance(91 * DAY);
}

async function carryOut(
  service: ClaimService,
  registry: number,
  items: number[],
  claims: Claims,
  { kind, a, b }: Step,
): Promise<void> {
  const item = pick(items, a);
  const ids = [...claims.keys()];
  const id = ids[b % Math.max(1, ids.length)] ?? 'x'.repeat(22);
  const giver = claims.get(id) ?? 'carol';
  const ask = async (as: Name, target: string, body?: object) => {
    const answer = await service.call(as, target, body);
    assert.ok(answer.status < 500, answer.text);
    tellsNoPlace(as, answer);
    return answer;
  };
  const give = async (as: Name, body: object) => {
    const made = await ask(as, `POST /registries/${registry}/items/${item}/claims`, body);
    if (made.status === 201) claims.set(made.body.id, as);
  };
  const guest = { giver: { name: 'Guest', email: `guest-${a % 4}@example.test` } };
  const state = pick(['reserved', 'pending', 'purchased'], b);
  const quantity = 1 + (b % 260);
  const patch = (body: object) => ask(pick([giver, giver, giver, 'admin'], a), `PATCH /claims/${id}`, body);
  switch (kind % 13) {
    case 0:
    case 1:
    case 2:
      return give('carol', { quantity, state });
    case 3:
      return give('admin', { quantity, state, ...guest });
    case 4:
      return give(pick(OWNERS, a), { quantity });
    case 5:
    case 6:
      return void (await patch({ buys: true, pay_to: `${BUYER}-${a}` }));
    case 7:
      return void (await patch({ buys: false }));
    case 8:
      return void (await patch({ quantity, state: pick(['reserved', 'purchased', undefined], a) }));
    case 9:
      return void (await patch({ state: pick(['released', 'purchased'], a) }));
    case 10:
      return void (await ask(pick(OWNERS, a), `PUT /items/${item}`, { name: `Gift ${b % 9}` }));
    case 11:
      return void (await ask('admin', `DELETE /claims?email=guest-${b % 4}@example.test`));
    default:
      service.advance(pick([1_000, 2 * 60 * 60_000, 15 * DAY], b));
  }
}

/** An owner learns the owners' own place from the registry, and no buyer's but from a share of their own. */
function tellsNoPlace(as: Name, { text, body }: Answer): void {
  if (as === 'admin' || !text.includes('place-of-')) return;
  const answers = [body].flat();
  for (const { pay_to, giver, state } of answers) {
    if (pay_to === undefined || pay_to === null) continue;
    assert.equal(giver.email, `${as}@example.test`, text);
    assert.ok(['reserved', 'purchased'].includes(state), text);
    assert.ok(as === 'carol' || pay_to !== REGISTRY, text);
  }
}

async function holds({ call, store }: ClaimService, registry: number, goals: number[]): Promise<void> {
  for (const item of goals) {
    const { quantity_needed, quantity_purchased } = expected(
      200,
      await call('admin', `GET /items/${item}`),
    ).data;
    assert.ok(quantity_purchased <= quantity_needed, `${quantity_purchased} of ${quantity_needed}`);
    const live = await store.query<{ id: string }>(
      `select id from claims where item_id = ${item} and buys = 1 and state in ('reserved', 'purchased')`,
    );
    assert.ok(live.length <= 1, `${live.length} buy item ${item}`);
  }
  const targets = [
    ...['', '/items', '/claims', '/invitees'].map((part) => `GET /registries/${registry}${part}`),
    ...goals.map((item) => `GET /items/${item}`),
  ];
  for (const target of targets) {
    const [one, other] = [await call('alice', target), await call('bob', target)];
    assert.equal(other.status, one.status, target);
    if (!target.endsWith('/claims')) assert.equal(other.text, one.text, target);
    for (const [as, answer] of [
      ['alice', one],
      ['bob', other],
    ] as const)
      if (target.endsWith('/claims'))
        for (const claim of answer.body.claims)
          tellsNoPlace(as, { ...answer, text: JSON.stringify(claim), body: claim });
    const seen = await call('carol', target);
    if (target.endsWith('/claims'))
      for (const claim of seen.body.claims)
        tellsNoPlace('carol', { ...seen, text: JSON.stringify(claim), body: claim });
    else assert.doesNotMatch(seen.text, /place-of-/, target);
  }
}
