import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../problem.ts';

// Requests in progress at once; a thousand is already more than any store or host answers within a second.
const MOST_RUNNING = 2_000;
// As many where the process is late. With fewer it is late for other reasons, and turning them away would help nobody.
const MOST_WHEN_LATE = 100;
const MOST_DELAY_MS = 500;
const LOOK_EVERY_MS = 250;

/** Turns requests away while there are too many of them, before memory grows and everybody waits. */
export function refuseUnderPressure(app: FastifyInstance): void {
  // Twice in a row: one long breath, at a start or while memory is cleaned up, is nothing to turn people away for.
  let lateLooks = 0;
  let lastLook = performance.now();
  const look = setInterval(() => {
    const now = performance.now();
    lateLooks = now - lastLook > LOOK_EVERY_MS + MOST_DELAY_MS ? lateLooks + 1 : 0;
    lastLook = now;
  }, LOOK_EVERY_MS).unref();
  app.addHook('onClose', async () => clearInterval(look));

  // Counted by connection, whose end also ends what was under way on it: to listen for the end of each request
  // would cost as much as its validation.
  let running = 0;
  const runningOn = new WeakMap<Socket, { count: number }>();
  app.server.on('connection', (socket) => {
    const here = { count: 0 };
    runningOn.set(socket, here);
    socket.once('close', () => {
      running -= here.count;
      here.count = 0;
    });
  });
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const here = runningOn.get(raw.socket);
    if (here) {
      here.count++;
      running++;
    }
    if (running <= (lateLooks < 2 ? MOST_RUNNING : MOST_WHEN_LATE)) return done();
    done(new Problem('unavailable', 'Too many requests at once', { headers: { 'retry-after': '1' } }));
  });
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    const here = runningOn.get(raw.socket);
    if (here && here.count > 0) {
      here.count--;
      running--;
    }
    done();
  });
}
