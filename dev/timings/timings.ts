// Checks promises about wall-clock time, which no test does: `npm run timings`. A machine that is short of CPU time proves nothing
// about them, and the run says so instead of failing.
import { globSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { watchTheMachine } from '../faults/time.ts';
import type { Timing } from './timing.ts';

const TRIES = 3;

/** Measures a timing, and returns the verdict on it. */
async function verdictOf({ mostMs, measure }: Timing): Promise<{ verdict: string; ms: number }> {
  for (let tries = 1; ; tries++) {
    const isStarved = watchTheMachine();
    const ms = Math.round(10 * (await measure())) / 10;
    if (ms <= mostMs) return { verdict: 'ok', ms };
    if (!isStarved()) return { verdict: 'LATE', ms };
    if (tries === TRIES) return { verdict: 'the machine was starved', ms };
  }
}

let late = 0;
for (const file of globSync('*.timing.ts', { cwd: import.meta.dirname }).sort()) {
  const { open } = await import(pathToFileURL(`${import.meta.dirname}/${file}`).href);
  await using opened: { timings: Timing[] } & AsyncDisposable = await open();
  for (const timing of opened.timings) {
    const { verdict, ms } = await verdictOf(timing);
    if (verdict === 'LATE') late++;
    console.log(`${verdict}: ${timing.what}: ${ms} ms, at most ${timing.mostMs}`);
  }
}
process.exitCode = late > 0 ? 1 : 0;
