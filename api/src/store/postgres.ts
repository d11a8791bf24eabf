import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Problem, storeUnavailable } from '../problem.ts';
import { type Connection, codeOf, connectionTo, type Result, type Send, STALE } from './connection.ts';
import type { Database, Statement, Unit, Written } from './database.ts';
import { groupCommit, type Waiting } from './group-commit.ts';

const CONNECTIONS = 5;
// How long a caller waits in all. The server may spend most of it on a statement, but a frozen server keeps no limit.
const TOTAL_LIMIT_MS = 5_000;
const STATEMENT_SHARE = 0.8;
// A write may wait for a row that somebody else holds: reads go over another connection while there is one.
const WRITE_WEIGHT = 100;
// Writes that share a transaction, and how long it waits for a row that somebody else holds.
const GROUPS = { max: 64, concurrency: 2 };
const GROUP_LOCK_LIMIT_MS = 100;
// Statements that run or wait; past this the server is too slow for what is asked of it.
const MOST_PENDING = 5_000;
const RETRIES = 10;
const FOR_EVER_MS = 2 ** 31 - 1;

// By SQLSTATE class: connection lost, out of resources, shut down or cancelled, system error; a read-only server.
const STORE_FAULTS = /^(08|53|57|58)|^25006$/;
// Deadlock, serialization failure, a prepared statement out of date: it has been rolled back whole and can be said again.
const ROLLED_BACK = new Set(['40001', '40P01', ...STALE]);
// A constraint refused what the guard didn't see yet: sent again, the unit sees it.
const OVERTAKEN = new Set([...ROLLED_BACK, '23505', '23514']);

