import type { Post } from '../host/post-format.ts';
import { type HostRegistries, RegistryGone } from '../host/registries.ts';
import { within } from '../lib/store-time.ts';
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
  onRegistryGone(id: number): Promise<void>;
  log: Log;
  waitMs?: number | undefined;
};

/** The active ids in the wanted order, followed by those that it leaves out. */
export function mergeOrder(wanted: readonly number[], active: readonly number[]): number[] {
  const left = new Set(active);
  return [...wanted.filter((id) => left.delete(id)), ...left];
}

const isSame = (a: readonly number[], b: readonly number[]) =>
  a.length === b.length && a.every((id, i) => id === b[i]);

/** Keeps `registry_item_ids` on the host as an ordered copy of the item table. */
export type ItemOrder = ReturnType<typeof itemOrder>;

export function itemOrder(parts: Parts) {
  const { host, items, locks, access, onRegistryGone, log, waitMs = SYNC_WAIT_MS } = parts;
  // A requested sync that hasn't begun serves all callers until it does, however long it waits for the registry's lock.
  const waiting = new Map<number, Promise<void>>();

  const activeIds = async (id: number) => (await items.activeIds([id])).get(id)!;

  const warnBehind = (id: number) => (error: unknown) =>
    log.warn({ err: error, registry: id }, 'the item order on the host is behind');

  async function write(authorization: string, { id, itemIds }: Post, wanted: number[]): Promise<void> {
    if (!isSame(wanted, itemIds)) await host.update(authorization, id, { itemIds: wanted });
  }

  async function askAndWrite(authorization: string, id: number): Promise<void> {
    const post = await host.get(authorization, id).catch(async (error) => {
      if (error instanceof RegistryGone) await onRegistryGone(id);
      throw error;
    });
    await write(authorization, post, mergeOrder(post.itemIds, await activeIds(id)));
  }

  function sync(authorization: string, id: number): Promise<void> {
    const joined = waiting.get(id);
    if (joined) return joined;
    const begin = () => {
      waiting.delete(id);
      return askAndWrite(authorization, id);
    };
    const run = locks
      .run(id, begin, Number.POSITIVE_INFINITY)
      .catch(warnBehind(id))
      .finally(() => {
        if (waiting.get(id) === run) waiting.delete(id);
      });
    waiting.set(id, run);
    return run;
  }

  /** Waits a moment for work at the host, which continues after the response. */
  const waitFor = (work: Promise<void>): Promise<void> =>
    within(waitMs, () => new Error('the host is slow'), work).catch(() => {});

  return {
    activeIds,
    waitFor,

    async syncAfterWrite(viewer: Viewer, id: number): Promise<void> {
      access.changed(id);
      await waitFor(sync(viewer.authorization, id));
    },

    /** Writes an order that was worked out from this post, which the caller read from the host after locking the registry. */
    async storeLocked(viewer: Viewer, post: Post, wanted: number[]): Promise<void> {
      access.changed(post.id);
      await write(viewer.authorization, post, wanted).catch(warnBehind(post.id));
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
