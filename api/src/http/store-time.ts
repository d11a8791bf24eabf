import type { FastifyInstance } from 'fastify';
import { endStoreTime, newStoreTime, type StoreTime, shareStoreTime } from '../lib/store-time.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Nothing where the request was refused before. */
    storeTime?: StoreTime;
  }
}

/** Gives all statements of a request one limit, so that a store in trouble costs its caller the limit once. */
export function limitStoreTime(app: FastifyInstance): void {
  app.decorateRequest('storeTime');
  app.addHook('onRequest', (request, _reply, done) => {
    const time = newStoreTime();
    request.storeTime = time;
    shareStoreTime(time, done);
  });
  // A body arrives in events of its connection, which don't belong to the request.
  app.addHook('preValidation', ({ storeTime }, _reply, done) =>
    storeTime ? shareStoreTime(storeTime, done) : done(),
  );
  app.addHook('onResponse', ({ storeTime }, _reply, done) => {
    if (storeTime) endStoreTime(storeTime);
    done();
  });
}
