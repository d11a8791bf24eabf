// Runs PHPUnit, and makes each of its classes a test of Node's runner.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

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

/** Runs the tests of a configuration in `plugin/`; `least` is a number that there are more of. */
export async function runPhpUnit(
  t: TestContext,
  configuration: string,
  least: number,
  env: NodeJS.ProcessEnv = {},
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'trousseau-phpunit-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const log = join(folder, 'log.xml');
  // As in the conformance suite: some of them, by parts of their names.
  const filter = process.env.TEST_CASES?.replaceAll(',', '|');
  const run = spawn(
    'phpunit',
    ['-c', configuration, '--log-junit', log, ...(filter ? ['--filter', filter] : [])],
    {
      cwd: join(import.meta.dirname, '..'),
      // Temporary files go with the folder.
      env: { ...process.env, TMPDIR: folder, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  for (const stream of [run.stdout, run.stderr])
    stream.setEncoding('utf8').on('data', (more) => (output += more));
  const [status] = await once(run, 'close');
  // PHP that dies leaves no log.
  const xml = existsSync(log) ? readFileSync(log, 'utf8') : '';
  const cases = [
    ...xml.matchAll(/<testcase name="([^"]*)" class="([^"]*)"[^>]*?(?:\/>|>(.*?)<\/testcase>)/gs),
  ];
  assert.ok(cases.length > (filter ? 0 : least), output);
  const classes = Map.groupBy(cases, ([, , name]) => name!.split('\\').pop()!);
  // PHPUnit skips a class whose `@requires` this machine, or this WordPress, doesn't meet.
  const isSkipped = ([, , , result]: RegExpMatchArray) => /^\s*<skipped\/>\s*$/.test(result ?? '');
  for (const [name, those] of classes)
    await t.test(name, { skip: those.every(isSkipped) && 'what it requires isn’t here' }, () => {
      // Each begins with its class and method.
      const failed = those.flatMap(([, , , result]) =>
        result ? [text(result.replace(/<[^>]*>/g, ''))] : [],
      );
      assert.ok(failed.length === 0, failed.join('\n\n'));
    });
  // A warning or a fault outside of a test leaves no failed case.
  assert.equal(status, 0, output);
}
