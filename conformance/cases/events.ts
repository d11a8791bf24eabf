// The event feed: complete, in order, with cursors, and without concealed events.
import assert from 'node:assert/strict';
import type { Events, RegistryEvent } from 'trousseau-client';
import type { Role } from '../accounts.ts';
import { section } from '../case.ts';
import { ok, type World } from '../world.ts';
import { aWish, idsOf, isNow, patchClaim } from './kit.ts';

const feedOf = async ({ call }: World, id: number, query = '', as: Role = 'owner'): Promise<Events> =>
  ok(200, await call(as, `GET /registries/${id}/events${query}`));
const typesOf = ({ events }: Pick<Events, 'events'>) => events.map(({ type }) => type);

const setSurprise = async ({ call }: World, { id }: { id: number }, registry_surprise_until: string | null) =>
  ok(200, await call('owner', `PATCH /registries/${id}`, { meta: { registry_surprise_until } }));

/** Follows a feed to its end, in pages of this size. */
async function follow(world: World, id: number, limit: number): Promise<RegistryEvent[]> {
  const found: RegistryEvent[] = [];
  for (let after = ''; ; ) {
    const page = await feedOf(world, id, `?limit=${limit}${after}`);
    assert.ok(page.events.length <= limit);
    if (page.events.length === 0) return found;
    found.push(...page.events);
    after = `&after=${page.next}`;
  }
}

const event = section('events.md#events', {
  'each-change-of-an-item-has-one-event-with-the-item-as-it-was': async (world) => {
    const registry = await world.registry();
    const item = await world.item(registry, { affiliate_url: 'https://partner.example/x' });
    const path = `/items/${item.id}`;
    ok(200, await world.call('owner', `PUT ${path}`, { name: 'Pot' }));
    ok(200, await world.call('owner', `PUT ${path}`, {}));
    ok(200, await world.call('owner', `DELETE ${path}`));
    const answer = await world.call('owner', `PUT ${path}`, { is_active: true, name: 'Lamp' });
    const feed = await feedOf(world, registry.id);
    assert.deepEqual(typesOf(feed), ['item.created', 'item.updated', 'item.deleted', 'item.restored']);
    const names = feed.events.map(({ data }) => data?.name);
    assert.deepEqual(names, [item.name, 'Pot', undefined, 'Lamp']);
    for (const { registry_id, item_id, claim_id } of feed.events)
      assert.deepEqual([registry_id, item_id, claim_id], [registry.id, item.id, null]);
    assert.equal(feed.events[2]!.data, null);
    isNow(feed.events[3]!.time, answer);
    assert.ok(!('affiliate_url' in feed.events[0]!.data!), 'as its reader gets an item');
    const admins = await feedOf(world, registry.id, '', 'administrator');
    assert.equal(admins.events[0]!.data!.affiliate_url, 'https://partner.example/x');
    assert.equal(new Set(idsOf(feed.events)).size, 4);
    assert.deepEqual(idsOf(admins.events), idsOf(feed.events));
  },

  'each-entry-of-a-claims-ledger-has-one-event': async (world) => {
    const { registry, item } = await aWish(world);
    const claim = await world.claim('guest', item, { quantity: 2, message: 'For you' });
    ok(200, await patchClaim(world, claim, { quantity: 1 }));
    ok(200, await patchClaim(world, claim, { thanked: true }, 'owner'));
    ok(200, await patchClaim(world, claim, { thanked: false }, 'owner'));
    ok(200, await patchClaim(world, claim, { state: 'released' }));
    const { events } = await feedOf(world, registry.id);
    const own = events.filter(({ claim_id }) => claim_id === claim.id);
    assert.deepEqual(
      own.map(({ type, data }) => [type, data!.quantity, data!.state]),
      [
        ['claim.created', 2, 'reserved'],
        ['claim.updated', 1, 'reserved'],
        ['claim.thanked', 1, 'reserved'],
        ['claim.updated', 1, 'reserved'],
        ['claim.released', 1, 'released'],
      ],
    );
    assert.ok(own.every(({ item_id }) => item_id === item.id));
    const { giver, message } = own[0]!.data as { giver: { name: string }; message: string };
    assert.deepEqual([giver.name, message], [world.people.guest.name, 'For you']);
  },

  'events-of-a-registry-name-no-people-and-not-the-story': async (world) => {
    const registry = await world.registry();
    const [one, other] = [await world.item(registry), await world.item(registry)];
    const path = `PATCH /registries/${registry.id}`;
    const invitees = [world.people.guest.username, 'somebody@example.invalid'];
    const meta = { registry_pay_to: 'Ann, at home', registry_invitees: invitees };
    ok(200, await world.call('owner', path, { story: 'Our story', meta }));
    ok(200, await world.call('owner', path, { meta: { registry_item_ids: [other.id, one.id] } }));
    ok(200, await world.call('owner', path, { story: 'Our story' }));
    // Some hosts show a guest less of a registry. That isn't a change.
    ok(200, await world.call('guest', `GET /registries/${registry.id}`));
    const { events } = await feedOf(world, registry.id);
    const own = events.filter(({ item_id }) => item_id === null);
    assert.deepEqual(typesOf({ events: own }), ['registry.updated', 'items.reordered']);
    const { registry_item_ids } = own[1]!.data!.meta as { registry_item_ids: number[] };
    assert.deepEqual(registry_item_ids, [other.id, one.id]);
    assert.doesNotMatch(JSON.stringify(own), /Our story|invitees|somebody|owners|pay_to/);
  },
});

