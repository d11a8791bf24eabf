// `npm test` chooses its files by what they say about themselves in their first lines.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { describeFile, isEligible, selectFiles } from '../test-files.ts';

const root = join(import.meta.dirname, '../..');
const all = selectFiles({});

test('every test file is one of the whole run', () => {
  assert.deepEqual([...all].sort(), globSync('*/test/**/*.test.ts', { cwd: root }).sort());
});

test('files that start no process come first', () => {
  const starts = all.map((file) => describeFile(file).starts);
  assert.ok(starts.includes(true) && starts.includes(false));
  assert.deepEqual(starts, [...starts].sort());
});

test('shards hold each file once', () => {
  const shards = ['1/3', '2/3', '3/3'].map((shard) => selectFiles({ shard }));
  assert.deepEqual(shards.flat().sort(), [...all].sort());
  for (const shard of ['0/3', '4/3', '1', 'a/b'])
    assert.throws(() => selectFiles({ shard }), /write it like/);
});

test('a file of the service runs on PostgreSQL and in workers at every push, at night, or says why not', () => {
  for (const place of ['postgres', 'workers'] as const) {
    const again = selectFiles({ again: place });
    const rest = selectFiles({ rest: place });
    const found = again.filter((file) => rest.includes(file));
    assert.deepEqual(found, []);
    for (const file of all) {
      const { text, never } = describeFile(file);
      if (!isEligible(place, file, text)) continue;
      assert.ok(again.includes(file) || rest.includes(file) || never.has(place), `${file} on ${place}`);
      for (const [, reason] of text.matchAll(/^\/\/ @never [\w ]+(.*)$/gm))
        assert.match(reason!, /^: \w/, file);
    }
  }
});

test('a file that is missing is reported, also next to one that exists', () => {
  assert.throws(
    () => selectFiles({ names: ['api/test/locks.test.ts', 'api/test/nowhere.test.ts'] }),
    /No test file is called api\/test\/nowhere\.test\.ts$/,
  );
});

test('marks stand in the first lines, where they are read', () => {
  for (const file of all)
    for (const [mark] of readFileSync(join(root, file), 'utf8').matchAll(/^\/\/ @(slow|again|never)\b.*$/gm))
      assert.ok(readFileSync(join(root, file), 'utf8').split('\n', 12).includes(mark), `${file}: ${mark}`);
});
