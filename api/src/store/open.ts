import type { Database, Write } from './database.ts';
import { type Log, migrate } from './migrations.ts';
import { openSqlite } from './sqlite/driver.ts';

/** The store that a URL names, with the schema that it has. */
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
    // The connections that serve requests have settings of their own, which a pooler may refuse.
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
