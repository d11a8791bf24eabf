// Every case runs for an ordinary owner, for an owner who is an administrator, and for a co-owner (the stranger of other cases).
import assert from 'node:assert/strict';
import type { Claim } from 'trousseau-client';
import type { Role } from '../accounts.ts';
import { alone, section, type Test } from '../case.ts';
import { ok, type World } from '../world.ts';
import { anybody, aWish, etagOf, idsOf, patchClaim, readClaim } from './kit.ts';

type Owner = 'owner' | 'administrator' | 'stranger';
type OwnerTest = (world: World, owner: Owner) => Promise<void>;

const OWNERS: [suffix: string, owner: Owner][] = [
  ['', 'owner'],
  ['-of-an-administrator', 'administrator'],
  ['-of-a-co-owner', 'stranger'],
];

const NO_WAIT = { prefer: 'wait=0' };
/** Headers of an administrator who says that a registry belongs to someone else. */
const NAMES_ANOTHER = { ...NO_WAIT, 'trousseau-owner': '999999999' };
const ALWAYS = { registry_surprise_until: 'always' };

/** Returns the start, in UTC, of the day so many days from now. */
const day = (after: number) => new Date(Date.now() + after * 24 * 60 * 60_000).toISOString().slice(0, 10);

const setSurprise = (
  { call }: World,
  id: number,
  registry_surprise_until: string | null,
  as: Role = 'owner',
) => call(as, `PATCH /registries/${id}`, { meta: { registry_surprise_until } });

/** Makes a registry with an item, of the owner's own or co-owned by the stranger. */
const aSecret = (world: World, fields: object, meta: object, owner: Owner) =>
  owner === 'stranger'
    ? aWish(world, fields, { registry_owners: [world.people.stranger.email], ...meta })
    : aWish(world, fields, meta, owner);

const needsClosedItems = ({ itemAccess, needs }: World) =>
  needs(itemAccess === 'registry', 'the item endpoints show the sum to everybody who is signed in');

/** Returns the answers that an owner gets, without the parts that differ in every answer. */
async function seenBy(world: World, owner: Owner, targets: string[]): Promise<string[]> {
  const seen: string[] = [];
  for (const target of targets)
    for (const headers of [{}, NO_WAIT, NAMES_ANOTHER]) {
      const answer = await world.call(owner, `GET ${target}`, undefined, headers);
      assert.ok(answer.status < 300, `${target} ${answer.text}`);
      const kept = [...answer.headers].filter(
        // A proxy's own may differ, too.
        ([name]) =>
          !/^(date|x-request-id|connection|keep-alive|age|via|set-cookie|cf-.*|x-amz-.*)$/.test(name),
      );
      seen.push(`${target} ${answer.status} ${JSON.stringify(kept)} ${answer.text}`);
    }
  return seen;
}

const isSetAndCleared: OwnerTest = async (world, owner) => {
  const { registry } = await aSecret(world, {}, { registry_surprise_until: '2030-06-13' }, owner);
  const { id } = registry;
  const read = async () =>
    ok(200, await world.call(owner, `GET /registries/${id}`)).meta.registry_surprise_until;
  assert.equal(await read(), '2030-06-13');
  for (const [value, shown] of [
    ['always', 'always'],
    ['', null],
    ['2031-01-01', '2031-01-01'],
    [null, null],
  ] as const) {
    assert.equal(ok(200, await setSurprise(world, id, value, owner)).meta.registry_surprise_until, shown);
    assert.equal(await read(), shown);
  }
  for (const bad of ['never', 'Always', '2030-02-30', '2030-1-1', '13.06.2030', ' ', 'x']) {
    const { detail } = ok(422, await setSurprise(world, id, bad, owner));
    assert.match(detail, /^meta\.registry_surprise_until: /);
  }
  const none = await world.registry({}, owner);
  assert.equal(none.meta.registry_surprise_until, null);
};

