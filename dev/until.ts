import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The first answer that is not false, null or undefined. The test fails after a minute, longer than a busy machine
 * takes, and names what it waited for.
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
