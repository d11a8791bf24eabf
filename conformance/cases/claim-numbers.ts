import assert from 'node:assert/strict';
import { section } from '../case.ts';
import { ok } from '../world.ts';
import { atOnce, aWish, etagOf, MAX_INTEGER, patchClaim, put, readClaim, statusesOf } from './kit.ts';

/** Checks for a 409 that says how many are left. */
const leaves = (left: number, answer: Parameters<typeof ok>[1]) =>
  assert.match(ok(409, answer).detail, new RegExp(`\\b${left}\\b`));

export const claimNumbers = [
  ...section('claims.md#numbers', {
    'number-is-what-was-set-and-what-is-claimed-for-everybody': async (world) => {
      const { item } = await aWish(world, { quantity_purchased: 1 });
      await world.claim('guest', item, { quantity: 2 });
      for (const as of ['administrator', 'owner', 'guest', 'stranger'] as const) {
        assert.equal(await world.purchased(item, as), 3, as);
        assert.equal(ok(200, await world.call(as, `GET /items/${item.id}`)).data.quantity_purchased, 3, as);
      }
    },

    'claim-takes-no-more-than-is-left-and-says-how-much-that-is': async (world) => {
      const { item, to } = await aWish(world, { quantity_purchased: 1 });
      const refuse = async (body: object, left: number) => {
        for (const state of ['pending', 'reserved', 'purchased'])
          leaves(left, await world.call('guest', to, { ...body, state }));
      };
      await refuse({ quantity: 4 }, 3);
      await refuse({ quantity: MAX_INTEGER }, 3);
      await world.claim('guest', item, { quantity: 3 });
      await refuse({}, 0);
      // `quantity_purchased` may exceed the need; the number left is never negative.
      ok(200, await put(world, item, { quantity_purchased: 9 }));
      await refuse({}, 0);
      ok(200, await put(world, item, { quantity_needed: 1, quantity_purchased: 3 }));
      await refuse({}, 0);
      assert.equal(await world.purchased(item), 3);
    },

    'claim-grows-under-the-same-rule-and-gives-back': async (world) => {
      const { item } = await aWish(world);
      const claim = await world.claim('guest', item, { quantity: 2 });
      await world.claim('stranger', item);
      leaves(1, await patchClaim(world, claim, { quantity: 4 }));
      assert.equal(ok(200, await patchClaim(world, claim, { quantity: 3 })).quantity, 3);
      assert.equal(await world.purchased(item), 4);
      const shrunk = ok(200, await patchClaim(world, claim, { quantity: 1 }));
      assert.equal(await world.purchased(item), 2);
      // Buying and taking more in one request happen together or not at all.
      ok(409, await patchClaim(world, claim, { state: 'purchased', quantity: 4, message: 'x' }));
      assert.deepEqual(await readClaim(world, claim), shrunk);
      // A released claim takes no pieces, whatever quantity comes with the request.
      ok(200, await patchClaim(world, claim, { state: 'released', quantity: 1_000 }));
      assert.equal(await world.purchased(item), 1);
    },

    'numbers-stay-within-32-bits': async (world) => {
      const { item, to } = await aWish(world, { quantity_needed: MAX_INTEGER, quantity_purchased: 2 });
      await world.claim('guest', item, { quantity: MAX_INTEGER - 3 });
      ok(409, await world.call('guest', to, { quantity: 2 }));
      await world.claim('guest', item);
      assert.equal(await world.purchased(item), MAX_INTEGER);
      ok(409, await world.call('guest', to, {}));
      ok(409, await put(world, item, { quantity_purchased: 0 }));
      ok(200, await put(world, item, { quantity_purchased: MAX_INTEGER, quantity_needed: 1 }));
      assert.equal(await world.purchased(item), MAX_INTEGER);
    },

    'sum-is-shown-as-the-most-there-is': async (world) => {
      world.needs(world.itemAccess === 'registry', 'the item endpoints conceal nothing');
      const surprise = { registry_surprise_until: 'always' };
      const { item } = await aWish(world, { quantity_needed: MAX_INTEGER }, surprise);
      await world.claim('guest', item, { quantity: MAX_INTEGER });
      ok(200, await put(world, item, { quantity_purchased: MAX_INTEGER }));
      for (const as of ['administrator', 'guest'] as const)
        assert.equal(await world.purchased(item, as), MAX_INTEGER);
      ok(200, await put(world, item, { quantity_purchased: MAX_INTEGER }, 'administrator'));
      assert.equal(await world.purchased(item, 'owner'), 0, 'set apart is what is not claimed');
    },

    'number-that-is-put-is-the-sum-and-leaves-no-claim-out': async (world) => {
      const { item } = await aWish(world);
      const claim = await world.claim('guest', item, { quantity: 2 });
      const set = (quantity_purchased: number | null) => put(world, item, { quantity_purchased });
      assert.equal(ok(200, await set(3)).data.quantity_purchased, 3);
      for (const less of [1, 0, null]) ok(409, await set(less));
      assert.equal(await world.purchased(item), 3);
      for (const sum of [2, 9]) assert.equal(ok(200, await set(sum)).data.quantity_purchased, sum);
      ok(204, await world.call('guest', `DELETE /claims/${claim.id}`));
      assert.equal(await world.purchased(item), 7, 'what was set stays when a claim goes');
      assert.equal(ok(200, await set(null)).data.quantity_purchased, 0);
    },

    'claim-moves-the-etag-of-the-item-never-its-updated-at': async (world) => {
      const { item } = await aWish(world);
      for (const as of ['owner', 'administrator'] as const) {
        const look = async () => {
          const answer = await world.call(as, `GET /items/${item.id}`);
          assert.equal(ok(200, answer).data.updated_at, item.updated_at);
          return etagOf(answer);
        };
        const before = await look();
        const claim = await world.claim('guest', item);
        const claimed = await look();
        const known = { 'if-none-match': claimed };
        ok(304, await world.call(as, `GET /items/${item.id}`, undefined, known));
        ok(200, await patchClaim(world, claim, { quantity: 2 }));
        const changed = await look();
        assert.equal(new Set([before, claimed, changed]).size, 3);
        ok(412, await world.call(as, `PUT /items/${item.id}`, { name: 'Pot' }, { 'if-match': claimed }));
        ok(204, await world.call('guest', `DELETE /claims/${claim.id}`));
        const last = await look();
        assert.notEqual(last, changed);
        ok(200, await world.call(as, `PUT /items/${item.id}`, {}, { 'if-match': last }));
      }
    },

    'two-for-the-last-piece-are-one': async (world) => {
      for (let round = 0; round < 5; round++) {
        const { item, to } = await aWish(world, { quantity_needed: 1 });
        const answers = await Promise.all([world.call('guest', to, {}), world.call('stranger', to, {})]);
        assert.deepEqual(statusesOf(answers), [201, 409]);
        assert.equal(await world.purchased(item), 1);
      }
    },

    'of-many-for-few-pieces-no-more-are-taken-than-were-left': async (world) => {
      const { item, to } = await aWish(world, { quantity_needed: 7, quantity_purchased: 1 });
      const answers = await atOnce(20, (n) =>
        world.call(n % 2 ? 'guest' : 'stranger', to, { quantity: 1 + (n % 2) }),
      );
      const taken = answers
        .filter(({ status }) => status === 201)
        .reduce((sum, { body }) => sum + body.quantity, 0);
      assert.ok(answers.every(({ status }) => [201, 409].includes(status)));
      assert.ok(taken >= 5 && taken <= 6, `${taken} of 6`);
      assert.equal(await world.purchased(item), 1 + taken);
    },

    'random-history-keeps-the-numbers-right': async (world) => {
      const { item, to } = await aWish(world, { quantity_needed: 6 });
      const live = new Map<string, number>();
      let set = 0;
      let seed = Math.floor(Math.random() * 2 ** 31);
      const history: string[] = [`begun with ${seed}`];
      const next = (below: number) => {
        seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
        return Math.floor((seed / 2 ** 31) * below);
      };
      const claimed = () => [...live.values()].reduce((sum, quantity) => sum + quantity, 0);
      for (let step = 0; step < 60; step++) {
        const [id, quantity] = [[...live.keys()][next(Math.max(1, live.size))], 1 + next(3)];
        const left = 6 - set - claimed();
        const kind = id === undefined ? 0 : next(5);
        const expect = (fits: boolean, done: number, answer: Parameters<typeof ok>[1]) =>
          ok(fits ? done : 409, answer);
        history.push(`${kind} ${quantity}`);
        if (kind <= 1) {
          const state = ['reserved', 'purchased'][next(2)];
          const body = expect(quantity <= left, 201, await world.call('guest', to, { quantity, state }));
          if (quantity <= left) live.set(body.id, quantity);
        } else if (kind === 2) {
          const fits = quantity - live.get(id!)! <= Math.max(0, left);
          expect(fits, 200, await patchClaim(world, { id: id! }, { quantity }));
          if (fits) live.set(id!, quantity);
        } else if (kind === 3) {
          ok(204, await world.call('guest', `DELETE /claims/${id}`));
          live.delete(id!);
        } else {
          const sum = next(8);
          expect(sum >= claimed(), 200, await put(world, item, { quantity_purchased: sum }));
          if (sum >= claimed()) set = sum - claimed();
        }
        assert.equal(await world.purchased(item, 'guest'), set + claimed(), history.join(', '));
      }
    },

    'no-givers-name-or-address-in-any-answer-but-to-whom-it-belongs': async (world) => {
      const { registry, item } = await aWish(world);
      const giver = { name: 'Very-Secret-May', email: `very-secret-${item.id}@example.invalid` };
      const claim = await world.claim('administrator', item, { giver, message: 'very-secret-soup' });
      const targets = [
        ...[`/items/${item.id}`, `/registries/${registry.id}`, `/registries/${registry.id}/items`],
        ...[`/registries/${registry.id}/claims`, `/registries/${registry.id}/invitees`, '/claims?limit=1000'],
        ...[`/claims/${claim.id}`, '/registries', '/items?limit=1000'],
      ];
      for (const as of ['guest', 'stranger', undefined] as const)
        for (const target of targets) {
          const { text } = await world.call(as, `GET ${target}`);
          assert.doesNotMatch(text, /very-secret/i, `${target} as ${as}`);
        }
      for (const target of targets.filter((path) => !path.includes('claims')))
        assert.doesNotMatch((await world.call('owner', `GET ${target}`)).text, /very-secret/i, target);
    },
  }),
];
