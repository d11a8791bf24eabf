import type { FastifyInstance } from 'fastify';
import type { Clock } from '../lib/clock.ts';
import type { Share } from './pressure.ts';

/** How many requests begin before the process looks for new ones. More would be quicker for a loud site: its writes share a commit. */
const IN_ONE_TURN = 16;
/** How long sites keep taking turns after a second one has called. A site that calls alone waits for nobody. */
const TOGETHER_MS = 1_000;

/** Lets sites take turns: of requests that come together, those of a loud site don't all go before its neighbour's. */
export function takeTurns(app: FastifyInstance, { steady }: Pick<Clock, 'steady'>): void {
  // The site whose turn is next comes first.
  const waiting = new Map<Share, (() => void)[]>();
  let begun = 0;
  let isScheduled = false;
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
    isScheduled = begun > 0;
    if (isScheduled) setImmediate(beginNext);
  }

  app.addHook('onRequest', ({ site }, _reply, done) => {
    if (!site) return done();
    const { share } = site;
    const now = steady();
    if (share !== last) togetherUntil = now + TOGETHER_MS;
    last = share;
    if (now >= togetherUntil) return done();
    if (!isScheduled) setImmediate(beginNext);
    isScheduled = true;
    if (begun < IN_ONE_TURN) {
      begun++;
      return done();
    }
    const requests = waiting.get(share);
    requests ? requests.push(done) : waiting.set(share, [done]);
  });
}
