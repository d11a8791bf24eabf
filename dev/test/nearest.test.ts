// `npm test -- --changed` finds the test files nearest to a change, which take less than a minute.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fitInto, nearestTests, SECONDS_FOR_CHANGED } from '../nearest.ts';
import { readFaults } from '../planted/patches.ts';
import { secondsOf } from '../test-files.ts';

test('a changed test is its own nearest test', () => {
  assert.equal(nearestTests(['dev/test/planted.test.ts'])[0], 'dev/test/planted.test.ts');
});

test('a test that imports a file is nearer than one that imports it through others', () => {
  const tests = nearestTests(['dev/test-files.ts']);
  assert.deepEqual(tests.slice(0, 2).sort(), ['dev/test/nearest.test.ts', 'dev/test/test-files.test.ts']);
  assert.ok(!tests.includes('extension/test/words.test.ts'));
});

test('a test that notices a planted fault is near to the file of that fault', () => {
  for (const { name, tests, hunks } of readFaults())
    for (const { file } of hunks)
      for (const one of tests) assert.ok(nearestTests([file]).includes(one), name);
});

test('PHP, texts and documents have tests by the table', () => {
  for (const [changed, found] of [
    ['plugin/src/Giving/Claims.php', 'plugin/test/giving.test.ts'],
    ['plugin/src/Giving/templates/gift.php', 'plugin/test/unit.test.ts'],
    ['docs/contract/items.md', 'conformance/test/contract.test.ts'],
    ['README.md', 'dev/test/documents.test.ts'],
  ] as const)
    assert.ok(nearestTests([changed]).includes(found), changed);
  for (const feature of readdirSync(join(import.meta.dirname, '../../plugin/src')).filter(
    (name) => !name.includes('.'),
  ))
    assert.ok(nearestTests([`plugin/src/${feature}/New.php`]).length > 3, feature);
  assert.deepEqual(nearestTests(['LICENSE']), []);
});

test('after a change of the service the cases of conformance are among the nearest tests, and fit', () => {
  for (const room of ['contract', 'domain', 'http', 'store']) {
    const { run } = fitInto(SECONDS_FOR_CHANGED, nearestTests([`api/src/${room}/items.ts`]));
    assert.ok(run.includes('conformance/test/embedded.test.ts'), room);
  }
});

test('a run takes the nearest files that fit, and names the others', () => {
  const all = nearestTests(['plugin/src/Giving/Claims.php', 'api/test/support.ts']);
  const { run, left } = fitInto(35, all);
  assert.ok(run.reduce((sum, one) => sum + secondsOf(one), 0) <= 35);
  assert.ok(run.includes('plugin/test/unit.test.ts') && left.length > 0);
  assert.deepEqual([...run, ...left].sort(), [...all].sort());
});