const lastsUntilItsDay: OwnerTest = async (world, owner) => {
  const until = day(2);
  const meta = { registry_surprise_until: until };
  const { registry, item } = await aSecret(world, { quantity_purchased: 1 }, meta, owner);
  const claim = await world.claim('guest', item, { quantity: 2 });
  const list = () => world.call(owner, `GET /registries/${registry.id}/claims`);
  assert.deepEqual(ok(200, await list()), { claims: [], concealed_until: until });
  assert.equal(await world.purchased(item, owner), 1);
  ok(404, await world.call(owner, `GET /claims/${claim.id}`));
  // A surprise ends once its day has begun in all time zones.
  ok(200, await setSurprise(world, registry.id, day(-1), owner));
  assert.deepEqual(ok(200, await list()), { claims: [claim], concealed_until: null });
  assert.equal(await world.purchased(item, owner), 3);
  assert.deepEqual(await readClaim(world, claim, owner), claim);
  ok(200, await patchClaim(world, claim, { thanked: true }, owner));
  await world.claim(owner, item);
};

const concealsFromTheOwnerAlone: OwnerTest = async (world, owner) => {
  const { registry, item } = await aSecret(world, { quantity_purchased: 1 }, ALWAYS, owner);
  const at = `/registries/${registry.id}`;
  const theirs = `/claims?email=${encodeURIComponent(world.people.guest.email)}`;
  const targets = [
    ...[at, `${at}/items`, `${at}/claims`, '/claims'],
    ...(world.itemAccess === 'registry' ? [`/items/${item.id}`] : []),
    ...(owner === 'administrator' ? ['/claims?with=item', theirs, `${theirs}&with=item`] : []),
    ...(owner === 'administrator' && world.itemAccess === 'registry' ? ['/items?limit=1'] : []),
  ];
  const listTag = async () => etagOf(await world.call(owner, `GET ${at}/items`));
  const tag = await listTag();
  const before = await seenBy(world, owner, targets);
  const claim = await world.claim('guest', item, { message: 'Soup' });
  assert.deepEqual(await seenBy(world, owner, targets), before, 'claimed');
  ok(200, await patchClaim(world, claim, { quantity: 2 }));
  const { id: user_id, email, name } = world.people[owner];
  if (owner !== 'administrator')
    await world.claim('administrator', item, { giver: { name, email, user_id } });
  assert.deepEqual(await seenBy(world, owner, targets), before, 'grown, and in the owner’s own name');
  assert.equal(await world.purchased(item, 'guest'), owner === 'administrator' ? 3 : 4);
  ok(200, await patchClaim(world, claim, { state: 'released' }));
  assert.deepEqual(await seenBy(world, owner, targets), before, 'released');
  ok(200, await world.call(owner, `PUT /items/${item.id}`, { name: 'Pot' }));
  assert.notEqual(await listTag(), tag, 'their own change is new to them');
};

const claimIsNotThereForItsOwner: OwnerTest = async (world, owner) => {
  const { registry, item } = await aSecret(world, { quantity_needed: 50 }, ALWAYS, owner);
  const { id: user_id, email, name } = world.people[owner];
  const made = [await world.claim('guest', item)];
  if (owner !== 'administrator')
    for (const giver of [
      { name, user_id },
      { name, email: email.toUpperCase() },
      { name, user_id, email },
    ])
      made.push(await world.claim('administrator', item, { giver }));
  const named = owner === 'administrator' ? [NAMES_ANOTHER] : [];
  for (const { id } of made) {
    for (const [method, body] of [
      ...[['GET'], ['PATCH', {}], ['PATCH', { state: 'released' }], ['PATCH', { thanked: true }]],
      ...[['PATCH', { state: 'pending', quantity: 9 }], ['DELETE']],
    ] as const) {
      for (const headers of [{}, NO_WAIT, { 'if-match': '"x"', 'if-none-match': '*' }, ...named]) {
        const real = await world.call(owner, `${method} /claims/${id}`, body, headers);
        const none = await world.call(owner, `${method} /claims/${'x'.repeat(22)}`, body, headers);
        assert.deepEqual([real.status, real.text], [404, none.text], method);
      }
    }
  }
  assert.equal(await world.purchased(item, 'guest'), made.length);
  const own: Claim[] = ok(200, await world.call(owner, 'GET /claims?limit=1000'));
  assert.ok(own.every(({ registry_id }) => registry_id !== registry.id));
};

