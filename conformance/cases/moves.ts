// An item and its claims move to another registry.
import assert from 'node:assert/strict';
import type { Item, RegistryEvent } from 'trousseau-client';
import type { Role } from '../accounts.ts';
import { section } from '../case.ts';
import { ok, unique, type World } from '../world.ts';
import { atOnce, aWish, etagOf, idsOf, key, patchClaim, readClaim, statusesOf } from './kit.ts';

const move = (
  { call }: World,
  { id }: { id: number },
  to: { id: number },
  as: Role = 'owner',
  headers: Record<string, string> = {},
) => call(as, `POST /items/${id}/move`, { registry_id: to.id }, headers);

const eventsOf = async ({ call }: World, { id }: { id: number }): Promise<RegistryEvent[]> =>
  ok(200, await call('administrator', `GET /registries/${id}/events`)).events;

/** Returns the date so many days from now. */
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

export const moves = section('items.md#moving-an-item', {
  'moved-item-keeps-its-id-its-numbers-and-its-claims-and-comes-last': async (world) => {
    const { registry, item } = await aWish(world, { quantity_purchased: 1 });
    const claim = await world.claim('guest', item, { quantity: 2 });
    const to = await world.registry();
    const there = await world.item(to);
    const read = async (path: string) => ok(200, await world.call('owner', `GET ${path}`));
    const moved = await move(world, item, to);
    const { data }: { data: Item } = ok(200, moved);
    assert.deepEqual([data.id, data.registry_id, data.quantity_purchased], [item.id, to.id, 3]);
    assert.ok(data.updated_at > item.updated_at);
    assert.equal(etagOf(moved), etagOf(await world.call('owner', `GET /items/${item.id}`)));
    assert.deepEqual(idsOf(await world.listed(registry.id)), []);
    assert.deepEqual(idsOf(await world.listed(to.id)), [there.id, item.id]);
    for (const [id, ids] of [
      [registry.id, []],
      [to.id, [there.id, item.id]],
    ] as const)
      assert.deepEqual((await read(`/registries/${id}`)).meta.registry_item_ids, ids);
    assert.deepEqual(await readClaim(world, claim), { ...claim, registry_id: to.id });
    assert.deepEqual((await read(`/registries/${registry.id}/claims`)).claims, []);
    assert.deepEqual(idsOf((await read(`/registries/${to.id}/claims`)).claims), [claim.id]);
    ok(200, await patchClaim(world, claim, { quantity: 3 }));
    assert.equal(await world.purchased(data), 4);
  },

  'who-may-write-both-registries-moves-an-item': async (world) => {
    const { guest, stranger } = world.people;
    const registry = await world.registry({ meta: { registry_owners: [guest.username] } });
    const to = await world.registry({ meta: { registry_owners: [guest.username] } });
    const theirs = await world.registry({ meta: { registry_invitees: [guest.username] } }, 'stranger');
    const invited = await world.registry({ meta: { registry_invitees: [stranger.username] } });
    const item = await world.item(registry);
    ok(401, await world.call(undefined, `POST /items/${item.id}/move`, { registry_id: to.id }));
    ok(403, await move(world, item, theirs));
    ok(403, await move(world, item, theirs, 'guest'));
    ok(403, await move(world, item, to, 'stranger'));
    ok(403, await move(world, await world.item(invited), theirs, 'stranger'));
    ok(404, await move(world, item, { id: 999_999_999 }));
    ok(404, await move(world, { id: 999_999_999 }, to));
    for (const bad of [{}, { registry_id: '1' }, { registry_id: 0 }, { registry_id: null }])
      ok(422, await world.call('owner', `POST /items/${item.id}/move`, bad));
    ok(200, await move(world, item, to, 'guest'));
    ok(200, await move(world, item, theirs, 'administrator'));
    ok(403, await move(world, item, to, 'guest'));
  },

  'moving-to-the-same-registry-changes-nothing': async (world) => {
    const registry = await world.registry();
    const item = await world.item(registry);
    const other = await world.item(registry);
    const before = await world.call('owner', `GET /items/${item.id}`);
    const again = await move(world, item, registry);
    assert.deepEqual(ok(200, again).data, before.body.data);
    assert.equal(etagOf(again), etagOf(before));
    assert.deepEqual(idsOf(await world.listed(registry.id)), [item.id, other.id]);
  },

  'moved-item-is-told-as-deleted-and-created-and-its-claims-not-again': async (world) => {
    const { registry, item } = await aWish(world);
    const claim = await world.claim('guest', item);
    const [last, to] = [await world.item(registry), await world.registry()];
    await world.item(to);
    const before = await eventsOf(world, registry);
    ok(200, await move(world, item, to));
    const all = await eventsOf(world, registry);
    assert.deepEqual(all.slice(0, before.length), before, 'what was told stays');
    const told = all.slice(before.length);
    const deleted = told.map(({ type, item_id, data }) => [type, item_id, data]);
    assert.deepEqual(deleted, [['item.deleted', item.id, null]]);
    ok(200, await patchClaim(world, claim, { state: 'purchased' }));
    const [created, changed, ...others] = (await eventsOf(world, to)).slice(1);
    const { type, item_id, data } = created!;
    assert.deepEqual([type, item_id, data!.registry_id], ['item.created', item.id, to.id]);
    const { type: change, claim_id, data: after } = changed!;
    assert.deepEqual([change, claim_id, after!.registry_id], ['claim.updated', claim.id, to.id]);
    assert.deepEqual(others, []);
    ok(200, await move(world, item, registry));
    assert.deepEqual(idsOf(await world.listed(registry.id)), [last.id, item.id]);
    const types = (await eventsOf(world, registry)).slice(before.length).map(({ type }) => type);
    assert.deepEqual(types, ['item.deleted', 'item.created'], 'no items.reordered');
  },

  'deleted-item-does-not-move-nor-one-to-a-deleted-registry': async (world) => {
    const [registry, to, gone] = [await world.registry(), await world.registry(), await world.registry()];
    const [deleted, item] = [await world.item(registry), await world.item(registry)];
    ok(200, await world.call('owner', `DELETE /items/${deleted.id}`));
    ok(404, await move(world, deleted, to));
    ok(204, await world.call('owner', `DELETE /registries/${gone.id}`));
    ok(404, await move(world, item, gone));
    assert.deepEqual(idsOf(await world.listed(registry.id)), [item.id]);
  },

  'if-match-and-idempotency-key-hold-for-a-move': async (world) => {
    const [registry, to] = [await world.registry(), await world.registry()];
    const item = await world.item(registry);
    const etag = etagOf(await world.call('owner', `GET /items/${item.id}`));
    ok(200, await world.call('owner', `PUT /items/${item.id}`, { price: 9 }));
    ok(412, await move(world, item, to, 'owner', { 'if-match': etag }));
    const current = etagOf(await world.call('owner', `GET /items/${item.id}`));
    const headers = { 'if-match': current, ...key(unique()) };
    const first = await move(world, item, to, 'owner', headers);
    ok(200, first);
    ok(200, await move(world, item, registry));
    const again = await move(world, item, to, 'owner', headers);
    assert.deepEqual([again.status, again.text, etagOf(again)], [200, first.text, etagOf(first)]);
    assert.deepEqual(idsOf(await world.listed(registry.id)), [item.id], 'the repeated request moved nothing');
  },

  'one-of-many-with-the-same-if-match-moves-an-item': async (world) => {
    const [registry, one, other] = [await world.registry(), await world.registry(), await world.registry()];
    const item = await world.item(registry);
    const headers = { 'if-match': etagOf(await world.call('owner', `GET /items/${item.id}`)) };
    const answers = await atOnce(6, (n) => move(world, item, n % 2 ? one : other, 'owner', headers));
    assert.deepEqual(statusesOf(answers), [200, 412, 412, 412, 412, 412]);
    const places = await Promise.all([registry, one, other].map(({ id }) => world.listed(id)));
    assert.deepEqual(idsOf(places.flat()), [item.id]);
  },

  'giver-who-is-not-invited-to-the-new-registry-reads-and-releases': async (world) => {
    const { item } = await aWish(world);
    const claim = await world.claim('stranger', item);
    const to = await world.registry();
    ok(200, await move(world, item, to));
    assert.deepEqual(await readClaim(world, claim, 'stranger'), { ...claim, registry_id: to.id });
    ok(403, await world.call('stranger', `GET /registries/${to.id}/items`));
    ok(403, await patchClaim(world, claim, { state: 'purchased' }, 'stranger'));
    ok(204, await world.call('stranger', `DELETE /claims/${claim.id}`));
    assert.equal(await world.purchased({ ...item, registry_id: to.id }), 0);
  },

  'repeated-key-of-a-claim-at-the-old-registry-gives-its-answer': async (world) => {
    const { item, to: target } = await aWish(world);
    const headers = key(unique());
    const first = ok(201, await world.call('guest', target, {}, headers));
    ok(200, await move(world, item, await world.registry()));
    assert.deepEqual(ok(201, await world.call('guest', target, {}, headers)), first);
    ok(404, await world.call('guest', target, {}));
  },

  'surprise-goes-only-where-it-lasts-as-much-and-as-long': async (world) => {
    const until = (registry_surprise_until: string | null, registry_surprise_keeps = 'all') => ({
      ...{ registry_surprise_until, registry_surprise_keeps },
    });
    const [soon, late, past] = [inDays(10), inDays(20), inDays(-10)];
    for (const [from, to, status] of [
      [until('always'), until(null), 409],
      [until('always'), until(late), 409],
      [until('always'), until('always', 'names'), 409],
      [until(late), until(soon), 409],
      [until(soon, 'names'), until(null), 409],
      [until(soon), until(past), 409],
      [until(soon), until(soon), 200],
      [until(soon), until('always'), 200],
      [until(soon, 'names'), until(late), 200],
      [until(past), until(null), 200],
      [until(null), until('always'), 200],
    ] as const) {
      const item = await world.item(await world.registry({ meta: from }));
      const there = await world.registry({ meta: to });
      for (const as of ['owner', 'administrator'] as const)
        assert.equal((await move(world, item, there, as)).status, status, JSON.stringify([from, to]));
    }
  },

  'moved-surprise-stays-concealed': async (world) => {
    world.needs(world.itemAccess === 'registry', 'ITEM_ACCESS=authenticated shows sums to everybody');
    const { item } = await aWish(world, {}, { registry_surprise_until: 'always' });
    const other = await aWish(world, {}, { registry_surprise_until: 'always' });
    const claim = await world.claim('guest', item, { quantity: 2 });
    const to = await world.registry({ meta: { registry_surprise_until: 'always' } });
    const answers = [await move(world, item, to), await move(world, other.item, to)];
    const bare = answers.map((answer) => {
      const { id, updated_at, created_at, ...fields } = ok(200, answer).data;
      return fields;
    });
    assert.deepEqual(bare[0], bare[1]);
    assert.equal(ok(200, await world.call('owner', `GET /items/${item.id}`)).data.quantity_purchased, 0);
    assert.equal(await world.purchased({ ...item, registry_id: to.id }), 2);
    ok(204, await world.call('guest', `DELETE /claims/${claim.id}`));
    assert.equal(etagOf(await world.call('owner', `GET /items/${item.id}`)), etagOf(answers[0]!));
  },

  'group-gift-moves-within-its-currency': async (world) => {
    const inCurrency = (registry_currency: string | null, more: object = {}) =>
      aWish(world, {}, { registry_currency, ...more });
    const { registry } = await inCurrency('EUR', { registry_pay_to: 'The old account' });
    const pot = await world.item(registry, { unit: 'money', quantity_needed: 40_000 });
    const share = await world.claim('guest', pot, { quantity: 10_000 });
    for (const currency of ['USD', null])
      ok(409, await move(world, pot, (await inCurrency(currency)).registry));
    const { registry: to } = await inCurrency('EUR', { registry_pay_to: 'The new account' });
    assert.equal(ok(200, await move(world, pot, to)).data.unit, 'money');
    assert.equal((await readClaim(world, share)).pay_to, 'The new account');
    const setCurrency = (registry_currency: string) => ({ meta: { registry_currency } });
    ok(409, await world.call('owner', `PATCH /registries/${to.id}`, setCurrency('USD')));
    ok(200, await world.call('owner', `PATCH /registries/${registry.id}`, setCurrency('USD')));
    const piece = await world.item(to);
    ok(200, await move(world, piece, registry));
  },
});
