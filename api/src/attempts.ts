import { bounded } from './cache.ts';
import { Problem } from './problem.ts';

type Options = { withinMs: number; remembered: number; clock: () => number };

/** Counts attempts of the last minute, hour, …; of those who were not seen for longest it forgets them. */
export function attempts<K extends string | number>({ withinMs, remembered, clock }: Options) {
  const times = bounded<K, number[]>(remembered);
  return {
    /** Counts one more, or gives the refusal where there were as many already. */
    refusal(who: K, most: number, words: string): Problem | undefined {
      const now = clock();
      const recent = (times.get(who) ?? []).filter((time) => now - time < withinMs);
      times.set(who, recent);
      if (recent.length < most) {
        recent.push(now);
        return undefined;
      }
      const seconds = Math.max(1, Math.ceil((recent[0]! + withinMs - now) / 1000));
      return new Problem('too_many_requests', words, { headers: { 'retry-after': String(seconds) } });
    },
  };
}