const ownerClaimsNothing: OwnerTest = async (world, owner) => {
  const { registry, item: free } = await aSecret(world, {}, ALWAYS, owner);
  const full = await world.item(registry);
  await world.claim('guest', full);
  const said = new Set<string>();
  // Only admins may name an owner, so others get a different error.
  const to = `POST /registries/${registry.id}/items/${free.id}/claims`;
  ok(403, await world.call(owner, to, {}, NAMES_ANOTHER));
  for (const body of [{}, { state: 'pending' }, { giver: { name: 'May' } }, { quantity: 9 }])
    for (const id of [free.id, full.id, Number.MAX_SAFE_INTEGER]) {
      const answer = await world.call(owner, `POST /registries/${registry.id}/items/${id}/claims`, body);
      said.add(ok(403, answer).detail);
    }
  assert.equal(said.size, 1, 'no refusal tells more than another');
};

const earlierClaimsAreTheirs: OwnerTest = async (world, owner) => {
  const { registry, item } = await aSecret(world, { quantity_needed: 9 }, {}, owner);
  const claim = await world.claim(owner, item, { quantity: 3 });
  ok(200, await setSurprise(world, registry.id, 'always', owner));
  assert.deepEqual(await readClaim(world, claim, owner), claim);
  const list = ok(200, await world.call(owner, `GET /registries/${registry.id}/claims`));
  assert.deepEqual(list, { claims: [], concealed_until: 'always' });
  const own: Claim[] = ok(200, await world.call(owner, 'GET /claims?limit=1000'));
  assert.ok(own.some(({ id }) => id === claim.id));
  for (const body of [
    ...[{ state: 'purchased' }, { state: 'reserved' }, { message: 'x' }, { expires_in: 600 }],
    ...[{ quantity: 4 }, { quantity: 2, message: 'x' }, { thanked: true }],
  ])
    ok(403, await patchClaim(world, claim, body, owner));
  assert.equal(ok(200, await patchClaim(world, claim, { quantity: 2 }, owner)).quantity, 2);
  assert.equal(await world.purchased(item, owner), 0, 'their own is concealed with the others’');
  for (let n = 0; n < 2; n++) ok(204, await world.call(owner, `DELETE /claims/${claim.id}`));
  assert.equal(await world.purchased(item, 'guest'), 0);
};

const changingIsNeverRefused: OwnerTest = async (world, owner) => {
  needsClosedItems(world);
  const numbers = { quantity_needed: 9, quantity_purchased: 4 };
  const { registry, item } = await aSecret(world, numbers, ALWAYS, owner);
  const path = `/items/${item.id}`;
  const call = (target: string, body?: object, headers = {}) => world.call(owner, target, body, headers);
  const match = async () => ({ 'if-match': etagOf(await call(`GET ${path}`)) });
  for (const fields of [
    ...[{ quantity_purchased: 0 }, { quantity_purchased: null }, { quantity_purchased: 9 }],
    ...[{ quantity_needed: 1 }, { name: 'Pot' }, {}],
  ]) {
    const current = await match();
    const { data } = ok(200, await call(`PUT ${path}`, fields, current));
    if ('quantity_purchased' in fields) assert.equal(data.quantity_purchased, fields.quantity_purchased ?? 0);
    if (data.quantity_purchased === 0) await world.claim('guest', item);
  }
  ok(200, await call(`PUT ${path}`, { quantity_needed: 99 }, await match()));
  // An ETag from before a claim still matches after it.
  const affiliate = `/registries/${registry.id}${path}/affiliate`;
  for (const [status, target, body] of [
    [200, `PUT ${path}`, { name: 'Pan' }],
    [200, `PUT ${affiliate}`, { affiliate_url: 'https://partner.example' }],
    [204, `DELETE ${affiliate}`],
    [200, `DELETE ${path}`],
    [200, `PUT ${path}`, { is_active: true }],
    [204, `DELETE /registries/${registry.id}${path}`],
  ] as const) {
    const isGone = body && 'is_active' in body;
    const current = isGone ? {} : await match();
    if (!isGone) await world.claim('guest', item);
    ok(status, await call(target, body, current));
  }
};

