import assert from 'node:assert/strict';
import { section } from '../case.ts';
import { ok, unique } from '../world.ts';
import { aWish, DAYS_90, MAX_INTEGER, patchClaim, readClaim } from './kit.ts';

const notInteger = ['1', 1.5, true, [], {}, '', Number.MAX_VALUE, -1, 0];
const badMessages = [5, [], {}, true, 'x'.repeat(501), 'a\u0000b', '\ud800'];
const badEmails = [
  ...['', 'x', '@', 'a@', '@b', 'a@b@c', 'a b@c.invalid', ' a@b.invalid', 'a@b.invalid ', 'a@b\n.x', 5, {}],
  ...[`${'x'.repeat(250)}@b.de`, 'a\u0000@b.invalid'],
];
const badTimes = [...notInteger, 59, DAYS_90 + 1];

export const claimFields = section('claims.md#claim-endpoints', {
  'new-claim-limits-of-each-field': async (world) => {
    const { item, to } = await aWish(world, { quantity_needed: MAX_INTEGER });
    const cases: [field: string, values: unknown[]][] = [
      ['quantity', [...notInteger, MAX_INTEGER + 1]],
      ['state', ['', 'released', 'expired', 'Reserved', 'reserved ', 5, true, ['reserved'], {}, '__proto__']],
      ['message', badMessages],
      ['expires_in', badTimes],
      ['giver', ['May', 5, [], true]],
      ['giver.name', ['', ' ', '\t\n', 'x'.repeat(101), 5, null, 'a\u0000', '\ud800']],
      ['giver.email', badEmails],
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
    const email = `${unique().padEnd(246, 'x')}@invalid`;
    for (const body of [
      { quantity: 1_000_000 },
      { message: '\u{1f381}'.repeat(500) },
      { message: '' },
      { message: '<script>alert(1)</script>\r\n\u202e' },
      { expires_in: 60 },
      { expires_in: DAYS_90 },
      { giver: { name: '\u{1f381}'.repeat(100), email, user_id: 2 ** 53 - 1 } },
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
    const thanked = ok(200, await patchClaim(world, claim, { ...unknown, thanked: true }, 'owner'));
    assert.notEqual(thanked.thanked_at, null);
  },

  'claim-under-an-id-that-is-none-is-404': async (world) => {
    const { item } = await aWish(world);
    const { id } = await world.claim('guest', item);
    const flipped = [...id].map((c) => (c === c.toUpperCase() ? c.toLowerCase() : c.toUpperCase())).join('');
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
    const id = 'x'.repeat(22);
    for (const query of [
      ...['skip=-1', 'skip=x', 'skip=1.5', 'limit=0', 'limit=1001', 'limit=', 'limit=1e1', 'skip=1&skip=2'],
      ...['email=', `email=${'x'.repeat(255)}`, 'email=a@b.invalid&email=c@d.invalid', 'email=%00'],
      ...['email=%20', 'ids=', 'ids=x', `ids=${id}x`, `ids=${id},`, `ids=${`${id},`.repeat(100)}${id}`],
      ...[`ids=${id}&ids=${id}`, 'with=', 'with=items', 'with=item&with=item'],
      ...[`ids=${id}&email=a@b.invalid`, `ids=${id}&user_id=1`, `ids=${id}&skip=0`, `ids=${id}&limit=1`],
    ])
      assert.match(
        ok(422, await call('administrator', `GET /claims?${query}`)).detail,
        /^(skip|limit|email|with|ids(?!.*NUL)): /,
      );
    const most = Number.MAX_SAFE_INTEGER;
    for (const query of ['skip=0&limit=1000', `skip=${most}`, 'x=1', 'email=no-address', `ids=${id}`])
      ok(200, await call('administrator', `GET /claims?${query}`));
  },
});
