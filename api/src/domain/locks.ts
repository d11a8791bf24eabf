import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../contract/problem.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { semaphore } from '../lib/semaphore.ts';
import type { Lease, Leases } from '../store/leases.ts';

// How long a lock outlives a process that died holding it.
const LEASE_MS = 15_000;
const WAIT_MS = 5_000;

type Log = { warn(details: object, message: string): void };
type Parts = {
  leases: Leases;
  log: Log;
  clock?: Pick<Clock, 'limit'>;
  /** The kind of thing that is locked, and the message to callers who wait too long. */
  noun: string;
  busy: string;
  /** Called after each piece of work, before the next one begins. Must not fail: the lock would stay. */
  changed?(id: number): Promise<void>;
  waitMs?: number | undefined;
};

/** Runs pieces of work on the same thing one at a time, across all processes, where no conditional write could guard it. */
export type Locks = ReturnType<typeof locks>;

export function locks(parts: Parts) {
  const { leases, log, clock = systemClock, noun, busy, changed, waitMs: usualWaitMs = WAIT_MS } = parts;
  const queue = semaphore(1);
  const late = () => new Problem('unavailable', busy, { retryAfter: 2 });

  async function acquire(name: string, limit: AbortSignal | undefined): Promise<Lease> {
    for (; ; await sleep(20 + Math.random() * 30)) {
      if (limit?.aborted) throw late();
      const lease = await leases.acquire(name, LEASE_MS);
      if (lease) return lease;
    }
  }

  return {
    /** Runs the work alone. A caller who has waited longer than `waitMs` is refused, and nothing was done. */
    async run<T>(id: number, work: () => Promise<T>, waitMs = usualWaitMs): Promise<T> {
      const limit = Number.isFinite(waitMs) ? clock.limit(waitMs) : undefined;
      const leave = await queue.enter(`${id}`, 'anyone', limit).catch(() => Promise.reject(late()));
      try {
        const name = `${noun} ${id}`;
        const lease = await acquire(name, limit);
        try {
          return await work();
        } finally {
          await changed?.(id);
          await lease.release().catch((error) => log.warn({ err: error, name }, 'lease left to expire'));
        }
      } finally {
        leave();
      }
    },

    settled: (): Promise<void> => queue.idle(),
  };
}
