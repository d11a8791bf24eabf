import { test } from 'node:test';
import { freshPglite, freshPostgres, withoutPostgres } from './postgres.ts';
import { describeStore } from './store-suite.ts';
import { temporaryFolder } from './support.ts';

describeStore('a store on SQLite', async () => {
  const folder = await temporaryFolder();
  return { url: `sqlite:${folder.path}/items.db`, [Symbol.asyncDispose]: folder[Symbol.asyncDispose] };
});

const missing = await withoutPostgres();
// Where there is one connection, transactions take turns at it.
describeStore(
  'a store on PostgreSQL over one connection',
  missing ? freshPglite : () => freshPostgres({ max: 1 }),
  missing && 'PostgreSQL as WebAssembly keeps one list of prepared statements for all connections',
);
if (missing) test('a store on PostgreSQL', { skip: missing });
else describeStore('a store on PostgreSQL', () => freshPostgres());
