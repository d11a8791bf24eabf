import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../problem.ts';

export type PressureLimits = {
  /** Requests in progress at once. No store and no host answers more than a thousand within a second. */
  running: number;
  /**
   * The same while the process is late. With fewer it is late for other reasons, and turning them away would help
   * nobody.
   */
  runningWhenLate: number;
  /** The process is late when its timer fires this much after its time. */
  delayMs: number;
  lookEveryMs: number;
};

const LIMITS: PressureLimits = { running: 2_000, runningWhenLate: 100, delayMs: 500, lookEveryMs: 250 };

/** Turns requests away while there are too many of them, before memory grows and everybody waits. */
export function refuseUnderPressure(app: FastifyInstance, changed: Partial<PressureLimits> = {}): void {
  const limits = { ...LIMITS, ...changed };
  // Twice in a row: one long pause, at a start or while memory is cleaned up, is no reason to refuse anybody.
  let lateLooks = 0;
  let lastLook = performance.now();
  const look = setInterval(() => {
    const now = performance.now();
    lateLooks = now - lastLook > limits.lookEveryMs + limits.delayMs ? lateLooks + 1 : 0;
    lastLook = now;
  }, limits.lookEveryMs).unref();
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
    if (running <= (lateLooks < 2 ? limits.running : limits.runningWhenLate)) return done();
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
