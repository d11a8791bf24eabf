import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';

const KEY = /^[\w-]{22}$/;

// Stored on the request, since the router and everything after it see only the rest of the address.
const SITE_KEY = Symbol('site key');
type Keyed = IncomingMessage & { [SITE_KEY]?: string };

/** Returns the address without `/sites/KEY`, so that all sites share the routes, and stores the key on the request. */
export function stripSiteKey(request: IncomingMessage): string {
  const url = request.url!;
  // A proxy may send the whole address instead of the path.
  const path = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/]*/i, '');
  const [, key, rest = ''] = /^\/sites\/([^/?]+)(.*)$/s.exec(path) ?? [];
  if (key === undefined) return url;
  (request as Keyed)[SITE_KEY] = KEY.test(key) ? key : '';
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** The key that the address names, whether or not a site has it: undefined if it names none, empty if malformed. */
export const siteKeyOf = ({ raw }: FastifyRequest): string | undefined => (raw as Keyed)[SITE_KEY];
