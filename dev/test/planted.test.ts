// Every planted fault applies to the current code, and names existing tests.
import assert from 'node:assert/strict';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { chosen } from '../../conformance/suite.ts';
import { parseFault, plant, readFaults } from '../planted/patches.ts';

const root = join(import.meta.dirname, '../..');
const faults = readFaults();

const isConformance = (tests: string[]) => tests.join().startsWith('conformance/');
const phpUnit = new Set(
  globSync('plugin/test/**/*Test.php', { cwd: root }).map((file) => basename(file, '.php')),
);

const texts = new Map<string, string>();
/** The text of all tests of a file's folder, since some files share a suite. */
function textsBeside(path: string): string {
  const folder = dirname(join(root, path));
  if (!texts.has(folder)) {
    const files = globSync('*.ts', { cwd: folder });
    texts.set(folder, files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n'));
  }
  return texts.get(folder)!;
}

for (const fault of faults)
  test(`the planted fault ${fault.name} applies, and its header is complete`, () => {
    const { sentence, tests, only, cases, mendedBy, hunks } = fault;
    assert.match(sentence, /^[A-Z“].{40,240}\.$/, 'one sentence for its damage');
    assert.ok(tests.length === 1 || tests.length === 2, 'one or two test files');
    for (const path of tests) {
      assert.match(path, /\.test\.ts$/);
      assert.ok(existsSync(join(root, path)), `there is no ${path}`);
    }
    if (only !== undefined)
      assert.match(tests.map(textsBeside).join('\n'), new RegExp(only), 'no test has this name');
    if (cases !== undefined) {
      assert.match(tests.join(), /^(conformance\/.*|plugin\/test\/wordpress\.test\.ts)$/);
      for (const text of cases.split(','))
        assert.ok(
          isConformance(tests) ? chosen({ only: [text] }).length > 0 : phpUnit.has(text),
          `no ${text}`,
        );
    }
    if (mendedBy !== undefined) assert.match(mendedBy, /^[0-9a-f]{7,40}$/);
    assert.ok(hunks.length > 0, 'a change');
    for (const [path, text] of plant(fault, root)) assert.ok(text.length > 0, path);
  });

test('a planted fault changes the one place that has its lines', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'trousseau-planted-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'sum.ts'), 'one();\n\ntwo();\none();\n');
  const planted = (...lines: string[]) => {
    const head = 'Broken.\n\ndiff --git a/sum.ts b/sum.ts\n--- a/sum.ts\n+++ b/sum.ts\n@@ -1 +1 @@';
    return plant(parseFault('sum', [head, ...lines, ''].join('\n')), folder).get('sum.ts');
  };
  assert.equal(planted(' one();', ' ', '-two();', '+three();'), 'one();\n\nthree();\none();\n');
  assert.equal(planted('-two();', ' one();'), 'one();\n\none();\n');
  assert.throws(() => planted('-one();'), /more than once/);
  assert.throws(() => planted('-two', '+three'), /no such lines/);
  rmSync(join(folder, 'sum.ts'));
  assert.throws(() => planted('-two();'), /sum\.ts is gone/);
});
