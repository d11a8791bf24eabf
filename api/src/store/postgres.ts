import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { Problem } from '../problem.ts';
import type { Database, Row, Run, Statement, Unit, Value, Written } from './database.ts';
import { grouped, type Waiting } from './grouped.ts';

const CONNECTIONS = 5;
const CONNECT_LIMIT_SECONDS = 3;
// How long a caller waits in all. The server may spend most of it on a statement, but a frozen server keeps no limit.
const TOTAL_LIMIT_MS = 5_000;
const STATEMENT_SHARE = 0.8;
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
// A constraint refused what the guard didn't see yet: sent again, the unit sees it.
const OVERTAKEN = new Set([...ROLLED_BACK, '23505', '23514']);

/** A pool of connections to a PostgreSQL server, or what speaks its protocol; `?max=` in the URL sets its size. */
export function openPostgres(url: string, totalLimit = TOTAL_LIMIT_MS): Database {
  const usualLimit = Math.round(totalLimit * STATEMENT_SHARE);
  const connections = (max: number, statementLimit = usualLimit) =>
    postgres(url, {
      max,
      fetch_types: false,
      connect_timeout: CONNECT_LIMIT_SECONDS,
      // A server that comes back is found within the second.
      backoff: () => 0.25 + Math.random() / 4,
      connection: { application_name: 'trousseau-api', statement_timeout: statementLimit },
      types: {
        // bigint and numeric: ours fit a number.
        number: { to: 20, from: [20, 1700], serialize: String, parse: Number },
      },
      onnotice: () => {},
    });
  // The library takes the number in the URL for text, and text for one connection.
  const max = Number(/[?&]max=([1-9]\d*)/.exec(url)?.[1] ?? CONNECTIONS);
  const sql = connections(max);
  // Transactions have pools of one connection each: among busy readers they might wait for ever for a connection to
  // themselves. Where there is to be one connection in all, they take turns at that one, and nothing is grouped.
  const groups = max > 1;
  const ownPools = groups ? Array.from({ length: GROUPS.atOnce }, () => connections(1)) : [];
  const freePools = groups ? [...ownPools] : [sql];

  const execute = async (text: string, params: readonly Value[] = []): Promise<Result> => {
    for (let retry = 0; ; retry++) {
      try {
        const query: Query = sql.unsafe(text, params as Value[], { prepare: true }).values();
        // Takes it out of the queue. One that was sent is ended by the server's own limit: to cancel it takes another
        // connection, and nobody catches what the library throws when a frozen server doesn't answer that.
        return (await withinLimit(query, totalLimit, () => query.state || query.cancel())) as Result;
      } catch (error) {
        if (!ROLLED_BACK.has(codeOf(error)) || retry === RETRIES) throw error;
        await sleep(Math.random() * 2 ** retry);
      }
    }
  };
  /**
   * All units in one transaction; gives nothing where a statement was refused, and with it all were rolled back. The
   * guards go first, since what follows depends on them.
   */
  async function storeTogether(pool: postgres.Sql, units: Unit[], lockLimit: number) {
    const asked = performance.now();
    // The library hands out a connection only once it is open.
    await pool.unsafe('select 1');
    const session = await pool.reserve();
    if (performance.now() - asked > totalLimit) {
      // Their time is over: the callers were told that nothing was stored.
      session.release();
      throw unavailable(new Error('no connection in time'));
    }
    const failures: unknown[] = [];
    const run = async (statements: readonly (Statement | string)[]): Promise<Result[]> => {
      const settled = await Promise.allSettled(
        statements.map((each) =>
          typeof each === 'string'
            ? session.unsafe(each)
            : session.unsafe(each[0], (each[1] ?? []) as Value[], { prepare: true }).values(),
        ),
      );
      for (const each of settled) if (each.status === 'rejected') failures.push(each.reason);
      return settled.map((each) => (each.status === 'fulfilled' ? each.value : []) as unknown as Result);
    };
    const begin = `begin; set local lock_timeout = ${lockLimit}`;
    const guards = units.map(([guard]) => guard);
    let results: Result[];
    if (units.every(({ length }) => length === 1)) {
      results = (await run([begin, ...guards, 'commit'])).slice(1, -1);
    } else {
      results = (await run([begin, ...guards])).slice(1);
      // The commit of a transaction in which something failed is a roll-back.
      if (failures.length > 0) await run(['commit']);
      else
        await run([...units.flatMap(([, ...others], i) => (results[i]!.count > 0 ? others : [])), 'commit']);
    }
    // To give back a connection that was lost would have the library write to it.
    if (failures.every((error) => error instanceof postgres.PostgresError)) session.release();
    const fault = failures.find((error) => !isRefusal(error));
    if (fault) throw fault;
    return { refusal: failures[0], written: results.map(written) };
  }

  async function inTransaction(units: Unit[], lockLimit: number) {
    // Those whose time ran out on a frozen server hold their pools until it lets go.
    const pool = freePools.pop();
    if (!pool) throw unavailable(new Error('no connection is free'));
    const work = storeTogether(pool, units, lockLimit);
    // Behind the time limit, too, it is that work's pool until it ends.
    work.catch(() => {}).finally(() => freePools.push(pool));
    return withinLimit(work, totalLimit);
  }

  async function storeAlone(unit: Unit): Promise<Written> {
    if (unit.length === 1) return written(await execute(...unit[0]));
    for (let retry = 0; ; retry++) {
      const { refusal, written } = await inTransaction([unit], usualLimit);
      if (!refusal) return written[0]!;
      if (!OVERTAKEN.has(codeOf(refusal)) || retry === RETRIES) throw refusal;
      await sleep(Math.random() * 2 ** retry);
    }
  }

  const writes = grouped(
    async (group) => {
      // The callers of the others were told that nothing was stored.
      const waiting = group.filter(({ since }) => performance.now() - since < totalLimit);
      if (groups && waiting.length > 1) {
        const units = waiting.map(({ unit }) => unit);
        const { refusal, written } = await inTransaction(units, GROUP_LOCK_LIMIT_MS);
        if (!refusal) {
          for (const [i, { resolve }] of waiting.entries()) resolve(written[i]!);
          return;
        }
      }
      // Each by itself, to hear its own answer: statements side by side, transactions one after the other.
      const single = waiting.filter(({ unit }) => unit.length === 1);
      const several = waiting.filter(({ unit }) => unit.length > 1);
      const alone = ({ unit, resolve }: Waiting) => {
        const stored = storeAlone(unit);
        resolve(stored);
        return stored.catch(() => {});
      };
      await Promise.all(single.map(alone));
      for (const each of several) await alone(each);
    },
    { most: GROUPS.most, atOnce: freePools.length },
  );

  const counted = { pending: 0 };
  const admit =
    <A extends unknown[], T>(run: (...asked: A) => Promise<T>) =>
    async (...asked: A): Promise<T> => {
      if (counted.pending >= MOST_PENDING) throw unavailable(new Error('too many statements are waiting'));
      counted.pending++;
      try {
        return await run(...asked);
      } catch (error) {
        throw error instanceof Problem || isRefusal(error) ? error : unavailable(error);
      } finally {
        counted.pending--;
      }
    };

  return {
    identity: 'bigint generated by default as identity primary key',
    returningId: ' returning id',
    oneWriter: false,
    keepsOrder: false,
    now: '(extract(epoch from clock_timestamp()) * 1000)::bigint',
    counted,
    read: admit(execute as Run),
    write: admit((...unit: Unit) => withinLimit(writes.write(...unit), totalLimit)),
    async migrate(work) {
      // However long it takes; those that wait for the one that migrates wait as long.
      const patient = connections(1, 0);
      try {
        for (let retry = 0; ; retry++) {
          try {
            // Whatever the callback gives is awaited here, so the array type that the library unwraps never occurs.
            return (await patient.begin((tx) =>
              work(async (text, params = []) => (await tx.unsafe(text, params as Value[]).values()) as Row[]),
            )) as Awaited<ReturnType<typeof work>>;
          } catch (error) {
            // Two that create the same table at once meet in the catalogue: the second finds it on its next try.
            const again = ROLLED_BACK.has(codeOf(error)) || ['23505', '42P07'].includes(codeOf(error));
            if (!again || retry === RETRIES) throw error;
            await sleep(50 + Math.random() * 100);
          }
        }
      } finally {
        await patient.end({ timeout: 5 });
      }
    },
    async close() {
      await Promise.all([sql, ...ownPools].map((pool) => pool.end({ timeout: 5 })));
    },
  };
}

type Result = Row[] & { count: number };

const written = (result: Result): Written => ({
  count: result.count,
  id: Number(result[0]?.[0] ?? 0),
  rows: [...result],
});

type Query = Promise<unknown> & { cancel(): void; state?: unknown };

async function withinLimit<T>(work: Promise<T>, limit: number, giveUp?: () => void): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      giveUp?.();
      reject(unavailable(new Error(`no answer within ${limit} ms`)));
    }, limit);
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
