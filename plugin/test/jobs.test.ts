// The queue of work behind the pages and the values that the plugin keeps: on MariaDB with several processes at once, and on
// SQLite where PHP runs as WebAssembly.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../api/test/support.ts';
import { describeWordPress } from '../../dev/wordpress/describe-site.ts';
import type { Call } from '../../dev/wordpress/set-up.ts';
import type { WordPress } from '../../dev/wordpress/wordpress.ts';

const isWasm = Boolean(process.env.TROUSSEAU_DEV_PHP);

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
    await site.call('add_job', 'test', 'die', 0, 'victim');
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

  test('limits refuse, locks end only for their holder, and values end', async () => {
    assert.deepEqual(await site.call('jobs.limits'), [
      [true, true, false, true, false, 5],
      ...[['a', 'b', 'c'], ['d'], 'first', 'first'],
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
    const found = counts.reduce((sum, count) => sum + count, 0);
    assert.equal(found, 100);
    const addresses = Array.from({ length: 60 }, (_, i) => `p${`${i}`.padStart(2, '0')}@example.test`);
    assert.equal(await site.call('jobs.refused', addresses), 60);
  });
});
