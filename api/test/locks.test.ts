import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { locks } from '../src/domain/locks.ts';
import { Problem } from '../src/problem.ts';
import { leaseStore } from '../src/store/leases.ts';
import { openDatabase } from '../src/store/open.ts';

const log = { warn: () => assert.fail('nothing to warn of') };

test('changes of a registry run one at a time, in order, and no caller waits longer than said', {
  timeout: 60_000,
}, async () => {
  const db = await openDatabase('sqlite::memory:');
  const ended: number[] = [];
  const { run, settled } = locks({
    leases: leaseStore(db),
    log,
    noun: 'registry',
    busy: 'Busy',
    changed: async (id) => void ended.push(id),
  });
  const done: number[] = [];
  let running = 0;
  const work = (n: number) => async () => {
    assert.equal(++running, 1, 'two at once');
    await sleep(150);
    running--;
    done.push(n);
    return n;
  };
  const since = performance.now();
  const answers = await Promise.allSettled(
    Array.from({ length: 12 }, async (_, n) => {
      try {
        return await run(7, work(n), 500);
      } finally {
        assert.ok(
          performance.now() - since < 1_700,
          `number ${n} waited for ${performance.now() - since} ms`,
        );
      }
    }),
  );
  await settled();
  const refused = answers.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  const given = answers.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  assert.ok(given.length >= 2 && refused.length >= 2, `${given.length} given, ${refused.length} refused`);
  assert.deepEqual(done, given, 'what was refused was not done');
  assert.deepEqual(
    given,
    [...given].sort((a, b) => a - b),
  );
  for (const problem of refused) {
    assert.ok(problem instanceof Problem);
    assert.deepEqual([problem.code, problem.headers], ['unavailable', { 'retry-after': '2' }]);
  }
  assert.deepEqual(
    ended,
    given.map(() => 7),
  );

  const held = Promise.withResolvers<number>();
  const other = run(8, () => held.promise);
  assert.equal(await run(7, work(9), Number.POSITIVE_INFINITY), 9, 'registries don’t wait for each other');
  held.resolve(8);
  assert.equal(await other, 8);
  await db.close();
});
