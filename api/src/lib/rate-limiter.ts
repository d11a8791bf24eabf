import { bounded } from './cache.ts';

type Options = { withinMs: number; remembered: number; clock: () => number };

/** Counts each caller's attempts within a period. The callers whose last attempt was longest ago are forgotten first. */
export function rateLimiter<K extends string | number>({ withinMs, remembered, clock }: Options) {
  const times = bounded<K, number[]>(remembered);
  return {
    /** Counts an attempt. If there were `most` already, returns how many seconds to wait instead. */
    countAttempt(who: K, most: number): number | undefined {
      const now = clock();
      const recent = (times.get(who) ?? []).filter((time) => now - time < withinMs);
      times.set(who, recent);
      if (recent.length >= most) return Math.max(1, Math.ceil((recent[0]! + withinMs - now) / 1000));
      recent.push(now);
      return undefined;
    },
  };
}
