import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Problem, storeUnavailable } from '../../contract/problem.ts';
import { semaphore } from '../../lib/semaphore.ts';
import { withinStoreTime } from '../../lib/store-time.ts';
import {
  type Database,
  type Dialect,
  type Durability,
  type Run,
  type Statement,
  type Unit,
  valuesOf,
  type Write,
  type Written,
} from '../database.ts';
import { siteOfNewItem, takeIds } from '../item-ids.ts';
import { codeOf, poolAt, type Result, type Send, STALE, Unconfirmed } from './pool.ts';

const CONNECTIONS = 10;
// A write may wait for a row that somebody else holds: reads have connections that writes leave to them.
const LEFT_TO_READS = 2;
// How long a request waits in all, over its statements. The server may spend most of it on a statement, but a frozen server keeps no limit.
const TOTAL_LIMIT_MS = 5_000;
const STATEMENT_SHARE = 0.8;
// Statements that run or wait; past this the server is too slow for what is asked of it.
const MOST_PENDING = 5_000;
const RETRIES = 10;

// By SQLSTATE class: connection lost, out of resources, shut down or cancelled, system error; a read-only server.
const STORE_FAULTS = /^(08|53|57|58)|^25006$/;
// Deadlock, serialization failure, a prepared statement out of date: it has been rolled back whole and can be said again.
const ROLLED_BACK = new Set(['40001', '40P01', ...STALE]);
// A constraint refused what the guard didn't see yet: sent again, the unit sees it.
const OVERTAKEN = new Set([...ROLLED_BACK, '23505', '23514']);

/**
 * Connections to a PostgreSQL server, or what speaks its protocol; `?max=` in the URL says how many. Each unit is a transaction of
 * its own: MEASURED
 */
export function openPostgres(url: string, totalLimit = TOTAL_LIMIT_MS): Database {
  const tooLate = () => unavailable(new Error(`no answer within ${totalLimit} ms`));
  const max = Number(/[?&]max=([1-9]\d*)/.exec(url)?.[1] ?? CONNECTIONS);
  const pool = poolAt(url, {
    ...{ max, application_name: 'trousseau-api' },
    ...{ statement_timeout: Math.round(totalLimit * STATEMENT_SHARE), query_timeout: totalLimit },
  });
  // Units about one registry take turns, so that one that waits for a row holds up no more than these.
  const writers = semaphore(Math.max(1, max - LEFT_TO_READS), 1);

  const execute = (statement: Statement): Promise<Result> =>
    again(ROLLED_BACK, () => pool.use((send) => send(statement[0], valuesOf(statement))));

  const write: Write = async (...unit) => {
    const since = performance.now();
    const leave = await writers.enter('', registryOf(unit));
    try {
      return await again(unit.length > 1 ? OVERTAKEN : ROLLED_BACK, () =>
        pool.use((send) => {
          // The callers of what waited for so long were told that nothing was stored.
          if (performance.now() - since > totalLimit) throw unavailable(new Error('no connection in time'));
          return store(send, unit);
        }),
      );
    } finally {
      leave();
    }
  };

  /** Uses a connection of its own, however long that takes; those that wait for a lock wait as long. */
  async function patiently<T>(begin: string, work: (run: Run) => Promise<T>): Promise<T> {
    const patient = poolAt(url, { max: 1 });
    try {
      // Two that create the same table at once meet in the catalogue: the second finds it on its next try.
      return await again(new Set([...ROLLED_BACK, '23505', '42P07']), () =>
        patient.use((send) => inside(send, begin, work)),
      );
    } finally {
      await patient.close();
    }
  }

  // A commit that only the leader has can be seen there: no answer is built on it before the standby has it as well, and
  // with it everything that was committed before.
  let isUnconfirmed = false;
  let confirmation: Promise<void> | undefined;
  async function confirm(): Promise<void> {
    isUnconfirmed = false;
    try {
      await pool.use((send) => send("select pg_logical_emit_message(true, 'trousseau', '')"));
    } catch (error) {
      if (isRefusal(error)) return;
      isUnconfirmed = true;
      throw unavailable(error);
    } finally {
      confirmation = undefined;
    }
  }

  const counters = { pending: 0 };
  const admit =
    <A extends unknown[], T>(run: (...asked: A) => Promise<T>) =>
    async (...asked: A): Promise<T> => {
      if (counters.pending >= MOST_PENDING) throw unavailable(new Error('too many statements are waiting'));
      counters.pending++;
      try {
        return await withinStoreTime(totalLimit, tooLate, async () => {
          if (isUnconfirmed) confirmation ??= confirm();
          if (confirmation) await confirmation;
          return run(...asked);
        });
      } catch (error) {
        if (error instanceof Unconfirmed) {
          isUnconfirmed = true;
          throw unconfirmed(error);
        }
        throw error instanceof Problem || isRefusal(error) ? error : unavailable(error);
      } finally {
        counters.pending--;
      }
    };

  return {
    dialect: DIALECT,
    isAmong: (column, list) => `${column} = any(${list})`,
    // A statement that waits for a row judges by when it came: what has ended since then still counts as held.
    now: '(extract(epoch from statement_timestamp()) * 1000)::bigint',
    counters,
    async durability() {
      const [commit, standbys] = (await execute([DURABILITY])).rows[0] as string[];
      return durabilityOf(commit!, standbys!);
    },
    read: admit(async (...statement: Statement) => (await execute(statement)).rows),
    write: admit(write),
    // Each statement sees what was committed until then: a migration what was before it had its locks.
    transaction: (work) => patiently('begin isolation level read committed', work),
    snapshot: (work) => patiently('begin isolation level repeatable read, read only', work),
    close: pool.close,
  };
}

