import { bounded } from './cache.ts';

type Options = { withinMs: number; remembered: number; clock: () => number };

/** Counts attempts of the last minute, hour, …; of those who were not seen for longest it forgets them. */
export function rateLimiter<K extends string | number>({ withinMs, remembered, clock }: Options) {
  const times = bounded<K, number[]>(remembered);
  return {
    /** Counts one more; where there were as many already, gives the seconds until the next may come instead. */
    secondsToWait(who: K, most: number): number | undefined {
      const now = clock();
      const recent = (times.get(who) ?? []).filter((time) => now - time < withinMs);
      times.set(who, recent);
      if (recent.length >= most) return Math.max(1, Math.ceil((recent[0]! + withinMs - now) / 1000));
      recent.push(now);
      return undefined;
    },
  };
}
