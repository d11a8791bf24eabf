import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** The longest wait for anything, long enough for a very busy machine. */
export const PATIENCE_MS = 5 * 60_000;

/** The service answered that time ran out. On a starved machine that may be true, so the fault is repeated. */
export class Late extends Error {}

const TICK_MS = 50;
let overslept = 0;
let lastTick = performance.now();
setInterval(() => {
  overslept += Math.max(0, performance.now() - lastTick - TICK_MS);
  lastTick = performance.now();
}, TICK_MS).unref();

/** Returns how long processes have waited for a CPU so far: this process, and all processes according to the kernel. */
function starvedMs(): number[] {
  try {
    const stalled = /^some .*total=(\d+)/.exec(readFileSync('/proc/pressure/cpu', 'utf8'))?.[1];
    return [overslept, Number(stalled) / 1000];
  } catch {
    return [overslept];
  }
}

/** The host's time, which a request may share with one that has been asking for all of it. */
const SHARED_MS = 5_000;
const earlier: { at: number; starved: number[] }[] = [];

/** Returns a function that reports whether the machine has been short of CPU time since this call, or in the five seconds before it. */
export function watchTheMachine(): () => boolean {
  const at = performance.now();
  earlier.push({ at, starved: starvedMs() });
  while (earlier[0]!.at < at - SHARED_MS) earlier.shift();
  const before = earlier[0]!.starved;
  return () => starvedMs().some((now, i) => now - before[i]! > 1_000);
}

/** Repeats the check until it holds; returns false if it doesn't hold in time. */
export async function comesAbout(
  holds: () => Promise<boolean> | boolean,
  withinMs = PATIENCE_MS,
): Promise<boolean> {
  for (const deadline = performance.now() + withinMs; performance.now() < deadline; await sleep(50))
    if (await holds()) return true;
  return false;
}
