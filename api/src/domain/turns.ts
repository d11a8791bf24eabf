import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../problem.ts';
import type { Lease, Leases } from '../store/leases.ts';

// A process that died with a turn keeps others from it for this long.
const LEASE_MS = 15_000;
// How long a caller waits for a turn.
const WAIT_MS = 5_000;

type Log = { warn(details: object, message: string): void };
type Parts = {
  leases: Leases;
  log: Log;
  /** What is taken in turns; and the message to callers who wait too long. */
  noun: string;
  busy: string;
  ended?(id: number): Promise<void>;
  waitMs?: number | undefined;
};

/**
 * Turns at something, among all processes on the store, where reading and writing back must not be interleaved: at a
 * registry, since the host knows no conditional writes.
 */
export type Turns = ReturnType<typeof turns>;

export function turns({ leases, log, noun, busy, ended, waitMs: usualWaitMs = WAIT_MS }: Parts) {
  const last = new Map<number, Promise<unknown>>();
  const late = () => new Problem('unavailable', busy, { headers: { 'retry-after': '2' } });

  async function acquire(name: string, deadline: number): Promise<Lease> {
    for (; ; await sleep(20 + Math.random() * 30)) {
      const lease = await leases.acquire(name, LEASE_MS);
      if (lease) return lease;
      if (performance.now() > deadline) throw late();
    }
  }

  async function hold<T>(id: number, deadline: number, work: () => Promise<T>): Promise<T> {
    const name = `${noun} ${id}`;
    const lease = await acquire(name, deadline);
    try {
      return await work();
    } finally {
      await ended?.(id);
      await lease.release().catch((error) => log.warn({ err: error, name }, 'lease left to expire'));
    }
  }

  return {
    /** Does the work in a turn; whoever waits for one longer than `waitMs` is refused, and nothing was done. */
    take<T>(id: number, work: () => Promise<T>, waitMs = usualWaitMs): Promise<T> {
      const deadline = performance.now() + waitMs;
      let begun = false;
      const turn = (last.get(id) ?? Promise.resolve()).then(() => {
        // The caller was refused when the time was over.
        if (performance.now() > deadline) throw late();
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
        const timer = setTimeout(() => begun || reject(late()), waitMs + 1);
        turn.then(resolve, reject).finally(() => clearTimeout(timer));
      });
    },

    /** All that has been begun is done. */
    async settled(): Promise<void> {
      while (last.size > 0) await Promise.all(last.values());
    },
  };
}
