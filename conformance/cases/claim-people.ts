// People and claims: readers, givers, thanks, and erasure.
import assert from 'node:assert/strict';
import type { Claim } from 'trousseau-client';
import type { Role } from '../accounts.ts';
import { alone, section } from '../case.ts';
import { NO_ID, ok, unique } from '../world.ts';
import { anybody, aWish, idsOf, isNow, patchClaim, readClaim } from './kit.ts';

export const claimPeople = [
  ...section('claims.md#a-claim', {
    'claim-belongs-to-whoever-has-the-address-in-any-letters': async (world) => {
      const { item } = await aWish(world);
      const { stranger } = world.people;
      const giver = { name: 'By address', email: stranger.email.toUpperCase() };
      const claim = await world.claim('administrator', item, { giver });
      assert.deepEqual(claim.giver, { user_id: null, ...giver }, 'the address is kept as it was given');
      assert.deepEqual(await readClaim(world, claim, 'stranger'), claim);
      const own: Claim[] = ok(200, await world.call('stranger', 'GET /claims'));
      assert.ok(idsOf(own).includes(claim.id));
      ok(200, await patchClaim(world, claim, { state: 'purchased' }, 'stranger'));
      ok(404, await patchClaim(world, claim, { state: 'released' }, 'guest'));
      ok(204, await world.call('stranger', `DELETE /claims/${claim.id}`));
    },

    'claim-is-recorded-for-a-user-by-number': async (world) => {
      const { item } = await aWish(world);
      const { id: user_id, name } = world.people.guest;
      const claim = await world.claim('administrator', item, { giver: { name, user_id } });
      assert.deepEqual(claim.giver, { user_id, name, email: null });
      assert.deepEqual(await readClaim(world, claim), claim);
      ok(404, await world.call('stranger', `GET /claims/${claim.id}`));
    },
  }),

  ...section('claims.md#claim-endpoints', {
    'naming-another-giver-is-for-admins': async (world) => {
      const { item, to } = await aWish(world);
      const giver = { ...anybody(), user_id: null };
      for (const as of ['owner', 'guest'] as const) ok(403, await world.call(as, to, { giver }));
      const claim = await world.claim('administrator', item, { giver });
      assert.deepEqual(claim.giver, giver);
      ok(404, await world.call('guest', `GET /claims/${claim.id}`));
      const { id: user_id, name, email } = world.people.administrator;
      assert.deepEqual((await world.claim('administrator', item)).giver, { user_id, name, email });
    },

    'claim-of-somebody-else-is-not-there': async (world) => {
      const { item } = await aWish(world);
      const claim = await world.claim('guest', item);
      const nowhere = 'x'.repeat(22);
      for (const [method, body] of [['GET'], ['PATCH', { state: 'released' }], ['DELETE']] as const) {
        const real = await world.call('stranger', `${method} /claims/${claim.id}`, body);
        const none = await world.call('stranger', `${method} /claims/${nowhere}`, body);
        assert.deepEqual([real.status, real.text], [404, none.text]);
        ok(401, await world.call(undefined, `${method} /claims/${claim.id}`, body));
        const conditional = { 'if-match': '"x"', 'if-none-match': '*' };
        ok(404, await world.call('stranger', `${method} /claims/${claim.id}`, body, conditional));
      }
      assert.deepEqual(await readClaim(world, claim), claim);
    },

    'owner-reads-and-thanks-and-changes-nothing-else': async (world) => {
      const { item } = await aWish(world);
      const claim = await world.claim('guest', item);
      assert.deepEqual(await readClaim(world, claim, 'owner'), claim);
      for (const body of [
        ...[{ state: 'released' }, { state: 'reserved' }, { quantity: 1 }, { quantity: 2, thanked: true }],
        ...[{ message: null }, { expires_in: 600 }],
      ])
        ok(403, await patchClaim(world, claim, body, 'owner'));
      ok(403, await world.call('owner', `DELETE /claims/${claim.id}`));
      assert.deepEqual(ok(200, await patchClaim(world, claim, {}, 'owner')), claim);
      const answer = await patchClaim(world, claim, { thanked: true }, 'owner');
      const { thanked_at, updated_at } = ok(200, answer);
      isNow(thanked_at, answer);
      assert.deepEqual(answer.body, { ...claim, thanked_at, updated_at });
      assert.deepEqual(ok(200, await patchClaim(world, claim, { thanked: true }, 'owner')), answer.body);
      assert.equal(ok(200, await patchClaim(world, claim, { thanked: false }, 'owner')).thanked_at, null);
    },

    'owners-own-claim-is-theirs-to-change-and-to-thank-for': async (world) => {
      const claim = await world.claim('owner', (await aWish(world)).item);
      const all = { quantity: 2, state: 'purchased', message: 'x', thanked: true };
      ok(200, await patchClaim(world, claim, all, 'owner'));
      ok(204, await world.call('owner', `DELETE /claims/${claim.id}`));
    },

    'thanks-are-for-what-is-reserved-or-bought': async (world) => {
      const claim = await world.claim('guest', (await aWish(world)).item, { state: 'pending' });
      ok(409, await patchClaim(world, claim, { thanked: true }, 'administrator'));
      ok(409, await patchClaim(world, claim, { thanked: false }, 'owner'));
      ok(403, await patchClaim(world, claim, { thanked: true }));
      const change = { thanked: true, state: 'purchased' };
      const both = ok(200, await patchClaim(world, claim, change, 'administrator'));
      assert.equal(both.state, 'purchased');
      assert.ok(both.thanked_at);
      ok(200, await patchClaim(world, claim, { thanked: false }, 'owner'));
      ok(200, await patchClaim(world, claim, { thanked: true }, 'owner'));
      ok(204, await world.call('guest', `DELETE /claims/${claim.id}`));
      assert.ok((await readClaim(world, claim)).thanked_at, 'who was thanked has been thanked');
      for (const thanked of [true, false]) ok(409, await patchClaim(world, claim, { thanked }, 'owner'));
    },

    'admin-changes-everything-of-a-claim': async (world) => {
      const claim = await world.claim('stranger', (await aWish(world)).item, { state: 'pending' });
      const changes = [{ state: 'reserved' }, { expires_in: 600 }, { quantity: 3 }, { message: 'x' }];
      for (const body of [...changes, { thanked: true }])
        ok(200, await patchClaim(world, claim, body, 'administrator'));
      ok(204, await world.call('administrator', `DELETE /claims/${claim.id}`));
    },

    'giver-who-is-no-longer-invited-reads-and-releases-and-nothing-else': async (world) => {
      const { registry, item, to } = await aWish(world);
      const first = await world.claim('guest', item, { quantity: 2 });
      const second = await world.claim('guest', item);
      const gone = `/registries/${registry.id}/invitees/${encodeURIComponent(world.people.guest.username)}`;
      ok(200, await world.call('owner', `DELETE ${gone}`));
      ok(403, await world.call('guest', to, {}));
      ok(403, await world.call('guest', `GET /registries/${registry.id}/claims`));
      assert.deepEqual(await readClaim(world, first), first);
      const own: Claim[] = ok(200, await world.call('guest', 'GET /claims'));
      assert.ok(idsOf(own).includes(first.id));
      for (const body of [
        ...[{ state: 'reserved' }, { state: 'purchased' }, { quantity: 1 }, { message: 'x' }],
        ...[{ expires_in: 600 }, { state: 'released', message: 'x' }],
      ])
        ok(403, await patchClaim(world, first, body));
      for (let n = 0; n < 2; n++)
        assert.equal(ok(200, await patchClaim(world, first, { state: 'released' })).state, 'released');
      for (let n = 0; n < 2; n++) ok(204, await world.call('guest', `DELETE /claims/${second.id}`));
    },

    'claims-of-a-registry-are-all-for-its-owner-and-their-own-for-a-guest': async (world) => {
      const { registry, item } = await aWish(world, { quantity_needed: 20 });
      const make = async (as: Role, body = {}) => (await world.claim(as, item, body)).id;
      const [first, gone, second, theirs] = [
        await make('guest', { state: 'purchased' }),
        await make('guest'),
        await make('guest', { state: 'pending' }),
        await make('stranger'),
      ];
      ok(204, await world.call('guest', `DELETE /claims/${gone}`));
      const list = async (as: Role) => {
        const answer = await world.call(as, `GET /registries/${registry.id}/claims`);
        const { claims, concealed_until } = ok(200, answer);
        assert.equal(concealed_until, null);
        return idsOf(claims as Claim[]);
      };
      for (const as of ['owner', 'administrator'] as const)
        assert.deepEqual(await list(as), [theirs, second, first, gone], 'live first, newest first');
      assert.deepEqual(await list('guest'), [second, first, gone]);
      assert.deepEqual(await list('stranger'), [theirs]);
    },

    'claims-of-a-caller-go-over-all-registries-in-pages': alone(async (world) => {
      const made: string[] = [];
      for (const { item } of [await aWish(world), await aWish(world)])
        for (let n = 0; n < 2; n++) made.unshift((await world.claim('guest', item)).id);
      const gone = made.splice(1, 1)[0]!;
      ok(204, await world.call('guest', `DELETE /claims/${gone}`));
      const list = async (query: string, as: Role = 'guest') =>
        idsOf(ok(200, await world.call(as, `GET /claims?${query}`)) as Claim[]);
      assert.deepEqual((await list('limit=1000')).slice(0, 3), made);
      assert.deepEqual(await list('limit=3'), made, 'live first, newest first');
      assert.deepEqual(await list('skip=1&limit=2'), made.slice(1));
      assert.ok((await list('limit=1000')).indexOf(gone) >= 3);
      assert.ok(!(await list('limit=1000', 'stranger')).some((id) => made.includes(id)));
      const email = encodeURIComponent(world.people.guest.email);
      for (const spelled of [email, email.toUpperCase()])
        assert.deepEqual(await list(`limit=3&email=${spelled}`, 'administrator'), made, spelled);
      assert.deepEqual(await list('email=nobody', 'administrator'), []);
    }),

    'claims-are-read-a-hundred-at-once-with-their-items': async (world) => {
      const giver = { ...anybody(), user_id: null };
      const made: Claim[] = [];
      const items: unknown[] = [];
      for (const each of [giver, { ...anybody(), user_id: null }]) {
        const { item } = await aWish(world, { quantity_needed: 9 });
        made.push(await world.claim('administrator', item, { giver: each }));
        items.push(ok(200, await world.call('administrator', `GET /items/${item.id}`)).data);
      }
      const list = async (query: string) =>
        ok(200, await world.call('administrator', `GET /claims?${query}`));
      const [first, second] = made;
      const ids = [second, first].map((claim) => claim!.id);
      assert.deepEqual(await list(`ids=${ids}`), [second, first], 'in the order asked for');
      const nowhere = 'x'.repeat(22);
      const many = [...Array(49).fill(nowhere), ids[1], ...Array(49).fill(ids[1]), ids[0]];
      assert.deepEqual(await list(`ids=${many}`), [first, second], 'each once, and only existing ones');
      assert.deepEqual(await list(`ids=${nowhere}`), []);
      const withItems = made.map((claim, n) => ({ ...claim, item: items[n] }));
      assert.deepEqual(await list(`ids=${ids}&with=item`), withItems.toReversed());
      assert.deepEqual(await list(`email=${giver.email}&with=item`), [withItems[0]]);
      ok(200, await world.call('owner', `DELETE /items/${first!.item_id}`));
      assert.deepEqual(await list(`email=${giver.email}&with=item`), [{ ...first, item: null }]);
      for (const as of ['owner', 'guest', 'stranger'] as const)
        for (const query of [`ids=${ids}`, `ids=${ids}&with=item`, 'with=item'])
          ok(403, await world.call(as, `GET /claims?${query}`));
      ok(401, await world.call(undefined, `GET /claims?ids=${ids}`));
    },

    'claims-by-their-ids-are-no-way-around-a-surprise': async (world) => {
      const { item } = await aWish(world, {}, { registry_surprise_until: 'always' }, 'administrator');
      const hidden = await world.claim('guest', item);
      const shown = await world.claim('guest', (await aWish(world)).item);
      for (const more of ['', '&with=item']) {
        const path = `GET /claims?ids=${hidden.id},${shown.id}${more}`;
        const found: Claim[] = ok(200, await world.call('administrator', path));
        assert.deepEqual(idsOf(found), [shown.id]);
      }
    },

    'erasing-blanks-who-somebody-was-and-changes-no-number': async (world) => {
      const { item, to } = await aWish(world, { quantity_needed: 99 });
      const giver = anybody();
      const headers = { 'idempotency-key': unique() };
      const keyed = { giver, message: 'From May', state: 'pending' };
      const made: Claim[] = [ok(201, await world.call('administrator', to, keyed, headers))];
      for (const body of [{ quantity: 3 }, { state: 'purchased' }, {}])
        made.push(
          await world.claim('administrator', item, {
            ...body,
            giver: { ...giver, email: giver.email.toUpperCase() },
          }),
        );
      ok(204, await world.call('administrator', `DELETE /claims/${made[3]!.id}`));
      const kept = await world.claim('guest', item, { message: 'Kept' });
      const before = await world.purchased(item);
      const read = (claim: Claim) => readClaim(world, claim, 'administrator');
      const claims = await Promise.all(made.map(read));
      const erase = (as: Role) => world.call(as, `DELETE /claims?email=${encodeURIComponent(giver.email)}`);
      for (const as of ['guest', 'owner'] as const) ok(403, await erase(as));
      assert.deepEqual(ok(200, await erase('administrator')), { erased: 4 });
      const blank = { giver: { user_id: null, name: '', email: null }, message: null };
      for (const claim of claims) {
        const after = await read(claim);
        assert.deepEqual(after, { ...claim, ...blank, updated_at: after.updated_at });
      }
      assert.equal(await world.purchased(item), before);
      assert.deepEqual(await readClaim(world, kept), kept);
      const again = await world.call('administrator', to, keyed, headers);
      assert.deepEqual(ok(201, again), { ...made[0], ...blank }, 'a key of theirs goes on, with the blanks');
      assert.deepEqual(ok(200, await erase('administrator')), { erased: 0 });
      const found = await world.call('administrator', `GET /claims?email=${giver.email}`);
      assert.deepEqual(ok(200, found), []);
    },

    'erasing-asks-whom': async ({ call }) => {
      for (const query of [
        ...['', '?email=', '?email=%20', `?email=${'x'.repeat(255)}`, '?email=a&email=b', '?user_id=0'],
        ...[
          '?user_id=x',
          `?registry_id=${NO_ID}&user_id=${NO_ID}`,
          `?registry_id=${NO_ID}&email=a`,
          '?unchanged_for=5',
        ],
        ...['?email=a&unchanged_for=5', `?registry_id=${NO_ID}&unchanged_for=-1`, '?registry_id=0'],
      ])
        ok(422, await call('administrator', `DELETE /claims${query}`));
    },
  }),
];
