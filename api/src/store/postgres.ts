import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { Problem } from '../problem.ts';
import type { Database, Row, Statement, Value, Written } from './database.ts';
import { grouped } from './grouped.ts';

const CONNECTIONS = 5;
const CONNECT_LIMIT_SECONDS = 3;
// What the server may spend on a statement, and what a caller waits in all: a frozen server keeps no time limit.
const STATEMENT_LIMIT_MS = 4_000;
const TOTAL_LIMIT_MS = 5_000;
// Writes that share a transaction, and how long it waits for a row that somebody else holds.
const GROUPS = { most: 64, atOnce: 2 };
const GROUP_LOCK_LIMIT_MS = 100;
// Statements that run or wait; past this the server is too slow for what is asked of it.
const MOST_PENDING = 5_000;
const RETRIES = 10;

// By SQLSTATE class: connection lost, out of resources, shut down or cancelled, system error; a read-only server.
const STORE_FAULTS = /^(08|53|57|58)|^25006$/;
// Deadlock and serialization failure: the statement has been rolled back whole and can be said again.
const ROLLED_BACK = new Set(['40001', '40P01']);

/** A pool of connections to a PostgreSQL server, or what speaks its protocol; `?max=` in the URL sets its size. */
export function openPostgres(url: string): Database {
  const connections = (max: number, fetch_types: boolean) =>
    postgres(url, {
      max,
      fetch_types,
      connect_timeout: CONNECT_LIMIT_SECONDS,
      // A server that comes back is found within the second.
      backoff: () => 0.25 + Math.random() / 4,
      connection: { application_name: 'trousseau-api', statement_timeout: STATEMENT_LIMIT_MS },
      types: {
        // bigint and numeric: ours fit a number.
        number: { to: 20, from: [20, 1700], serialize: String, parse: Number },
      },
      onnotice: () => {},
    });
  // The library takes the number in the URL for text, and text for one connection.
  const max = Number(/[?&]max=([1-9]\d*)/.exec(url)?.[1] ?? CONNECTIONS);
  const sql = connections(max, false);
  // For groups of writes alone: among busy readers a transaction might wait for ever for a connection to itself.
  // A new one is handed over only after the library has asked for types. Where there is to be one connection in all,
  // nothing is grouped.
  const lanes = max > 1 ? connections(GROUPS.atOnce, true) : undefined;

  // It asks in nobody's name, so that a connection lost meanwhile would end the process.
  const unheard = (error: unknown) => {
    if (!String((error as { query?: string } | undefined)?.query).includes('pg_catalog.pg_type')) throw error;
  };
  process.on('unhandledRejection', unheard);

  const say = async (text: string, params: readonly Value[] = []): Promise<Result> => {
    for (let retry = 0; ; retry++) {
      try {
        const query: Query = sql.unsafe(text, params as Value[], { prepare: true }).values();
        // Takes it out of the queue. One that was sent is ended by the server's own limit: to cancel it takes another
        // connection, and nobody catches what the library throws when a frozen server doesn't answer that.
        return (await withinLimit(query, () => query.state || query.cancel())) as Result;
      } catch (error) {
        if (!ROLLED_BACK.has(codeOf(error)) || retry === RETRIES) throw error;
        await sleep(Math.random() * 2 ** retry);
      }
    }
  };

  /** All of them in one transaction; gives nothing where one was refused, and with it all were rolled back. */
  async function together(lanes: postgres.Sql, statements: Statement[]): Promise<Written[] | undefined> {
    const asked = performance.now();
    const session = await lanes.reserve();
    if (performance.now() - asked > TOTAL_LIMIT_MS) {
      // Everybody has been told by now that it was not to be.
      session.release();
      throw unavailable(new Error('no connection in time'));
    }
    const [begun, ...said] = await Promise.allSettled([
      session.unsafe(`begin; set local lock_timeout = ${GROUP_LOCK_LIMIT_MS}`),
      ...statements.map(([text, params]) =>
        session.unsafe(text, params as Value[], { prepare: true }).values(),
      ),
      session.unsafe('commit'),
    ]);
    const failures = [begun, ...said].flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    // To give back a connection that was lost would have the library write to it.
    if (failures.every((error) => error instanceof postgres.PostgresError)) session.release();
    const fault = failures.find((error) => !isRefusal(error));
    if (fault) throw fault;
    if (begun.status === 'rejected') throw begun.reason;
    if (failures.length > 0) return undefined;
    return said.slice(0, -1).map((each) => written((each as PromiseFulfilledResult<Result>).value));
  }

  const writes = grouped(async (group) => {
    // The others have been told by now that it was not to be.
    const waiting = group.filter(({ since }) => performance.now() - since < TOTAL_LIMIT_MS);
    if (lanes && waiting.length > 1) {
      const done = await withinLimit(
        together(
          lanes,
          waiting.map(({ statement }) => statement),
        ),
      );
      if (done) {
        for (const [i, { resolve }] of waiting.entries()) resolve(done[i]!);
        return;
      }
    }
    // Each by itself, to hear its own answer.
    await Promise.allSettled(
      waiting.map(({ statement, resolve }) => {
        const single = say(...statement).then(written);
        resolve(single);
        return single;
      }),
    );
  }, GROUPS);

  const counted = { pending: 0 };
  const admit =
    <T>(run: (...statement: Statement) => Promise<T>) =>
    async (...statement: Statement): Promise<T> => {
      if (counted.pending >= MOST_PENDING) throw unavailable(new Error('too many statements are waiting'));
      counted.pending++;
      try {
        return await run(...statement);
      } catch (error) {
        throw error instanceof Problem || isRefusal(error) ? error : unavailable(error);
      } finally {
        counted.pending--;
      }
    };

  return {
    identity: 'bigint generated by default as identity primary key',
    returningId: ' returning id',
    counted,
    read: admit(say),
    write: admit((...statement) => withinLimit(writes.write(...statement))),
    async transaction(work) {
      for (let retry = 0; ; retry++) {
        try {
          // Whatever the callback gives is awaited here, so the array type that the library unwraps never occurs.
          return (await sql.begin((tx) =>
            work(async (text, params = []) => (await tx.unsafe(text, params as Value[]).values()) as Row[]),
          )) as Awaited<ReturnType<typeof work>>;
        } catch (error) {
          // Two that create the same table at once meet in the catalogue: the second finds it on its next try.
          const again = ROLLED_BACK.has(codeOf(error)) || ['23505', '42P07'].includes(codeOf(error));
          if (!again || retry === RETRIES) throw error;
          await sleep(50 + Math.random() * 100);
        }
      }
    },
    async close() {
      await Promise.all([sql, lanes].map((pool) => pool?.end({ timeout: 5 })));
      process.off('unhandledRejection', unheard);
    },
  };
}

type Result = Row[] & { count: number };

const written = (result: Result): Written => ({ count: result.count, id: Number(result[0]?.[0] ?? 0) });

type Query = Promise<unknown> & { cancel(): void; state?: unknown };

async function withinLimit<T>(work: Promise<T>, giveUp?: () => void): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      giveUp?.();
      reject(unavailable(new Error(`no answer within ${TOTAL_LIMIT_MS} ms`)));
    }, TOTAL_LIMIT_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

const codeOf = (error: unknown): string => String((error as { code?: unknown } | undefined)?.code ?? '');

const unavailable = (cause: unknown) =>
  new Problem('unavailable', 'The item store cannot be reached at the moment', {
    cause,
    headers: { 'retry-after': '2' },
  });

// What the server says of a statement stays what it is. Everything else is about the way there: connections refused,
// closed or lost, and what the library makes of that.
const isRefusal = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && !STORE_FAULTS.test(error.code);
