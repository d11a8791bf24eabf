// @slow
import { test } from 'node:test';
import { freshPglite, freshPostgres, withoutPostgres } from './postgres.ts';
import { describeStore } from './store-suite.ts';

const missing = await withoutPostgres();
// Where there is one connection, transactions take turns at it.
await describeStore(
  'a store on PostgreSQL over one connection',
  missing ? freshPglite : () => freshPostgres({ max: 1 }),
  missing && 'PostgreSQL as WebAssembly keeps one list of prepared statements for all connections',
);
if (missing) test('a store on PostgreSQL', { skip: missing });
else await describeStore('a store on PostgreSQL', () => freshPostgres());
