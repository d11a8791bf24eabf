import { setTimeout as sleep } from 'node:timers/promises';
import type { Registries } from '../host/registries.ts';
import { Problem } from '../problem.ts';
import type { Items } from '../store/items.ts';
import type { Leases } from '../store/leases.ts';
import type { Access, Grant, Viewer } from './access.ts';

// Longer than the few requests to the host under it may take; a dead process's lease is in the way for this long.
const LEASE_MS = 30_000;
const LEASE_WAIT_MS = 5_000;
// How long a caller waits for the host to learn of a stored item; the work goes on behind the answer.
const SYNC_WAIT_MS = 3_000;

type Log = { warn(details: object, message: string): void };
type Parts = { host: Registries; items: Items; leases: Leases; access: Access; log: Log };

/** The active ids in the wanted order, those it doesn't name behind the others. */
export function project(wanted: readonly number[], active: readonly number[]): number[] {
  const left = new Set(active);
  return [...wanted.filter((id) => left.delete(id)), ...left];
}

/** Whether both are the same ids in the same order. */
const same = (a: readonly number[], b: readonly number[]) =>
  a.length === b.length && a.every((id, i) => id === b[i]);

/** Keeps `registry_item_ids` on the host a projection of the item table, and changes to a registry one at a time. */
export type Order = ReturnType<typeof order>;

export function order({ host, items, leases, access, log }: Parts) {
  const turns = new Map<number, Promise<unknown>>();
  const waiting = new Map<number, Promise<void>>();

  /**
   * Does the work when nobody else, in this or another process, changes this registry: the host knows no
   * conditional writes, so reading and writing back must not be interleaved.
   */
  function exclusively<T>(id: number, work: () => Promise<T>): Promise<T> {
    const turn = (turns.get(id) ?? Promise.resolve()).then(async () => {
      const name = `registry ${id}`;
      const holder = await lease(name);
      try {
        return await work();
      } finally {
        access.changed(id);
        await leases
          .release(name, holder)
          .catch((error) => log.warn({ err: error, name }, 'lease left to expire'));
      }
    });
    const settled = turn
      .catch(() => {})
      .finally(() => {
        if (turns.get(id) === settled) turns.delete(id);
      });
    turns.set(id, settled);
    return turn;
  }

  async function lease(name: string): Promise<string> {
    for (const deadline = performance.now() + LEASE_WAIT_MS; ; await sleep(20 + Math.random() * 30)) {
      const holder = await leases.acquire(name, LEASE_MS);
      if (holder) return holder;
      if (performance.now() > deadline) {
        throw new Problem('unavailable', 'This registry is being changed', {
          headers: { 'retry-after': '2' },
        });
      }
    }
  }

  async function bringUpToDate(authorization: string, id: number): Promise<void> {
    let { itemIds } = await host.get(authorization, id);
    // Again after each write, for the items that came in meanwhile; bounded, should a host not keep what it is told.
    for (let round = 0; round < 3; round++) {
      const wanted = project(itemIds, await activeIds(id));
      if (same(wanted, itemIds)) return;
      ({ itemIds } = await host.update(authorization, id, { itemIds: wanted }));
    }
  }

  const activeIds = async (id: number) => (await items.activeIds([id])).get(id)!;

  // One run serves everybody who asks before it begins.
  function sync(authorization: string, id: number): Promise<void> {
    const joined = waiting.get(id);
    if (joined) return joined;
    const run = exclusively(id, () => {
      waiting.delete(id);
      return bringUpToDate(authorization, id);
    })
      .catch((error) => log.warn({ err: error, registry: id }, 'the item order on the host is behind'))
      .finally(() => {
        if (waiting.get(id) === run) waiting.delete(id);
      });
    waiting.set(id, run);
    return run;
  }

  return {
    exclusively,
    activeIds,

    /** After a write: waits a moment for the host, but the item is stored whatever it says. */
    async follow(viewer: Viewer, id: number): Promise<void> {
      access.changed(id);
      const enough = new AbortController();
      const late = sleep(SYNC_WAIT_MS, undefined, { signal: enough.signal, ref: false }).catch(() => {});
      await Promise.race([sync(viewer.authorization, id), late]);
      enough.abort();
    },

    /** On a visit of somebody who may write: mends the host's order behind the answer, if it needs that. */
    repair(viewer: Viewer, grant: Grant, active: readonly number[]): void {
      if (!grant.mayWrite || grant.checked) return;
      grant.checked = true;
      const { id, itemIds } = grant.post;
      if (!same(project(itemIds, active), itemIds)) void sync(viewer.authorization, id);
    },

    /** All that has been begun is done. */
    async settled(): Promise<void> {
      while (turns.size > 0) await Promise.all(turns.values());
    },
  };
}
