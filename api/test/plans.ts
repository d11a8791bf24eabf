import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '../src/store/open.ts';
import { temporaryFolder } from './support.ts';

/** Notes every statement that SQLite is asked in this process from now on. */
export function noteStatements(): ReadonlySet<string> {
  const noted = new Set<string>();
  const { prepare } = DatabaseSync.prototype;
  DatabaseSync.prototype.prepare = function (sql, ...options) {
    noted.add(sql);
    return prepare.call(this, sql, ...options);
  };
  return noted;
}

// Statements that take rows of a site in the order of an index, and none in between.
const IN_ORDER = /\blimit\b|\b(?:min|max)\(\w+\)|from bindings/;

// All but the rows of subqueries, which are searched for themselves.
const SCANNED =
  /\bSCAN (?!CONSTANT|oldest_code\b|json_each\b|one\b|last\b|batch\b|visited\b|numbers\b|moved\b|waiting\b|due\b|\d+-ROW|\(subquery)/;

// A site has few webhooks.
const WHOLE_SITE = /\bSEARCH (?!deliveries\b|webhooks\b)[^;]*\(site_id=\?\)/;

/** Items and events are many, so a list of them is read in its order. */
const LIST = /^select\b(?:(?!\bfrom\b).)*\bfrom (?:items|events)\b.*\border by/s;

/** Fails on a statement of the store that walks through a table, or through all of a site's rows in it. */
export async function refuseWalks(statements: Iterable<string>): Promise<void> {
  await using folder = await temporaryFolder();
  const file = `${folder.path}/items.db`;
  await (await openDatabase(`sqlite:${file}`)).close();
  using db = new DatabaseSync(file);
  let looked = 0;
  for (const sql of statements) {
    if (!/^\s*(?:select|insert|update|delete|with)\b/i.test(sql)) continue;
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
    assert.doesNotMatch(plan, SCANNED, `${sql}\n${plan}`);
    if (!IN_ORDER.test(sql)) assert.doesNotMatch(plan, WHOLE_SITE, `${sql}\n${plan}`);
    if (LIST.test(sql) && !/json_each/.test(sql)) assert.doesNotMatch(plan, /TEMP B-TREE/, `${sql}\n${plan}`);
  }
  assert.ok(looked > 100, `${looked} statements`);
}