const DIALECT: Dialect = {
  insertedAtOnce: 100,
  clustered: '',
  // The server gathers its own.
  statistics: [],
};

/** The row that a unit's second statement locks, its registry's in most cases: the first two values name it. */
const registryOf = ([guard, second = guard]: Unit): string => String(second[1]?.slice(0, 2));

async function again<T>(codes: ReadonlySet<string>, work: () => Promise<T>): Promise<T> {
  for (let retry = 0; ; retry++) {
    try {
      return await work();
    } catch (error) {
      if (!codes.has(codeOf(error)) || retry === RETRIES) throw error;
      await sleep(Math.random() * 2 ** retry);
    }
  }
}

/** Sends all at once, and fails with the first failure, which aborts what follows in its transaction. */
async function sendAll(statements: Promise<Result>[]): Promise<Result[]> {
  const settled = await Promise.allSettled(statements);
  const failed = settled.find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
  return settled.map((each) => (each as PromiseFulfilledResult<Result>).value);
}

/**
 * Gives a new item its id, in a transaction of its own: inside the unit's, the row of a site's ids would stay locked until the
 * commit, and every other create would wait. This commit isn't synced: a crash that loses it also loses the item, which commits
 * later.
 */
async function newId(send: Send, siteId: number): Promise<number> {
  const take = takeIds(siteId);
  const begin = [send('begin'), send('set local synchronous_commit = off')];
  const [, , taken] = await sendAll([...begin, send(take[0], valuesOf(take)), send('commit')]);
  return taken!.rows[0]![0] as number;
}

async function store(send: Send, unit: Unit): Promise<Written> {
  const siteId = siteOfNewItem(unit);
  const id = siteId === undefined ? null : await newId(send, siteId);
  const run = (statement: Statement) => send(statement[0], valuesOf(statement, id));
  const [guard, ...others] = unit;
  if (others.length === 0) return written(await run(guard));
  try {
    const [, guarded] = await sendAll([send('begin'), run(guard)]);
    if (guarded!.count > 0) await sendAll([...others.map(run), send('commit')]);
    else await send('commit');
    return written(guarded!);
  } catch (error) {
    await send('rollback').catch(() => {});
    throw error;
  }
}

async function inside<T>(send: Send, begin: string, work: (run: Run) => Promise<T>): Promise<T> {
  await send(begin);
  try {
    const done = await work(async (sql, params) => (await send(sql, params)).rows);
    await send('commit');
    return done;
  } catch (error) {
    await send('rollback').catch(() => {});
    throw error;
  }
}

const DURABILITY =
  "select current_setting('synchronous_commit'), current_setting('synchronous_standby_names')";

function durabilityOf(commit: string, standbys: string): Durability {
  const settings = `synchronous_commit is ${commit}, synchronous_standby_names is ${standbys || 'empty'}`;
  if (commit === 'off')
    return {
      words: `a crash of the server loses answered writes: ${settings}`,
      cure: 'set synchronous_commit = on there',
    };
  if (!standbys) return { words: `an answered write is on the disk of one machine: ${settings}` };
  if (commit !== 'local') return { words: `an answered write is on a second machine as well: ${settings}` };
  return {
    words: `the loss of the leader loses answered writes: ${settings}`,
    cure: 'set synchronous_commit = on there',
  };
}

const written = ({ rows, count }: Result): Written => ({ count, id: Number(rows[0]?.[0] ?? 0), rows });

const RETRY_AFTER_S = 2;
const unavailable = (cause: unknown) => storeUnavailable(cause, RETRY_AFTER_S);
const unconfirmed = (cause: unknown) =>
  new Problem('unavailable', 'This may have happened: the item store could not confirm it', {
    cause,
    retryAfter: RETRY_AFTER_S,
  });

// Errors of a statement stay as they are. All others concern the connection: refused,
// closed or lost, and what the library makes of that.
const isRefusal = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && !STORE_FAULTS.test(codeOf(error));
