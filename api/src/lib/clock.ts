import { setTimeout as sleep } from 'node:timers/promises';

/** Time in milliseconds: `wall` for what is written down, `steady` for what is measured. */
export type Clock = {
  wall(): number;
  steady(): number;
  /** Returns a signal that aborts with a `TimeoutError` when this time has passed. */
  limit(ms: number): AbortSignal;
  sleep(ms: number): Promise<void>;
};

export const systemClock: Clock = {
  wall: () => Date.now(),
  steady: () => performance.now(),
  limit: (ms) => AbortSignal.timeout(ms),
  sleep: (ms) => sleep(ms),
};

export const DAY_MS = 24 * 60 * 60 * 1000;
