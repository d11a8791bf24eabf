import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { hostsOf } from './hosts.ts';

const CONNECT_LIMIT_MS = 3_000;
// One of several hosts may be gone without a word while the others have no leader yet: they are asked again soon.
const CONNECT_LIMIT_OF_SEVERAL_MS = 2_000;
// After the first host that says it is the leader, for as long the others may say that they have replaced it.
const OTHERS_MS = 300;
// A cluster needs longer than this to replace its leader. A connection that was silent for so long may lead to a former one.
const SILENT_MS = 8_000;
const NUMBERS: number[] = [pg.types.builtins.INT8, pg.types.builtins.NUMERIC];

/** A connection to the server that took writes when it was opened. */
export type Opened = {
  readonly client: pg.Client;
  readonly socket: Socket;
  /** A pooler such as PgBouncer stands between: the next transaction may run in another session. */
  readonly isPooled: boolean;
  /** Whether a commit has ended whose wait for the standby was cancelled, so that only this server has it. */
  unconfirmed: boolean;
};

type Server = {
  isStandby: boolean;
  isReadOnly: boolean;
  pid: number;
  /** Whether another server may take its place. */
  isReplicated: boolean;
  /** The cluster, and how often its leader has changed. Not every server tells. */
  history?: { system: string; timeline: number };
};

type Found = Opened & { readonly server: Server; epoch: number };

/** The server of a cluster that takes writes, among the hosts of a URL. */
export type Leader = ReturnType<typeof leaderOf>;

/**
 * All connections of a pool share one: when one of them finds that the leader has changed, the others leave the former leader as
 * well. A standby is never asked for anything, because a claim or a number that is read there may be out of date.
 */
export function leaderOf(url: string) {
  const urls = hostsOf(url);
  const connectLimit = urls.length > 1 ? CONNECT_LIMIT_OF_SEVERAL_MS : CONNECT_LIMIT_MS;
  const mustBeWritable = new URL(urls[0]!).searchParams.get('target_session_attrs') === 'read-write';
  let newest: Server['history'];
  let epoch = 0;

  /** Connects to one host; fails where that is not the leader. */
  async function openOn(url: string, settings: pg.ClientConfig): Promise<Found> {
    const config = { ...configOf(url), connectionTimeoutMillis: connectLimit, ...settings };
    const its = await openedWith(config).catch((error: Error) => {
      if (!MAY_BE_PLAIN.test(url) || !NO_TLS.test(error.message)) throw error;
      return openedWith({ ...config, ...configOf(url.replace(MAY_BE_PLAIN, '$1disable')) });
    });
    try {
      const server = await serverOf(its.client, connectLimit);
      if (server.isStandby) throw new Error('this server is a standby');
      if (mustBeWritable && server.isReadOnly) throw new Error('this server is read-only');
      // A pooler makes up the number by which a client would cancel its statements.
      const isPooled = (its.client as unknown as { processID: number }).processID !== server.pid;
      return { ...its, server, isPooled, unconfirmed: false, epoch: 0 };
    } catch (error) {
      its.socket.destroy();
      throw error;
    }
  }

  /** Asks all hosts at once. Where two say that they are the leader, the one that has replaced the other is right. */
  async function openOnOneOf(settings: pg.ClientConfig): Promise<Found> {
    const found: Found[] = [];
    let isOver = false;
    const tries = urls.map(async (url) => {
      const its = await openOn(url, settings);
      if (isOver) its.socket.destroy();
      else found.push(its);
    });
    try {
      await Promise.any(tries);
    } catch (error) {
      const { errors } = error as AggregateError;
      throw new Error(errors.map(({ message }, i) => `${new URL(urls[i]!).host}: ${message}`).join('; '));
    }
    await Promise.race([Promise.allSettled(tries), sleep(OTHERS_MS, undefined, { ref: false })]);
    isOver = true;
    const timelineOf = ({ server }: Found) => server.history?.timeline ?? 0;
    const [first, ...others] = found.sort((a, b) => timelineOf(b) - timelineOf(a));
    for (const { socket } of others) socket.destroy();
    return first!;
  }

  return {
    async open(settings: pg.ClientConfig = {}): Promise<Opened> {
      const its = await (urls.length > 1 ? openOnOneOf(settings) : openOn(url, settings));
      const { history } = its.server;
      if (history && newest?.system === history.system && history.timeline < newest.timeline) {
        its.socket.destroy();
        throw new Error('another server has replaced this one');
      }
      const isAnother =
        history && newest && (history.system !== newest.system || history.timeline > newest.timeline);
      if (isAnother) epoch++;
      newest = history ?? newest;
      its.epoch = epoch;
      return its;
    },

    /** Finds the leader anew, with all connections: this one is silent, or its server refuses writes. */
    leave(its: Opened): void {
      if ((its as Found).epoch === epoch) epoch++;
    },

    /** Whether the server at the other end may be the leader no longer; `heard` is when its last answer came. */
    mayBeFormer(its: Opened, heard: number): boolean {
      const { server, epoch: whenOpened } = its as Found;
      if (whenOpened !== epoch) return true;
      return (server.isReplicated || urls.length > 1) && performance.now() - heard > SILENT_MS;
    },
  };
}

