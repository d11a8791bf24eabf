import { AsyncLocalStorage } from 'node:async_hooks';

/** How long a request has waited for the store so far; several statements at the same time wait only once. */
export type StoreTime = { spent: number; waiting: number; since: number };

const requests = new AsyncLocalStorage<StoreTime>();
// To clean up: a lease is released, and a key freed, even when the time is spent.
const LEAST_MS = 250;

/** All statements of this work have one limit together. */
export const shareStoreTime = <T>(time: StoreTime, work: () => T): T => requests.run(time, work);

/** Fails with `late` when the work takes longer. */
export async function within<T>(limit: number, late: () => Error, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const isLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), limit);
  });
  try {
    return await Promise.race([work, isLate]);
  } finally {
    clearTimeout(timer);
  }
}

/** The same, with as much of the limit as the current request has left. */
export async function withinStoreTime<T>(limit: number, late: () => Error, work: () => Promise<T>) {
  const time = requests.getStore();
  if (!time) return within(limit, late, work());
  const now = performance.now();
  const spent = time.spent + (time.waiting > 0 ? now - time.since : 0);
  if (time.waiting++ === 0) time.since = now;
  try {
    return await within(Math.min(limit, Math.max(LEAST_MS, limit - spent)), late, work());
  } finally {
    if (--time.waiting === 0) time.spent += performance.now() - time.since;
  }
}
