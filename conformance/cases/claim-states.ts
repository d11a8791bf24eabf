// Every change in the contract's table of states, and no other: one case for each state of a claim.
import assert from 'node:assert/strict';
import type { Claim } from 'trousseau-client';
import { type Case, section, slow, type Test } from '../case.ts';
import { ok, type World } from '../world.ts';
import { atOnce, aWish, isNow, patchClaim, readClaim } from './kit.ts';

const DAYS_14 = 14 * 24 * 60 * 60_000;

/** How to make a claim in each state, and how many seconds that takes. */
const MAKE: Record<
  Claim['state'],
  (world: World, item: Claim['item_id'], registry: number) => Promise<Claim>
> = {
  pending: (world, id, registry_id) =>
    world.claim('guest', { id, registry_id }, { state: 'pending', expires_in: 900 }),
  reserved: (world, id, registry_id) => world.claim('guest', { id, registry_id }),
  purchased: (world, id, registry_id) => world.claim('guest', { id, registry_id }, { state: 'purchased' }),
  released: async (world, id, registry_id) => {
    const claim = await world.claim('guest', { id, registry_id });
    ok(204, await world.call('guest', `DELETE /claims/${claim.id}`));
    return claim;
  },
  expired: (world, id, registry_id) => world.claim('guest', { id, registry_id }, { expires_in: 60 }),
};

const CHANGES = [
  ...[{ state: 'pending' }, { state: 'reserved' }, { state: 'purchased' }],
  ...[{ state: 'released' }, { expires_in: 600 }, { state: 'reserved', expires_in: 600 }],
  ...[{ state: 'released', expires_in: 600 }, { quantity: 2 }, { message: 'x' }, {}],
] as const;

const STATUSES: Record<Claim['state'], number[]> = {
  pending: [200, 200, 200, 200, 409, 200, 409, 200, 200, 200],
  reserved: [409, 200, 200, 200, 200, 200, 409, 200, 200, 200],
  purchased: [409, 409, 200, 200, 409, 409, 409, 200, 200, 200],
  released: [409, 409, 409, 200, 409, 409, 409, 409, 409, 200],
  expired: [409, 409, 409, 409, 409, 409, 409, 409, 409, 200],
};

const changesOf =
  (state: Claim['state']): Test =>
  async (world) => {
    const { registry } = await aWish(world);
    const make = async () => {
      const { id } = await world.item(registry, { quantity_needed: 4 });
      return MAKE[state](world, id, registry.id);
    };
    const over = state === 'expired' ? await atOnce(CHANGES.length, make) : [];
    if (over.length > 0) await world.pass(62);
    for (const [n, body] of CHANGES.entries()) {
      const before = await readClaim(world, over[n] ?? (await make()));
      assert.equal(before.state, state);
      const why = `${state} ${JSON.stringify(body)}`;
      const answer = await patchClaim(world, before, body);
      assert.equal(answer.status, STATUSES[state][n], `${why}: ${answer.text}`);
      const after = await readClaim(world, before);
      if (answer.status === 409) assert.deepEqual(after, before, why);
      else {
        const { expires_in, ...fields } = body as { expires_in?: number };
        const { expires_at, updated_at } = after;
        assert.deepEqual(answer.body, after, why);
        assert.deepEqual(after, { ...before, ...fields, expires_at, updated_at }, why);
        if (['purchased', 'released'].includes(after.state)) assert.equal(expires_at, null, why);
        else if (expires_in) isNow(expires_at!, answer, expires_in * 1000);
        else if (after.state !== before.state) isNow(expires_at!, answer, DAYS_14);
        else assert.equal(expires_at, before.expires_at, why);
      }
      ok(422, await patchClaim(world, before, { state: 'expired' }));
      ok(422, await patchClaim(world, before, { state: 'purchased', expires_in: 600 }));
      // A giver may have only a few claims that wait for confirmation, so this one is released.
      if (after.state === 'pending') ok(204, await world.call('guest', `DELETE /claims/${after.id}`));
    }
  };

export const claimStates: Case[] = section(
  'claims.md#states',
  Object.fromEntries(
    (Object.keys(STATUSES) as Claim['state'][]).map((state) => [
      `claim-that-is-${state}-may-become-what-the-table-says`,
      state === 'expired' ? slow(changesOf(state)) : changesOf(state),
    ]),
  ),
);
