import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The first answer that is not false, null or undefined. A minute is more than a busy machine takes: after it the test fails, and says
 * what did not come.
 */
export async function until<T>(
  what: string,
  ask: () => T | Promise<T>,
  { everyMs = 20, withinMs = 60_000 } = {},
): Promise<NonNullable<Exclude<T, false>>> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== false && answer !== null && answer !== undefined)
      return answer as NonNullable<Exclude<T, false>>;
    if (performance.now() > deadline) throw new Error(`Not within ${withinMs / 1000} s: ${what}`);
    await sleep(everyMs);
  }
}
