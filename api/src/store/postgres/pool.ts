import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Input, MOST_PREPARED, type Row } from '../database.ts';

const CONNECT_LIMIT_MS = 3_000;
const CLOSE_LIMIT_MS = 5_000;
// A cluster needs longer than this to replace its leader. A connection that was silent for so long may lead to a former one.
const SILENT_MS = 8_000;
const NUMBERS: number[] = [pg.types.builtins.INT8, pg.types.builtins.NUMERIC];
// The server has forgotten a prepared statement, or its result has other types since a migration.
export const STALE = new Set(['26000', '0A000']);
// The connection ends, or its server takes no writes any more.
const LEAVES = /^(08|57P0)|^25006$/;
// Texts of the server are localised, names of its functions are not.
const CANCELLED_WAIT = 'SyncRepWaitForLSN';

export type Result = { rows: Row[]; count: number };

/** Runs one statement: prepared where it comes with values, and several at once where it is text alone. */
export type Send = (sql: string, params?: readonly Input[]) => Promise<Result>;

/** The commit is on the leader alone: somebody cancelled its wait for the standby, and it is lost where the leader is. */
export class Unconfirmed extends Error {
  constructor() {
    super('the wait for the synchronous standby was cancelled');
  }
}

type Session = {
  /** A pooler such as PgBouncer stands between: the next transaction may run in another session. */
  isPooled: boolean;
  /** Whether a commit has ended whose wait for the standby was cancelled, so that only this server has it. */
  isUnconfirmed: boolean;
  heardAt: number;
};

/** Connections to the server that takes writes, behind one address: where there are several servers, a proxy there finds it. */
export type Pool = ReturnType<typeof poolAt>;

/**
 * When one connection is lost or silent, or its server refuses writes, all are opened anew. A standby is never asked for anything,
 * because a claim or a number that is read there may be out of date.
 */
export function poolAt(url: string, settings: pg.PoolConfig) {
  const sessions = new WeakMap<pg.ClientBase, Session>();
  let config = configOf(url);
  let pool: pg.Pool | undefined;
  let isClosed = false;

  async function look(client: pg.ClientBase): Promise<void> {
    const asked = { text: ASK, rowMode: 'array' as const, query_timeout: CONNECT_LIMIT_MS };
    const [isStandby, isReadOnly, pid] = (await client.query(asked)).rows[0] as unknown[];
    if (isStandby) throw new Error('this server is a standby');
    if (isReadOnly) throw new Error('this server is read-only');
    // A pooler makes up the number by which a client would cancel its statements.
    const isPooled = (client as unknown as { processID: number }).processID !== pid;
    const session = { isPooled, isUnconfirmed: false, heardAt: performance.now() };
    sessions.set(client, session);
    client.on('notice', ({ routine }) => {
      if (routine === CANCELLED_WAIT) session.isUnconfirmed = true;
    });
  }

  function opened(): pg.Pool {
    if (isClosed) throw new Error('the store is closed');
    if (pool) return pool;
    const opening = new pg.Pool({
      ...{ ...config, ...settings, onConnect: look },
      // Idle connections don't keep a process alive.
      ...{ idleTimeoutMillis: SILENT_MS, allowExitOnIdle: true },
    });
    opening.on('error', () => leave(opening));
    // Without a listener, an error of a connection in use would end the process; its statement fails with it.
    opening.on('connect', (client) => void client.on('error', () => {}));
    pool = opening;
    return opening;
  }

  function leave(former: pg.Pool): void {
    if (former !== pool) return;
    pool = undefined;
    former.end().catch(() => {});
  }

  async function connected(from: pg.Pool): Promise<pg.PoolClient> {
    for (;;) {
      const client = await from.connect();
      if (performance.now() - sessions.get(client)!.heardAt < SILENT_MS) return client;
      client.release(true);
    }
  }

  async function connect(): Promise<[client: pg.PoolClient, from: pg.Pool]> {
    const from = opened();
    try {
      return [await connected(from), from];
    } catch (error) {
      const { message } = error as Error;
      if (MAY_BE_PLAIN.test(url) && NO_TLS.test(message)) {
        config = configOf(url.replace(MAY_BE_PLAIN, '$1disable'));
        leave(from);
        return [await connected(opened()), opened()];
      }
      const refused = POOLER_REFUSES.exec(message)?.[1];
      if (refused === undefined) throw error;
      throw new Error(
        `PgBouncer refuses ${refused}: set ignore_startup_parameters = statement_timeout, options there`,
      );
    }
  }

  return {
    /** Runs the work on one connection, over which nobody else sends anything meanwhile. */
    async use<T>(work: (send: Send) => Promise<T>): Promise<T> {
      const [client, from] = await connect();
      const session = sessions.get(client)!;
      let isLost = false;
      const send: Send = async (text, values) => {
        if (isLost) throw new Error('the connection is lost');
        try {
          const { rows, rowCount } = await client.query<Row>({
            ...{ text, rowMode: 'array' },
            // The session behind a pooler doesn't know what another has prepared.
            ...(values && { values: values as Input[], ...(!session.isPooled && { name: nameOf(text) }) }),
          });
          return { rows, count: rowCount ?? 0 };
        } catch (error) {
          if (!(error instanceof pg.DatabaseError) || LEAVES.test(codeOf(error))) leave(from);
          if (!(error instanceof pg.DatabaseError) || STALE.has(codeOf(error))) isLost = true;
          throw error;
        }
      };
      try {
        const done = await work(send);
        if (session.isUnconfirmed) throw new Unconfirmed();
        return done;
      } catch (error) {
        // The notice comes before the end of the statement whose commit it is about.
        throw session.isUnconfirmed ? new Unconfirmed() : error;
      } finally {
        session.isUnconfirmed = false;
        session.heardAt = performance.now();
        client.release(isLost);
      }
    },

    async close(): Promise<void> {
      isClosed = true;
      await Promise.race([pool?.end(), sleep(CLOSE_LIMIT_MS, undefined, { ref: false })]);
    },
  };
}

