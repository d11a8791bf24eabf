import type { Database, Write } from './database.ts';
import { migrate } from './migrations.ts';
import { openSqlite } from './sqlite.ts';

/**
 * Opens the store that `DATABASE_URL` names and brings it to this version's schema. SQLite is written by one process:
 * where that is another, `write` reaches it. `limitMs` is how long a caller waits for a store that doesn't answer.
 */
export async function openDatabase(url: string, write?: Write, limitMs?: number): Promise<Database> {
  let database: Database | undefined;
  try {
    database = url.startsWith('sqlite:')
      ? await openSqlite(url.slice('sqlite:'.length), write, limitMs)
      : (await import('./postgres.ts')).openPostgres(url, limitMs);
    await migrate(database);
    return database;
  } catch (error) {
    await database?.close();
    const { cause, message } = error as Error;
    const why = cause instanceof Error ? cause.message : message;
    throw new Error(`The store ${withoutPassword(url)} cannot be used: ${why}`, { cause: error });
  }
}

const withoutPassword = (url: string) => url.replace(/^(\w+:\/\/[^/@]*?)(:[^/@]*)?@/, '$1@');
