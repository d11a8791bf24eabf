import assert from 'node:assert/strict';
import { section } from '../case.ts';
import { ok, type World } from '../world.ts';
import { atOnce, idsOf, pan } from './kit.ts';

const patch = ({ call }: World, id: number, registry_item_ids: number[]) =>
  call('owner', `PATCH /registries/${id}`, { meta: { registry_item_ids } });

/** Returns the order of items, after checking that list and meta agree. */
async function orderOf(world: World, id: number): Promise<number[]> {
  const ids = idsOf(await world.listed(id));
  const { meta } = ok(200, await world.call('owner', `GET /registries/${id}`));
  assert.deepEqual(meta.registry_item_ids, ids, 'list and meta tell one order');
  return ids;
}

export const order = [
  ...section('items.md#items-of-a-registry', {
    'registry-items-of-twenty-additions-at-once-are-all-there': async (world) => {
      const registry = await world.registry();
      const ids = idsOf(await atOnce(20, () => world.item(registry)));
      assert.equal(new Set(ids).size, 20);
      assert.deepEqual((await orderOf(world, registry.id)).toSorted(), ids.toSorted());
    },
  }),

  ...section('registries.md#order', {
    'sending-item-ids-reorders-and-what-is-left-out-follows': async (world) => {
      const registry = await world.registry();
      const ids: number[] = [];
      for (let n = 0; n < 4; n++) ids.push((await world.item(registry)).id);
      const [a, b, c, d] = ids as [number, number, number, number];
      assert.deepEqual(await orderOf(world, registry.id), [a, b, c, d]);
      const steps = [
        { sent: [d, b], expected: [d, b, a, c] },
        { sent: [c], expected: [c, d, b, a] },
        { sent: [], expected: [c, d, b, a] },
        { sent: [a, a, c, a], expected: [a, c, d, b] },
        { sent: [d, c, b, a], expected: [d, c, b, a] },
      ];
      for (const { sent, expected } of steps) {
        assert.deepEqual(ok(200, await patch(world, registry.id, sent)).meta.registry_item_ids, expected);
        assert.deepEqual(await orderOf(world, registry.id), expected);
      }
      ok(204, await world.call('owner', `DELETE /registries/${registry.id}/items/${c}`));
      const { id: e } = await world.item(registry);
      assert.deepEqual(await orderOf(world, registry.id), [d, b, a, e]);
    },

    'sending-item-ids-names-active-items-of-the-registry-alone': async (world) => {
      const registry = await world.registry();
      const [mine, gone] = [await world.item(registry), await world.item(registry)];
      const strange = await world.item(await world.registry());
      ok(200, await world.call('owner', `DELETE /items/${gone.id}`));
      for (const other of [gone.id, strange.id, Number.MAX_SAFE_INTEGER]) {
        const { detail } = ok(422, await patch(world, registry.id, [mine.id, other]));
        assert.ok(detail.includes(String(other)), detail);
      }
      assert.deepEqual(await orderOf(world, registry.id), [mine.id]);
      const body = { title: 'x', meta: { registry_item_ids: [mine.id] } };
      ok(422, await world.call('owner', 'POST /registries', body));
    },

    'item-ids-follow-items-that-are-changed-past-the-registry': async (world) => {
      const { call } = world;
      const registry = await world.registry();
      const [a, b] = [(await world.item(registry)).id, (await world.item(registry)).id];
      ok(200, await patch(world, registry.id, [b, a]));
      const c = ok(201, await call('owner', 'POST /items', { registry_id: registry.id, ...pan })).data.id;
      assert.deepEqual(await orderOf(world, registry.id), [b, a, c]);
      ok(200, await call('owner', `DELETE /items/${b}`));
      assert.deepEqual(await orderOf(world, registry.id), [a, c]);
      ok(200, await call('owner', `PUT /items/${b}`, { is_active: true }));
      // The item's old place or the end, depending on whether the host already knows.
      assert.deepEqual(idsOf(await world.listed(registry.id)).toSorted(), [a, b, c].toSorted());
    },

    'item-ids-are-never-lost-whatever-runs-at-once': async (world) => {
      const { call } = world;
      const registry = await world.registry();
      const kept = idsOf(await atOnce(3, () => world.item(registry)));
      const doomed = idsOf(await atOnce(4, () => world.item(registry)));
      const reversed = kept.toReversed();
      const [added] = await Promise.all([
        atOnce(8, () => world.item(registry)),
        ...doomed.map(async (id) =>
          ok(204, await call('owner', `DELETE /registries/${registry.id}/items/${id}`)),
        ),
        atOnce(3, async () => ok(200, await patch(world, registry.id, reversed))),
      ]);
      const now = await orderOf(world, registry.id);
      assert.deepEqual(now.toSorted(), [...kept, ...idsOf(added)].toSorted());
      const order = now.filter((id) => kept.includes(id));
      assert.deepEqual(order, reversed);
    },

    'item-ids-keep-the-order-when-something-else-is-changed': async (world) => {
      const registry = await world.registry();
      const [a, b] = [(await world.item(registry)).id, (await world.item(registry)).id];
      ok(200, await patch(world, registry.id, [b, a]));
      ok(200, await world.call('owner', `PATCH /registries/${registry.id}`, { story: 'New' }));
      ok(200, await world.call('owner', `PUT /items/${a}`, { name: 'Pot' }));
      assert.deepEqual(await orderOf(world, registry.id), [b, a]);
    },
  }),
];