const ASK = "select pg_is_in_recovery(), current_setting('transaction_read_only') = 'on', pg_backend_pid()";

// A pooler knows some settings of a session only, and refuses the others.
const POOLER_REFUSES = /unsupported startup parameter(?: in options)?: (.*)/;
const MAY_BE_PLAIN = /([?&]sslmode=)(?:prefer|allow)\b/;
const NO_TLS = /does not support SSL/;

export const codeOf = (error: unknown): string =>
  String((error as { code?: unknown } | undefined)?.code ?? '');

// A statement has the same name wherever it is prepared. One more has none: the server forgets it with the next one.
const names = new Map<string, string>();

function nameOf(text: string): string | undefined {
  let name = names.get(text);
  if (!name && names.size < MOST_PREPARED) {
    name = createHash('sha256').update(text).digest('base64url');
    names.set(text, name);
  }
  return name;
}

/** Reads the URL's parameters as libpq does; those that libpq doesn't know are settings of the server, such as `search_path`. */
export function configOf(url: string): pg.ClientConfig {
  const { searchParams } = new URL(url);
  const own = new URL(url);
  const settings: string[] = [];
  for (const [name, value] of searchParams) {
    if (LIBPQ.has(name)) continue;
    own.searchParams.delete(name);
    if (name !== OURS) settings.push(`-c ${name}=${value.replaceAll(/[\\\s]/g, '\\$&')}`);
  }
  if (searchParams.has('sslmode')) own.searchParams.set('uselibpqcompat', 'true');
  if (settings.length > 0)
    own.searchParams.set('options', [searchParams.get('options') ?? '', ...settings].join(' ').trim());
  return {
    connectionString: own.href,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    keepAlive: true,
    pipeline: true,
    types: {
      // bigint and numeric: ours fit a number.
      getTypeParser: (type: number, format?: 'text' | 'binary') =>
        NUMBERS.includes(type) ? Number : pg.types.getTypeParser(type, format as 'text'),
    },
  };
}

const OURS = 'max';
const LIBPQ = new Set(
  'application_name host options password port sslcert sslkey sslmode sslnegotiation sslrootcert user'.split(
    ' ',
  ),
);
