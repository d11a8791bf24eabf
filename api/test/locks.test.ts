import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as others } from 'node:timers/promises';
import { Problem } from '../src/contract/problem.ts';
import { locks } from '../src/domain/locks.ts';
import { leaseStore } from '../src/store/leases.ts';
import { ONLY_SITE } from '../src/store/sites.ts';
import { openedDatabase } from './support.ts';

const log = { warn: () => assert.fail('nothing to warn of') };

test('changes of a registry run one at a time, in order, and no caller waits longer than said', {
  timeout: 180_000,
}, async () => {
  await using db = await openedDatabase('sqlite::memory:');
  const ended: number[] = [];
  const [leases, changed] = [leaseStore(db, ONLY_SITE), async (id: number) => void ended.push(id)];
  const { run, settled } = locks({ leases, log, noun: 'registry', busy: 'Busy', changed });
  const done: number[] = [];
  let running = 0;
  const first = Promise.withResolvers<void>();
  const work = (n: number) => async () => {
    assert.equal(++running, 1, 'two at once');
    await (n === 0 ? first.promise : others());
    running--;
    done.push(n);
    return n;
  };
  const patient = [0, 1, 2].map((n) => run(7, work(n), Number.POSITIVE_INFINITY));
  // The first goes on until all of these have been refused.
  const hurried = Array.from({ length: 9 }, (_, n) => run(7, work(3 + n), 100));
  const refused = (await Promise.allSettled(hurried)).map((each) =>
    each.status === 'rejected' ? each.reason : assert.fail(`${each.value} was done beside the first`),
  );
  assert.deepEqual(done, []);
  first.resolve();
  assert.deepEqual(await Promise.all(patient), [0, 1, 2]);
  await settled();
  assert.deepEqual(done, [0, 1, 2], 'what was refused was not done');
  for (const problem of refused) {
    assert.ok(problem instanceof Problem);
    assert.deepEqual([problem.code, problem.retryAfter], ['unavailable', 2]);
  }
  assert.deepEqual(ended, [7, 7, 7]);

  const held = Promise.withResolvers<number>();
  const other = run(8, () => held.promise);
  assert.equal(await run(7, work(9), Number.POSITIVE_INFINITY), 9, 'registries don’t wait for each other');
  held.resolve(8);
  assert.equal(await other, 8);
});
