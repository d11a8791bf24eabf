import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, beforeEach } from 'node:test';
import { openDatabase } from '../src/store/open.ts';
import { temporaryFolder } from './support.ts';

// Statements and the index of which they take all rows of a site, which are few, or the first or last ones.
const OF_WHOLE_SITE: [part: string, index: string][] = [
  ['order by id desc limit', 'items_newest'],
  ['(registry_id)', 'claims_of_registry'],
  ['place is null', 'events_without_place'],
  ['ended = 1', 'webhooks_ended'],
  ['select 1 from webhooks', 'webhooks_by_maker'],
  ['from notices', 'sqlite_autoindex_notices_1'],
  ['from deletions', 'sqlite_autoindex_deletions_1'],
];

// All but the rows of subqueries, which are searched for themselves.
const SCANNED =
  /\bSCAN (?!CONSTANT|oldest_code\b|json_each\b|one\b|last\b|batch\b|visited\b|moved\b|waiting\b|due\b|\d+-ROW|\(subquery)/;

/** Items and events are many, so a list of them is read in its order. */
const LIST = /^select\b(?:(?!\bfrom\b).)*\bfrom (?:items|events)\b.*\border by/s;

/** Fails if a statement that SQLite is asked in this process from now on walks through a table, or through a site's rows in it. */
export function refuseWalks(): void {
  if (process.env.TEST_STORE === 'postgres') return;
  const asked = new Set<string>();
  const { prepare } = DatabaseSync.prototype;
  DatabaseSync.prototype.prepare = function (sql, ...options) {
    asked.add(sql);
    return prepare.call(this, sql, ...options);
  };
  // Where all tests are left out, few statements are asked.
  let tests = 0;
  beforeEach(() => void tests++);
  after(async () => {
    DatabaseSync.prototype.prepare = prepare;
    if (tests === 0) return;
    await using folder = await temporaryFolder();
    const file = `${folder.path}/items.db`;
    await (await openDatabase(`sqlite:${file}`)).close();
    using db = new DatabaseSync(file);
    let looked = 0;
    const walks: string[] = [];
    for (const sql of asked) {
      // What has no parameter is a test's own, or the schema.
      if (!sql.includes('?1')) continue;
      let plan: string;
      try {
        plan = db
          .prepare(`explain query plan ${sql}`)
          .all()
          .map(({ detail }) => detail)
          .join('; ');
      } catch {
        // It asks another database, such as the embedded host's.
        continue;
      }
      looked++;
      for (const [part, index] of OF_WHOLE_SITE)
        if (sql.includes(part)) plan = plan.replaceAll(`${index} (site_id=?)`, '');
      const isUnsorted = LIST.test(sql) && !sql.includes('json_each') && plan.includes('TEMP B-TREE');
      if (SCANNED.test(plan) || plan.includes('(site_id=?)') || isUnsorted) walks.push(`${sql}\n=> ${plan}`);
    }
    assert.deepEqual(walks, []);
    assert.ok(looked > 20, `${looked} statements`);
  });
}
