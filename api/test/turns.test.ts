import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { turns } from '../src/domain/turns.ts';
import { Problem } from '../src/problem.ts';
import { leases } from '../src/store/leases.ts';
import { openDatabase } from '../src/store/open.ts';

const log = { warn: () => assert.fail('nothing to warn of') };

test('turns at a registry: one at a time, in order, and nobody waits longer than said', async () => {
  const db = await openDatabase('sqlite::memory:');
  const ended: number[] = [];
  const { take, settled } = turns({
    leases: leases(db),
    log,
    noun: 'registry',
    busy: 'Busy',
    ended: async (id) => void ended.push(id),
  });
  const done: number[] = [];
  let running = 0;
  const work = (n: number) => async () => {
    assert.equal(++running, 1, 'two at once');
    await sleep(60);
    running--;
    done.push(n);
    return n;
  };
  const since = performance.now();
  const answers = await Promise.allSettled(
    Array.from({ length: 12 }, async (_, n) => {
      try {
        return await take(7, work(n), 200);
      } finally {
        assert.ok(performance.now() - since < 400, `number ${n} waited for ${performance.now() - since} ms`);
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

  const [other, patient] = await Promise.all([
    take(8, work(8)).catch(() => 'two registries wait for each other'),
    sleep(100).then(() => take(7, work(9), Number.POSITIVE_INFINITY)),
  ]);
  assert.deepEqual([other, patient], [8, 9]);
  await db.close();
});
