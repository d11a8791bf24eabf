import type { FastifyInstance } from 'fastify';
import { type StoreTime, shareStoreTime } from '../lib/store-time.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined if the request was refused before. */
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
  // A body arrives in events of its connection, which don't belong to the request.
  app.addHook('preValidation', ({ storeTime }, _reply, done) =>
    storeTime ? shareStoreTime(storeTime, done) : done(),
  );
  app.addHook('onResponse', ({ storeTime }, _reply, done) => {
    // Work that goes on after the answer has the whole limit for each statement.
    if (storeTime) storeTime.spent = Number.NEGATIVE_INFINITY;
    done();
  });
}
