import { createHash } from 'node:crypto';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Row, Value } from './database.ts';

const CONNECT_LIMIT_MS = 3_000;
// How long a refusal is kept: a server that comes back is found within the second, and one that is full isn't
// asked by every caller.
const REFUSED_MS = 250;
const CLOSE_LIMIT_MS = 5_000;
// The server has forgotten a prepared statement, or its result has other types since a migration.
export const STALE = new Set(['26000', '0A000']);
const NUMBERS: number[] = [pg.types.builtins.INT8, pg.types.builtins.NUMERIC];

export type Result = { rows: Row[]; count: number };

/** Runs one statement: prepared where it comes with values, and several at once where it is text alone. */
export type Send = (sql: string, params?: readonly Value[]) => Promise<Result>;

/** One connection to a PostgreSQL server: opened by the first statement, and opened anew after it was lost. */
export type Connection = {
  /** The weight of all that waits for an answer. */
  readonly pending: number;
  run(sql: string, params: readonly Value[], weight?: number): Promise<Result>;
  /** Runs the work on one connection, over which nobody else sends anything meanwhile. */
  alone<T>(work: (send: Send) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

type Opened = { client: pg.Client; socket: Socket };

/**
 * Statements are sent without waiting for the answers to those before them. Each is answered within `limit`; a
 * connection that has been silent for so long is given up, since the machine at its other end may be gone.
 */
export function connectionTo(url: string, limit: number, settings: pg.ClientConfig = {}): Connection {
  const config = { ...configOf(url), ...settings };
  let current: Promise<Opened> | undefined;
  let live: Opened | undefined;
  let closed = false;
  let pending = 0;
  let heard = 0;
  let held: Promise<void> | undefined;

  async function open(): Promise<Opened> {
    try {
      return await openedWith(config);
    } catch (error) {
      if (!MAY_BE_PLAIN.test(url) || !NO_TLS.test((error as Error).message)) throw error;
      return openedWith({ ...config, ...configOf(url.replace(MAY_BE_PLAIN, '$1disable')) });
    }
  }

  function opened(): Promise<Opened> {
    if (closed) return Promise.reject(new Error('the connection is closed'));
    if (current) return current;
    const opening = open();
    current = opening;
    opening.then(
      (its) => {
        live = its;
        its.client.on('error', () => giveUp(its)).on('end', () => giveUp(its));
      },
      () =>
        setTimeout(() => {
          current = undefined;
        }, REFUSED_MS).unref(),
    );
    return opening;
  }

  function giveUp(its: Opened): void {
    if (live === its) live = current = undefined;
    its.socket.destroy();
  }

  /** The next statement opens another connection; this one ends once all that was sent is answered. */
  function retire(its: Opened): void {
    if (live === its) live = current = undefined;
    its.client.end().catch(() => {});
  }

  const send = (its: Opened, text: string, params?: readonly Value[]) =>
    new Promise<Result>((resolve, reject) => {
      const since = performance.now();
      const late = setTimeout(() => {
        if (heard < since) giveUp(its);
        reject(new Error(`no answer within ${limit} ms`));
      }, limit);
      const query = params
        ? { text, values: params as Value[], rowMode: 'array' as const, name: nameOf(text) }
        : { text, rowMode: 'array' as const };
      its.client.query<Row>(query, (error, result) => {
        clearTimeout(late);
        heard = performance.now();
        if (!error) return resolve({ rows: result.rows, count: result.rowCount ?? 0 });
        reject(error);
      });
    });

  async function counted<T>(weight: number, work: () => Promise<T>): Promise<T> {
    pending += weight;
    try {
      while (held) await held;
      return await work();
    } finally {
      pending -= weight;
    }
  }

  return {
    get pending() {
      return pending;
    },
    run: (text, params, weight = 1) =>
      counted(weight, async () => {
        const its = await opened();
        try {
          return await send(its, text, params);
        } catch (error) {
          if (STALE.has(codeOf(error))) retire(its);
          throw error;
        }
      }),
    alone: (work) =>
      counted(1, async () => {
        const { promise, resolve } = Promise.withResolvers<void>();
        held = promise;
        try {
          const its = await opened();
          // Only the first failure counts: it aborts the transaction, so later statements fail as well.
          let failure: unknown;
          try {
            return await work(async (text, params) => {
              try {
                return await send(its, text, params);
              } catch (error) {
                failure ??= error;
                throw error;
              }
            });
          } catch (error) {
            // The work may have left a transaction open.
            giveUp(its);
            throw error;
          } finally {
            if (STALE.has(codeOf(failure))) retire(its);
          }
        } finally {
          held = undefined;
          resolve();
        }
      }),
    async close() {
      closed = true;
      const last = await current?.catch(() => undefined);
      if (!last) return;
      await Promise.race([last.client.end(), sleep(CLOSE_LIMIT_MS, undefined, { ref: false })]);
      last.socket.destroy();
    },
  };
}

export const codeOf = (error: unknown): string =>
  String((error as { code?: unknown } | undefined)?.code ?? '');

async function openedWith(config: pg.ClientConfig): Promise<Opened> {
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

/**
 * Reads the URL's parameters as libpq does; those that libpq doesn't know are settings of the server, such as `search_path`.
 * `max` is ours.
 */
export function configOf(url: string): pg.ClientConfig {
  const { searchParams } = new URL(url);
  const own = new URL(url);
  const settings: string[] = [];
  for (const [name, value] of searchParams) {
    if (LIBPQ.has(name)) continue;
    own.searchParams.delete(name);
    if (name !== 'max') settings.push(`-c ${name}=${value.replaceAll(/[\\\s]/g, '\\$&')}`);
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

const LIBPQ = new Set(
  'application_name host options password port sslcert sslkey sslmode sslnegotiation sslrootcert user'.split(
    ' ',
  ),
);

// A statement has the same name wherever it is prepared.
const names = new Map<string, string>();

function nameOf(text: string): string {
  let name = names.get(text);
  if (!name) {
    name = createHash('sha256').update(text).digest('base64url');
    names.set(text, name);
  }
  return name;
}
