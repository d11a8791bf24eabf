import { createHash, timingSafeEqual } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { CONTEXTS, type Parameters, Refusal, type Reply } from './protocol.ts';

export type EmbeddedUser = { id: number; username: string; email: string; password: string; roles: string[] };
export type User = Omit<EmbeddedUser, 'password'>;

/** The same password everywhere, so that examples can be copied; safe only because the host listens on loopback. */
export const sampleUsers: EmbeddedUser[] = [
  sample(1, 'admin', 'administrator', 'open this door with main keys'),
  sample(2, 'alice', 'subscriber', 'tick tock goes that late hare'),
  sample(3, 'bob', 'subscriber', 'this crew will mend your roof'),
  sample(4, 'carol', 'subscriber', 'snow bell song near pine tree'),
];

function sample(id: number, username: string, role: string, password: string): EmbeddedUser {
  return { id, username, email: `${username}@example.test`, password, roles: [role] };
}

/** Hashes an application password; spaces in it are ignored. */
function hash(password: string): Buffer {
  return createHash('sha256')
    .update(password.replace(/[^a-z\d]/gi, ''))
    .digest();
}

export const isAdministrator = (user: User | undefined) => user?.roles.includes('administrator') ?? false;

export class Users {
  readonly #database: DatabaseSync;
  readonly #url: string;

  constructor(database: DatabaseSync, url: string) {
    this.#database = database;
    this.#url = url;
    database.exec(`create table if not exists users (
      id integer primary key,
      username text not null unique,
      email text not null unique,
      password_hash blob not null,
      roles text not null
    ) strict`);
    const seed = database.prepare('insert into users values (?, ?, ?, ?, ?) on conflict do nothing');
    for (const { id, username, email, password, roles } of sampleUsers)
      seed.run(id, username, email, hash(password), JSON.stringify(roles));
  }

  exists(id: number): boolean {
    return this.#database.prepare('select 1 from users where id = ?').get(id) !== undefined;
  }

  /** Returns the caller. Wrong credentials leave the caller anonymous, as in WordPress, and the route decides. */
  authenticate(authorization: string | undefined): User | undefined {
    const encoded = /^Basic\s+(\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
    const [, name, password] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? [];
    if (name === undefined || password === undefined) return;
    const row = this.#database
      .prepare('select * from users where ? collate nocase in (username, email)')
      .get(name);
    if (!row || !timingSafeEqual(row.password_hash as Uint8Array, hash(password))) return;
    return {
      id: row.id as number,
      username: row.username as string,
      email: row.email as string,
      roles: JSON.parse(row.roles as string),
    };
  }

  /** Refuses to show another user, as WordPress does to strangers on a site where nobody has published anything. */
  refuse(id: number): never {
    if (!this.exists(id)) throw new Refusal(404, 'rest_user_invalid_id', 'Invalid user ID.');
    throw new Refusal(401, 'rest_user_cannot_view', 'Sorry, you are not allowed to list users.');
  }

  me(user: User | undefined, parameters: Parameters): Reply {
    const context = parameters.choice('context', CONTEXTS, 'view');
    parameters.check();
    if (!user) throw new Refusal(401, 'rest_not_logged_in', 'You are not currently logged in.');
    const { id, username, email, roles } = user;
    const name = username.charAt(0).toUpperCase() + username.slice(1);
    const link = `${this.#url}/author/${username}/`;
    const body = { id, name, url: '', description: '', link, slug: username };
    if (context === 'embed') return { status: 200, body };
    if (context === 'view') return { status: 200, body: { ...body, meta: [] } };
    const capabilities = Object.fromEntries(['read', ...roles].map((capability) => [capability, true]));
    return { status: 200, body: { ...body, username, email, roles, capabilities, meta: [] } };
  }
}
