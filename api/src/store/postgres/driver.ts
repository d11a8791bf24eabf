import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Problem, storeUnavailable } from '../../contract/problem.ts';
import { within, withinStoreTime } from '../../lib/store-time.ts';
import {
  type Database,
  type Durability,
  type Input,
  type Row,
  type Run,
  type Statement,
  type Unit,
  valuesOf,
  type Written,
} from '../database.ts';
import { groupCommit, type Waiting } from '../group-commit.ts';
import { siteOfNewItem, takeIds } from '../item-ids.ts';
import { COUNT_IN_REGISTRY, COUNT_IN_SITE } from '../registries.ts';
import { type Connection, codeOf, type Send, STALE, Unconfirmed } from './connection.ts';
import { openPool } from './pool.ts';

// How long a request waits, over all its statements. The server ends one after this share of it; a frozen server ends none.
const TOTAL_LIMIT_MS = 5_000;
const STATEMENT_SHARE = 0.8;
// A write may wait for a row that someone else holds: reads go over another connection while there is one.
const WRITE_WEIGHT = 100;
// Writes that share a transaction, and how long it waits for a row that someone else holds.
const MOST_OF_A_GROUP = 64;
const GROUP_LOCK_LIMIT_MS = 250;
// Statements that run or wait; past this the server is too slow for what is asked of it.
const MOST_PENDING = 5_000;
const RETRIES = 10;
// A row was locked for longer than `lock_timeout`.
const LOCKED = '55P03';

// By SQLSTATE class: connection lost, out of resources, shut down or cancelled, system error; a read-only server.
const STORE_FAULTS = /^(08|53|57|58)|^25006$/;
// Deadlock, serialization failure, a prepared statement out of date: all of it has been rolled back and can be sent again.
const ROLLED_BACK = new Set(['40001', '40P01', ...STALE]);
// A constraint refused what the guard didn't see yet: sent again, the unit sees it.
// Two that create the same table at once meet in the catalogue, and the second finds it on its next try.
const OVERTAKEN = new Set([...ROLLED_BACK, '23505', '23514', '42P07']);

/**
 * A store on a PostgreSQL server, or on what speaks its protocol. Batches and groups more than halve the CPU time of finding an
 * item, and cut that of creating one by more than 72%, compared with `pg`'s own pool and a transaction for each unit.
 */
