import { hash, randomBytes } from 'node:crypto';
import { decodeHTMLStrict } from 'entities/decode';
import { Problem } from '../contract/problem.ts';
import { LoadingCache } from '../lib/cache.ts';
import { isId, isObject, isText } from '../lib/json.ts';
import { nonsense, refusalOf, type WordPress } from './wordpress.ts';

export type User = { id: number; username: string; name: string; email: string; admin: boolean };

/** Whether one of the entries is this user. One with an “@” is only ever an email address, so that no user name can pose as one. */
export const isNamed = ({ username, email }: Pick<User, 'username' | 'email'>, names: readonly string[]) =>
  names.some((entry) => {
    const name = entry.includes('@') ? email : username;
    return name !== '' && entry.toLowerCase() === name.toLowerCase();
  });

type HostUser = {
  id: number;
  username: string;
  email: string;
  name?: string;
  // PHP writes a list with gaps as an object.
  roles: string[] | Record<string, string>;
};

const isHostUser = (body: unknown): body is HostUser =>
  isObject(body) &&
  isId(body.id) &&
  isText(body.username) &&
  body.username !== '' &&
  isText(body.email) &&
  (body.name === undefined || isText(body.name)) &&
  (isObject(body.roles) || Array.isArray(body.roles)) &&
  Object.values(body.roles).every(isText);

type Options = {
  adminRoles: string[];
  ttlSeconds: number;
  clock: () => number;
  counters: { hits: number; misses: number };
  /** Called once the host has said who a caller is; `msAgo`: how long ago it was asked. */
  onUser(user: User, msAgo: number): Promise<void>;
};

/** Resolves callers by asking the host, and caches those that it accepts. */
export type HostUsers = ReturnType<typeof hostUsers>;

export function hostUsers(host: WordPress, { adminRoles, onUser, ...options }: Options) {
  const { clock } = options;
  const users = new LoadingCache<User>({ max: 2_000_000, byLength: true, ...options });
  // Keys are hashed with a secret of this process, so that memory holds no credentials in the clear. A keyed prefix instead of
  // HMAC: nobody outside ever sees the digest, and HMAC would cost as much as the rest of a request.
  const secret = randomBytes(32).toString('base64');
  const keyOf = (authorization: string) => hash('sha256', secret + authorization, 'base64');

  async function ask(authorization: string): Promise<User> {
    const askedAt = clock();
    const answer = await host.call({
      method: 'GET',
      path: 'wp/v2/users/me',
      query: { context: 'edit', _fields: 'id,username,name,email,roles' },
      authorization,
    });
    if (refusalOf(answer)) {
      if (answer.status === 401 || answer.status === 403)
        throw new Problem('unauthorized', 'Invalid credentials');
      throw nonsense(`the current user: ${answer.status} ${refusalOf(answer)}`);
    }
    if (!isHostUser(answer.body)) throw nonsense('the current user has an unexpected shape');
    const { id, username, name = '', email, roles } = answer.body;
    const admin = Object.values(roles).some((role) => adminRoles.includes(role));
    const user = { id, username, name: decodeHTMLStrict(name).trim() || username, email, admin };
    await onUser(user, clock() - askedAt);
    return user;
  }

  return {
    /** The user, if cached. Shortly before the entry expires, asks the host again in the background; a refusal drops it. */
    cached: (authorization: string): User | undefined => {
      const key = keyOf(authorization);
      return users.peek(key, () =>
        ask(authorization).catch((error) => {
          if (error instanceof Problem && error.code === 'unauthorized') users.forget(key);
          throw error;
        }),
      );
    },

    /** Returns the user behind this header. Asks the host only by way of `limited`, which may refuse. */
    resolve: async (
      authorization: string,
      limited: (signIn: () => Promise<User>) => Promise<User>,
    ): Promise<User> => users.get(keyOf(authorization), () => limited(() => ask(authorization))),

    /** The user behind a header that was accepted before, as the host knows them now. */
    resolveAnew: (authorization: string): Promise<User> =>
      users.get(keyOf(authorization), () => ask(authorization), clock()),

    forget: (authorization: string): void => users.forget(keyOf(authorization)),
  };
}
