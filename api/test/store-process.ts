// A process of its own that upgrades the store named by its argument by one migration more than there are, and sends its log.
// With `killed` behind the address, it ends in the middle.
import { MIGRATIONS, migrate } from '../src/store/migrations.ts';
import { openDriver } from '../src/store/open.ts';

export type Report = { opened: true } | { failed: string };
export type Line = { line: string };

const [, , url = '', end] = process.argv;

function* copyItems() {
  yield 'create table copied (id bigint not null)';
  if (end === 'killed') process.kill(process.pid, 'SIGKILL');
  yield 'insert into copied select id from items';
}

const info = (_: object, line: string) => void process.send!({ line } satisfies Line);
const db = await openDriver(url, undefined, 60_000);
process.on('disconnect', () => db.close());
const report = await migrate(db, { info }, [...MIGRATIONS, copyItems]).then(
  (): Report => ({ opened: true }),
  (error: Error) => ({ failed: error.message }),
);
process.send!(report);
