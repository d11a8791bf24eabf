import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../problem.ts';
import { notHere } from './errors.ts';

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
