import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../problem.ts';
import type { Lease, Leases } from '../store/leases.ts';

// A process that died with a turn keeps others from it for this long.
const LEASE_MS = 15_000;
/** How long a caller waits for a turn. */
const WAIT_MS = 5_000;

type Log = { warn(details: object, message: string): void };
type Parts = { leases: Leases; log: Log; ended(registryId: number): void };

/**
 * Turns at a registry, among all processes on the store: the host knows no conditional writes, so reading and writing
 * back must not be interleaved.
 */
export type Turns = ReturnType<typeof turns>;

export function turns({ leases, log, ended }: Parts) {
  const last = new Map<number, Promise<unknown>>();

  async function acquire(name: string, deadline: number): Promise<Lease> {
    for (; ; await sleep(20 + Math.random() * 30)) {
      const lease = await leases.acquire(name, LEASE_MS);
      if (lease) return lease;
      if (performance.now() > deadline) throw busy();
    }
  }

  async function hold<T>(id: number, deadline: number, work: () => Promise<T>): Promise<T> {
    const name = `registry ${id}`;
    const lease = await acquire(name, deadline);
    try {
      return await work();
    } finally {
      ended(id);
      await lease.release().catch((error) => log.warn({ err: error, name }, 'lease left to expire'));
    }
  }

  return {
    /** Does the work in a turn; whoever waits for one longer than `waitMs` is refused, and nothing was done. */
    take<T>(id: number, work: () => Promise<T>, waitMs = WAIT_MS): Promise<T> {
      const deadline = performance.now() + waitMs;
      let begun = false;
      const turn = (last.get(id) ?? Promise.resolve()).then(() => {
        // The caller has been told.
        if (performance.now() > deadline) throw busy();
        begun = true;
        return hold(id, deadline, work);
      });
      const settled = turn
        .catch(() => {})
        .finally(() => {
          if (last.get(id) === settled) last.delete(id);
        });
      last.set(id, settled);
      if (waitMs === Number.POSITIVE_INFINITY) return turn;
      return new Promise((resolve, reject) => {
        const late = setTimeout(() => begun || reject(busy()), waitMs + 1);
        turn.then(resolve, reject).finally(() => clearTimeout(late));
      });
    },

    /** All that has been begun is done. */
    async settled(): Promise<void> {
      while (last.size > 0) await Promise.all(last.values());
    },
  };
}

const busy = () =>
  new Problem('unavailable', 'This registry is being changed', { headers: { 'retry-after': '2' } });
