import type { Socket } from 'node:net';
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

  // Counted by connection, whose end also ends what was under way on it: to listen for the end of each request
  // would cost as much as its validation.
  let running = 0;
  const runningOn = new WeakMap<Socket, number>();
  const count = (socket: Socket, change: number) => {
    running += change;
    runningOn.set(socket, (runningOn.get(socket) ?? 0) + change);
  };
  app.server.on('connection', (socket) => {
    socket.once('close', () => count(socket, -(runningOn.get(socket) ?? 0)));
  });
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    count(raw.socket, 1);
    if (slowLooks < 2 && running <= MOST_RUNNING) return done();
    done(new Problem('unavailable', 'Too many requests at once', { headers: { 'retry-after': '1' } }));
  });
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    if ((runningOn.get(raw.socket) ?? 0) > 0) count(raw.socket, -1);
    done();
  });
}
