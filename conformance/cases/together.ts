// Several owners of one registry, and a surprise that conceals names from them, but not numbers.
import assert from 'node:assert/strict';
import type { Registry } from 'trousseau-client';
import type { Role } from '../accounts.ts';
import { section } from '../case.ts';
import { ok, type World } from '../world.ts';
import { aWish, etagOf, idsOf, pan, patchClaim, readClaim } from './kit.ts';

const ALL = { registry_surprise_until: 'always' };
const NAMES = { ...ALL, registry_surprise_keeps: 'names' };

/** Makes a registry that the guest co-owns and to which the stranger is invited. */
const shared = (world: World, meta: object = {}, fields: object = {}) =>
  world.registry({
    ...fields,
    meta: {
      registry_owners: [world.people.guest.username],
      registry_invitees: [world.people.stranger.username],
      ...meta,
    },
  });

const setOwners = ({ call }: World, { id }: { id: number }, registry_owners: unknown, as: Role = 'owner') =>
  call(as, `PATCH /registries/${id}`, { meta: { registry_owners } });

const ownersOf = async ({ call }: World, { id }: { id: number }): Promise<string[]> =>
  ok(200, await call('owner', `GET /registries/${id}`)).meta.registry_owners;

/** Returns the answers that a role gets, without the parts that differ in every answer. */
async function bytes(world: World, as: Role, targets: string[]): Promise<string[]> {
  const got: string[] = [];
  for (const target of targets) {
    const answer = await world.call(as, `GET ${target}`);
    got.push(`${target} ${answer.status} ${etagOf(answer)} ${answer.text}`);
  }
  return got;
}

const targetsOf = ({ itemAccess }: World, registry: { id: number }, item: { id: number }) => [
  ...['', '/items', '/claims', '/invitees'].map((part) => `/registries/${registry.id}${part}`),
  ...(itemAccess === 'registry' ? [`/items/${item.id}`] : []),
];

