import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { storeUnavailable } from '../../contract/problem.ts';
import { bounded } from '../../lib/cache.ts';
import {
  type Database,
  type Input,
  MOST_PREPARED,
  type Row,
  type Run,
  type Statement,
  type Unit,
  type Value,
  valuesOf,
  type Write,
  type Written,
} from '../database.ts';
import { groupCommit, type Waiting } from '../group-commit.ts';
import { siteOfNewItem, takeIds } from '../item-ids.ts';
import { checkpoints } from './checkpoints.ts';
import { STATISTICS } from './statistics.ts';

// How long a write waits for another process to finish its own before the caller is told to come back.
const BUSY_LIMIT_MS = 5_000;
const BUSY = 5;

// The primary result codes that mean "the store, not the statement": busy, locked, out of memory, read-only,
// input/output, corrupt, full, cannot open, not a database.
const STORE_FAULTS = new Set([5, 6, 7, 8, 10, 11, 13, 14, 26]);

/** Opens the database at `path`; an answered write is synced. Given `writeElsewhere`, this process only reads. */
export async function openSqlite(
  path: string,
  writeElsewhere?: Write,
  busyLimitMs = BUSY_LIMIT_MS,
): Promise<Database> {
  /** Tries again while another process holds the lock. */
  async function patiently<T>(work: () => T, since = performance.now()): Promise<T> {
    for (; ; await sleep(1)) {
      try {
        return work();
      } catch (error) {
        if (primaryCodeOf(error) !== BUSY || performance.now() > since + busyLimitMs) throw error;
      }
    }
  }
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true });
  // SQLite itself never waits for a lock: waiting is `patiently`'s, which lets others go on, and which also covers
  // the change to WAL, where SQLite gives up at once when several processes start together.
  const db = new DatabaseSync(path, { timeout: 0 });
  const settings = [
    'journal_mode = wal',
    'synchronous = full',
    'journal_size_limit = 67108864',
    // In case the thread that copies the log (`checkpoints`) can't.
    'wal_autocheckpoint = 10000',
    // Pages are read from the kernel's cache. SQLite's own stays at its usual 2 MB, since most commits walk through all of it.
    'mmap_size = 2147418112',
    // Rollback data of units stays in memory.
    'temp_store = memory',
  ];
  try {
    for (const setting of settings) await patiently(() => db.exec(`pragma ${setting}`));
  } catch (error) {
    db.close();
    throw error;
  }

  const statements = bounded<string, { statement: StatementSync; returnsRows: boolean }>(MOST_PREPARED);
  const prepared = (sql: string) => {
    let cached = statements.get(sql);
    if (!cached) {
      // By place instead of by name, which SQLite would have to look up.
      const statement = db.prepare(sql.replaceAll(/\$(?=\d)/g, '?'));
      statement.setReturnArrays(true);
      cached = { statement, returnsRows: statement.columns().length > 0 };
      statements.set(sql, cached);
    }
    return cached;
  };
  const execute = (sql: string, params: readonly Input[] = []): Row[] =>
    // With setReturnArrays the rows are arrays, which the types don't know.
    prepared(sql).statement.all(...params.map(bound)) as unknown as Row[];

  const rollBack = () => {
    try {
      if (db.isTransaction) db.exec('rollback');
    } catch {
      // A store that fails has rolled back by itself, or will when it is opened next.
    }
  };

  // Reads of one turn of the event loop share a snapshot: taking one costs two system calls, more than most reads. A process
  // that doesn't write shares none: it would miss for that long what the one that writes has stored.
  let sharing = false;
  const endSharing = () => {
    if (sharing) rollBack();
    sharing = false;
  };
  const begin = (kind: 'deferred' | 'immediate') => {
    endSharing();
    execute(`begin ${kind}`);
  };
  // Readers meet the lock only while another process recovers or closes the log.
  const read: Run = (sql, params = []) =>
    patiently(() => {
      if (!writeElsewhere && !db.isTransaction) {
        begin('deferred');
        sharing = true;
        setImmediate(endSharing);
      }
      return execute(sql, params);
    }).catch((error) => Promise.reject(storeError(error)));

  // SQLite goes on writing to a file that was removed or replaced: what it says is stored would be gone with a restart.
  const known = new Map([[path, statSync(path, { throwIfNoEntry: false })]]);
  const refuseIfMoved = () => {
    if (path === ':memory:') return;
    for (const file of [path, `${path}-wal`]) {
      const stat = statSync(file, { throwIfNoEntry: false });
      const first = known.has(file) ? known.get(file) : stat;
      known.set(file, first);
      if (!stat || stat.dev !== first?.dev || stat.ino !== first?.ino)
        throw storeUnavailable(new Error(`${file} was removed or replaced`));
    }
  };

  const change = (written: Statement, newId?: number): Written => {
    const { statement, returnsRows } = prepared(written[0]);
    const params = valuesOf(written, newId).map(bound);
    if (returnsRows) {
      const rows = statement.all(...params) as unknown as Row[];
      return { count: rows.length, rows };
    }
    return { count: Number(statement.run(...params).changes), rows: [] };
  };

  /** Stores a unit so that a refusal leaves the others of its transaction be. */
  const store = (unit: Unit): Written => {
    const [guard, ...others] = unit;
    execute('savepoint unit');
    try {
      const site = siteOfNewItem(unit);
      const newId = site === undefined ? undefined : (change(takeIds(site, 1)).rows[0]![0] as number);
      const written = change(guard, newId);
      if (written.count > 0) for (const other of others) change(other, newId);
      return written;
    } catch (error) {
      if (db.isTransaction) execute('rollback to unit');
      throw error;
    } finally {
      if (db.isTransaction) execute('release unit');
    }
  };

  async function storeTogether(group: Waiting[]): Promise<void> {
    const outcomes: (() => void)[] = [];
    try {
      await patiently(() => begin('immediate'), group[0]!.since);
      for (const { unit, resolve, reject } of group) {
        try {
          const written = store(unit);
          outcomes.push(() => resolve(written));
        } catch (error) {
          // A refused unit leaves the others be; a store that gave up has rolled back all of them.
          if (!db.isTransaction) throw error;
          outcomes.push(() => reject(storeError(error)));
        }
      }
      db.exec('commit');
      refuseIfMoved();
    } catch (error) {
      rollBack();
      throw storeError(error);
    }
    for (const tell of outcomes) tell();
    await checkpointer.committed();
  }
  const writes = groupCommit((group) => storeTogether(group));
  const checkpointer = checkpoints(path, () => {
    const [, pages, copied] = execute('pragma wal_checkpoint(noop)')[0] as number[];
    return { pages: pages!, copied: copied! };
  });

  const counters = { pending: 0 };
  return {
    dialect: { clustered: ' without rowid', statistics: STATISTICS },
    isAmong: (column, list) => `${column} in (select value from json_each(${list}))`,
    now: "cast(unixepoch('subsec') * 1000 as integer)",
    counters,
    durability: async () => ({ words: "answered writes are synced to this machine's disk" }),
    read,
    write(...unit) {
      counters.pending++;
      return (writeElsewhere ?? writes.write)(...unit).finally(() => counters.pending--);
    },
    async transaction(work) {
      endSharing();
      // Indexing a large table may take more room than memory has. SQLite may refuse to change this within a transaction.
      db.exec('pragma temp_store = file');
      try {
        await patiently(() => begin('immediate'));
        const result = await work(async (...statement) => execute(...statement));
        db.exec('commit');
        return result;
      } finally {
        rollBack();
        db.exec('pragma temp_store = memory');
      }
    },
    async snapshot(work) {
      begin('deferred');
      try {
        return await work((...statement) => patiently(() => execute(...statement)));
      } finally {
        rollBack();
      }
    },
    async close() {
      await writes.done();
      await checkpointer.end();
      db.close();
    },
  };
}

const bound = (param: Input): Value =>
  typeof param === 'object' && param !== null ? JSON.stringify(param) : param;

const primaryCodeOf = (error: unknown): number | undefined => {
  const { errcode } = error as { errcode?: number };
  return errcode === undefined ? undefined : errcode & 0xff;
};

const storeError = (error: unknown): unknown =>
  STORE_FAULTS.has(primaryCodeOf(error) ?? -1) ? storeUnavailable(error) : error;
