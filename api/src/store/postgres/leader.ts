import { Socket } from 'node:net';
import pg from 'pg';
import type { Asked, Prepared } from './batch.ts';

// A cluster needs longer than this to replace its leader. A connection that was silent for so long may lead to a former one.
const SILENT_MS = 8_000;
const NUMBERS: number[] = [pg.types.builtins.INT8, pg.types.builtins.NUMERIC];

/** A connection to the server that took writes when it was opened. */
export type Opened = {
  readonly client: pg.Client;
  readonly socket: Socket;
  /** A pooler such as PgBouncer stands between: the next transaction may run in another session. */
  readonly isPooled: boolean;
  /** It has synchronous standbys, one of which may take its place. */
  readonly isReplicated: boolean;
  /** How often connections had been told to open anew (`leave`) before this one was opened. */
  readonly epoch: number;
  readonly prepared: Prepared;
  /** What goes out in the next batch. */
  readonly asked: Asked[];
  /** Whether a commit has ended whose wait for the standby was cancelled, so that only this server has it. */
  unconfirmed: boolean;
};

export type Settings = pg.ClientConfig & { connectionTimeoutMillis: number };

/** The server that takes writes, behind one address: where there are several servers, a proxy there finds it. */
export type Leader = ReturnType<typeof leaderAt>;

/** Shared by a pool's connections, which leave a server together. A standby is asked nothing: it may be out of date. */
export function leaderAt(url: string) {
  let epoch = 0;

  return {
    async open(settings: Settings): Promise<Opened> {
      const since = epoch;
      const session = await openedWith({ ...configOf(url), ...settings }).catch((error: Error) => {
        if (!MAY_BE_PLAIN.test(url) || !NO_TLS.test(error.message)) throw error;
        return openedWith({ ...configOf(url.replace(MAY_BE_PLAIN, '$1disable')), ...settings });
      });
      try {
        const limit = { query_timeout: settings.connectionTimeoutMillis };
        const { rows } = await session.client.query({ ...ASK, ...limit });
        const [isStandby, isReadOnly, pid, isReplicated] = rows[0] as [boolean, boolean, number, boolean];
        if (isStandby) throw new Error('this server is a standby');
        if (isReadOnly) throw new Error('this server is read-only');
        // A pooler makes up the number by which a client would cancel its statements.
        const isPooled = (session.client as unknown as { processID: number }).processID !== pid;
        const fresh = { prepared: new Map(), asked: [], unconfirmed: false };
        return { ...session, ...fresh, isPooled, isReplicated, epoch: since };
      } catch (error) {
        session.socket.destroy();
        throw error;
      }
    },

    /** Has each connection open anew before its next statement: this one is lost or silent, or its server refuses writes. */
    leave(session: Opened): void {
      if (session.epoch === epoch) epoch++;
    },

    /** Whether its server may no longer be the leader; `heard`: when its last answer came, or now while one is awaited. */
    mayBeFormer: (session: Opened, heard: number): boolean =>
      session.epoch !== epoch || (session.isReplicated && performance.now() - heard > SILENT_MS),
  };
}

const ASK = {
  text: `select pg_is_in_recovery(), current_setting('transaction_read_only') = 'on', pg_backend_pid(),
    coalesce(current_setting('synchronous_standby_names', true), '') <> ''`,
  rowMode: 'array' as const,
};

async function openedWith(config: pg.ClientConfig): Promise<Pick<Opened, 'client' | 'socket'>> {
  const socket = new Socket();
  const client = new pg.Client({ ...config, stream: () => socket });
  // Without a listener, an error while no statement runs would end the process; `end` tells of the loss.
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    socket.destroy();
    throw error;
  }
  return { client, socket };
}

const MAY_BE_PLAIN = /([?&]sslmode=)(?:prefer|allow)\b/;
const NO_TLS = /does not support SSL/;

/** Reads `sslmode` as libpq does. */
export function configOf(url: string): pg.ClientConfig {
  const own = new URL(url);
  if (own.searchParams.has('sslmode')) own.searchParams.set('uselibpqcompat', 'true');
  return {
    connectionString: own.href,
    keepAlive: true,
    pipeline: true,
    types: {
      // bigint and numeric: all of ours fit into a JavaScript number.
      getTypeParser: (type: number, format?: 'text' | 'binary') =>
        NUMBERS.includes(type) ? Number : pg.types.getTypeParser(type, format as 'text'),
    },
  };
}
