import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Problem } from '../contract/problem.ts';
import { notHere, ProblemWithHeaders } from './errors.ts';
import { siteKeyOf } from './site-key.ts';

/** Returns a function that says why no route takes a request: 405 with its path's methods, or 404. Call it before any route. */
export function explainUnrouted(app: FastifyInstance, ofManySites: boolean) {
  const paths = new Map<string, { pattern: RegExp; methods: Set<string>; of: 'site' | 'service' | 'both' }>();
  app.addHook('onRoute', ({ url, method, config, schema }) => {
    if (url.includes('*')) return;
    const pattern = new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`);
    const isOfService = !config?.info || config.info.ofService;
    // Routes without sign-in, such as `/health`, have `security: []`. They exist for each site and for the service.
    const isOfBoth = !ofManySites || (!isOfService && schema?.security !== undefined);
    const of = isOfBoth ? 'both' : isOfService ? 'service' : 'site';
    const path = paths.get(url) ?? { pattern, methods: new Set(), of };
    for (const each of [method].flat()) path.methods.add(each);
    paths.set(url, path);
  });

  return (request: FastifyRequest): Problem => {
    // A proxy may send the whole address instead of the path.
    const path = request.url.replace(/^https?:\/\/[^/]*/i, '').split('?', 1)[0]!;
    const other = siteKeyOf(request) === undefined ? 'site' : 'service';
    const found = [...paths.values()].find(({ pattern, of }) => of !== other && pattern.test(path));
    if (!found || found.methods.has(request.method)) return notHere();
    const allow = [...found.methods].sort().join(', ');
    return new ProblemWithHeaders('method_not_allowed', `${request.method} is not allowed here`, { allow });
  };
}
