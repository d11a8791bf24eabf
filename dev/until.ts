import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The first answer that is not false, null or undefined. The test fails after a minute, longer than a busy machine
 * takes, and names what it waited for. A service that says that it, or its host, could not answer in time is asked again.
 */
export async function until<T>(
  what: string,
  ask: () => T | Promise<T>,
  { everyMs = 20, withinMs = 60_000 } = {},
): Promise<NonNullable<Exclude<T, false>>> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    let late: unknown;
    try {
      const answer = await ask();
      if (answer !== false && answer !== null && answer !== undefined)
        return answer as NonNullable<Exclude<T, false>>;
    } catch (error) {
      if (!isLate(error)) throw error;
      late = error;
    }
    if (performance.now() > deadline)
      throw new Error(`Not within ${withinMs / 1000} s: ${what}`, { cause: late });
    await sleep(everyMs);
  }
}

/** The client's error for an answer such as `host_timeout` or `unavailable`. */
function isLate(error: unknown): boolean {
  const { status } = (error as { data?: { status?: number } }).data ?? {};
  return error instanceof Error && error.name === 'ApiError' && (status === 503 || status === 504);
}
