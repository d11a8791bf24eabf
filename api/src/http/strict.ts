import { isUtf8 } from 'node:buffer';
import { parse } from 'node:querystring';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../problem.ts';
import { notHere } from './errors.ts';

/** The query as an object, whole numbers as numbers: from there on it is checked as strictly as a body. */
export function parseQuery(text: string): Record<string, unknown> {
  if (text === '') return {};
  const query: Record<string, unknown> = parse(text);
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === 'string' && /^-?\d{1,16}$/.test(value)) query[name] = Number(value);
  }
  return query;
}

/** Bodies are JSON in UTF-8 or nothing; a route that needs one says so. */
export function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    try {
      // Decoding would quietly replace broken bytes.
      if (!isUtf8(body as Buffer)) throw new SyntaxError();
      done(null, JSON.parse(body.toString()));
    } catch {
      done(new Problem('bad_request', 'The body is not valid JSON'));
    }
  });
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    done(new Problem('unsupported_media_type', 'The body must be application/json'));
  });
  // Announced, but nothing follows: there will be no end of it to wait for (`optimizeEmptyRequests`).
  app.addHook('onRequest', ({ method, raw }, _reply, done) => {
    if (method !== 'GET' && raw.readableEnded) delete raw.headers['content-type'];
    done();
  });
  app.addHook('onRoute', (options) => {
    if (options.schema?.body === undefined) return;
    options.preValidation = (request, _reply, done) =>
      done(request.body === undefined ? new Problem('bad_request', 'A JSON body is required') : undefined);
  });
}

/** Why no route takes a request: 405 with the methods where the path exists, otherwise 404. */
export function explainUnrouted(app: FastifyInstance) {
  const paths = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return;
    const pattern = new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`);
    const path = paths.get(url) ?? { pattern, methods: new Set() };
    for (const each of [method].flat()) path.methods.add(each);
    paths.set(url, path);
  });

  return (request: FastifyRequest): Problem => {
    // A proxy may send the whole address instead of the path.
    const path = request.url.replace(/^https?:\/\/[^/]*/i, '').split('?', 1)[0]!;
    const methods = [...paths.values()].find(({ pattern }) => pattern.test(path))?.methods;
    if (!methods || methods.has(request.method)) return notHere();
    const headers = { allow: [...methods].sort().join(', ') };
    return new Problem('method_not_allowed', `${request.method} is not allowed here`, { headers });
  };
}
