// The queue of work behind the pages and the values that the plugin keeps: on MariaDB with several processes at once, and on
// SQLite where PHP runs as WebAssembly.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../api/test/support.ts';
import { describeWordPress } from '../../dev/wordpress/describe-site.ts';
import { type Call, inSeconds } from '../../dev/wordpress/set-up.ts';
import type { WordPress } from '../../dev/wordpress/wordpress.ts';

const isWasm = Boolean(process.env.TROUSSEAU_DEV_PHP);

const addJob = (site: WordPress, payload: string, key: string) =>
  site.call('add_job', 'test', payload, 0, key);

/** Runs the test's jobs in a process of their own. */
const run = (site: WordPress, file: string): Promise<number> => site.call('jobs.run', file);

describeWordPress('work behind the pages', { muPlugins: ['clock'] }, (site) => {
  test('several processes do each job once, and none is lost', { skip: isWasm }, async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'done');
    await site.inTurn(
      ...Array.from({ length: 120 }, (_, n): Call => ['add_job', 'test', 'slow', 0, `n${n}`]),
    );
    const begun = await Promise.all(Array.from({ length: 6 }, () => run(site, file)));
    const done = (await readFile(file, 'utf8')).trim().split('\n');
    assert.equal(done.length, 120, `${begun}`);
    assert.equal(new Set(done).size, 120);
    assert.ok(begun.filter((count) => count > 0).length > 1, `${begun}: more than one process had some`);
    assert.deepEqual(await site.jobs('test'), []);
  });

  test('a job whose process is killed runs again', { skip: isWasm }, async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'done');
    await addJob(site, 'die', 'victim');
    await assert.rejects(run(site, file));
    const [claimed] = await site.jobs('test');
    assert.equal(claimed?.attempts, '1');
    assert.ok(Number(claimed?.claimed_until) > 0);
    assert.equal(await run(site, file), 0, 'it may still be running');
    site.setClockAhead(61);
    assert.equal(await run(site, file), 1);
    site.setClockAhead(0);
    assert.equal(await readFile(file, 'utf8'), 'victim\nvictim\n');
    assert.deepEqual(await site.jobs('test'), []);
  });

  test('a job that was asked for again while it ran runs once more; one that fails is tried again and then stays', async () => {
    const file = isWasm ? '/tmp/done' : join(site.folder, 'done');
    await addJob(site, 'again', 'wanted');
    await addJob(site, 'again', 'wanted');
    await site.call('add_job', 'test', 'later', inSeconds(5000), 'later');
    assert.deepEqual(await site.call('jobs.run_and_read', file), [2, 'wanted\nwanted\n']);
    assert.deepEqual(
      (await site.jobs('test')).map((job) => job.unique_key),
      ['test later'],
    );
    await site.call('delete_jobs', 'test');

    const state = async () => {
      const [job] = await site.jobs('test');
      const number = (name: string) => Number(job?.[name]);
      return {
        attempts: number('attempts'),
        error: job?.last_error,
        hasFailed: number('failed_at') > 0,
        at: number('run_at'),
      };
    };
    await addJob(site, 'fail', 'bad');
    for (const attempts of [1, 2, 3]) {
      const before = Date.now();
      await run(site, file);
      const after = Date.now();
      const { at, ...found } = await state();
      assert.deepEqual(found, { attempts, error: 'no post for …', hasFailed: attempts === 3 });
      if (attempts === 1) assert.ok(at >= before + 60_000 && at <= after + 60_000, `${at - before} ms`);
      await site.makeDue('test');
    }
    assert.equal(await run(site, file), 0);
    const id = await site.call('jobs.retry_first');
    assert.ok(id > 0);
    const { attempts, hasFailed } = await state();
    assert.deepEqual([attempts, hasFailed], [0, false]);
    assert.equal(await site.call('jobs.delete', id), true);
    assert.deepEqual(await site.jobs('test'), []);
    // A kind that must wait leaves this run at once and counts no attempt.
    await addJob(site, 'postponed', 'patient');
    assert.equal(await run(site, file), 1);
    const [postponed] = await site.jobs('test');
    assert.deepEqual([Number(postponed?.attempts), Number(postponed?.claimed_until)], [0, 0]);
  });

  test('limits refuse, locks end only for their holder, and values end', async () => {
    assert.deepEqual(await site.call('jobs.limits'), [
      [true, true, false, true, false, 5],
      ['a', 'b', 'c'],
      ['d'],
      'first',
      'first',
    ]);
    assert.deepEqual(await site.call('jobs.locks'), [
      [true, false],
      [false, false, true, true],
    ]);
    assert.deepEqual(await site.call('jobs.values'), [
      [[1.5, 'ä'], false, 1, true],
      [null, true, 'yes'],
      ...[true, false],
    ]);
    site.setClockAhead(0);
  });

  test('a limit lets through as many of many requests at once as it says, and no address is forgotten', {
    skip: isWasm,
  }, async () => {
    const counts = await Promise.all(
      Array.from({ length: 6 }, (_, process): Promise<number> => site.call('jobs.share', process)),
    );
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      100,
    );
    assert.equal(await site.call('jobs.refused'), 60);
  });
});
