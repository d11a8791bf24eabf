// @again postgres
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../dev/until.ts';
import { startJobs } from '../src/job-runner.ts';
import { idempotencyKeys } from '../src/store/idempotency.ts';
import { leaseStore } from '../src/store/leases.ts';
import { openDatabase } from '../src/store/open.ts';
import { ONLY_SITE } from '../src/store/sites.ts';
import { startTestService, temporaryFolder } from './support.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

describe('background work', () => {
  it('runs in one process at a time, and again after a failure', async () => {
    await using folder = await temporaryFolder();
    const databases = await Promise.all(
      Array.from({ length: 3 }, () => openDatabase(`sqlite:${folder.path}/items.db`)),
    );
    let [running, most, runs] = [0, 0, 0];
    const failures: unknown[] = [];
    const job = {
      name: 'count',
      everyMs: 5,
      async run() {
        most = Math.max(most, ++running);
        await sleep(10);
        running--;
        if (++runs % 3 === 0) throw new Error('now and then');
      },
    };
    const log = { error: (details: object) => void failures.push(details) };
    const jobs = databases.map((db) => startJobs([job], { leases: leaseStore(db, ONLY_SITE), log }));
    await until('ten runs', () => runs >= 10);
    await Promise.all(jobs.map((each) => each.close()));
    await Promise.all(databases.map((db) => db.close()));
    assert.equal(most, 1);
    assert.ok(failures.length >= 3);
    assert.match(JSON.stringify(failures), /"job":"count"/);
  });

  it('forgets idempotency keys after a day, some at a time', async () => {
    await using folder = await temporaryFolder();
    const url = `sqlite:${folder.path}/items.db`;
    const db = await openDatabase(url);
    const old = idempotencyKeys(db, ONLY_SITE, () => Date.now() - DAY_MS);
    await Promise.all(Array.from({ length: 1200 }, (_, i) => old.begin(`old ${i}`, 'x')));
    const fresh = await idempotencyKeys(db, ONLY_SITE, Date.now).begin('fresh', 'x');
    const kept = async () => (await db.read('select name from idempotency_keys')).map(([name]) => name);
    assert.equal(await old.forgetOld(500), 0, 'nothing is old to who lives then');
    assert.equal(
      await idempotencyKeys(db, ONLY_SITE, Date.now).forgetOld(500),
      500,
      'one step takes no more',
    );
    {
      await using _service = await startTestService({ DATABASE_URL: url });
      await until('one is left', async () => (await kept()).length <= 1);
    }
    assert.deepEqual(await kept(), [fresh!.key]);
    await db.close();
  });
});
