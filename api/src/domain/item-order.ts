import { setTimeout as sleep } from 'node:timers/promises';
import type { HostRegistries } from '../host/registries.ts';
import type { ItemStore } from '../store/items.ts';
import type { Grant, RegistryAccess, Viewer } from './access.ts';
import type { Locks } from './locks.ts';

// How long a caller waits until the host knows of a stored item. The work continues after the response.
const SYNC_WAIT_MS = 3_000;

type Log = { warn(details: object, message: string): void };
type Parts = {
  host: HostRegistries;
  items: ItemStore;
  locks: Locks;
  access: RegistryAccess;
  log: Log;
  waitMs?: number | undefined;
};

/** The active ids in the wanted order, followed by those that it leaves out. */
export function mergeOrder(wanted: readonly number[], active: readonly number[]): number[] {
  const left = new Set(active);
  return [...wanted.filter((id) => left.delete(id)), ...left];
}

/** The order with those of these ids that it contains at its end. */
const withLast = (last: readonly number[], order: readonly number[]): number[] =>
  order.toSorted((a, b) => last.indexOf(a) - last.indexOf(b));

const isSame = (a: readonly number[], b: readonly number[]) =>
  a.length === b.length && a.every((id, i) => id === b[i]);

/** Keeps `registry_item_ids` on the host an ordered copy of the item table. */
export type ItemOrder = ReturnType<typeof itemOrder>;

export function itemOrder({ host, items, locks, access, log, waitMs = SYNC_WAIT_MS }: Parts) {
  // A requested sync that hasn't begun serves all callers until it does.
  const waiting = new Map<number, Promise<void>>();
  // Items moved to a registry since its last sync. They go to the end, even if the host still has an old place for them.
  const arrived = new Map<number, number[]>();

  const activeIds = async (id: number) => (await items.activeIds([id])).get(id)!;

  async function writeOrder(authorization: string, id: number): Promise<void> {
    const last = arrived.get(id) ?? [];
    arrived.delete(id);
    let { itemIds } = await host.get(authorization, id);
    // Repeated for items that arrived during the write; limited, in case a host does not keep the order.
    for (let round = 0; round < 3; round++) {
      const merged = mergeOrder(itemIds, await activeIds(id));
      const wanted = round > 0 ? merged : withLast(last, merged);
      if (isSame(wanted, itemIds)) return;
      ({ itemIds } = await host.update(authorization, id, { itemIds: wanted }));
    }
  }

  function sync(authorization: string, id: number): Promise<void> {
    const joined = waiting.get(id);
    if (joined) return joined;
    const begin = () => {
      waiting.delete(id);
      return writeOrder(authorization, id);
    };
    const run = locks
      .run(id, begin, Number.POSITIVE_INFINITY)
      .catch((error) => log.warn({ err: error, registry: id }, 'the item order on the host is behind'))
      .finally(() => {
        if (waiting.get(id) === run) waiting.delete(id);
      });
    waiting.set(id, run);
    return run;
  }

  return {
    activeIds,

    /** Waits a moment for the host, though the item is stored. One from another registry (`last`) goes to the end. */
    async syncAfterWrite(viewer: Viewer, id: number, last?: number): Promise<void> {
      access.changed(id);
      if (last !== undefined) arrived.set(id, [...(arrived.get(id) ?? []), last]);
      const enough = new AbortController();
      const late = sleep(waitMs, undefined, { signal: enough.signal, ref: false }).catch(() => {});
      await Promise.race([sync(viewer.authorization, id), late]);
      enough.abort();
    },

    /** Repairs the host's order after the response, on a visit of someone who may write. */
    syncOnVisit(viewer: Viewer, grant: Grant): void {
      if (!grant.mayWrite || grant.orderChecked) return;
      grant.orderChecked = true;
      const { id, itemIds } = grant.post;
      activeIds(id).then(
        (active) => {
          if (!isSame(mergeOrder(itemIds, active), itemIds)) void sync(viewer.authorization, id);
        },
        () => {
          grant.orderChecked = false;
        },
      );
    },
  };
}
