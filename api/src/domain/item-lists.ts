import { hash } from 'node:crypto';
import type { ClaimSight, ItemStore, ItemVersion, StoredItem } from '../store/items.ts';
import type { RegistryStore } from '../store/registries.ts';
import { mergeOrder } from './item-order.ts';

export type SeenItem = { item: StoredItem; claims: ClaimSight };

/** Shapes an item for a viewer with this sight of its claims. */
export const seenAs = (sight: ClaimSight, item: StoredItem): StoredItem =>
  sight === 'hidden' ? { ...item, claimed: 0, claimChanges: 0, sight } : { ...item, sight };

/** Names an item's state. It stays the same as long as nothing changes that this viewer sees. */
export function stateOf({ version, claimed, claimChanges }: ItemVersion, sight: ClaimSight): string {
  if (sight === 'counted') return claimed > 0 ? `${version}.of-${claimed}` : `${version}`;
  return sight === 'shown' && claimChanges > 0 ? `${version}.${claimChanges}` : `${version}`;
}

/** A list of items that is read only if its state is new. */
export type ItemList = {
  /** Names the list among a site's. */
  name: string;
  /** Changes with everything that the list shows. */
  state: string;
  /** The items, and the name of their state unless it would reveal more than they do. */
  read(): Promise<{ items: SeenItem[]; tag: string | undefined }>;
};

const PAGE_TRIES = 3;

/** Lists of items. At each request the store tells the state of a list. */
export type ItemLists = ReturnType<typeof itemLists>;

export function itemLists({ items, registries }: { items: ItemStore; registries: RegistryStore }) {
  // The order of a remembered registry is the same array at each request.
  const forms = new WeakMap<readonly number[], string>();
  const formOf = (order: readonly number[]): string => {
    if (!forms.has(order)) forms.set(order, hash('sha256', order.join(), 'base64url').slice(0, 16));
    return forms.get(order)!;
  };

  return {
    async ofRegistry(id: number, order: readonly number[], claims: ClaimSight): Promise<ItemList> {
      const { version, claimChanges } = await registries.version(id);
      // For viewers who see no claims, a list's state doesn't depend on them.
      const stored = claims !== 'hidden' && claimChanges > 0 ? `${version}.${claimChanges}` : `${version}`;
      return {
        name: `registry ${id} ${claims}`,
        state: `${stored} ${formOf(order)}`,
        async read() {
          const active = new Map((await items.ofRegistry(id)).map((item) => [item.id, item]));
          const shown = mergeOrder(order, [...active.keys()]);
          return {
            items: shown.map((itemId) => ({ item: active.get(itemId)!, claims })),
            // The number of changes would reveal more than the number of pieces does.
            tag: claims === 'counted' ? undefined : `${id}-${stored}-${formOf(shown)}`,
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
      async function look() {
        const states = await items.pageOfStates(skip, limit);
        const sightOf = await sightsIn(states.map(({ registryId }) => registryId));
        const named = states.map((item) => `${item.id} ${stateOf(item, sightOf(item.registryId))}`);
        const state = hash('sha256', named.join(), 'base64url').slice(0, 27);
        return { ids: states.map(({ id }) => id), sightOf, state };
      }

      const first = await look();
      return {
        name: `page ${skip} ${limit}`,
        state: first.state,
        async read() {
          let { ids, sightOf, state } = first;
          for (let tries = 1; ; tries++) {
            const found = await items.some(ids);
            // An item deleted between the two reads is missing, and readers take a short page for the last one.
            if (found.length === ids.length || tries === PAGE_TRIES)
              return {
                items: found.map((item) => ({ item, claims: sightOf(item.registry_id) })),
                tag: state,
              };
            ({ ids, sightOf, state } = await look());
          }
        },
      };
    },
  };
}