/** Connections to a PostgreSQL server, or what speaks its protocol; `?max=` in the URL says how many read. */
export function openPostgres(url: string, totalLimit = TOTAL_LIMIT_MS): Database {
  const usualLimit = Math.round(totalLimit * STATEMENT_SHARE);
  const connect = () =>
    connectionTo(url, totalLimit, { application_name: 'trousseau-api', statement_timeout: usualLimit });
  const max = Number(/[?&]max=([1-9]\d*)/.exec(url)?.[1] ?? CONNECTIONS);
  const readers = Array.from({ length: max }, connect);
  // Transactions have connections of their own. Where there is to be one connection in all, they take turns at that
  // one, and nothing is grouped.
  const groups = max > 1;
  const writers = groups ? Array.from({ length: GROUPS.concurrency }, connect) : readers;
  const freeWriters = [...writers];

  const execute = async ([text, params = []]: Statement, weight = 1, on?: Connection): Promise<Result> => {
    for (let retry = 0; ; retry++) {
      try {
        return await (on ?? leastBusy(readers)).run(text, params, weight);
      } catch (error) {
        if (!ROLLED_BACK.has(codeOf(error)) || retry === RETRIES) throw error;
        await sleep(Math.random() * 2 ** retry);
      }
    }
  };
  /**
   * Stores all units in one transaction; returns nothing where a statement was refused and all were rolled back. Guards go
   * first, since the other statements depend on them.
   */
  async function storeTogether(send: Send, units: Unit[], lockLimit: number) {
    const failures: unknown[] = [];
    const run = async (statements: readonly (Statement | string)[]): Promise<Result[]> => {
      const settled = await Promise.allSettled(
        statements.map((each) => (typeof each === 'string' ? send(each) : send(each[0], each[1] ?? []))),
      );
      for (const each of settled) if (each.status === 'rejected') failures.push(each.reason);
      return settled.map((each) => (each.status === 'fulfilled' ? each.value : NOTHING));
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
    const fault = failures.find((error) => !isRefusal(error));
    if (fault) throw fault;
    return { refusal: failures[0], written: results.map(written) };
  }

  async function inTransaction(units: Unit[], lockLimit: number) {
    // Those whose time ran out on a frozen server hold their connections until these are given up.
    const writer = freeWriters.pop();
    if (!writer) throw unavailable(new Error('no connection is free'));
    const asked = performance.now();
    const work = writer.alone((send) => {
      // The callers of what waited for so long were told that nothing was stored.
      if (performance.now() - asked > totalLimit) throw unavailable(new Error('no connection in time'));
      return storeTogether(send, units, lockLimit);
    });
    // Behind the time limit, too, it is that work's connection until it ends.
    work.catch(() => {}).finally(() => freeWriters.push(writer));
    return withinLimit(work, totalLimit);
  }

  async function storeAlone(unit: Unit, on?: Connection): Promise<Written> {
    if (unit.length === 1) return written(await execute(unit[0], WRITE_WEIGHT, on));
    for (let retry = 0; ; retry++) {
      const { refusal, written } = await inTransaction([unit], usualLimit);
      if (!refusal) return written[0]!;
      if (!OVERTAKEN.has(codeOf(refusal)) || retry === RETRIES) throw refusal;
      await sleep(Math.random() * 2 ** retry);
    }
  }

  const writes = groupCommit(
    async (group) => {
      // The callers of the others were told that nothing was stored.
      const isInTime = ({ since }: Waiting) => performance.now() - since < totalLimit;
      const waiting = group.filter(isInTime);
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
      const alone = async (each: Waiting, on?: Connection) => {
        if (!isInTime(each)) return;
        const stored = storeAlone(each.unit, on);
        each.resolve(stored);
        await stored.catch(() => {});
      };
      // One at a time over each connection: behind one that waits for a row, nobody else's waits.
      await Promise.all(
        readers.map(async (reader) => {
          for (let next = single.shift(); next; next = single.shift()) await alone(next, reader);
        }),
      );
      for (const each of several) await alone(each);
    },
    { max: GROUPS.max, concurrency: writers.length },
  );

  const counters = { pending: 0 };
  const admit =
    <A extends unknown[], T>(run: (...asked: A) => Promise<T>) =>
    async (...asked: A): Promise<T> => {
      if (counters.pending >= MOST_PENDING) throw unavailable(new Error('too many statements are waiting'));
      counters.pending++;
      try {
        return await run(...asked);
      } catch (error) {
        throw error instanceof Problem || isRefusal(error) ? error : unavailable(error);
      } finally {
        counters.pending--;
      }
    };

  return {
    identity: 'bigint generated by default as identity primary key',
    returningId: ' returning id',
    oneWriter: false,
    keepsOrder: false,
    now: '(extract(epoch from clock_timestamp()) * 1000)::bigint',
    counters,
    read: admit(async (...statement: Statement) => (await execute(statement)).rows),
    write: admit((...unit: Unit) => withinLimit(writes.write(...unit), totalLimit)),
    async migrate(work) {
      // However long it takes; those that wait for the one that migrates wait as long.
      const patient = connectionTo(url, FOR_EVER_MS);
      try {
        for (let retry = 0; ; retry++) {
          try {
            return await patient.alone(async (send) => {
              await send('begin');
              const done = await work(async (...statement: Statement) => (await send(...statement)).rows);
              await send('commit');
              return done;
            });
          } catch (error) {
            // Two that create the same table at once meet in the catalogue: the second finds it on its next try.
            const again = ROLLED_BACK.has(codeOf(error)) || ['23505', '42P07'].includes(codeOf(error));
            if (!again || retry === RETRIES) throw error;
            await sleep(50 + Math.random() * 100);
          }
        }
      } finally {
        await patient.close();
      }
    },
    async close() {
      await Promise.all([...new Set([...readers, ...writers])].map((connection) => connection.close()));
    },
  };
}

const NOTHING: Result = { rows: [], count: 0 };

const written = ({ rows, count }: Result): Written => ({ count, id: Number(rows[0]?.[0] ?? 0), rows });

const leastBusy = (connections: Connection[]): Connection =>
  connections.reduce((least, each) => (each.pending < least.pending ? each : least));

async function withinLimit<T>(work: Promise<T>, limit: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable(new Error(`no answer within ${limit} ms`))), limit);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

const unavailable = (cause: unknown) => storeUnavailable(cause, 2);

// Errors of a statement stay as they are. All others concern the connection: refused,
// closed or lost, and what the library makes of that.
const isRefusal = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && !STORE_FAULTS.test(codeOf(error));
