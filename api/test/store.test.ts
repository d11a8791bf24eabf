import { copyFile, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { type EmptyStore, freshPglite, freshPostgres, withoutPostgres } from './postgres.ts';
import { openSession } from './sql-session.ts';
import { describeStore } from './store-suite.ts';
import { temporaryFolder } from './support.ts';

// Stores that a released version has written, by that version.
const writtenBy = (version: string, kind: 'db' | 'sql') =>
  new URL(`fixtures/store-${version}.${kind}`, import.meta.url);

describeStore('a store on SQLite', async (version) => {
  const folder = await temporaryFolder();
  const file = `${folder.path}/items.db`;
  if (version) await copyFile(writtenBy(version, 'db'), file);
  return { url: `sqlite:${file}`, [Symbol.asyncDispose]: folder[Symbol.asyncDispose] };
});

const onPostgres = (create: () => Promise<EmptyStore>) => async (version?: string) => {
  const store = await create();
  if (version) {
    const session = await openSession(store.url);
    await session.query(await readFile(writtenBy(version, 'sql'), 'utf8'));
    await session.end();
  }
  return store;
};

const missing = await withoutPostgres();
// Where there is one connection, transactions take turns at it.
describeStore(
  'a store on PostgreSQL over one connection',
  onPostgres(missing ? freshPglite : () => freshPostgres({ max: 1 })),
);
if (missing) test('a store on PostgreSQL', { skip: missing });
else
  describeStore(
    'a store on PostgreSQL',
    onPostgres(() => freshPostgres()),
  );
