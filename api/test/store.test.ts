import { test } from 'node:test';
import { freshPglite, freshPostgres, withoutPostgres } from './postgres.ts';
import { describeStore } from './store-suite.ts';
import { temporaryFolder } from './support.ts';

describeStore('a store on SQLite', async () => {
  const folder = await temporaryFolder();
  return { url: `sqlite:${folder.path}/items.db`, [Symbol.asyncDispose]: folder[Symbol.asyncDispose] };
});

describeStore('a store on PGlite', freshPglite);

const missing = await withoutPostgres();
if (missing) test('a store on PostgreSQL', { skip: missing });
else describeStore('a store on PostgreSQL', freshPostgres);
