// Group gifts: goals and shares in minor units, the guest who buys the gift, and where to send shares.
import assert from 'node:assert/strict';
import type { Claim, Item } from 'trousseau-client';
import type { Role } from '../accounts.ts';
import { section } from '../case.ts';
import { ok, type World } from '../world.ts';
import { atOnce, aWish, etagOf, pan, patchClaim, put, readClaim, statusesOf } from './kit.ts';

const PAY_TO = 'DE89 3704 0044 0532 0130 00, Ann & Bob <3';
const GOAL = 40_000;
const pram = { name: 'Pram', url: 'https://shop.example/pram', unit: 'money', quantity_needed: GOAL };

/** Makes a registry in euros with a gift of 400.00 € that the guest and the stranger may pay for. */
async function aGoal(world: World, fields: object = {}, meta: object = {}) {
  const goal = { unit: 'money', quantity_needed: GOAL, ...fields };
  return aWish(world, goal, { registry_currency: 'EUR', registry_pay_to: PAY_TO, ...meta });
}

const inEuros = (world: World, meta: object = {}) =>
  world.registry({ meta: { registry_currency: 'EUR', ...meta } });

const setCurrency = ({ call }: World, { id }: { id: number }, registry_currency: string | null) =>
  call('owner', `PATCH /registries/${id}`, { meta: { registry_currency } });

const roleOf = ({ buys, pay_to }: Claim) => [buys, pay_to];

