import { hash } from 'node:crypto';
import type { ClaimSight, ItemStore, ItemVersion, StoredItem } from '../store/items.ts';
import type { RegistryStore } from '../store/registries.ts';
import { mergeOrder } from './item-order.ts';

/** An item, and how much of its claims the viewer sees. */
export type SeenItem = { item: StoredItem; claims: ClaimSight };

/** Shapes an item for a viewer with this sight of its claims. */
export const seenAs = (sight: ClaimSight, item: StoredItem): StoredItem =>
  sight === 'hidden' ? { ...item, claimed: 0, claimChanges: 0, sight } : { ...item, sight };

/** Names an item's state for viewers with this sight: the name changes only with what they see. */
export function stateOf({ version, claimed, claimChanges }: ItemVersion, sight: ClaimSight): string {
  if (sight === 'counted') return claimed > 0 ? `${version}.of-${claimed}` : `${version}`;
  return sight === 'shown' && claimChanges > 0 ? `${version}.${claimChanges}` : `${version}`;
}

/** A list of items: its state is read at each request, the items only if the state is new. */
export type ItemList = {
  /** Identifies the list within its site. */
  name: string;
  /** Changes with everything that the list shows. */
  state: string;
  /** Reads the items. `tag` names their state for the ETag, but is undefined where it would reveal more than they do. */
  read(): Promise<{ items: SeenItem[]; tag: string | undefined }>;
};

const PAGE_TRIES = 3;

export type ItemLists = ReturnType<typeof itemLists>;

export function itemLists({ items, registries }: { items: ItemStore; registries: RegistryStore }) {
  // The order of a cached registry is the same array at each request, so it is hashed only once.
  const hashes = new WeakMap<readonly number[], string>();
  const hashOf = (order: readonly number[]): string => {
    if (!hashes.has(order)) hashes.set(order, hash('sha256', order.join(), 'base64url').slice(0, 16));
    return hashes.get(order)!;
  };

  return {
    async ofRegistry(id: number, order: readonly number[], claims: ClaimSight): Promise<ItemList> {
      const { version, claimChanges } = await registries.version(id);
      // For viewers who see no claims, a list's state doesn't depend on them.
      const stored = claims !== 'hidden' && claimChanges > 0 ? `${version}.${claimChanges}` : `${version}`;
      return {
        name: `registry ${id} ${claims}`,
        state: `${stored} ${hashOf(order)}`,
        async read() {
          const active = new Map((await items.ofRegistry(id)).map((item) => [item.id, item]));
          const displayed = mergeOrder(order, [...active.keys()]);
          return {
            items: displayed.map((itemId) => ({ item: active.get(itemId)!, claims })),
            // A viewer who only counts pieces mustn't learn how often claims have changed.
            tag: claims === 'counted' ? undefined : `${id}-${stored}-${hashOf(displayed)}`,
          };
        },
      };
    },

    /** A page of all active items, newest first. `sightsIn` returns the claim visibility of registries. */
    async page(
      skip: number,
      limit: number,
      sightsIn: (registries: number[]) => Promise<(id: number) => ClaimSight>,
    ): Promise<ItemList> {
      async function readStates() {
        const states = await items.pageOfStates(skip, limit);
        const sightOf = await sightsIn(states.map(({ registryId }) => registryId));
        const stateNames = states.map((item) => `${item.id} ${stateOf(item, sightOf(item.registryId))}`);
        const state = hash('sha256', stateNames.join(), 'base64url').slice(0, 27);
        return { ids: states.map(({ id }) => id), sightOf, state };
      }

      const first = await readStates();
      return {
        name: `page ${skip} ${limit}`,
        state: first.state,
        async read() {
          let states = first;
          for (let tries = 1; ; tries++) {
            const { ids, sightOf, state: tag } = states;
            const found = await items.some(ids);
            // An item deleted between the two reads is missing, and readers take a short page for the last one.
            if (found.length === ids.length || tries === PAGE_TRIES)
              return { items: found.map((item) => ({ item, claims: sightOf(item.registry_id) })), tag };
            states = await readStates();
          }
        },
      };
    },
  };
}
