import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { Problem } from '../contract/problem.ts';
import type { Viewer } from '../domain/access.ts';
import type { User } from '../host/users.ts';
import { equalsSecret } from '../lib/cipher.ts';

declare module 'fastify' {
  interface FastifyRequest {
    viewer: Viewer;
  }
}

/** The user name in a Basic header; undefined for another kind of header. */
function nameIn(header: string): string | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1];
  return encoded && /^([^:]+):/.exec(Buffer.from(encoded, 'base64').toString())?.[1];
}

// WordPress's longest name is an email address. Matching a name as long as a header would take 30 ms.
const LONGEST_NAME = 100;

/**
 * Whether this is a user name that WordPress could have given, or an email address. WordPress ignores tags, entities, escapes,
 * accents, `£`, `€` and extra blanks: failed sign-ins under such spellings would not count against the account's own name.
 */
const isUserName = (name: string): boolean =>
  name.length <= LONGEST_NAME &&
  name.trim() === name &&
  name.normalize() === name &&
  !/[<>]|&.+?;|%[\da-fA-F]{2}|\s\s|[\p{C}£€\ufffd]|\p{ASCII}\p{M}|(?=\P{ASCII})\p{Script=Latin}/u.test(name);

const prefers = ({ headers: { prefer = '' } }: FastifyRequest, preference: string): boolean =>
  prefer !== '' &&
  String(prefer)
    .split(/[,;\s]+/)
    .includes(preference);

/** The registry owner's id as the host states it, or 0 for someone other than the caller. The domain believes only admins. */
function ownerIn({ headers }: FastifyRequest): number | undefined {
  const header = headers['trousseau-owner'];
  return typeof header === 'string' && /^(0|[1-9]\d{0,8})$/.test(header) ? Number(header) : undefined;
}

/** Resolves the caller, from the cache or the host, before the rest of the request is read. */
export const signIn: onRequestHookHandler = (request, reply, done) => {
  const { authorization } = request.headers;
  const noWait = prefers(request, 'wait=0');
  const statedOwnerId = ownerIn(request);
  if (authorization === undefined) return done(new Problem('unauthorized', 'Credentials are required'));
  const { id, users, signInLimits } = request.site;

  const accept = (user: User) => {
    // Only the host's own pages, which ask as an admin, may suppress the notice of a change.
    const skipsNotice = user.admin && prefers(request, 'notice=none');
    const hidesClaims = user.admin && prefers(request, 'claims=hidden');
    request.viewer = { ...user, authorization, noWait, skipsNotice, hidesClaims, statedOwnerId };
    done();
  };
  // On the path of nearly every request, so without a promise.
  const cached = users.cached(authorization);
  if (cached) return accept(cached);

  const name = nameIn(authorization);
  if (name === undefined) return done(new Problem('unauthorized', 'Malformed credentials'));
  if (!isUserName(name)) return done(new Problem('unauthorized', 'Invalid credentials'));
  const resolved = users.resolve(authorization, (ask) => signInLimits.run(id, request.ip, name, ask));
  if (!noWait) return void resolved.then(accept, done);
  // The host may be waiting for this response, so the caller is checked after it and known the next time.
  resolved.catch((error) =>
    request.log.info(
      { err: error, request: request.id, site: request.site.key },
      'sign-in failed after its request was answered',
    ),
  );
  reply.header('preference-applied', 'wait=0');
  done(new Problem('unavailable', 'Signing in takes a moment', { retryAfter: 1 }));
};

export function requireApiKey(apiKey: string): onRequestHookHandler {
  const isKey = equalsSecret(apiKey);
  return (request, _reply, done) => {
    const given = request.headers['x-api-key'];
    const matches = typeof given === 'string' && isKey(given);
    done(matches ? undefined : new Problem('forbidden', 'A valid x-api-key is required'));
  };
}