export const money = [
  ...section('owners-and-group-gifts.md#group-gifts', {
    'money-item-has-a-goal-and-no-price-at-both-endpoints': async (world) => {
      const registry = await inEuros(world);
      for (const [target, body] of [
        [`POST /registries/${registry.id}/items`, pram],
        ['POST /items', { registry_id: registry.id, ...pram, price: null }],
      ] as const) {
        const { data } = ok(201, await world.call('owner', target, body));
        assert.deepEqual([data.unit, data.price, data.quantity_needed], ['money', null, GOAL]);
        assert.equal(ok(200, await world.call('guest', `GET /items/${data.id}`)).data.unit, 'money');
      }
      const listed: Item[] = await world.listed(registry.id, 'guest');
      const units = listed.map(({ unit }) => unit);
      assert.deepEqual(units, ['money', 'money']);
    },

    'piece-item-and-its-claim-have-no-more-keys': async (world) => {
      const registry = await inEuros(world);
      const item = await world.item(registry, { unit: null });
      assert.ok(!('unit' in item));
      const claim = await world.claim('guest', item);
      assert.ok(!('buys' in claim) && !('pay_to' in claim));
      for (const body of [{ buys: true }, { buys: false }, { pay_to: 'Here' }])
        ok(422, await patchClaim(world, claim, body));
    },

    'money-item-needs-a-currency': async (world) => {
      const { id } = await world.registry();
      ok(409, await world.call('owner', `POST /registries/${id}/items`, pram));
      ok(409, await world.call('owner', 'POST /items', { registry_id: id, ...pram }));
      ok(200, await setCurrency(world, { id }, 'EUR'));
      ok(201, await world.call('owner', `POST /registries/${id}/items`, pram));
    },

    'unit-is-set-once-and-is-money': async (world) => {
      const registry = await inEuros(world);
      const to = `POST /registries/${registry.id}/items`;
      for (const unit of ['piece', 'Money', '', 1, true, ['money']])
        assert.match(ok(422, await world.call('owner', to, { ...pram, unit })).detail, /^unit/);
      assert.match(ok(422, await world.call('owner', to, { ...pram, price: 400 })).detail, /^price/);
      const { data } = ok(201, await world.call('owner', to, pram));
      ok(200, await put(world, data, { unit: 'money', name: 'Tandem', price: null }));
      ok(422, await put(world, data, { unit: null }));
      ok(422, await put(world, data, { price: 400 }));
      const piece = ok(201, await world.call('owner', to, pan)).data;
      ok(200, await put(world, piece, { unit: null }));
      ok(422, await put(world, piece, { unit: 'money' }));
    },

    'currency-stays-while-several-pay': async (world) => {
      const { registry, item } = await aGoal(world);
      ok(409, await setCurrency(world, registry, 'CHF'));
      ok(409, await setCurrency(world, registry, null));
      ok(200, await setCurrency(world, registry, 'EUR'));
      ok(204, await world.call('owner', `DELETE /registries/${registry.id}/items/${item.id}`));
      const restore = () => put(world, item, { is_active: true });
      ok(200, await setCurrency(world, registry, 'CHF'));
      ok(409, await restore());
      ok(200, await setCurrency(world, registry, null));
      ok(409, await restore());
      ok(200, await setCurrency(world, registry, 'EUR'));
      ok(200, await restore());
      ok(409, await setCurrency(world, registry, 'CHF'));
    },

    'refusals-name-amounts-with-the-decimals-of-the-currency': async (world) => {
      for (const [currency, left, asked] of [
        ['EUR', '4.00 EUR', '4.01 EUR'],
        ['JPY', '400 JPY', '401 JPY'],
        ['KWD', '0.400 KWD', '0.401 KWD'],
        ['HUF', '4.00 HUF', '4.01 HUF'],
      ] as const) {
        const { to } = await aGoal(world, { quantity_needed: 400 }, { registry_currency: currency });
        const { detail } = ok(409, await world.call('guest', to, { quantity: 401 }));
        assert.ok(detail.includes(left) && detail.includes(asked), detail);
      }
    },

    'shares-never-exceed-the-goal': async (world) => {
      const { item, to } = await aGoal(world);
      const answers = await atOnce(24, (n) =>
        world.call(n % 2 ? 'guest' : 'stranger', to, { quantity: 3000 + (n % 5) * 100 }),
      );
      assert.ok(answers.every(({ status }) => status === 201 || status === 409));
      const given = answers
        .filter(({ status }) => status === 201)
        .reduce((sum, { body }) => sum + body.quantity, 0);
      assert.equal(await world.purchased(item), given);
      assert.ok(given <= GOAL && given > GOAL - 3400, `${given}`);
      const rest = await world.call('guest', to, { quantity: GOAL - given || 1 });
      assert.equal(rest.status, given < GOAL ? 201 : 409);
    },

    'share-may-grow-shrink-and-be-taken-back': async (world) => {
      const { item } = await aGoal(world);
      const claim = await world.claim('guest', item, { quantity: 10_000 });
      ok(200, await patchClaim(world, claim, { quantity: GOAL }));
      ok(409, await patchClaim(world, claim, { quantity: GOAL + 1 }));
      ok(200, await patchClaim(world, claim, { quantity: 1 }));
      assert.equal(await world.purchased(item), 1);
      ok(200, await patchClaim(world, claim, { state: 'purchased' }));
      ok(204, await world.call('guest', `DELETE /claims/${claim.id}`));
      assert.equal(await world.purchased(item), 0);
    },

    'goal-is-not-set-below-the-promised-sum': async (world) => {
      const { item } = await aGoal(world);
      await world.claim('guest', item, { quantity: 30_000 });
      assert.match(ok(409, await put(world, item, { quantity_needed: 29_999 })).detail, /300\.00 EUR/);
      ok(200, await put(world, item, { quantity_needed: 30_000 }));
    },

    'surprised-owner-sees-the-goal-and-nothing-else': async (world) => {
      const { registry, item, to } = await aGoal(world, {}, { registry_surprise_until: 'always' });
      const seen = async () => (await world.call('owner', `GET /registries/${registry.id}/items`)).text;
      const before = await seen();
      const claim = await world.claim('guest', item, { quantity: GOAL });
      ok(200, await patchClaim(world, claim, { buys: true, pay_to: 'Bob' }));
      assert.equal(await seen(), before);
      world.needs(world.itemAccess === 'registry', 'open item endpoints show the sum to everybody');
      ok(200, await put(world, item, { quantity_needed: 1_000 }));
      assert.equal(await world.purchased(item, 'guest'), GOAL);
      ok(409, await world.call('stranger', to, {}));
    },
  }),

  ...section('owners-and-group-gifts.md#who-buys-a-group-gift', {
    'registry-pay-to-is-read-by-owners-and-admins': async (world) => {
      const { registry } = await aGoal(world, {}, { registry_owners: [world.people.stranger.username] });
      const read = async (as: Role) =>
        ok(200, await world.call(as, `GET /registries/${registry.id}`)).meta.registry_pay_to;
      for (const as of ['owner', 'stranger', 'administrator'] as const)
        assert.equal(await read(as), PAY_TO, as);
      assert.equal(await read('guest'), null);
      const set = (registry_pay_to: unknown, as: Role = 'stranger') =>
        world.call(as, `PATCH /registries/${registry.id}`, { meta: { registry_pay_to } });
      ok(200, await set('x'.repeat(300)));
      assert.equal(await read('owner'), 'x'.repeat(300));
      for (const bad of ['x'.repeat(301), 5, ['here']]) ok(422, await set(bad));
      ok(403, await set('Mine', 'guest'));
      ok(200, await set(null));
      assert.equal(await read('owner'), null);
      const plain = await world.registry();
      assert.equal(plain.meta.registry_pay_to, null);
    },

    'pay-to-is-in-no-answer-to-others': async (world) => {
      const { registry, item } = await aGoal(world);
      const waiting = await world.claim('guest', item, { quantity: 100, state: 'pending' });
      assert.deepEqual(roleOf(waiting), [false, null]);
      const theirs = await world.claim('stranger', item, { quantity: 100 });
      ok(200, await patchClaim(world, theirs, { buys: true, pay_to: 'Carol, at home' }, 'stranger'));
      const at = `/registries/${registry.id}`;
      for (const path of [
        ...[at, `${at}/items`, `${at}/claims`, `/items/${item.id}`, `/claims/${waiting.id}`],
        '/claims?limit=100&with=item',
      ])
        assert.doesNotMatch((await world.call('guest', `GET ${path}`)).text, /Ann &|Carol, at home/, path);
      const { claims } = ok(200, await world.call('owner', `GET /registries/${registry.id}/claims`));
      const told = claims.map(({ pay_to }: Claim) => pay_to);
      assert.deepEqual(told, [null, null]);
    },

    'confirmed-giver-learns-where-to-send': async (world) => {
      const { registry, item } = await aGoal(world);
      const claim = await world.claim('guest', item, { quantity: 100 });
      // A host may show the registry's own text only on its pages.
      assert.ok([PAY_TO, null].includes(claim.pay_to ?? null), `${claim.pay_to}`);
      const theirs = await world.claim('stranger', item, { quantity: 100 });
      ok(200, await patchClaim(world, theirs, { buys: true, pay_to: 'Carol' }, 'stranger'));
      const tag = etagOf(await world.call('guest', `GET /claims/${claim.id}`));
      assert.equal((await readClaim(world, claim)).pay_to, 'Carol');
      assert.equal((await readClaim(world, claim, 'administrator')).pay_to, 'Carol');
      ok(200, await patchClaim(world, theirs, { pay_to: 'Carol, by bicycle' }, 'stranger'));
      const moved = await world.call('guest', `GET /claims/${claim.id}`);
      assert.equal(moved.body.pay_to, 'Carol, by bicycle');
      assert.notEqual(etagOf(moved), tag);
      const meta = { registry_invitees: [world.people.stranger.username] };
      ok(200, await world.call('owner', `PATCH /registries/${registry.id}`, { meta }));
      assert.equal((await readClaim(world, claim)).pay_to, null, 'no longer invited');
    },

    'one-giver-buys-steps-back-and-another-takes-over': async (world) => {
      const { item } = await aGoal(world);
      const mine = await world.claim('guest', item, { quantity: 100, state: 'pending' });
      const theirs = await world.claim('stranger', item, { quantity: 100 });
      const change = (claim: Claim, body: object) =>
        patchClaim(world, claim, body, claim === mine ? 'guest' : 'stranger');
      ok(409, await change(mine, { buys: true }));
      const confirmed = ok(200, await change(mine, { state: 'reserved', buys: true, pay_to: 'Bob' }));
      assert.deepEqual(roleOf(confirmed), [true, 'Bob']);
      ok(409, await change(theirs, { buys: true, pay_to: 'Carol' }));
      ok(409, await change(theirs, { pay_to: 'Carol' }));
      ok(403, await patchClaim(world, theirs, { buys: true }, 'owner'));
      const second = await world.claim('guest', item, { quantity: 5 });
      ok(409, await patchClaim(world, second, { buys: true }));
      ok(200, await change(mine, { pay_to: null }));
      assert.deepEqual(roleOf(await readClaim(world, theirs, 'stranger')), [false, null]);
      ok(200, await change(mine, { buys: false }));
      ok(200, await change(theirs, { buys: true, pay_to: 'x'.repeat(300) }));
      ok(422, await change(theirs, { pay_to: 'x'.repeat(301) }));
      assert.equal((await readClaim(world, mine)).pay_to, 'x'.repeat(300));
      ok(200, await change(theirs, { state: 'released' }));
      assert.deepEqual(roleOf(await readClaim(world, theirs, 'stranger')), [false, null]);
      ok(200, await patchClaim(world, mine, { buys: true, pay_to: 'By the site' }, 'administrator'));
    },

    'never-two-buy': async (world) => {
      const { item } = await aGoal(world);
      const shares: Claim[] = [];
      for (let n = 0; n < 6; n++)
        shares.push(await world.claim(n % 2 ? 'guest' : 'stranger', item, { quantity: 10 + n }));
      const answers = await atOnce(6, (n) =>
        patchClaim(world, shares[n]!, { buys: true, pay_to: `${n}` }, 'administrator'),
      );
      assert.deepEqual(statusesOf(answers), [200, 409, 409, 409, 409, 409]);
      const list = await world.call('administrator', `GET /registries/${item.registry_id}/claims`);
      const { claims } = ok(200, list);
      assert.equal(claims.filter(({ buys }: Claim) => buys).length, 1);
    },
  }),
];