export function openPostgres(url: string, totalLimit = TOTAL_LIMIT_MS): Database {
  const tooLate = () => unavailable(new Error(`no answer within ${totalLimit} ms`));
  const usualLimit = Math.round(totalLimit * STATEMENT_SHARE);
  const { readers, writer, leastBusy, patiently, close } = openPool(url, totalLimit, usualLimit);

  const read = (text: string, params: readonly Input[] = []): Promise<Row[]> =>
    retrying(ROLLED_BACK, async () => (await leastBusy().read(text, params)).rows);

  /** Stores all units in one transaction, guards first; after a `refusal` all are rolled back. */
  async function storeTogether(send: Send, units: Unit[], setting: string): Promise<Stored> {
    const run = (statements: readonly Statement[]) =>
      Promise.all(statements.map((each) => send(each[0], valuesOf(each))));
    const begin: Statement[] = [['begin'], [`set local ${setting}`]];
    const guards = units.map(([guard]) => guard);
    try {
      if (units.every(({ length }) => length === 1))
        return { written: (await run([...begin, ...guards, COMMIT])).slice(begin.length, -1) };
      const written = (await run([...begin, ...guards])).slice(begin.length);
      const passed = units
        .filter((_, i) => written[i]!.count > 0)
        .sort((a, b) => byRow(secondOf(a), secondOf(b)));
      await run([...inOrder(passed.flatMap(([, ...others]) => others)), COMMIT]);
      return { written };
    } catch (refusal) {
      if (!isRefusal(refusal)) throw refusal;
      await send('rollback');
      return { refusal, written: [] };
    }
  }

  /** Stores units in one transaction over a connection that nobody else uses in the meantime. */
  function inTransaction(units: Unit[], setting: string, connection: Connection) {
    const asked = performance.now();
    return connection.alone((send) => {
      // The callers of what waited for so long were told that nothing was stored.
      if (performance.now() - asked > totalLimit) throw unavailable(new Error('no connection in time'));
      return storeTogether(send, units, setting);
    }, WRITE_WEIGHT);
  }

  /** Waits for a row no longer than callers do at most: until then nobody reads over this connection. */
  const storeAlone = ({ unit, since }: Waiting, connection: Connection): Promise<Written> =>
    retrying(OVERTAKEN, async () => {
      const left = Math.min(usualLimit, since + totalLimit - performance.now());
      // In tenths of a second, so that few texts are prepared; less than a statement's limit, which would end the connection.
      const setting = `lock_timeout = ${100 * Math.max(1, Math.ceil(left / 100) - 1)}`;
      const { refusal, written } = await inTransaction([unit], setting, connection);
      if (refusal) throw codeOf(refusal) === LOCKED ? unavailable(refusal) : refusal;
      return written[0]!;
    });

  // The callers of the others were told that nothing was stored.
  const isInTime = ({ since }: Waiting) => performance.now() - since < totalLimit;

  // Units that could not be stored with others are stored each by itself, one at a time over each connection: behind one
  // that waits for a row, nobody else's waits.
  const leftOver: Waiting[] = [];
  const freeReaders = new Set(readers);
  async function storeOneByOne(reader: Connection): Promise<void> {
    freeReaders.delete(reader);
    for (let next = leftOver.shift(); next; next = leftOver.shift()) {
      if (!isInTime(next)) continue;
      const stored = storeAlone(next, reader);
      next.resolve(stored);
      await stored.catch(() => {});
    }
    freeReaders.add(reader);
  }

  /**
   * Gives new items their ids, in a transaction of its own: inside the group's, the row of a site's ids would stay locked until
   * the commit, and every other create would wait. This commit isn't synced: a crash that loses it also loses the items, which
   * commit later.
   */
  async function withIds(group: Waiting[]): Promise<Waiting[]> {
    const counts = new Map<number, number>();
    for (const { unit } of group) {
      const siteId = siteOfNewItem(unit);
      if (siteId !== undefined) counts.set(siteId, (counts.get(siteId) ?? 0) + 1);
    }
    if (counts.size === 0) return group;
    const sites = [...counts].sort(([a], [b]) => a - b);
    const takes = sites.map(([siteId, count]): Unit => [takeIds(siteId, count)]);
    const { refusal, written } = await inTransaction(takes, 'synchronous_commit = off', writer);
    if (refusal) throw unavailable(refusal);
    const lastOf = (i: number) => written[i]!.rows[0]![0] as number;
    const last = new Map(sites.map(([siteId, count], i) => [siteId, lastOf(i) - count]));
    return group.map((waiting) => {
      const siteId = siteOfNewItem(waiting.unit);
      if (siteId === undefined) return waiting;
      const id = last.get(siteId)! + 1;
      last.set(siteId, id);
      const [guard, ...others] = waiting.unit.map((each): Statement => [each[0], valuesOf(each, id)]);
      return { ...waiting, unit: [guard!, ...others] };
    });
  }

  async function storeGroup(group: Waiting[]): Promise<void> {
    const withId = withIds(group.filter(isInTime));
    const waiting = (await within(totalLimit, tooLate, withId)).filter(isInTime);
    if (waiting.length === 0) return;
    const units = waiting.map(({ unit }) => unit);
    const work = inTransaction(units, `lock_timeout = ${GROUP_LOCK_LIMIT_MS}`, writer);
    const { refusal, written } = await within(totalLimit, tooLate, work);
    if (refusal) {
      leftOver.push(...waiting);
      for (const reader of [...freeReaders].slice(0, waiting.length)) void storeOneByOne(reader);
      return;
    }
    for (const [i, { resolve }] of waiting.entries()) resolve(written[i]!);
  }
  const { write } = groupCommit(storeGroup, MOST_OF_A_GROUP);

  const inside = <T>(connection: Connection, begin: string, work: (run: Run) => Promise<T>): Promise<T> =>
    connection.alone(async (send) => {
      await send(begin);
      const done = await work(async (sql, params) => (await send(sql, params)).rows);
      await send('commit');
      return done;
    });

  // A commit that only the leader has can be seen there. Before anything builds on it, the standby has to get another write, and
  // with it everything that was committed before.
  let isUnconfirmed = false;
  let confirmation: Promise<void> | undefined;
  async function confirm(): Promise<void> {
    isUnconfirmed = false;
    try {
      await writer.alone((send) => send('update oldest_code set schema_version = schema_version'));
    } catch (error) {
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
    // The server gathers its own statistics.
    dialect: { clustered: '', statistics: [] },
    isAmong: (column, list) => `${column} = any(${list})`,
    // The time when the statement arrived: a lease that ends while the statement waits for its row still counts as held.
    now: '(extract(epoch from statement_timestamp()) * 1000)::bigint',
    counters,
    async durability() {
      const [commit, standbys] = (await read(DURABILITY))[0] as string[];
      return durabilityOf(commit!, standbys!);
    },
    read: admit(read),
    write: admit(write),
    // Each statement sees all that was committed before it: so a migration that waited for its locks sees what came before them.
    transaction: (work) =>
      patiently((connection) =>
        retrying(OVERTAKEN, () => inside(connection, 'begin isolation level read committed', work)),
      ),
    snapshot: (work) =>
      patiently((connection) => inside(connection, 'begin isolation level repeatable read, read only', work)),
    close,
  };
}

/** Does the work again when it fails with one of these codes. */
async function retrying<T>(codes: Set<string>, work: () => Promise<T>): Promise<T> {
  for (let retry = 0; ; retry++) {
    try {
      return await work();
    } catch (error) {
      if (!codes.has(codeOf(error)) || retry === RETRIES) throw error;
      await sleep(Math.random() * 2 ** retry);
    }
  }
}

/** The row that a statement counts in, which its first two values name. */
const rowOf = ([, params = []]: Statement): string => String(params.slice(0, 2));
// Processes that lock the same rows in the same order never wait for each other in a circle.
const byRow = (a: Statement, b: Statement): number =>
  rowOf(a) < rowOf(b) ? -1 : rowOf(a) > rowOf(b) ? 1 : 0;
/** The statement that locks a unit's registry, in most cases. */
const secondOf = ([guard, second = guard]: Unit): Statement => second;

const DURABILITY =
  "select current_setting('synchronous_commit'), current_setting('synchronous_standby_names')";

function durabilityOf(commit: string, standbys: string): Durability {
  const settings = `synchronous_commit is ${commit}, synchronous_standby_names is ${standbys || 'empty'}`;
  const mayLose = commit === 'off' || (standbys && commit === 'local');
  const loss = commit === 'off' ? 'a crash of the server' : 'the loss of the leader';
  if (mayLose)
    return { words: `${loss} loses answered writes: ${settings}`, cure: 'set synchronous_commit = on there' };
  const where = standbys ? 'on a second machine too' : "on one machine's disk";
  return { words: `answered writes are ${where}: ${settings}` };
}

const COMMIT: Statement = ['commit'];
type Stored = { written: Written[]; refusal?: unknown };

/** In an order in which no two transactions wait in a circle: counts of registries first, of sites last, rows in turn. */
const inOrder = (statements: Statement[]): Statement[] =>
  statements.sort((a, b) => rankOf(a) - rankOf(b) || (rankOf(a) === 1 ? 0 : byRow(a, b)));
const rankOf = ([text]: Statement) => (text === COUNT_IN_REGISTRY ? 0 : text === COUNT_IN_SITE ? 2 : 1);

const RETRY_AFTER_S = 2;
const unavailable = (cause: unknown) => storeUnavailable(cause, RETRY_AFTER_S);
const unconfirmed = (cause: unknown) =>
  new Problem('unavailable', 'This may have happened: the item store could not confirm it', {
    cause,
    retryAfter: RETRY_AFTER_S,
  });

// Whether the server refused a statement: that error stays as it is. All others mean that the store is unavailable:
// the server's own faults, a connection that wasn't made or was lost, and what the library makes of that.
const isRefusal = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && !STORE_FAULTS.test(codeOf(error));