const earlierTagNamesTheItemsOwnState: OwnerTest = async (world, owner) => {
  needsClosedItems(world);
  const { registry, item } = await aSecret(world, { quantity_needed: 9 }, {}, owner);
  await world.claim('guest', item);
  const seen = etagOf(await world.call(owner, `GET /items/${item.id}`));
  ok(200, await setSurprise(world, registry.id, 'always', owner));
  await world.claim('guest', item);
  const put = (etag: string) =>
    world.call(owner, `PUT /items/${item.id}`, { name: 'Pot' }, { 'if-match': etag });
  const first = await put(seen);
  ok(200, first);
  ok(412, await put(seen));
  ok(200, await put(etagOf(first)));
};

const forAll = (
  name: string,
  test: OwnerTest,
  mark: (test: Test) => Parameters<typeof section>[1][string] = (t) => t,
) =>
  Object.fromEntries(
    OWNERS.map(([suffix, owner]) => [`${name}${suffix}`, mark((world: World) => test(world, owner))]),
  );

export const surprise = section('claims.md#the-surprise', {
  ...forAll('surprise-is-set-cleared-and-read-back', isSetAndCleared),
  ...forAll('surprise-lasts-until-its-day-begins', lastsUntilItsDay),
  // The owner's own lists are compared byte for byte.
  ...forAll('surprise-conceals-from-its-owner-whatever-others-claim', concealsFromTheOwnerAlone, alone),
  ...forAll('surprise-claim-is-not-there-for-its-owner', claimIsNotThereForItsOwner),
  ...forAll('surprise-owner-claims-nothing-and-learns-nothing', ownerClaimsNothing),
  ...forAll('surprise-leaves-the-owner-what-they-claimed-before', earlierClaimsAreTheirs),
  ...forAll('surprise-never-refuses-a-change-of-a-claimed-item', changingIsNeverRefused),
  ...forAll('surprise-etag-from-before-names-the-items-own-state', earlierTagNamesTheItemsOwnState),

  'surprise-is-told-to-those-who-belong-to-the-registry': async (world) => {
    const { id } = await world.registry({ meta: ALWAYS });
    for (const as of ['owner', 'guest', 'administrator'] as const) {
      const { meta } = ok(200, await world.call(as, `GET /registries/${id}`));
      assert.equal(meta.registry_surprise_until, 'always');
    }
    assert.equal(ok(200, await world.call('guest', `GET /registries/${id}/claims`)).concealed_until, null);
  },

  'surprise-tells-a-guest-their-own-and-an-admin-all': async (world) => {
    const { registry, item } = await aWish(world, {}, ALWAYS);
    const [mine, theirs] = [await world.claim('guest', item), await world.claim('stranger', item)];
    const list = async (as: Role) =>
      idsOf<string>(ok(200, await world.call(as, `GET /registries/${registry.id}/claims`)).claims);
    assert.deepEqual(await list('guest'), [mine.id]);
    assert.deepEqual(await list('administrator'), [theirs.id, mine.id]);
    assert.deepEqual(await list('owner'), []);
  },

  'surprise-may-be-sent-away-and-its-item-shows-no-number-of-it': async (world) => {
    needsClosedItems(world);
    const { item } = await aWish(world, { quantity_purchased: 1 }, ALWAYS);
    await world.claim('administrator', item, { giver: anybody(), quantity: 2 });
    const deleted = await world.call('owner', `DELETE /items/${item.id}`);
    assert.equal(ok(200, deleted).data.quantity_purchased, 1);
  },

  'surprise-is-spoiled-by-open-item-endpoints-as-documented': async (world) => {
    world.needs(world.itemAccess === 'authenticated', 'the item endpoints conceal, too');
    const { item } = await aWish(world, { quantity_purchased: 1 }, ALWAYS);
    await world.claim('guest', item, { quantity: 2 });
    assert.equal(ok(200, await world.call('owner', `GET /items/${item.id}`)).data.quantity_purchased, 3);
    assert.equal(await world.purchased(item, 'owner'), 1, 'the registry’s own routes conceal');
    ok(409, await world.call('owner', `PUT /items/${item.id}`, { quantity_purchased: 0 }));
  },
});
