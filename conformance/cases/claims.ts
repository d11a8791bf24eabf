import assert from 'node:assert/strict';
import type { Claim } from 'trousseau-client';
import type { Role } from '../accounts.ts';
import { alone, chapter } from '../case.ts';
import { ok, unique, type World } from '../world.ts';
import { atOnce, etagOf, idsOf, isNow, MAX_INTEGER, statusesOf } from './kit.ts';

const DAY = 24 * 60 * 60_000;
const DAYS_90 = 90 * 24 * 60 * 60;

/** A registry with the stranger invited, too, and an item of which there is enough. */
export async function aWish(world: World, fields: object = {}, meta: object = {}, owner: Role = 'owner') {
  const registry_invitees = [world.people.guest.username, world.people.stranger.username];
  const registry = await world.registry({ meta: { registry_invitees, ...meta } }, owner);
  const item = await world.item(registry, { quantity_needed: 4, ...fields });
  return { registry, item, to: `POST /registries/${registry.id}/items/${item.id}/claims` };
}

export const patchClaim = ({ call }: World, { id }: { id: string }, body: object, as: Role = 'guest') =>
  call(as, `PATCH /claims/${id}`, body);

export const readClaim = async (
  { call }: World,
  { id }: { id: string },
  as: Role = 'guest',
): Promise<Claim> => ok(200, await call(as, `GET /claims/${id}`));

/** Somebody whom nobody else invents. */
export const anybody = () => ({ name: 'Aunt May', email: `may-${unique()}@example.invalid` });

const notInteger = ['1', 1.5, true, [], {}, '', Number.MAX_VALUE, -1, 0];
const badMessages = [5, [], {}, true, 'x'.repeat(501), 'a\u0000b', '\ud800'];
const badTimes = [...notInteger, 59, DAYS_90 + 1];

