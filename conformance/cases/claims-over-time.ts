// Cases that take a minute, because no claim can expire sooner.
import assert from 'node:assert/strict';
import type { Claim } from 'trousseau-client';
import { section, slow } from '../case.ts';
import { ok } from '../world.ts';
import { anybody, aWish, etagOf, patchClaim, readClaim } from './kit.ts';

export const claimsOverTime = [
  ...section('claims.md#states', {
    'claim-whose-time-is-over-is-final-at-once': slow(async (world) => {
      const { item } = await aWish(world);
      const made = [
        await world.claim('stranger', item, { state: 'pending', expires_in: 60 }),
        await world.claim('stranger', item, { expires_in: 60 }),
      ];
      await world.pass(61);
      for (const claim of made) {
        const over = { ...claim, state: 'expired', updated_at: claim.expires_at };
        assert.deepEqual(await readClaim(world, claim, 'stranger'), over);
        ok(409, await patchClaim(world, claim, { state: 'purchased' }, 'stranger'));
        ok(409, await patchClaim(world, claim, { quantity: 1 }, 'stranger'));
        ok(409, await world.call('stranger', `DELETE /claims/${claim.id}`));
        assert.deepEqual(await readClaim(world, claim, 'stranger'), over);
      }
    }),
  }),

  ...section('claims.md#numbers', {
    'claim-whose-time-is-over-has-no-pieces-kept-for-it': slow(async (world) => {
      const one = await aWish(world, { quantity_needed: 1 });
      const other = await aWish(world, { quantity_needed: 2 });
      await world.claim('guest', one.item, { expires_in: 60 });
      await world.claim('guest', other.item, { expires_in: 60 });
      const growing = await world.claim('stranger', other.item);
      ok(409, await world.call('stranger', one.to, {}));
      ok(409, await patchClaim(world, growing, { quantity: 2 }, 'stranger'));
      await world.pass(62);
      await world.claim('stranger', one.item);
      assert.equal(ok(200, await patchClaim(world, growing, { quantity: 2 }, 'stranger')).quantity, 2);
      assert.equal(await world.purchased(other.item), 2);
    }),

    'claim-whose-time-is-over-is-gone-from-every-answer-within-a-minute': slow(async (world) => {
      const { registry, item } = await aWish(world);
      const before = etagOf(await world.call('guest', `GET /items/${item.id}`));
      const claim = await world.claim('guest', item, { expires_in: 60 });
      await world.claim('stranger', item);
      assert.equal(await world.purchased(item), 2);
      await world.pass(61);
      // The claim expires by itself, without a request about its item.
      let shown = 2;
      for (let second = 0; second < 65 && shown === 2; second++) {
        await world.pass(1);
        shown = await world.purchased(item, 'guest');
      }
      assert.equal(shown, 1);
      assert.notEqual(etagOf(await world.call('guest', `GET /items/${item.id}`)), before);
      const { claims } = ok(200, await world.call('owner', `GET /registries/${registry.id}/claims`));
      const states = claims.map(({ id, state }: Claim) => [id === claim.id, state]);
      assert.deepEqual(states.flat(), [false, 'reserved', true, 'expired']);
    }),

    'number-that-is-put-counts-nothing-that-is-over': slow(async (world) => {
      const { item } = await aWish(world);
      await world.claim('guest', item, { expires_in: 60 });
      await world.claim('stranger', item);
      await world.pass(62);
      const put = (quantity_purchased: number) =>
        world.call('owner', `PUT /items/${item.id}`, { quantity_purchased });
      ok(409, await put(0));
      assert.equal(ok(200, await put(1)).data.quantity_purchased, 1);
    }),
  }),

  ...section('claims.md#claim-endpoints', {
    'unconfirmed-claim-whose-time-is-over-makes-room-also-under-its-key': slow(async (world) => {
      const { item, to } = await aWish(world, { quantity_needed: 99 });
      const body = { state: 'pending', giver: anybody() };
      for (let n = 0; n < 10; n++) await world.claim('administrator', item, { ...body, expires_in: 60 });
      const ask = () => world.call('administrator', to, body, { 'idempotency-key': `later-${item.id}` });
      const refused = await ask();
      ok(429, refused);
      const wait = Number(refused.headers.get('retry-after'));
      assert.ok(wait > 0 && wait <= 60, `Retry-After: ${wait}`);
      await world.pass(62);
      const made = await ask();
      ok(201, made);
      assert.equal((await ask()).text, made.text);
    }),
  }),
];
