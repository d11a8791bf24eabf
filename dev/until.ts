import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Repeats a check, and returns its first result that is not false, null or undefined. Fails after three minutes, longer than a busy machine
 * takes, naming what it waited for. A test that expects an outage sets `duringOutage`: then a service that can't
 * answer, or whose host can't, is asked again.
 */
export async function until<T>(
  what: string,
  ask: () => T | Promise<T>,
  { everyMs = 20, withinMs = 180_000, duringOutage = false } = {},
): Promise<NonNullable<Exclude<T, false>>> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    let outage: unknown;
    try {
      const answer = await ask();
      if (answer !== false && answer !== null && answer !== undefined)
        return answer as NonNullable<Exclude<T, false>>;
    } catch (error) {
      if (!duringOutage || !isOutage(error)) throw error;
      outage = error;
    }
    if (performance.now() > deadline)
      throw new Error(`Not within ${withinMs / 1000} s: ${what}`, { cause: outage });
    await sleep(everyMs);
  }
}

/** Reports whether this is the client's error for an answer such as `host_timeout` or `unavailable`. */
function isOutage(error: unknown): boolean {
  const { status } = (error as { data?: { status?: number } }).data ?? {};
  return error instanceof Error && error.name === 'ApiError' && (status === 503 || status === 504);
}
