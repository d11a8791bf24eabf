import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';

const KEY = /^[\w-]{22}$/;

// The router, and everything after it, sees only the rest of the address.
const SITE_KEY = Symbol('site key');
type Keyed = IncomingMessage & { [SITE_KEY]?: string };

/** Takes `/sites/KEY` off an address and remembers the key: behind it the addresses of all sites are the same. */
export function takeSiteKey(request: IncomingMessage): string {
  const url = request.url!;
  // A proxy may send the whole address instead of the path.
  const path = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/]*/i, '');
  const [, key, rest = ''] = /^\/sites\/([^/?]+)(.*)$/s.exec(path) ?? [];
  if (key === undefined) return url;
  (request as Keyed)[SITE_KEY] = KEY.test(key) ? key : '';
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** The key in the address, known or not; empty where it can be none. */
export const siteKeyOf = ({ raw }: FastifyRequest): string | undefined => (raw as Keyed)[SITE_KEY];
