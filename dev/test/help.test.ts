import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

const COMMANDS = {
  bench: 'bench/bench.ts',
  'bench:lookups': 'bench/lookups/lookups.ts',
  faults: 'faults/faults.ts',
};

for (const [name, file] of Object.entries(COMMANDS))
  test(`npm run ${name} says what it takes, and does nothing else`, () => {
    const run = (option: string) => {
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [join(import.meta.dirname, '..', file), option],
        { encoding: 'utf8' },
      );
      return { status, stdout, stderr };
    };
    const { status, stdout, stderr } = run('--help');
    assert.deepEqual([status, stderr], [0, '']);
    assert.ok(stdout.startsWith(`npm run ${name} -- [`), stdout);

    const wrong = run('--halp');
    assert.deepEqual([wrong.status, wrong.stdout], [2, '']);
    assert.match(wrong.stderr, /^Unknown option '--halp'/);
    assert.ok(wrong.stderr.endsWith(`\n\n${stdout}`), wrong.stderr);
  });
