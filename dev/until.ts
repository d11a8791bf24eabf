import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Repeats a check, and returns its first result that is not false, null or undefined. Fails after three minutes, longer than a busy machine
 * takes, naming what it waited for.
 */
export async function until<T>(
  what: string,
  ask: () => T | Promise<T>,
  { everyMs = 20, withinMs = 180_000 } = {},
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
