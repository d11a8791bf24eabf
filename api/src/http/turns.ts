import type { FastifyInstance } from 'fastify';
import type { Clock } from '../lib/clock.ts';
import type { Share } from './pressure.ts';

/** Requests that are begun before the process looks for new ones. More would be quicker for the loud site, as they share a commit. */
const IN_ONE_TURN = 16;
/** For so long after two sites have called, both may call again. Alone, a site need not wait for turns. */
const TOGETHER_MS = 1_000;

/** Lets sites take turns: of requests that come together, those of a loud site don't all go before its neighbour's. */
export function takeTurns(app: FastifyInstance, { steady }: Pick<Clock, 'steady'>): void {
  // The site whose turn is next comes first.
  const waiting = new Map<Share, (() => void)[]>();
  let begun = 0;
  let hasTurns = false;
  let last: Share | undefined;
  let togetherUntil = Number.NEGATIVE_INFINITY;

  function beginNext(): void {
    begun = 0;
    for (const [share, requests] of waiting) {
      if (begun === IN_ONE_TURN) break;
      begun++;
      waiting.delete(share);
      const begin = requests.shift()!;
      // Comes last, where this loop finds it again.
      if (requests.length > 0) waiting.set(share, requests);
      begin();
    }
    hasTurns = begun > 0;
    if (hasTurns) setImmediate(beginNext);
  }

  app.addHook('onRequest', ({ site }, _reply, done) => {
    if (!site) return done();
    const { share } = site;
    const now = steady();
    if (share !== last) togetherUntil = now + TOGETHER_MS;
    last = share;
    if (now >= togetherUntil) return done();
    if (!hasTurns) setImmediate(beginNext);
    hasTurns = true;
    if (begun < IN_ONE_TURN) {
      begun++;
      return done();
    }
    const requests = waiting.get(share);
    requests ? requests.push(done) : waiting.set(share, [done]);
  });
}
