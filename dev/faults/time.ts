import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Long enough for everything that is waited for, however starved the machine: only what never comes takes so long. */
export const PATIENCE_MS = 5 * 60_000;

/** A truthful "too late": nothing is wrong with it on a machine that had no time, so what it answers is asked again. */
export class Late extends Error {}

const TICK_MS = 50;
let overslept = 0;
let lastTick = performance.now();
setInterval(() => {
  overslept += Math.max(0, performance.now() - lastTick - TICK_MS);
  lastTick = performance.now();
}, TICK_MS).unref();

/** For how long processes have had to wait for their turn so far: seen from this one, and as the kernel tells. */
function starvedMs(): number[] {
  try {
    const stalled = /^some .*total=(\d+)/.exec(readFileSync('/proc/pressure/cpu', 'utf8'))?.[1];
    return [overslept, Number(stalled) / 1000];
  } catch {
    return [overslept];
  }
}

/** Begins to watch the machine; says whether it has been short of time since. */
export function watchTheMachine(): () => boolean {
  const before = starvedMs();
  return () => starvedMs().some((now, i) => now - before[i]! > 1_000);
}

/** Asks again and again until it is so; false when it has not come about in time. */
export async function comesAbout(
  holds: () => Promise<boolean> | boolean,
  withinMs = PATIENCE_MS,
): Promise<boolean> {
  for (const deadline = performance.now() + withinMs; performance.now() < deadline; await sleep(50))
    if (await holds()) return true;
  return false;
}
