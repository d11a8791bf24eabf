// A process of its own that opens the store named by its argument and inserts what its parent asks for.
// With `log` behind it, the process sends lines of its log, too.
import { Problem } from '../src/contract/problem.ts';
import type { Database } from '../src/store/database.ts';
import { itemStore } from '../src/store/items.ts';
import { openDatabase } from '../src/store/open.ts';
import { ONLY_SITE } from '../src/store/sites.ts';
import { sample } from './store-suite.ts';

export type Order = { open: true } | { insert: number; registry_id: number };
export type Inserted = { ids: number[]; faults: string[] };
export type Report = { opened: true } | Inserted | { failed: string };
/** A line of the log, sent while an order is carried out. */
export type Line = { line: string };

let db: Database | undefined;

async function carryOut(order: Order): Promise<Report> {
  if ('open' in order) {
    const isToTell = process.argv[3] === 'log';
    const info = (_: object, line: string) => void process.send!({ line } satisfies Line);
    db = await openDatabase(process.argv[2]!, undefined, undefined, isToTell ? { info } : undefined);
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
