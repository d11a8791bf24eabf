import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../problem.ts';

export type PressureLimits = {
  /** Requests in progress at once. No store and no host answers more than a thousand within a second. */
  running: number;
  /**
   * The same while the process is late. With fewer requests it is late for other reasons, and refusals would not help.
   */
  runningWhenLate: number;
  /** The process is late when its timer fires this much after its time. */
  delayMs: number;
  lookEveryMs: number;
};

const USUAL_LIMITS: PressureLimits = { running: 2_000, runningWhenLate: 100, delayMs: 500, lookEveryMs: 250 };

/** Refuses requests while there are too many, before memory grows and everybody waits. */
export function refuseUnderPressure(app: FastifyInstance, changed: Partial<PressureLimits> = {}): void {
  const limits = { ...USUAL_LIMITS, ...changed };
  // Twice in a row: one long pause, at a start or while memory is cleaned up, is no reason to refuse anybody.
  let lateLooks = 0;
  let lastLook = performance.now();
  const look = setInterval(() => {
    const now = performance.now();
    lateLooks = now - lastLook > limits.lookEveryMs + limits.delayMs ? lateLooks + 1 : 0;
    lastLook = now;
  }, limits.lookEveryMs).unref();
  app.addHook('onClose', async () => clearInterval(look));

  // Counted by connection, whose end also ends its requests: a listener on each request would cost as much as validation.
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
