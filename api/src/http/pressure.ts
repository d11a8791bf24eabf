import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../contract/problem.ts';
import type { Clock } from '../lib/clock.ts';

const USUAL_LIMITS = {
  /** Requests in progress at once. No store and no host answers more than a thousand within a second. */
  running: 2_000,
  /** The same while the process is late. If there are fewer, the requests aren't what makes it late. */
  runningWhenLate: 100,
  /** The process is late when its timer fires this much after its time. */
  delayMs: 500,
  lookEveryMs: 250,
};
export type PressureLimits = typeof USUAL_LIMITS;

/** A site's requests in progress. Above `most` they are refused; up to `least` they never are, whatever other sites do. */
export type Share = { running: number; readonly most: number; readonly least: number };

/** Refuses requests while there are too many, of all sites or of one, before memory grows and everyone waits. */
export function refuseUnderPressure(
  app: FastifyInstance,
  { steady }: Pick<Clock, 'steady'>,
  overrides: Partial<PressureLimits> = {},
): void {
  const limits = { ...USUAL_LIMITS, ...overrides };
  // Late looks in a row. Two are needed: one long pause, as at a start or while memory is cleaned up, refuses nobody.
  let lateLooks = 0;
  let lastLook = steady();
  const look = setInterval(() => {
    const now = steady();
    lateLooks = now - lastLook > limits.lookEveryMs + limits.delayMs ? lateLooks + 1 : 0;
    lastLook = now;
  }, limits.lookEveryMs).unref();
  app.addHook('onClose', async () => clearInterval(look));

  let running = 0;
  const count = (share: Share, more: 1 | -1) => {
    running += more;
    share.running += more;
  };
  // Counted by connection, whose end also ends its requests: a listener on each request would cost as much as validation.
  const runningOn = new WeakMap<Socket, Share[]>();
  app.server.on('connection', (socket) => {
    const here: Share[] = [];
    runningOn.set(socket, here);
    socket.once('close', () => {
      for (const share of here.splice(0)) count(share, -1);
    });
  });
  // Requests for no site, such as for the documentation.
  const ofNoSite: Share = { running: 0, most: Number.POSITIVE_INFINITY, least: 0 };

  app.addHook('onRequest', ({ raw, site }, _reply, done) => {
    const share = site?.share ?? ofNoSite;
    const here = runningOn.get(raw.socket);
    if (here) {
      here.push(share);
      count(share, 1);
    }
    if (share.running <= share.least) return done();
    const isFull = running > (lateLooks < 2 ? limits.running : limits.runningWhenLate);
    if (!isFull && share.running <= share.most) return done();
    const whose = share.running > share.most ? ' for this site' : '';
    done(new Problem('unavailable', `Too many requests at once${whose}`, { retryAfter: 1 }));
  });
  app.addHook('onResponse', ({ raw, site }, _reply, done) => {
    const share = site?.share ?? ofNoSite;
    const here = runningOn.get(raw.socket);
    const at = here ? here.indexOf(share) : -1;
    if (at >= 0) {
      here!.splice(at, 1);
      count(share, -1);
    }
    done();
  });
}
