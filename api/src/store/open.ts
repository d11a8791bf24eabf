import type { Database, Write } from './database.ts';
import { type Log, migrate } from './migrations.ts';
import { openSqlite } from './sqlite/driver.ts';

/** Opens the store that a URL names, and leaves its schema as it is. */
export const openDriver = async (url: string, write?: Write, limitMs?: number): Promise<Database> =>
  url.startsWith('sqlite:')
    ? openSqlite(url.slice('sqlite:'.length), write, limitMs)
    : (await import('./postgres/driver.ts')).openPostgres(url, limitMs);

/** Opens the store of a URL, migrated. `write` reaches the process that alone writes to a SQLite store. */
export async function openDatabase(url: string, write?: Write, limitMs?: number, log?: Log) {
  let database: Database | undefined;
  try {
    database = await openDriver(url, write, limitMs);
    await migrate(database, log);
    // Opens a connection of those that serve requests: a pooler may refuse their settings, which migrations don't have.
    await database.durability();
    return database;
  } catch (error) {
    await database?.close();
    const { cause, message } = error as Error;
    const why = cause instanceof Error ? cause.message : message;
    throw new Error(`The store ${withoutPassword(url)} cannot be used: ${why}`, { cause: error });
  }
}

const withoutPassword = (url: string) => url.replace(/^(postgres\w*:\/\/)(?:.*@)?([^?]*).*/s, '$1$2');