const owners = section('owners-and-group-gifts.md#several-owners', {
  'owners-are-kept-once-each-in-order-and-up-to-five': async (world) => {
    const { username } = world.people.guest;
    const mails = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@example.invalid`);
    const registry_owners = [` ${username} `, mails[0], username.toUpperCase()];
    const registry = await shared(world, { registry_owners });
    assert.deepEqual(await ownersOf(world, registry), [username, mails[0]]);
    ok(200, await setOwners(world, registry, [...mails, ` ${mails[0]!.toUpperCase()} `]));
    assert.deepEqual(await ownersOf(world, registry), mails);
    for (const bad of [[...mails, 'f@example.invalid'], [' '], ['x'.repeat(255)], username, [1], {}])
      assert.match(ok(422, await setOwners(world, registry, bad)).detail, /^meta\.registry_owners/);
    assert.deepEqual(await ownersOf(world, registry), mails);
    ok(200, await setOwners(world, registry, []));
    assert.deepEqual(await ownersOf(world, registry), []);
    assert.deepEqual((await world.registry()).meta.registry_owners, []);
  },

  'co-owner-is-matched-by-name-or-address-in-any-case': async (world) => {
    const { username, email } = world.people.guest;
    for (const [entry, status] of [
      [username.toUpperCase(), 200],
      [email.toUpperCase(), 200],
      [`x${email}`, 403],
      [email.slice(0, -1), 403],
    ] as const) {
      const { id } = await shared(world, { registry_owners: [entry], registry_invitees: [] });
      assert.equal((await world.call('guest', `GET /registries/${id}`)).status, status, entry);
    }
  },

  'co-owner-does-what-the-owner-does': async (world) => {
    const registry = await shared(world);
    const { id: item } = await world.item(registry);
    const at = `/registries/${registry.id}`;
    for (const [status, target, body] of [
      [200, `GET ${at}`],
      [200, `GET ${at}/items`],
      [201, `POST ${at}/items`, pan],
      [201, 'POST /items', { registry_id: registry.id, ...pan }],
      [200, `GET /items/${item}`],
      [200, `PUT /items/${item}`, { price: 9 }],
      [200, `GET ${at}/invitees`],
      [200, `POST ${at}/invitees`, { invitees: ['aunt@example.invalid'] }],
      [200, `DELETE ${at}/invitees/aunt@example.invalid`],
      [200, `PATCH ${at}`, { title: 'Us', story: 'We met.' }],
      [200, `PATCH ${at}`, { meta: { registry_event_date: '2030-06-12', registry_currency: 'EUR' } }],
      [200, `PATCH ${at}`, { meta: ALL }],
      [200, `PATCH ${at}`, { meta: { registry_surprise_until: null } }],
      [200, `GET ${at}/claims`],
      [200, `GET ${at}/items/${item}/affiliate`],
      [204, `DELETE ${at}/items/${item}`],
    ] as const) {
      const answer = await world.call('guest', target, body);
      assert.equal(answer.status, status, `${target} ${answer.text}`);
    }
  },

  'co-owner-reads-and-thanks-claims': async (world) => {
    const registry = await shared(world);
    const item = await world.item(registry);
    const claim = await world.claim('stranger', item);
    const { claims } = ok(200, await world.call('guest', `GET /registries/${registry.id}/claims`));
    assert.deepEqual(claims, [claim]);
    assert.ok(ok(200, await patchClaim(world, claim, { thanked: true })).thanked_at);
    ok(403, await patchClaim(world, claim, { state: 'released' }));
  },

  'co-owner-neither-deletes-nor-hands-over': async (world) => {
    const registry = await shared(world);
    ok(403, await world.call('guest', `DELETE /registries/${registry.id}`));
    const { id: user_id } = world.people.guest;
    await world.call('guest', `PATCH /registries/${registry.id}`, { user_id });
    const read: Registry = ok(200, await world.call('owner', `GET /registries/${registry.id}`));
    assert.equal(read.user_id, world.people.owner.id);
    ok(204, await world.call('owner', `DELETE /registries/${registry.id}`));
  },

  'co-owner-takes-only-themselves-off': async (world) => {
    const { guest, stranger } = world.people;
    const both = [guest.username, stranger.email];
    const registry = await shared(world, { registry_owners: both });
    for (const wanted of [[], [guest.username], both.toReversed(), [...both, 'x@example.invalid']])
      ok(403, await setOwners(world, registry, wanted, 'guest'));
    assert.deepEqual(await ownersOf(world, registry), both);
    ok(200, await setOwners(world, registry, [guest.username.toUpperCase(), stranger.email], 'guest'));
    ok(200, await setOwners(world, registry, [stranger.email], 'guest'));
    assert.deepEqual(await ownersOf(world, registry), [stranger.email]);
    ok(200, await setOwners(world, registry, both, 'administrator'));
  },

  'co-owned-registries-are-listed-newest-first': async (world) => {
    const first = await shared(world);
    const own = await world.registry({}, 'guest');
    const other = await world.registry();
    const last = await shared(world, { registry_owners: [world.people.guest.email] }, { status: 'publish' });
    const found: Registry[] = ok(200, await world.call('guest', 'GET /registries?limit=100'));
    const mine = [last.id, own.id, first.id];
    const listed = idsOf(found).filter((id) => [...mine, other.id].includes(id));
    assert.deepEqual(listed, mine);
    assert.equal(found.find(({ id }) => id === first.id)!.user_id, world.people.owner.id);
  },

  'co-owner-who-is-invited-is-a-co-owner': async (world) => {
    const { username } = world.people.guest;
    const registry = await shared(world, { registry_invitees: [username] });
    const item = await world.item(registry);
    ok(200, await world.call('guest', `PUT /items/${item.id}`, { price: 1 }));
    ok(200, await world.call('guest', `DELETE /registries/${registry.id}/invitees/${username}`));
    ok(200, await world.call('guest', `GET /registries/${registry.id}`));
  },

  'co-owner-and-owner-get-the-same-bytes': async (world) => {
    const registry = await shared(world);
    const item = await world.item(registry, { quantity_needed: 4 });
    const claim = await world.claim('stranger', item, { quantity: 2 });
    for (const meta of [{}, ALL, NAMES, { registry_surprise_until: null }]) {
      ok(200, await world.call('owner', `PATCH /registries/${registry.id}`, { meta }));
      const targets = [...targetsOf(world, registry, item), `/claims/${claim.id}`];
      assert.deepEqual(await bytes(world, 'guest', targets), await bytes(world, 'owner', targets));
    }
  },

  'removed-co-owner-has-no-request-left-that-works': async (world) => {
    const registry = await shared(world);
    const item = await world.item(registry);
    const at = `/registries/${registry.id}`;
    ok(200, await world.call('guest', `GET ${at}/items`));
    ok(200, await setOwners(world, registry, []));
    for (const [target, body] of [
      [`GET ${at}`],
      [`GET ${at}/items`],
      [`GET ${at}/claims`],
      [`GET ${at}/invitees`],
      [`POST ${at}/items`, pan],
      ...(world.itemAccess === 'registry' ? ([[`PUT /items/${item.id}`, { price: 1 }]] as const) : []),
      [`PATCH ${at}`, { title: 'Mine' }],
      [`PATCH ${at}`, { meta: { registry_owners: [world.people.guest.username] } }],
      [`DELETE ${at}`],
    ] as const)
      ok(403, await world.call('guest', target, body));
    const found: Registry[] = ok(200, await world.call('guest', 'GET /registries?limit=100'));
    assert.ok(found.every(({ id }) => id !== registry.id));
  },
});

/** Makes a registry of the owner and the administrator, unless `meta` names other owners; the others are invited. */
async function counted(world: World, meta: object = NAMES) {
  const { administrator } = world.people;
  return aWish(world, { quantity_needed: 9 }, { registry_owners: [administrator.username], ...meta });
}
const BOTH = ['owner', 'administrator'] as const;

const namesOnly = section('owners-and-group-gifts.md#a-surprise-that-hides-names-only', {
  'names-only-is-set-and-read-back-and-all-is-meant-where-nothing-is-said': async (world) => {
    const { id } = await world.registry();
    const set = (registry_surprise_keeps: unknown) =>
      world.call('owner', `PATCH /registries/${id}`, { meta: { registry_surprise_keeps } });
    const read = async () =>
      ok(200, await world.call('owner', `GET /registries/${id}`)).meta.registry_surprise_keeps;
    assert.equal(await read(), 'all');
    for (const [value, shown] of [
      ['names', 'names'],
      ['all', 'all'],
      ['names', 'names'],
      [null, 'all'],
    ] as const) {
      ok(200, await set(value));
      assert.equal(await read(), shown);
    }
    for (const bad of ['Names', 'none', 1, ['names']]) ok(422, await set(bad));
  },

  'names-only-shows-owners-the-sum': async (world) => {
    const { registry, item } = await counted(world);
    const tags = async () => [
      etagOf(await world.call('owner', `GET /registries/${registry.id}/items`)),
      etagOf(await world.call('owner', `GET /items/${item.id}`)),
    ];
    const [ofList, ofItem] = await tags();
    const claim = await world.claim('guest', item, { message: 'Soup' });
    for (const as of BOTH) {
      assert.equal(await world.purchased(item, as), 1);
      ok(404, await world.call(as, `GET /claims/${claim.id}`));
      ok(403, await world.call(as, `POST /registries/${registry.id}/items/${item.id}/claims`, {}));
      const list = ok(200, await world.call(as, `GET /registries/${registry.id}/claims`));
      assert.deepEqual(list, { claims: [], concealed_until: 'always' });
      ok(409, await world.call(as, `PUT /items/${item.id}`, { quantity_purchased: 0 }));
    }
    const [list, tag = ''] = await tags();
    assert.notEqual(list, ofList, 'a claim moves the ETag');
    assert.notEqual(tag, ofItem);
    const match = { 'if-match': tag };
    const put = (body: object) => world.call('owner', `PUT /items/${item.id}`, body, match);
    assert.equal(ok(200, await put({ quantity_purchased: 5 })).data.quantity_purchased, 5);
    ok(412, await put({ price: 1 }));
  },

  'names-only-answers-depend-on-numbers-alone': async (world) => {
    const { registry, item } = await counted(world);
    const targets = targetsOf(world, registry, item);
    const seen = () => Promise.all(BOTH.map((as) => bytes(world, as, targets)));
    const first = await world.claim('guest', item, { quantity: 3, message: 'Soup' });
    const three = await seen();
    ok(200, await patchClaim(world, first, { state: 'purchased' }));
    assert.deepEqual(await seen(), three, 'a state');
    ok(200, await patchClaim(world, first, { quantity: 2 }));
    assert.notDeepEqual(await seen(), three);
    const second = await world.claim('stranger', item, { message: 'Tea' });
    assert.deepEqual(await seen(), three, 'two givers');
    ok(204, await world.call('guest', `DELETE /claims/${first.id}`));
    ok(200, await patchClaim(world, second, { quantity: 3 }, 'stranger'));
    assert.deepEqual(await seen(), three, 'the other giver');
  },

  'names-only-ends-with-the-surprise': async (world) => {
    const { registry, item } = await counted(world);
    const claim = await world.claim('guest', item);
    const end = { meta: { registry_surprise_until: null } };
    ok(200, await world.call('administrator', `PATCH /registries/${registry.id}`, end));
    for (const as of BOTH) assert.deepEqual(await readClaim(world, claim, as), claim);
  },
});

export const together = [...owners, ...namesOnly];
