// The key that encrypts secrets: it comes from a setting, from a file next to the SQLite store, or from the PostgreSQL store.
import assert from 'node:assert/strict';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { keyFileOf, openCipher } from '../src/app/cipher.ts';
import { freshPostgres, withoutPostgres } from './postgres.ts';
import { openedDatabase, SECRET_KEY, temporaryFolder } from './support.ts';

const OTHER_KEY = 'another key of thirty-two characters';
type Open = (secretKey?: string) => ReturnType<typeof openCipher>;

async function holds(open: Open): Promise<void> {
  const [one, other] = await Promise.all([open()(), open()()]);
  const encrypted = one.encrypt('whsec_1', 'webhook 1');
  assert.ok(!Buffer.from(encrypted, 'base64url').includes('whsec'));
  assert.equal(other.decrypt(encrypted, 'webhook 1'), 'whsec_1', 'services that start at once have one key');
  assert.throws(() => other.decrypt(encrypted, 'webhook 2'), 'it can be decrypted for its purpose alone');
}

const onServer = { skip: await withoutPostgres() };

describe('the key for secrets', () => {
  it('lies in a file of its own beside a SQLite store, which only its owner reads', async () => {
    await using folder = await temporaryFolder();
    const databaseUrl = `sqlite:${join(folder.path, 'store.db')}`;
    await using database = await openedDatabase(databaseUrl);
    await holds((secretKey) => openCipher({ secretKey, databaseUrl }, database));
    assert.equal((await stat(keyFileOf(databaseUrl))).mode & 0o777, 0o600);
    assert.deepEqual(await database.read('select * from bindings'), []);
    await writeFile(keyFileOf(databaseUrl), '\n');
    await assert.rejects(openCipher({ secretKey: undefined, databaseUrl }, database)(), /is empty/);
  });

  it(
    'is in a PostgreSQL store, and one that is named later also opens what that one encrypted',
    onServer,
    async () => {
      await using empty = await freshPostgres();
      await using database = await openedDatabase(empty.url);
      const open: Open = (secretKey) => openCipher({ secretKey, databaseUrl: empty.url }, database);
      await holds(open);
      assert.equal((await database.read('select count(*) from bindings'))[0]![0], 1);
      const before = (await open()()).encrypt('whsec_1', 'webhook 1');
      const named = await open(SECRET_KEY)();
      assert.equal(named.decrypt(before, 'webhook 1'), 'whsec_1');
      const after = named.encrypt('whsec_2', 'webhook 2');
      assert.equal((await open(SECRET_KEY)()).decrypt(after, 'webhook 2'), 'whsec_2');
      for (const wrong of [open(), open(OTHER_KEY)])
        await assert.rejects(async () => (await wrong()).decrypt(after, 'webhook 2'));
    },
  );
});
