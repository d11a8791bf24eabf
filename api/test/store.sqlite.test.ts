import assert from 'node:assert/strict';
import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { until } from '../../dev/until.ts';
import { Problem } from '../src/problem.ts';
import { deletionStore } from '../src/store/deletions.ts';
import { idempotencyKeys } from '../src/store/idempotency.ts';
import { itemStore } from '../src/store/items.ts';
import { leaseStore } from '../src/store/leases.ts';
import { openDatabase } from '../src/store/open.ts';
import { explained } from './plans.ts';
import type { Inserted, Order, Report } from './store-process.ts';
import { sample, TIME } from './store-suite.ts';
import { temporaryFolder } from './support.ts';

const unavailable = (error: unknown) => {
  assert.ok(error instanceof Problem, String(error));
  assert.deepEqual(
    [error.code, error.message],
    ['unavailable', 'The item store cannot be reached at the moment'],
  );
  assert.match(error.headers['retry-after'] ?? '', /^\d+$/);
};

async function storeInFolder(busyLimitMs?: number) {
  const folder = await temporaryFolder();
  const file = `${folder.path}/items.db`;
  const db = await openDatabase(`sqlite:${file}`, undefined, busyLimitMs);
  return {
    file,
    db,
    store: itemStore(db),
    [Symbol.asyncDispose]: async () => {
      await db.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** A process that works on the same file. */
async function startProcess(file: string) {
  const child = fork(new URL('store-process.ts', import.meta.url), [`sqlite:${file}`]);
  await once(child, 'message');
  const tell = async (order: Order): Promise<Report> => {
    const answer = once(child, 'message') as Promise<[Report]>;
    child.send(order);
    const [report] = await answer;
    if ('failed' in report) throw new Error(report.failed);
    return report;
  };
  return {
    open: () => tell({ open: true }),
    insert: (count: number, registry_id: number) => tell({ insert: count, registry_id }) as Promise<Inserted>,
    pid: child.pid!,
    [Symbol.asyncDispose]: () => ended(child),
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = once(child, 'exit');
  child.disconnect();
  await exit;
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

  it('writes its log back: 20,000 inserts leave it below 45 MB', async () => {
    await using opened = await storeInFolder();
    const { file, store, db } = opened;
    let most = 0;
    for (let batch = 0; batch < 2000; batch++) {
      const rows = Array.from({ length: 10 }, (_, i) =>
        sample({ registry_id: (batch * 10 + i) % 5000, description: 'x'.repeat(500) }),
      );
      await Promise.all(rows.map((row) => store.insert(row)));
      most = Math.max(most, statSync(`${file}-wal`).size);
    }
    assert.deepEqual(await db.read('select count(*) from items'), [[20_000]]);
    assert.ok(most < 45_000_000, `the log grew to ${most} bytes`);
    assert.ok(statSync(file).size > 20_000_000, 'the data has reached the file itself');
  });

  it('finds everything by an index', async () => {
    await using opened = await storeInFolder();
    const { recording, plans } = explained(opened.db);
    const store = itemStore(recording);
    const gone = deletionStore(recording);
    const keys = idempotencyKeys(recording, Date.now);
    const item = await store.insert(sample());
    const lease = await leaseStore(recording).acquire('one', 60_000);
    const attempt = await keys.begin('key', 'fingerprint');
    const called = {
      insert: [item, await store.insert(sample(), 'key')],
      rendered: await store.rendered(item.id, { admin: true, claims: true }),
      find: [await store.find(item.id), await keys.find('key')],
      some: [
        await store.some([item.id, 7], { admin: true, claims: true }, new Set()),
        await store.some([item.id], { admin: true, claims: true }, new Set([item.registry_id])),
      ],
      page: await store.page(10, 20, { admin: false, claims: true }),
      ofRegistry: await store.ofRegistry(1, { admin: false, claims: true }),
      activeIds: [await store.activeIds([1]), await store.activeIds([1, 2, 3])],
      replace: [await store.replace(item, item), await store.replace(item, { ...item, is_active: false })],
      render: store.render(item, true),
      begin: [attempt, await gone.begin(1)],
      unfinished: await gone.unfinished(10),
      cancel: await gone.cancel(1),
      finish: await gone.finish(1, TIME),
      renewUntilDone: keys.renewUntilDone(attempt!)(),
      storeResponse: await keys.storeResponse(attempt!, { status: 200, json: '' }),
      expireAttempt: await keys.expireAttempt(attempt!),
      deleteAttempt: [await keys.deleteAttempt(attempt!), await lease!.release()],
      forgetOld: await keys.forgetOld(10),
    };
    const all = Object.keys({ ...store, ...gone, ...keys });
    assert.deepEqual(Object.keys(called).sort(), all.sort(), 'nothing is left out here');

    for (const { sql, plan } of await plans()) {
      assert.doesNotMatch(plan, /\bSCAN (?!CONSTANT|page\b|newest\b|deletions\b)/, `${sql}\n${plan}`);
      if (/order by/.test(sql) && !/ in \(\$1, /.test(sql)) assert.doesNotMatch(plan, /TEMP B-TREE/, sql);
    }
  });

  it('loses nothing of two processes that write at once', async () => {
    await using opened = await storeInFolder();
    await using first = await startProcess(opened.file);
    await using second = await startProcess(opened.file);
    await Promise.all([first.open(), second.open()]);
    const stored: number[] = [];
    for (let round = 0; round < 8; round++) {
      const reports = await Promise.all([
        first.insert(50, 1),
        second.insert(50, 1),
        Promise.all(Array.from({ length: 20 }, () => opened.store.insert(sample()))),
      ]);
      const [one, two, own] = reports;
      assert.deepEqual([...one.faults, ...two.faults], []);
      stored.push(...one.ids, ...two.ids, ...own.map(({ id }) => id));
    }
    assert.equal(stored.length, 960);
    const active = (await opened.store.activeIds([1])).get(1);
    assert.deepEqual(
      active,
      stored.sort((a, b) => a - b),
    );
  });

  it('goes on reading while another process writes, and writes when that is done', async () => {
    await using opened = await storeInFolder();
    const { store, file } = opened;
    const before = await store.insert(sample());
    const other = new DatabaseSync(file);
    other.exec('begin immediate');
    other.exec("update items set retailer = 'half done'");
    let written = false;
    const write = store.insert(sample()).then((item) => {
      written = true;
      return item;
    });
    const start = performance.eventLoopUtilization();
    let rounds = 0;
    const round = setInterval(() => rounds++, 5);
    await until('the process goes on', () => rounds >= 20);
    clearInterval(round);
    const { utilization } = performance.eventLoopUtilization(start);
    assert.deepEqual(await store.find(before.id), before);
    assert.equal(written, false);
    other.exec('commit');
    other.close();
    assert.ok(await store.find((await write).id));
    assert.equal((await store.find(before.id))?.retailer, 'half done');
    assert.ok(
      utilization < 0.5,
      `waiting held up the process for ${Math.round(utilization * 100)} % of the time`,
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

  it('refuses what is no database, and leaves it as it is', async () => {
    await using folder = await temporaryFolder();
    const file = `${folder.path}/letter.txt`;
    await writeFile(file, 'Dear Ann, '.repeat(100));
    await assert.rejects(openDatabase(`sqlite:${file}`));
    assert.equal(statSync(file).size, 1000);
  });

  describe('waiting for others', { concurrency: 3 }, () => {
    it('is created once when twenty processes start at once', async () => {
      await using folder = await temporaryFolder();
      const file = `${folder.path}/deep/er/items.db`;
      const processes = await Promise.all(Array.from({ length: 20 }, () => startProcess(file)));
      try {
        const reports = await Promise.allSettled(processes.map((one) => one.open()));
        assert.deepEqual(
          reports.flatMap((report) => (report.status === 'rejected' ? [report.reason.message] : [])),
          [],
        );
        const inserted = await Promise.all(processes.map((one) => one.insert(1, 1)));
        assert.equal(new Set(inserted.flatMap(({ ids }) => ids)).size, 20);
      } finally {
        await Promise.all(processes.map((one) => one[Symbol.asyncDispose]()));
      }
      assert.equal(integrity(file), 'ok');
    });

    it('gives up on a write after a while of another process’s lock, without a trace, and recovers', async () => {
      await using opened = await storeInFolder(300);
      const { store, file } = opened;
      const other = new DatabaseSync(file);
      other.exec('begin immediate');
      const late = await Promise.allSettled(Array.from({ length: 5 }, () => store.insert(sample())));
      for (const result of late) {
        assert.equal(result.status, 'rejected');
        unavailable(result.reason);
      }
      other.exec('rollback');
      other.close();
      const { id } = await store.insert(sample());
      assert.deepEqual((await store.activeIds([1])).get(1), [id]);
    });

    const onLinux =
      process.platform === 'linux'
        ? false
        : 'a limit on the size of files is set with prlimit, which is Linux’s';

    it('loses no confirmed write when the disk is full', { skip: onLinux }, async () => {
      await using folder = await temporaryFolder();
      const file = `${folder.path}/items.db`;
      await using writer = await startProcess(file);
      await writer.open();
      const stored = [...(await writer.insert(20, 1)).ids];
      // A limit on the size of files, set and lifted from outside, fails the write of a commit as a full disk does.
      const limit = (bytes: string) =>
        promisify(execFile)('prlimit', ['--pid', String(writer.pid), `--fsize=${bytes}:unlimited`]);
      await limit(String(statSync(`${file}-wal`).size + 100_000));
      const faults: string[] = [];
      while (faults.length === 0) {
        const report = await writer.insert(20, 1);
        stored.push(...report.ids);
        faults.push(...report.faults);
      }
      assert.deepEqual([...new Set(faults)], ['unavailable']);
      await limit('unlimited');
      stored.push(...(await writer.insert(20, 1)).ids);
      const db = await openDatabase(`sqlite:${file}`);
      try {
        assert.deepEqual((await itemStore(db).activeIds([1])).get(1), stored);
      } finally {
        await db.close();
      }
      assert.equal(integrity(file), 'ok');
    });
  });
});
