import assert from 'node:assert/strict';
import type { Claim } from 'trousseau-client';
import { section } from '../case.ts';
import { ok } from '../world.ts';
import { anybody, atOnce, aWish, DAYS_90, etagOf, isNow, patchClaim, readClaim, statusesOf } from './kit.ts';

const DAY = 24 * 60 * 60_000;

export const claims = [
  ...section('claims.md#a-claim', {
    'claim-with-nothing-said-is-one-piece-for-14-days-by-the-caller': async (world) => {
      const { registry, item, to } = await aWish(world);
      const answer = await world.call('guest', to, {});
      const claim: Claim = ok(201, answer);
      const { id: user_id, name, email } = world.people.guest;
      const { id, expires_at, created_at, updated_at, ...rest } = claim;
      assert.deepEqual(rest, {
        ...{ registry_id: registry.id, item_id: item.id, quantity: 1, state: 'reserved' },
        ...{ giver: { user_id, name, email }, message: null, thanked_at: null },
      });
      assert.match(id, /^[\w-]{22}$/);
      assert.equal(updated_at, created_at);
      isNow(created_at, answer);
      assert.equal(Date.parse(expires_at!) - Date.parse(created_at), 14 * DAY);
      assert.match(etagOf(answer), /^"[^"]+"$/);
      const read = await world.call('guest', `GET /claims/${id}`);
      assert.deepEqual([read.text, etagOf(read)], [answer.text, etagOf(answer)]);
    },

    'claim-ids-are-not-in-a-row': async (world) => {
      const { item } = await aWish(world);
      const [first, second] = [await world.claim('guest', item), await world.claim('guest', item)];
      const third = await world.claim('owner', item);
      const alike = (a: string, b: string) => [...a].filter((letter, n) => letter === b[n]).length;
      assert.ok(alike(first.id, second.id) < 12 && alike(second.id, third.id) < 12);
    },

    'claim-bears-a-message-and-a-quantity': async (world) => {
      const { item } = await aWish(world);
      const message = `For your Sunday soups \u{1f372}${'x'.repeat(477)}`;
      const claim = await world.claim('stranger', item, { quantity: 4, message });
      assert.deepEqual([claim.quantity, claim.message], [4, message]);
    },

    'claim-moves-updated-at-and-etag-when-it-changes-and-only-then': async (world) => {
      const { item } = await aWish(world);
      const claim = await world.claim('guest', item, { state: 'pending' });
      let before = await world.call('guest', `GET /claims/${claim.id}`);
      for (const body of [
        ...[{ state: 'reserved' }, { quantity: 2 }, { message: 'x' }],
        ...[{ message: null }, { state: 'purchased' }, { state: 'released' }],
      ]) {
        const first = await patchClaim(world, claim, body);
        ok(200, first);
        assert.ok(first.body.updated_at >= before.body.updated_at);
        assert.notEqual(etagOf(first), etagOf(before));
        const again = await patchClaim(world, claim, body);
        assert.deepEqual([again.status, again.text, etagOf(again)], [200, first.text, etagOf(first)]);
        before = first;
      }
    },
  }),

  ...section('claims.md#states', {
    'claim-begins-in-each-state-and-ends-when-that-does': async (world) => {
      const registry = (await aWish(world)).registry;
      const nulls = { quantity: null, state: null, message: null, expires_in: null, giver: null };
      for (const [body, state, seconds] of [
        [{ state: 'pending' }, 'pending', 60 * 60],
        [{ state: 'pending', expires_in: 60 }, 'pending', 60],
        [{ state: 'reserved', expires_in: 60 }, 'reserved', 60],
        [{ expires_in: DAYS_90 }, 'reserved', DAYS_90],
        [{ state: 'purchased' }, 'purchased', null],
        [nulls, 'reserved', 14 * 24 * 60 * 60],
      ] as const) {
        const claim = await world.claim('guest', await world.item(registry), body);
        const { expires_at, created_at, quantity } = claim;
        const lasts = expires_at === null ? null : (Date.parse(expires_at) - Date.parse(created_at)) / 1000;
        assert.deepEqual([claim.state, lasts, quantity], [state, seconds, 1], JSON.stringify(body));
      }
    },

    'confirmed-claim-has-14-days-or-as-long-as-it-says': async (world) => {
      const { item } = await aWish(world);
      for (const [body, lasts] of [
        [{}, 14 * DAY],
        [{ expires_in: 600 }, 600_000],
      ] as const) {
        const claim = await world.claim('stranger', item, { state: 'pending' });
        const confirmed = await patchClaim(world, claim, { state: 'reserved', ...body }, 'stranger');
        isNow(ok(200, confirmed).expires_at, confirmed, lasts);
      }
    },
  }),

  ...section('claims.md#claim-endpoints', {
    'claim-of-an-item-that-is-not-there-is-404': async (world) => {
      const { registry, item, to } = await aWish(world);
      ok(200, await world.call('administrator', `DELETE /items/${item.id}`));
      for (const state of ['reserved', 'pending', 'purchased'])
        assert.deepEqual(ok(404, await world.call('guest', to, { state })), { detail: 'Item not found' });
      ok(404, await world.call('guest', `POST /registries/${registry.id}/items/9007199254740991/claims`, {}));
      ok(404, await world.call('guest', `POST /registries/9007199254740991/items/${item.id}/claims`, {}));
    },

    'unconfirmed-claims-of-a-giver-are-at-most-ten-over-all-registries': async (world) => {
      const one = await aWish(world, { quantity_needed: 99 });
      const other = await aWish(world, { quantity_needed: 99 });
      const { name, email } = anybody();
      // An id that no account has.
      const user_id = Number.MAX_SAFE_INTEGER - Math.floor(Math.random() * 1e12);
      const pending = (giver: object) => ({ state: 'pending', giver: { name, ...giver } });
      const both = pending({ email, user_id });
      const first = await world.claim('administrator', one.item, both);
      for (let n = 0; n < 9; n++) {
        const item = n % 2 ? one.item : other.item;
        await world.claim('administrator', item, pending(n % 3 ? { email } : { user_id }));
      }
      const refused = await world.call('administrator', one.to, both);
      ok(429, refused);
      assert.ok(Number(refused.headers.get('retry-after')) > 0);
      // Limits apply per giver, and unconfirmed claims don't count.
      await world.claim('administrator', one.item, pending(anybody()));
      await world.claim('administrator', one.item, { giver: { name, email, user_id } });
      ok(200, await patchClaim(world, first, { state: 'reserved' }, 'administrator'));
      await world.claim('administrator', one.item, both);
      ok(429, await world.call('administrator', one.to, both));
    },

    'unconfirmed-claims-of-a-registry-are-at-most-fifty': async (world) => {
      const { item, to } = await aWish(world, { quantity_needed: 999 });
      const pending = () => ({ state: 'pending', giver: anybody(), expires_in: 600 });
      for (let n = 0; n < 5; n++) await atOnce(10, () => world.claim('administrator', item, pending()));
      const refused = await world.call('administrator', to, pending());
      ok(429, refused);
      const wait = Number(refused.headers.get('retry-after'));
      assert.ok(wait > 0 && wait <= 600, `Retry-After: ${wait}`);
      const elsewhere = await aWish(world);
      await world.claim('administrator', elsewhere.item, pending());
      await world.claim('guest', item);
    },

    'unconfirmed-claims-of-many-at-once-are-no-more-than-may-be': async (world) => {
      const { to } = await aWish(world, { quantity_needed: 99 });
      const body = { state: 'pending', giver: anybody() };
      const answers = await atOnce(25, () => world.call('administrator', to, body));
      assert.deepEqual(statusesOf(answers), [...Array(10).fill(201), ...Array(15).fill(429)]);
    },
  }),

  ...section('claims.md#after-an-item-or-registry-is-deleted', {
    'deleted-item-keeps-its-claims-which-may-change-but-not-grow': async (world) => {
      const { registry, item, to } = await aWish(world);
      const claim = await world.claim('guest', item);
      ok(200, await world.call('owner', `DELETE /items/${item.id}`));
      assert.deepEqual(await readClaim(world, claim), claim);
      ok(409, await patchClaim(world, claim, { quantity: 2 }));
      ok(200, await patchClaim(world, claim, { message: 'x', state: 'purchased' }));
      ok(404, await world.call('guest', to, {}));
      ok(200, await world.call('owner', `PUT /items/${item.id}`, { is_active: true }));
      assert.equal(await world.purchased(item), 1, 'restored, they count again');
      ok(200, await patchClaim(world, claim, { quantity: 2 }));
      ok(204, await world.call('owner', `DELETE /registries/${registry.id}/items/${item.id}`));
      ok(200, await patchClaim(world, claim, { quantity: 1 }));
      ok(204, await world.call('guest', `DELETE /claims/${claim.id}`));
      ok(200, await world.call('owner', `PUT /items/${item.id}`, { is_active: true }));
      assert.equal(await world.purchased(item), 0);
    },

    'registry-that-is-gone-releases-its-claims': async (world) => {
      const { registry, item } = await aWish(world);
      const claim = await world.claim('guest', item);
      ok(204, await world.call('owner', `DELETE /registries/${registry.id}`));
      const { state, expires_at } = await readClaim(world, claim);
      assert.deepEqual([state, expires_at], ['released', null]);
      ok(404, await world.call('owner', `GET /claims/${claim.id}`));
      const own: Claim[] = ok(200, await world.call('guest', 'GET /claims?limit=1000'));
      assert.equal(own.find(({ id }) => id === claim.id)?.state, 'released');
      ok(204, await world.call('guest', `DELETE /claims/${claim.id}`));
    },
  }),
];