export const claims = [
  ...chapter('CLAIMS 1', {
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
      assert.match(etagOf(answer), /^"[\w.-]+"$/);
      const read = await world.call('guest', `GET /claims/${id}`);
      assert.deepEqual([read.text, etagOf(read)], [answer.text, etagOf(answer)]);
    },

    'claim-ids-are-not-in-a-row': async (world) => {
      const { item } = await aWish(world);
      const made = [
        await world.claim('guest', item),
        await world.claim('guest', item),
        await world.claim('owner', item),
      ];
      const alike = (a: string, b: string) => [...a].filter((letter, n) => letter === b[n]).length;
      assert.ok(alike(made[0]!.id, made[1]!.id) < 12 && alike(made[1]!.id, made[2]!.id) < 12);
    },

    'claim-begins-in-each-state-and-ends-when-that-does': async (world) => {
      const registry = (await aWish(world)).registry;
      for (const [body, state, seconds] of [
        [{ state: 'pending' }, 'pending', 60 * 60],
        [{ state: 'pending', expires_in: 60 }, 'pending', 60],
        [{ state: 'reserved', expires_in: 60 }, 'reserved', 60],
        [{ expires_in: DAYS_90 }, 'reserved', DAYS_90],
        [{ state: 'purchased' }, 'purchased', null],
        [
          { quantity: null, state: null, message: null, expires_in: null, giver: null },
          'reserved',
          14 * 24 * 60 * 60,
        ],
      ] as const) {
        const claim = await world.claim('guest', await world.item(registry), body);
        const { expires_at, created_at, quantity } = claim;
        const lasts = expires_at === null ? null : (Date.parse(expires_at) - Date.parse(created_at)) / 1000;
        assert.deepEqual([claim.state, lasts, quantity], [state, seconds, 1], JSON.stringify(body));
      }
    },

    'claim-bears-a-message-and-a-quantity': async (world) => {
      const { item } = await aWish(world);
      const message = `For your Sunday soups \u{1f372}${'x'.repeat(477)}`;
      const claim = await world.claim('stranger', item, { quantity: 4, message });
      assert.deepEqual([claim.quantity, claim.message], [4, message]);
    },

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

    'claim-moves-updated-at-and-etag-when-it-changes-and-only-then': async (world) => {
      const { item } = await aWish(world);
      const claim = await world.claim('guest', item, { state: 'pending' });
      let before = await world.call('guest', `GET /claims/${claim.id}`);
      for (const body of [
        { state: 'reserved' },
        { quantity: 2 },
        { message: 'x' },
        { message: null },
        { state: 'purchased' },
        { state: 'released' },
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

    'released-claim-is-final-and-its-pieces-are-free': async (world) => {
      const { item, to } = await aWish(world);
      const claim = await world.claim('guest', item, { quantity: 4 });
      ok(409, await world.call('stranger', to, {}));
      for (let n = 0; n < 2; n++) ok(204, await world.call('guest', `DELETE /claims/${claim.id}`));
      const { state, expires_at, quantity } = await readClaim(world, claim);
      assert.deepEqual([state, expires_at, quantity], ['released', null, 4]);
      await world.claim('stranger', item, { quantity: 4 });
    },
  }),

  ...chapter('CLAIMS 3', {
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

    'claim-of-an-item-that-is-not-there-is-404': async (world) => {
      const { registry, item, to } = await aWish(world);
      ok(200, await world.call('administrator', `DELETE /items/${item.id}`));
      for (const state of ['reserved', 'pending', 'purchased'])
        assert.deepEqual(ok(404, await world.call('guest', to, { state })), { detail: 'Item not found' });
      ok(404, await world.call('guest', `POST /registries/${registry.id}/items/9007199254740991/claims`, {}));
      ok(404, await world.call('guest', `POST /registries/9007199254740991/items/${item.id}/claims`, {}));
    },

    'new-claim-limits-of-each-field': async (world) => {
      const { item, to } = await aWish(world, { quantity_needed: MAX_INTEGER });
      const cases: [field: string, values: unknown[]][] = [
        ['quantity', [...notInteger, MAX_INTEGER + 1]],
        [
          'state',
          ['', 'released', 'expired', 'Reserved', 'reserved ', 5, true, ['reserved'], {}, '__proto__'],
        ],
        ['message', badMessages],
        ['expires_in', badTimes],
        ['giver', ['May', 5, [], true]],
        ['giver.name', ['', ' ', '\t\n', 'x'.repeat(101), 5, null, 'a\u0000', '\ud800']],
        [
          'giver.email',
          [
            ...[
              '',
              'x',
              '@',
              'a@',
              '@b',
              'a@b@c',
              'a b@c.invalid',
              ' a@b.invalid',
              'a@b.invalid ',
              'a@b\n.x',
              5,
              {},
            ],
            ...[`${'x'.repeat(250)}@b.de`, 'a\u0000@b.invalid'],
          ],
        ],
        ['giver.user_id', [0, -1, 1.5, '3', 2 ** 53, true, {}]],
      ];
      for (const [field, values] of cases) {
        for (const value of values) {
          const [, inner] = field.split('.');
          const body = inner ? { giver: { name: 'May', [inner]: value } } : { [field]: value };
          const { detail } = ok(422, await world.call('administrator', to, body));
          assert.ok(detail.startsWith(`${field}: `) || detail.startsWith(`${field}.`), `${field}: ${detail}`);
        }
      }
      ok(422, await world.call('administrator', to, { giver: { email: 'a@b.invalid' } }));
      ok(422, await world.call('guest', to, { state: 'purchased', expires_in: 600 }));
      const all = await world.call('guest', to, { quantity: 0, state: 'x', message: 5, expires_in: 1 });
      for (const field of ['quantity', 'state', 'message', 'expires_in'])
        assert.match(ok(422, all).detail, new RegExp(`(^|; )${field}: `));
      assert.equal(await world.purchased(item), 0);
    },

    'new-claim-takes-what-is-just-within-the-limits': async (world) => {
      const { to } = await aWish(world, { quantity_needed: MAX_INTEGER });
      const may = { user_id: null, email: null };
      for (const body of [
        { quantity: 1_000_000 },
        { message: '\u{1f381}'.repeat(500) },
        { message: '' },
        { message: '<script>alert(1)</script>\r\n\u202e' },
        { expires_in: 60 },
        { expires_in: DAYS_90 },
        {
          giver: {
            name: '\u{1f381}'.repeat(100),
            email: `${unique().padEnd(246, 'x')}@invalid`,
            user_id: 2 ** 53 - 1,
          },
        },
        { giver: { name: ' May ', email: null, user_id: null } },
        { giver: { name: "'; drop table claims; --", email: `o'brien%_${unique()}@example.invalid` } },
        { unknown: 1, registry_id: 7, id: 'x', thanked: true, created_at: 5 },
      ]) {
        const claim = ok(201, await world.call('administrator', to, body));
        if ('giver' in body && body.giver) assert.deepEqual(claim.giver, { ...may, ...body.giver });
        if ('message' in body) assert.equal(claim.message, body.message);
        ok(204, await world.call('administrator', `DELETE /claims/${claim.id}`));
      }
    },

    'changed-claim-limits-of-each-field': async (world) => {
      const claim = await world.claim('guest', (await aWish(world)).item);
      for (const [field, values] of [
        ['quantity', [...notInteger, MAX_INTEGER + 1, null]],
        ['state', ['', 'expired', 'RESERVED', 5, null, [], {}, '__proto__']],
        ['message', badMessages],
        ['expires_in', [...badTimes, null]],
        ['thanked', [null, 0, 1, 'true', [], {}]],
      ] as const) {
        for (const value of values)
          for (const as of ['guest', 'administrator'] as const) {
            const { detail } = ok(422, await patchClaim(world, claim, { [field]: value }, as));
            assert.ok(detail.startsWith(`${field}: `), detail);
          }
      }
      ok(422, await patchClaim(world, claim, { state: 'purchased', expires_in: 600 }));
      const unknown = { giver: { name: 'Eve' }, registry_id: 9, item_id: 9, id: 'x', expires_at: null };
      assert.deepEqual(ok(200, await patchClaim(world, claim, unknown)), claim);
      assert.deepEqual(await readClaim(world, claim), claim);
    },

    'claim-under-an-id-that-is-none-is-404': async (world) => {
      const { item } = await aWish(world);
      const { id } = await world.claim('guest', item);
      const flipped = [...id]
        .map((c) => (c === c.toUpperCase() ? c.toLowerCase() : c.toUpperCase()))
        .join('');
      for (const odd of ['1', 'x', id.slice(1), `${id}x`, `${id.slice(0, 21)}%00`, '%27%20or%201', flipped])
        for (const [method, body] of [['GET'], ['PATCH', {}], ['DELETE']] as const) {
          const answer = await world.call('administrator', `${method} /claims/${odd}`, body);
          assert.deepEqual(ok(404, answer), { detail: 'Claim not found' }, odd);
        }
      for (const odd of ['0', '-1', '1.0', 'x', '01', String(2 ** 53)]) {
        ok(404, await world.call('guest', `GET /registries/${odd}/claims`));
        ok(404, await world.call('guest', `POST /registries/${odd}/items/${item.id}/claims`, {}));
        ok(404, await world.call('guest', `POST /registries/${item.registry_id}/items/${odd}/claims`, {}));
      }
    },

    'claims-list-refuses-other-pages-and-addresses': async ({ call }) => {
      for (const query of [
        ...['skip=-1', 'skip=x', 'skip=1.5', 'limit=0', 'limit=1001', 'limit=', 'limit=1e1', 'skip=1&skip=2'],
        ...[
          'email=',
          `email=${'x'.repeat(255)}`,
          'email=a@b.invalid&email=c@d.invalid',
          'email=%00',
          'email=%20',
        ],
      ])
        assert.match(
          ok(422, await call('administrator', `GET /claims?${query}`)).detail,
          /^(skip|limit|email): /,
        );
      const most = Number.MAX_SAFE_INTEGER;
      for (const query of ['skip=0&limit=1000', `skip=${most}`, 'x=1', 'email=no-address'])
        ok(200, await call('administrator', `GET /claims?${query}`));
    },

    'claim-honours-if-match-and-if-none-match': async (world) => {
      const { to } = await aWish(world);
      const made = await world.call('guest', to, {});
      const path = `/claims/${ok(201, made).id}`;
      const etag = etagOf(made);
      for (const known of [etag, `W/${etag}`, '*', `"x", ${etag}`]) {
        const answer = await world.call('guest', `GET ${path}`, undefined, { 'if-none-match': known });
        assert.deepEqual([answer.status, answer.text, etagOf(answer)], [304, '', etag], known);
      }
      const head = await world.call('guest', `HEAD ${path}`);
      assert.deepEqual([head.status, head.text, etagOf(head)], [200, '', etag]);
      for (const stale of ['"x"', `W/${etag}`, '', etag.slice(1, -1)])
        for (const [target, body] of [
          [`PATCH ${path}`, { message: 'x' }],
          [`PATCH ${path}`, {}],
          [`DELETE ${path}`],
        ] as const) {
          const answer = await world.call('guest', target, body, { 'if-match': stale });
          assert.deepEqual([answer.status, etagOf(answer)], [412, etag], `${target} ${stale}`);
        }
      const changed = await world.call('guest', `PATCH ${path}`, { message: 'x' }, { 'if-match': etag });
      ok(200, changed);
      ok(412, await world.call('guest', `DELETE ${path}`, undefined, { 'if-match': etag }));
      ok(204, await world.call('guest', `DELETE ${path}`, undefined, { 'if-match': etagOf(changed) }));
    },

    'claim-if-match-lets-one-of-many-through': async (world) => {
      const { to } = await aWish(world);
      const made = await world.call('guest', to, {});
      const path = `PATCH /claims/${ok(201, made).id}`;
      const match = { 'if-match': etagOf(made) };
      const answers = await atOnce(20, (n) => world.call('guest', path, { message: `${n}` }, match));
      assert.deepEqual(statusesOf(answers), [200, ...Array(19).fill(412)]);
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
      const both = ok(
        200,
        await patchClaim(world, claim, { thanked: true, state: 'purchased' }, 'administrator'),
      );
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
      const changes = [
        { state: 'reserved' },
        { expires_in: 600 },
        { quantity: 3 },
        { message: 'x' },
        { thanked: true },
      ];
      for (const body of changes) ok(200, await patchClaim(world, claim, body, 'administrator'));
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
        ...[
          { state: 'reserved' },
          { state: 'purchased' },
          { quantity: 1 },
          { message: 'x' },
          { expires_in: 600 },
        ],
        { state: 'released', message: 'x' },
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
        const { claims, concealed_until } = ok(
          200,
          await world.call(as, `GET /registries/${registry.id}/claims`),
        );
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
      const { email } = world.people.guest;
      for (const spelled of [email, email.toUpperCase(), `%20${email}%20`])
        assert.deepEqual(await list(`limit=3&email=${spelled}`, 'administrator'), made, spelled);
      assert.deepEqual(await list('email=nobody', 'administrator'), []);
    }),

    'idempotency-key-of-a-claim-gives-its-first-answer-whatever-became-of-it': async (world) => {
      const { item, to } = await aWish(world);
      const headers = { 'idempotency-key': unique() };
      const ask = () => world.call('guest', to, { message: 'Soup', expires_in: 120 }, headers);
      const first = await ask();
      const claim: Claim = ok(201, first);
      const again = async (why: string) => {
        const answer = await ask();
        assert.deepEqual([answer.status, answer.text, etagOf(answer)], [201, first.text, etagOf(first)], why);
      };
      await again('at once');
      ok(200, await patchClaim(world, claim, { quantity: 2, message: 'Stew' }));
      await again('changed');
      ok(200, await patchClaim(world, claim, { state: 'purchased' }));
      ok(200, await patchClaim(world, claim, { thanked: true }, 'owner'));
      await again('bought and thanked');
      ok(204, await world.call('guest', `DELETE /claims/${claim.id}`));
      await again('released');
      assert.equal(await world.purchased(item), 0);
      ok(200, await world.call('owner', `DELETE /items/${item.id}`));
      await again('its item deleted');
    },

    'refusal-of-a-claim-is-not-kept-for-its-key': async (world) => {
      const { item, to } = await aWish(world);
      const headers = { 'idempotency-key': unique() };
      const ask = (body = {}, target = to) => world.call('guest', target, body, headers);
      const claim = await world.claim('stranger', item, { quantity: 4 });
      ok(409, await ask());
      ok(403, await ask({ giver: { name: 'x' } }));
      ok(404, await ask({}, to.replace(/items\/\d+/, 'items/9007199254740991')));
      ok(422, await ask({ quantity: 0 }));
      ok(204, await world.call('stranger', `DELETE /claims/${claim.id}`));
      const made = await ask();
      ok(201, made);
      assert.equal((await ask()).text, made.text);
    },

    'unconfirmed-claims-of-a-giver-are-at-most-ten-over-all-registries': async (world) => {
      const [one, other] = [
        await aWish(world, { quantity_needed: 99 }),
        await aWish(world, { quantity_needed: 99 }),
      ];
      const { name, email } = anybody();
      // A number that no account has.
      const user_id = Number.MAX_SAFE_INTEGER - Math.floor(Math.random() * 1e12);
      const pending = (giver: object) => ({ state: 'pending', giver: { name, ...giver } });
      const both = pending({ email, user_id });
      const first = await world.claim('administrator', one.item, both);
      for (let n = 0; n < 9; n++)
        await world.claim(
          'administrator',
          n % 2 ? one.item : other.item,
          pending(n % 3 ? { email } : { user_id }),
        );
      const refused = await world.call('administrator', one.to, both);
      ok(429, refused);
      assert.ok(Number(refused.headers.get('retry-after')) > 0);
      // Others are in nobody's way, and what needs no confirmation is not counted.
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
      for (const query of ['', '?email=', '?email=%20', `?email=${'x'.repeat(255)}`, '?email=a&email=b'])
        ok(422, await call('administrator', `DELETE /claims${query}`));
    },
  }),
];