const feed = [
  ...section('events.md#feed', {
    'cursors-miss-nothing-and-repeat-nothing': async (world) => {
      const { registry, item } = await aWish(world);
      for (let n = 0; n < 4; n++) await world.claim('guest', item);
      await world.item(registry);
      const whole = await feedOf(world, registry.id);
      assert.equal(whole.events.length, 6);
      for (const limit of [1, 4])
        assert.deepEqual(idsOf(await follow(world, registry.id, limit)), idsOf(whole.events));
      const nothing = await feedOf(world, registry.id, `?after=${whole.next}`);
      assert.deepEqual(nothing, { events: [], next: whole.next });
    },

    'empty-feed-has-a-cursor-behind-which-everything-comes': async (world) => {
      const registry = await world.registry();
      const empty = await feedOf(world, registry.id);
      assert.deepEqual(empty.events, []);
      await world.item(registry);
      assert.deepEqual(typesOf(await feedOf(world, registry.id, `?after=${empty.next}`)), ['item.created']);
    },

    'cursor-that-nobody-was-given-or-of-another-feed-is-422': async (world) => {
      const [one, other] = [await world.registry(), await world.registry()];
      await world.item(one);
      await world.item(other);
      const { next } = await feedOf(world, other.id);
      const path = `GET /registries/${one.id}/events`;
      for (const query of ['after=', 'after=x', `after=${next}`, 'limit=0', 'limit=1001', 'limit=x'])
        ok(422, await world.call('owner', `${path}?${query}`));
      ok(200, await world.call('owner', `${path}?limit=1000`));
      ok(422, await world.call('administrator', `GET /events?after=${next}`));
    },
  }),

  ...section('events.md#events-in-a-surprise', {
    'surprised-owner-gets-the-same-feed-whatever-is-claimed': async (world) => {
      const { registry, item } = await aWish(world);
      await setSurprise(world, registry, 'always');
      const before = await feedOf(world, registry.id);
      const claim = await world.claim('guest', item);
      ok(200, await patchClaim(world, claim, { state: 'purchased' }));
      assert.deepEqual(await feedOf(world, registry.id), before);
      ok(200, await world.call('owner', `PUT /items/${item.id}`, { name: 'Pot' }));
      const during = await feedOf(world, registry.id, `?after=${before.next}`);
      const seen = during.events.map(({ type, data }) => [type, data!.quantity_purchased]);
      assert.deepEqual(seen, [['item.updated', 0]]);
      const admins = await feedOf(world, registry.id, '', 'administrator');
      assert.deepEqual(typesOf(admins).slice(-3), ['claim.created', 'claim.updated', 'item.updated']);
      assert.equal(admins.events.at(-1)!.data!.quantity_purchased, 1);
      await setSurprise(world, registry, null);
      const after = ['item.created', 'registry.updated', 'item.updated', 'registry.updated'];
      assert.deepEqual(typesOf(await feedOf(world, registry.id)), after, 'the past does not appear late');
      await world.claim('stranger', item);
      assert.deepEqual(typesOf(await feedOf(world, registry.id)), [...after, 'claim.created']);
    },
  }),
];

export const events = [...event, ...feed];
