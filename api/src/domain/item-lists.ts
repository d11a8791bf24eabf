import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type ClaimSight, type ItemStore, type ItemVisibility, renderItem, stateOf } from '../store/items.ts';
import type { RegistryStore } from '../store/registries.ts';
import { mergeOrder } from './item-order.ts';

/** A list of items as it is sent, and the name of its state. */
export type Answer = { etag: string; json: Buffer };

/** The same with the state of the store from which it was made. */
type Remembered = Answer & { state: string };

// The places of an answer's key and of what holds it.
const BYTES_BESIDE = 500;
const MOST_BYTES = 96 * 1024 * 1024;
// A list of this size costs more to send than to make.
const MOST_BYTES_OF_ONE = 1024 * 1024;
const PAGE_TRIES = 3;

/** The lists that were sent last to each kind of viewer, bounded in bytes. */
export type RememberedAnswers = ReturnType<typeof rememberedAnswers>;

export const rememberedAnswers = (maxBytes = MOST_BYTES) =>
  new LRUCache<string, Remembered>({
    maxSize: maxBytes,
    maxEntrySize: MOST_BYTES_OF_ONE,
    sizeCalculation: ({ json }) => json.length + BYTES_BESIDE,
  });

type Parts = { items: ItemStore; registries: RegistryStore; answers: RememberedAnswers; siteId: number };

/**
 * Lists of items. The store tells at each request in which state a list is; while that stays the same, the bytes that were
 * sent last are sent again. Processes on one store need not tell each other of changes.
 */
export type ItemLists = ReturnType<typeof itemLists>;

export function itemLists({ items, registries, answers, siteId }: Parts) {
  async function remembered(
    name: string,
    state: string,
    make: () => Promise<string[]>,
    tagOf = (_: Buffer) => state,
  ): Promise<Answer> {
    const key = `${siteId} ${name}`;
    const last = answers.get(key);
    if (last?.state === state) return last;
    // The state was read before the items: a change in between has another state, and is made anew at the next request.
    const json = Buffer.from(`[${(await make()).join(',')}]`);
    const answer = { etag: `"${tagOf(json)}"`, json, state };
    answers.set(key, answer);
    return answer;
  }

  const forms = new WeakMap<readonly number[], string>();
  /** A short form of the owner's order, which the host keeps. */
  function formOf(order: readonly number[]): string {
    const known = forms.get(order);
    if (known !== undefined) return known;
    const form = hash('sha256', order.join(), 'base64url').slice(0, 16);
    forms.set(order, form);
    return form;
  }

  return {
    /** A registry's active items, in this order. */
    async ofRegistry(id: number, order: readonly number[], visibility: ItemVisibility): Promise<Answer> {
      const { admin, claims } = visibility;
      const { version, claimChanges } = await registries.version(id);
      const kind = admin ? '-admin' : '';
      // A list in which nothing was ever claimed has the same state for those who see nothing of that.
      const stored = claims !== 'hidden' && claimChanges > 0 ? `${version}.${claimChanges}` : `${version}`;
      const render = async () => {
        const active = new Map((await items.ofRegistry(id)).map((item) => [item.id, item]));
        return mergeOrder(order, [...active.keys()]).map(
          (itemId) => renderItem(active.get(itemId)!, visibility).json,
        );
      };
      const state = `${id}-${stored}-${formOf(order)}${kind}`;
      // The number of changes tells more than the numbers of pieces: there the bytes themselves name the state.
      const tagOf = (json: Buffer) => `${id}-of-${hash('sha256', json, 'base64url').slice(0, 27)}${kind}`;
      return remembered(
        `registry ${id}${kind} ${claims}`,
        state,
        render,
        claims === 'counted' ? tagOf : undefined,
      );
    },

    /** A page of all active items, newest first; `sightsIn` tells how much of the claims in these registries is seen. */
    async page(
      skip: number,
      limit: number,
      admin: boolean,
      sightsIn: (registries: number[]) => Promise<(id: number) => ClaimSight>,
    ): Promise<Answer> {
      const kind = admin ? '-admin' : '';
      for (let tries = 1; ; tries++) {
        const states = await items.pageOfStates(skip, limit);
        const sightOf = await sightsIn(states.map(({ registryId }) => registryId));
        const named = states.map((item) => `${item.id} ${stateOf(item, sightOf(item.registryId))}`);
        const state = `${hash('sha256', named.join(), 'base64url').slice(0, 27)}${kind}`;
        let isWhole = true;
        const answer = await remembered(`page ${skip} ${limit}${kind}`, state, async () => {
          const found = await items.some(states.map(({ id }) => id));
          isWhole = found.length === states.length;
          return found.map((item) => renderItem(item, { admin, claims: sightOf(item.registry_id) }).json);
        });
        // An item that was deleted between the two reads is missing, and a short page means the end to its reader.
        if (isWhole || tries === PAGE_TRIES) return answer;
      }
    },
  };
}
