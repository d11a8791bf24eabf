// A process of its own that opens the store named by its argument and inserts what its parent asks for.
// With `whole` or `killed` behind it, the process upgrades the store by one migration more than there are, and sends its log.
import { Problem } from '../src/contract/problem.ts';
import type { Database } from '../src/store/database.ts';
import { itemStore } from '../src/store/items.ts';
import { MIGRATIONS, migrate } from '../src/store/migrations.ts';
import { openDatabase, openDriver } from '../src/store/open.ts';
import { ONLY_SITE } from '../src/store/sites.ts';
import { sample } from './store-suite.ts';

export type Order = { open: true } | { insert: number; registry_id: number };
export type Inserted = { ids: number[]; faults: string[] };
export type Report = { opened: true } | Inserted | { failed: string };
/** A line of the log, sent while an order is carried out. */
export type Line = { line: string };

let db: Database | undefined;

/** Statements of a migration; killed, the process ends when it has run the first. */
function* copyItems(killed: boolean) {
  yield 'create table copied (id bigint not null)';
  if (killed) process.kill(process.pid, 'SIGKILL');
  yield 'insert into copied select id from items';
}

async function carryOut(order: Order): Promise<Report> {
  if ('open' in order) {
    const [, , url, end] = process.argv;
    if (end === undefined) {
      db = await openDatabase(url!);
      return { opened: true };
    }
    const info = (_: object, line: string) => void process.send!({ line } satisfies Line);
    db = await openDriver(url!);
    await migrate(db, { info }, [...MIGRATIONS, () => copyItems(end === 'killed')]);
    return { opened: true };
  }
  const { insert, registry_id } = order;
  const store = itemStore(db!, ONLY_SITE);
  const results = await Promise.allSettled(
    Array.from({ length: insert }, () => store.insert(sample({ registry_id, description: 'x'.repeat(500) }))),
  );
  const report: Inserted = { ids: [], faults: [] };
  for (const result of results) {
    if (result.status === 'fulfilled') report.ids.push(result.value.id);
    else report.faults.push(result.reason instanceof Problem ? result.reason.code : String(result.reason));
  }
  return report;
}

process.on('message', (order: Order) => {
  carryOut(order).then(
    (report) => process.send!(report),
    (error: Error) => process.send!({ failed: error.message } satisfies Report),
  );
});
process.on('disconnect', () => db?.close());
process.send!('ready');
