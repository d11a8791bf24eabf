import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../problem.ts';

// Requests in progress at once; a thousand is already more than any store or host answers within a second.
const MOST_RUNNING = 2_000;
const MOST_DELAY_MS = 500;
const LOOK_EVERY_MS = 250;

/** Turns requests away while there are too many of them, before memory grows and everybody waits. */
export function refuseUnderPressure(app: FastifyInstance): void {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  // Twice in a row: one long breath, at a start or while memory is cleaned up, is nothing to turn people away for.
  let slowLooks = 0;
  const look = setInterval(() => {
    slowLooks = delay.mean / 1e6 > MOST_DELAY_MS ? slowLooks + 1 : 0;
    delay.reset();
  }, LOOK_EVERY_MS).unref();
  app.addHook('onClose', async () => {
    clearInterval(look);
    delay.disable();
  });

  let running = 0;
  app.addHook('onRequest', (_request, reply, done) => {
    if (slowLooks >= 2 || running >= MOST_RUNNING) {
      return done(
        new Problem('unavailable', 'Too many requests at once', { headers: { 'retry-after': '1' } }),
      );
    }
    running++;
    reply.raw.once('close', () => {
      running--;
    });
    done();
  });
}
