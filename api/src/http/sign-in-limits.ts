import ipaddr from 'ipaddr.js';
import { Problem, tooManyRequests } from '../contract/problem.ts';
import { bounded } from '../lib/cache.ts';
import type { Clock } from '../lib/clock.ts';

type Level = { failures: number; at: number };
type Limit = { key: string; burst: number; secondsEach: number };

// Guesses at one account from one place are stopped early, so that others behind that address hardly notice; the
// wider limit is for guesses at many names.
const refusing = (site: number, address: string, name: string): [Limit, Limit] => [
  { key: `${site} both ${address} ${name}`, burst: 5, secondsEach: 10 },
  { key: `${site} address ${address}`, burst: 50, secondsEach: 2 },
];

// Many addresses guessing one name only slow that name down; a refusal would let attackers lock out its owner.
const slowing = (site: number, name: string): Limit => ({
  key: `${site} name ${name}`,
  burst: 20,
  secondsEach: 30,
});
const SLOW_MS = 1_000;

// The most that are remembered, of all sites.
const MOST_REMEMBERED = 100_000;
// The most sign-ins that wait at one limit: as many as the requests that run at once (see pressure.ts).
const MOST_WAITING = 2_000;

/** Slows down failed sign-ins at each site, so that nobody guesses passwords at the host's expense. */
export type SignInLimits = ReturnType<typeof signInLimits>;

export function signInLimits(clock: Pick<Clock, 'steady' | 'sleep'>, slowMs = SLOW_MS) {
  const levels = bounded<string, Level>(MOST_REMEMBERED);
  // Names with the addresses from which they have signed in: failures of others don't count against these.
  const familiar = bounded<string, true>(MOST_REMEMBERED);

  const underWay = new Map<string, { count: number; waiting: number; ended: PromiseWithResolvers<void> }>();

  const failuresOf = ({ key, secondsEach }: Limit): number => {
    const level = levels.get(key);
    return level ? Math.max(0, level.failures - (clock.steady() - level.at) / (secondsEach * 1000)) : 0;
  };
  const isFull = (limit: Limit) => failuresOf(limit) + (underWay.get(limit.key)?.count ?? 0) >= limit.burst;

  function begin({ key }: Limit): void {
    const group = underWay.get(key) ?? { count: 0, waiting: 0, ended: Promise.withResolvers<void>() };
    group.count++;
    underWay.set(key, group);
  }

  function end({ key }: Limit): void {
    const group = underWay.get(key)!;
    group.count--;
    group.ended.resolve();
    if (group.count === 0) underWay.delete(key);
    else group.ended = Promise.withResolvers();
  }

  function countFailure(limit: Limit): void {
    levels.set(limit.key, { failures: failuresOf(limit) + 1, at: clock.steady() });
  }

  function refuseAfterFailures(limits: Limit[]): void {
    const wait = Math.max(
      ...limits.map((limit) => (failuresOf(limit) + 1 - limit.burst) * limit.secondsEach),
    );
    if (wait <= 0) return;
    throw tooManyRequests('Too many failed sign-ins, try again later', Math.ceil(wait));
  }

  return {
    /** Runs one sign-in at a site, unless too many have failed. */
    async run<T>(site: number, ip: string, userName: string, signIn: () => Promise<T>): Promise<T> {
      const address = networkOf(ip);
      // Databases compare names without accents.
      const name = userName.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
      const [both, wide] = refusing(site, address, name);
      const isFamiliar = familiar.get(both.key);
      const limits = isFamiliar ? [both] : [both, wide];
      const ofName = slowing(site, name);

      refuseAfterFailures(limits);
      // The sign-ins under way may all fail and so reach the limit: the next one waits for their outcome.
      for (let full = limits.find(isFull); full; full = limits.find(isFull)) {
        const group = underWay.get(full.key)!;
        if (group.waiting >= MOST_WAITING) throw tooManyRequests('Too many sign-ins at once', 5);
        group.waiting++;
        await group.ended.promise;
        group.waiting--;
        refuseAfterFailures(limits);
      }
      const isSlow = !isFamiliar && isFull(ofName);
      const counted = [...limits, ofName];
      for (const limit of counted) begin(limit);
      try {
        if (isSlow) await clock.sleep(slowMs);
        const result = await signIn();
        familiar.set(both.key, true);
        return result;
      } catch (error) {
        // Only the host's refusal is a failed sign-in, not the host's absence.
        if (error instanceof Problem && error.code === 'unauthorized') {
          for (const limit of counted) countFailure(limit);
        }
        throw error;
      } finally {
        for (const limit of counted) end(limit);
      }
    },
  };
}

/** One household or data centre: of an IPv6 address the first 64 bits. */
export function networkOf(given: string): string {
  // Some proxies add the port.
  const ip = given.replace(/^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/, '$1$2');
  const address = ipaddr.isValid(ip) ? ipaddr.process(ip) : undefined;
  return address instanceof ipaddr.IPv6 ? address.parts.slice(0, 4).join(':') : ip;
}
