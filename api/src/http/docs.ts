import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { notHere } from './errors.ts';

// Headers of one connection, not of an answer.
const OWN = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding']);

/**
 * Describes every route that comes after it. The documentation is loaded and made when someone asks first: at the start it would
 * add 15 % to its CPU time (100 ms), and 11 MB.
 */
export function documentRoutes(app: FastifyInstance, version: string) {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    if (route.config?.info && route.method !== 'HEAD') routes.push(route);
  });
  let made: Promise<FastifyInstance> | undefined;
  const make = async () => {
    const { documentationOf } = await import('./openapi.ts');
    return documentationOf(routes, app.getSchemas(), version);
  };

  const handler = async ({ url, headers: asked }: FastifyRequest, reply: FastifyReply) => {
    made ??= make();
    const { statusCode, headers, rawPayload } = await (await made).inject({ url, headers: asked });
    if (statusCode === 404) throw notHere();
    for (const [name, value] of Object.entries(headers)) if (!OWN.has(name)) reply.header(name, value);
    return reply.code(statusCode).send(rawPayload);
  };
  return handler;
}
