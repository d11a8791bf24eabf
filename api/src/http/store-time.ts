import type { FastifyInstance } from 'fastify';
import { type StoreTime, shareStoreTime } from '../lib/store-time.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined if an earlier hook refused the request. */
    storeTime?: StoreTime;
  }
}

/** Gives all statements of a request one limit, so that a store in trouble costs its caller the limit once. */
export function limitStoreTime(app: FastifyInstance): void {
  app.decorateRequest('storeTime');
  app.addHook('onRequest', (request, _reply, done) => {
    request.storeTime = { spent: 0, waiting: 0, since: 0 };
    shareStoreTime(request.storeTime, done);
  });
  // Body events belong to the connection, so reading the body loses the request's AsyncLocalStorage context.
  app.addHook('preValidation', ({ storeTime }, _reply, done) =>
    storeTime ? shareStoreTime(storeTime, done) : done(),
  );
  app.addHook('onResponse', ({ storeTime }, _reply, done) => {
    // Work that goes on after the answer has the whole limit for each statement.
    if (storeTime) storeTime.spent = Number.NEGATIVE_INFINITY;
    done();
  });
}