const ASK = `select pg_is_in_recovery(), current_setting('transaction_read_only') = 'on', pg_backend_pid(),
  current_setting('synchronous_standby_names') <> '', (select system_identifier::text from pg_control_system()),
  case when not pg_is_in_recovery() then substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end`;
// Databases that speak PostgreSQL's protocol lack some of those functions.
const ASK_LESS = `select current_setting('transaction_read_only') = 'on', pg_backend_pid()`;

async function serverOf(client: pg.Client, limit: number): Promise<Server> {
  const ask = async (text: string) => {
    const asked = { text, rowMode: 'array' as const, query_timeout: limit };
    return (await client.query(asked)).rows[0] as unknown[];
  };
  try {
    const [isStandby, isReadOnly, pid, isReplicated, system, timeline] = await ask(ASK);
    const history = timeline
      ? { system: String(system), timeline: Number.parseInt(String(timeline), 16) }
      : undefined;
    return { isStandby, isReadOnly, pid, isReplicated, ...(history && { history }) } as Server;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    const [isReadOnly, pid] = await ask(ASK_LESS);
    // Every standby is read-only.
    return { isStandby: isReadOnly, isReadOnly, pid, isReplicated: false } as Server;
  }
}

// A pooler knows some settings of a session only, and refuses the others.
const POOLER_REFUSES = /unsupported startup parameter(?: in options)?: (.*)/;

async function openedWith(config: pg.ClientConfig): Promise<Pick<Opened, 'client' | 'socket'>> {
  const socket = new Socket();
  const client = new pg.Client({ ...config, stream: () => socket });
  // Without a listener, an error while no statement runs would end the process; `end` tells of the loss.
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    socket.destroy();
    const refused = POOLER_REFUSES.exec((error as Error).message)?.[1];
    if (refused === undefined) throw error;
    throw new Error(
      `PgBouncer refuses ${refused}: set ignore_startup_parameters = statement_timeout, options there`,
    );
  }
  return { client, socket };
}

const MAY_BE_PLAIN = /([?&]sslmode=)(?:prefer|allow)\b/;
const NO_TLS = /does not support SSL/;

/**
 * Reads the URL's parameters as libpq does; those that libpq doesn't know are settings of the server, such as `search_path`.
 * `max` is ours, and `target_session_attrs` is judged here.
 */
export function configOf(url: string): pg.ClientConfig {
  const { searchParams } = new URL(url);
  const own = new URL(url);
  const settings: string[] = [];
  for (const [name, value] of searchParams) {
    if (LIBPQ.has(name)) continue;
    own.searchParams.delete(name);
    if (!OURS.has(name)) settings.push(`-c ${name}=${value.replaceAll(/[\\\s]/g, '\\$&')}`);
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

const OURS = new Set(['max', 'target_session_attrs']);
const LIBPQ = new Set(
  'application_name host options password port sslcert sslkey sslmode sslnegotiation sslrootcert user'.split(
    ' ',
  ),
);
