import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { until } from '../../dev/until.ts';
import { Problem } from '../src/contract/problem.ts';
import { itemStore } from '../src/store/items.ts';
import { openDatabase } from '../src/store/open.ts';
import { ONLY_SITE } from '../src/store/sites.ts';
import { sample } from './store-suite.ts';
import { openedDatabase, temporaryFolder } from './support.ts';

const unavailable = (error: unknown) => {
  assert.ok(error instanceof Problem, String(error));
  const found = [error.code, error.message];
  assert.deepEqual(found, ['unavailable', 'The item store cannot be reached at the moment']);
  assert.ok(error.retryAfter);
};

async function storeInFolder(busyLimitMs?: number) {
  const folder = await temporaryFolder();
  const file = `${folder.path}/items.db`;
  const db = await openDatabase(`sqlite:${file}`, undefined, busyLimitMs);
  return {
    file,
    db,
    store: itemStore(db, ONLY_SITE),
    [Symbol.asyncDispose]: async () => {
      await db.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const integrity = (file: string) => {
  const db = new DatabaseSync(file);
  try {
    return db.prepare('pragma integrity_check').get()?.integrity_check;
  } finally {
    db.close();
  }
};

describe('the SQLite store', () => {
  it('is in WAL mode and syncs every commit', async () => {
    await using opened = await storeInFolder();
    assert.deepEqual(await opened.db.read('pragma journal_mode'), [['wal']]);
    assert.deepEqual(await opened.db.read('pragma synchronous'), [[2]]);
  });

  it('copies the log into the file while it writes, begins it anew, and leaves none behind', async () => {
    await using folder = await temporaryFolder();
    const file = `${folder.path}/items.db`;
    const db = await openDatabase(`sqlite:${file}`);
    const write = (n: number) =>
      db.write([
        "insert into leases (site_id, name, holder, expires_at) values (1, $1, 'test', 1)",
        [`${n} ${'x'.repeat(200_000)}`],
      ]);
    {
      using other = new DatabaseSync(file);
      const look = () =>
        other.prepare('pragma wal_checkpoint(noop)').get() as { log: number; checkpointed: number };
      let writes = 0;
      // SQLite itself would copy 10,000 pages at once.
      while (look().log < 600) await write(++writes);
      await until('pages are in the file', () => look().checkpointed >= 500);
      const isNew = async () => {
        const { log } = look();
        await write(++writes);
        return look().log < log;
      };
      await until('the log begins anew', isNew, { everyMs: 1 });
      assert.ok(statSync(`${file}-wal`).size < 40_000_000, 'and not only where SQLite itself copies it');
      assert.deepEqual(await db.read("select count(*) from leases where holder = 'test'"), [[writes]]);
    }
    await db.close();
    assert.deepEqual([existsSync(`${file}-wal`), integrity(file)], [false, 'ok']);
  });

  it('ends with its process, even one that does not close it', async () => {
    await using folder = await temporaryFolder();
    const script = `${folder.path}/writes.mjs`;
    const open = JSON.stringify(new URL('../src/store/open.ts', import.meta.url));
    const insert = "insert into leases (site_id, name, holder, expires_at) values (1, $1, 'test', 1)";
    writeFileSync(
      script,
      `const db = await (await import(${open})).openDatabase('sqlite:${folder.path}/items.db');
       for (let n = 0; n < 60; n++) await db.write([${JSON.stringify(insert)}, [n + 'x'.repeat(200_000)]]);`,
    );
    const child = spawn(process.execPath, [script], { stdio: 'inherit' });
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });

  it('reads what it has stored itself at once, and what another process has stored at its next turn', async () => {
    await using opened = await storeInFolder();
    const { file, db } = opened;
    const other = await openedDatabase(`sqlite:${file}`);
    const insert = (name: string, of = db) =>
      of.write([`insert into leases (site_id, name, holder, expires_at) values (1, '${name}', 'test', 1)`]);
    const names = async () =>
      (await db.read("select name from leases where holder = 'test' order by name")).flat();
    const seen = await Promise.all([names(), insert('a').then(names), names()]);
    assert.deepEqual(seen, [[], ['a'], []]);
    await insert('b', other);
    await setImmediate();
    assert.deepEqual(await names(), ['a', 'b']);
    await other.close();
  });

  it('writes its log back: 50 MB of inserts leave it below 45 MB', async () => {
    await using opened = await storeInFolder();
    const { file, store, db } = opened;
    let most = 0;
    for (let batch = 0; batch < 250; batch++) {
      const rows = Array.from({ length: 10 }, () =>
        sample({ registry_id: batch + 1, description: 'x'.repeat(20_000) }),
      );
      await Promise.all(rows.map((row) => store.insert(row)));
      most = Math.max(most, statSync(`${file}-wal`).size);
    }
    assert.deepEqual(await db.read('select count(*) from items'), [[2_500]]);
    assert.ok(most < 45_000_000, `the log grew to ${most} bytes`);
    assert.ok(statSync(file).size > 10_000_000, 'the data has reached the file itself');
  });

  it('goes on reading while another process writes, and writes when that is done', async () => {
    await using opened = await storeInFolder(60_000);
    const { store, file } = opened;
    const before = await store.insert(sample());
    using other = new DatabaseSync(file);
    other.exec('begin immediate');
    other.exec("update items set retailer = 'half done'");
    let written = false;
    const write = store.insert(sample()).then((item) => {
      written = true;
      return item;
    });
    let rounds = 0;
    const round = setInterval(() => rounds++, 5);
    await until('the process goes on', () => rounds >= 20);
    clearInterval(round);
    assert.deepEqual(await opened.db.read('pragma busy_timeout'), [[0]], 'SQLite itself never waits');
    assert.deepEqual(await store.find(before.id), before);
    assert.equal(written, false);
    other.exec('commit');
    assert.ok(await store.find((await write).id));
    assert.equal((await store.find(before.id))?.retailer, 'half done');
  });

  it('refuses a write where its file was replaced before the first one', async () => {
    await using folder = await temporaryFolder();
    const file = `${folder.path}/items.db`;
    await (await openDatabase(`sqlite:${file}`)).close();
    await using db = await openedDatabase(`sqlite:${file}`);
    await db.read('select 1');
    copyFileSync(file, `${file}.backup`);
    renameSync(`${file}.backup`, file);
    unavailable(
      await itemStore(db, ONLY_SITE)
        .insert(sample())
        .catch((error) => error),
    );
  });

  for (const [what, on, off] of [
    ['can only be read', 'query_only = 1', 'query_only = 0'],
    ['is full', 'max_page_count = 1', 'max_page_count = 1073741823'],
  ] as const) {
    it(`answers that it is unavailable while it ${what}, keeps what it has, and recovers`, async () => {
      await using opened = await storeInFolder();
      const { store, db, file } = opened;
      const kept = await store.insert(sample());
      await db.read(`pragma ${on}`);
      // More than what is left of the pages in use.
      const many = Array.from({ length: 50 }, () => store.insert(sample({ description: 'x'.repeat(5000) })));
      const results = await Promise.allSettled(many);
      const stored = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.id] : []));
      const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
      assert.ok(refused.length > 0);
      refused.forEach(unavailable);
      assert.deepEqual(await store.find(kept.id), kept);
      await db.read(`pragma ${off}`);
      const { id } = await store.insert(sample());
      assert.deepEqual((await store.activeIds([1])).get(1), [kept.id, ...stored, id]);
      assert.equal(integrity(file), 'ok');
    });
  }
});
