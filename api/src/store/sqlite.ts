import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../problem.ts';
import type { Database, Read, Row, Value, Write } from './database.ts';
import { grouped } from './grouped.ts';

// How long a write waits for another process to finish its own before the caller is told to come back.
const BUSY_LIMIT_MS = 5_000;
const BUSY = 5;

// The primary result codes that mean "the store, not the statement": busy, locked, out of memory, read-only,
// input/output, corrupt, full, cannot open, not a database.
const STORE_FAULTS = new Set([5, 6, 7, 8, 10, 11, 13, 14, 26]);

/**
 * Opens the database at `path` in WAL mode; an answered write has been synced to the disk. Given `writeElsewhere`,
 * this process only reads.
 */
export async function openSqlite(path: string, writeElsewhere?: Write): Promise<Database> {
  if (path !== ':memory:' && !existsSync(dirname(path))) mkdirSync(dirname(path), { recursive: true });
  // SQLite itself never waits for a lock: waiting is `patiently`'s, which lets others go on, and which also covers
  // the change to WAL, where SQLite gives up at once when several processes start together.
  const db = new DatabaseSync(path, { timeout: 0 });
  const settings = [
    'journal_mode = wal',
    'synchronous = full',
    // Fewer, larger checkpoints: a third more durable writes, with a log of 40 MB at the most.
    'wal_autocheckpoint = 10000',
    'journal_size_limit = 67108864',
    // Small, since most commits walk all of it, and what it doesn't hold is read where the kernel keeps it, without a
    // call for each page.
    'cache_size = -8192',
    'mmap_size = 2147418112',
  ];
  try {
    for (const setting of settings) await patiently(() => db.exec(`pragma ${setting}`));
  } catch (error) {
    db.close();
    throw error;
  }

  const statements = new Map<string, StatementSync>();
  const prepared = (sql: string): StatementSync => {
    let statement = statements.get(sql);
    if (!statement) {
      // By place instead of by name, which SQLite would have to look up.
      statement = db.prepare(sql.replaceAll('$', '?'));
      statement.setReturnArrays(true);
      statements.set(sql, statement);
    }
    return statement;
  };
  const execute = (sql: string, params: readonly Value[] = []): Row[] =>
    // With setReturnArrays the rows are arrays, which the types don't know.
    prepared(sql).all(...params) as unknown as Row[];

  // To take the lock on the log and give it back costs more than to find a row: what is read in one round of the
  // event loop shares it. Every write ends it first, so that nobody misses what was written before.
  let reading = false;
  const endReading = () => {
    if (reading && db.isTransaction) execute('commit');
    reading = false;
  };
  const beginWriting = () => {
    endReading();
    db.exec('begin immediate');
  };
  const readNow = (sql: string, params: readonly Value[]): Row[] => {
    if (!reading && !db.isTransaction) {
      execute('begin');
      reading = true;
      setImmediate(endReading);
    }
    return execute(sql, params);
  };

  const read: Read = (sql, params = []) => {
    try {
      return readNow(sql, params);
    } catch (error) {
      // Readers meet the lock only while another process recovers or closes the log.
      if (codeOf(error) !== BUSY) throw storeError(error);
      return patiently(() => readNow(sql, params)).catch((error) => Promise.reject(storeError(error)));
    }
  };

  // SQLite goes on writing to a file that was removed or replaced: what it says is stored would be gone with a restart.
  const known = new Map<string, string>();
  const refuseIfMoved = () => {
    if (path === ':memory:') return;
    for (const file of [path, `${path}-wal`]) {
      const stat = statSync(file, { throwIfNoEntry: false });
      const identity = `${stat?.dev} ${stat?.ino}`;
      if (!known.has(file)) known.set(file, identity);
      if (!stat || known.get(file) !== identity)
        throw unavailable(new Error(`${file} was removed or replaced`));
    }
  };

  const rollBack = () => {
    try {
      if (db.isTransaction) db.exec('rollback');
    } catch {
      // A store that fails has rolled back by itself, or will when it is opened next.
    }
  };

  const writes = grouped(async (group) => {
    const outcomes: (() => void)[] = [];
    try {
      await patiently(beginWriting);
      for (const { statement, resolve, reject } of group) {
        const [sql, params = []] = statement;
        try {
          const { changes, lastInsertRowid } = prepared(sql).run(...params);
          outcomes.push(() => resolve({ count: Number(changes), id: Number(lastInsertRowid) }));
        } catch (error) {
          // A refused statement leaves the others be; a store that gave up has rolled back all of them.
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
  });

  return {
    identity: 'integer primary key autoincrement',
    returningId: '',
    counted: {
      get pending() {
        return writes.waiting;
      },
    },
    read,
    // Whoever waited for the write reads what it wrote.
    write: writeElsewhere ? (...statement) => writeElsewhere(...statement).finally(endReading) : writes.write,
    async transaction(work) {
      await patiently(beginWriting);
      try {
        const result = await work(async (...statement) => execute(...statement));
        db.exec('commit');
        return result;
      } catch (error) {
        rollBack();
        throw error;
      }
    },
    async close() {
      await writes.done();
      endReading();
      db.close();
    },
  };
}

/** Tries again while another process holds the lock, up to the limit. */
async function patiently<T>(work: () => T): Promise<T> {
  for (let deadline = 0; ; await sleep(1)) {
    try {
      return work();
    } catch (error) {
      const now = performance.now();
      deadline ||= now + BUSY_LIMIT_MS;
      if (codeOf(error) !== BUSY || now > deadline) throw error;
    }
  }
}

const codeOf = (error: unknown): number | undefined => {
  const { errcode } = error as { errcode?: number };
  return errcode === undefined ? undefined : errcode & 0xff;
};

const unavailable = (cause: unknown) =>
  new Problem('unavailable', 'The item store cannot be reached at the moment', {
    cause,
    headers: { 'retry-after': '5' },
  });

const storeError = (error: unknown): unknown =>
  STORE_FAULTS.has(codeOf(error) ?? -1) ? unavailable(error) : error;
