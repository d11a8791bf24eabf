// The PHPUnit tests of `plugin/test/unit`: PHP that needs no WordPress. They run at once; each class is a test here.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { skipWithout } from './programs.ts';

const entities: Record<string, string> = {
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  amp: '&',
  '#10': '\n',
  '#039': "'",
};
const text = (xml: string) => xml.replace(/&(#?\w+);/g, (all, name: string) => entities[name] ?? all).trim();

test('PHPUnit', { skip: skipWithout('phpunit') }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'trousseau-phpunit-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const log = join(folder, 'log.xml');
  const run = spawnSync('phpunit', ['--log-junit', log], {
    cwd: join(import.meta.dirname, '..'),
    encoding: 'utf8',
  });
  const cases = [
    ...readFileSync(log, 'utf8').matchAll(
      /<testcase name="([^"]*)" class="([^"]*)"[^>]*?(?:\/>|>(.*?)<\/testcase>)/gs,
    ),
  ];
  assert.ok(cases.length > 50, run.stdout + run.stderr);
  const classes = Map.groupBy(cases, ([, , name]) => name!.split('\\').pop()!);
  for (const [name, those] of classes)
    await t.test(name, () => {
      const failed = those.filter(([, , , result]) => result);
      assert.ok(
        failed.length === 0,
        failed.map(([, , , result]) => text(result!.replace(/<[^>]*>/g, ''))).join('\n\n'),
      );
    });
  // A warning or a fault outside of a test leaves no failed case.
  assert.equal(run.status, 0, run.stdout + run.stderr);
});
