// The plugin's sources: PHP that parses and keeps the style, one version everywhere, a catalogue and bundles that fit.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildAssets } from '../build.ts';
import { catalogue, cataloguePath } from '../dev/pot.ts';

const plugin = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(plugin, file), 'utf8');
const phpFiles = readdirSync(plugin, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.php'),
);

/** Under CI a missing program is a failure, elsewhere a skipped test with a word. */
function skipWithout(program: string): string | false {
  if (spawnSync(program, ['--version']).status === 0) return false;
  if (process.env.CI === 'true') throw new Error(`${program} is missing`);
  return `${program} is not installed`;
}

test('every PHP file parses', { skip: skipWithout('php') }, () => {
  assert.ok(phpFiles.length > 10);
  for (const file of phpFiles) {
    const check = spawnSync('php', ['-l', join(plugin, file)], { encoding: 'utf8' });
    assert.equal(check.status, 0, check.stdout + check.stderr);
  }
});

test('PHP keeps the style', { skip: skipWithout('phpcs') }, () => {
  const check = spawnSync('phpcs', ['-q', '-s', '--standard=phpcs.xml'], { cwd: plugin, encoding: 'utf8' });
  assert.equal(check.status, 0, check.stdout + check.stderr);
});

test('shipped PHP has strict types and refuses to run outside WordPress', () => {
  for (const file of phpFiles.filter((file) => !file.startsWith('dev/'))) {
    const source = read(file);
    assert.match(source, /^declare\(strict_types=1\);$/m, file);
    if (file.startsWith('includes/'))
      assert.match(
        source,
        /^namespace Trousseau;\n\n(use [^\n]+\n)*\n*(\/\*\*.*?\*\/\n)?final class \w+/ms,
        file,
      );
    else assert.match(source, /defined\( '(ABSPATH|WP_UNINSTALL_PLUGIN)' \) \|\| exit;/, file);
  }
});

test('every hook stands in the main file', () => {
  for (const file of phpFiles.filter((file) => file.startsWith('includes/'))) {
    assert.doesNotMatch(read(file), /\b(add_action|add_filter|register_activation_hook)\(/, file);
  }
});

test('the version is the same in the header, the constant and the readme', () => {
  const main = read('trousseau.php');
  const version = /^ \* Version: +(\d+\.\d+\.\d+)$/m.exec(main)?.[1];
  assert.ok(version);
  assert.equal(/const VERSION += '(.*)';/.exec(main)?.[1], version);
  const readme = read('readme.txt');
  assert.equal(/^Stable tag: (.*)$/m.exec(readme)?.[1], version);
  for (const field of ['Requires at least', 'Requires PHP']) {
    assert.equal(
      new RegExp(`^${field}: (.*)$`, 'm').exec(readme)?.[1],
      new RegExp(`^ \\* ${field}: +(.*)$`, 'm').exec(main)?.[1],
    );
  }
});

test('the catalogue for translators fits the sources', () => {
  assert.equal(readFileSync(cataloguePath, 'utf8'), catalogue(), 'run: node plugin/dev/pot.ts');
  const texts = phpFiles.map((file) => read(file).match(/\b(?:esc_html__|esc_attr__|__)\(/g)?.length ?? 0);
  const places = catalogue().match(/^#: .*\.php:/gm)?.length;
  assert.equal(
    places,
    texts.reduce((sum, count) => sum + count, 0),
    'no text escapes the catalogue',
  );
});

test('the browser scripts bundle, and hold no module or environment of their own', async () => {
  assert.deepEqual((await buildAssets()).sort(), ['editor.js', 'giving.js', 'trousseau.js']);
  for (const file of ['assets/editor.js', 'assets/giving.js', 'assets/trousseau.js']) {
    const script = read(file);
    assert.ok(script.length < 30_000, `${file}: ${script.length}`);
    assert.doesNotMatch(script, /\b(import|require)\(|^export /m, file);
  }
});
