import assert from 'node:assert/strict';
import { type Database, type Input, valuesOf } from '../src/store/database.ts';

/** The same database, and SQLite's query plans for the statements since. */
export function explained(db: Database) {
  const asked = new Map<string, readonly Input[]>();
  const recording: Database = {
    ...db,
    read: (sql, params = []) => {
      asked.set(sql, params);
      return db.read(sql, params);
    },
    write: (...unit) => {
      for (const statement of unit) {
        const [sql, , mark] = statement;
        // Webhooks would wait for the next round.
        assert.equal(mark === 'events', /^(insert into events|update events set concealed)\b/.test(sql), sql);
        asked.set(sql, valuesOf(statement));
      }
      return db.write(...unit);
    },
  };
  const planOf = async ([sql, params]: [string, readonly Input[]]) => {
    const rows = await db.read(`explain query plan ${sql}`, params);
    return { sql, plan: rows.map((row) => String(row[3])).join('; ') };
  };
  return { recording, plans: () => Promise.all([...asked].map(planOf)) };
}

// Statements that take rows of a site in the order of an index, and none in between.
const IN_ORDER = /\blimit\b|\b(?:min|max)\(\w+\)|from bindings/;

// All but the rows of subqueries, which are searched for themselves.
const SCANNED =
  /\bSCAN (?!CONSTANT|json_each\b|one\b|last\b|batch\b|visited\b|numbers\b|moved\b|waiting\b|due\b|\d+-ROW|\(subquery)/;

/** Fails on a statement that walks through a table, or through all of a site's rows in it. */
export function refuseWalks({ sql, plan }: { sql: string; plan: string }): void {
  assert.doesNotMatch(plan, SCANNED, `${sql}\n${plan}`);
  if (!IN_ORDER.test(sql)) assert.doesNotMatch(plan, /\(site_id=\?\)/, `${sql}\n${plan}`);
}
