import type { Database, Value } from '../src/store/database.ts';

/** The same database, and SQLite's query plans for the statements since. */
export function explained(db: Database) {
  const asked = new Map<string, readonly Value[]>();
  const recording: Database = {
    ...db,
    read: (sql, params = []) => {
      asked.set(sql, params);
      return db.read(sql, params);
    },
    write: (...unit) => {
      for (const [sql, params = []] of unit) asked.set(sql, params);
      return db.write(...unit);
    },
  };
  const planOf = async ([sql, params]: [string, readonly Value[]]) => {
    const rows = await db.read(`explain query plan ${sql}`, params);
    return { sql, plan: rows.map((row) => String(row[3])).join('; ') };
  };
  return { recording, plans: () => Promise.all([...asked].map(planOf)) };
}
