// The pictures for WordPress's plugin directory have the names and sizes that it expects.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { folder, screenshots } from '../screenshots/directory.ts';

const readme = readFileSync(join(import.meta.dirname, '../../plugin/readme.txt'), 'utf8');
const bytes = (file: string) => readFileSync(join(folder, file));

test('the pictures are there, of the right size, and small', () => {
  const expected = new Map<string, [width: number, height: number]>([
    ['icon-128x128.png', [128, 128]],
    ['icon-256x256.png', [256, 256]],
    ['banner-772x250.png', [772, 250]],
    ['banner-1544x500.png', [1544, 500]],
  ]);
  for (const [file, size] of expected) {
    const png = bytes(file);
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], size, file);
  }
  assert.deepEqual(
    bytes('icon.svg'),
    readFileSync(join(import.meta.dirname, '../../plugin/assets/gift.svg')),
  );
  const shots = screenshots.map((_, place) => `screenshot-${place + 1}.jpg`);
  const files = readdirSync(folder).filter((name) => name !== 'blueprints');
  assert.deepEqual(files.sort(), [...expected.keys(), 'icon.svg', ...shots].sort());
  const whole = files.reduce((sum, file) => sum + bytes(file).length, 0);
  assert.ok(whole < 700_000, `${whole} bytes`);
  const captions = /^== Screenshots ==\n\n((?:\d+\. .+\n)+)/m.exec(readme)?.[1]?.trim().split('\n');
  assert.deepEqual(
    captions?.map((line) => Number.parseInt(line, 10)),
    shots.map((_, place) => place + 1),
  );
});

test('the changelog has an entry for the released version', () => {
  const version = /^Stable tag: (\S+)$/m.exec(readme)![1]!;
  assert.match(
    readme.split('== Changelog ==')[1]!,
    new RegExp(`^= ${version.replaceAll('.', '\\.')} =\n\n\\* `, 'm'),
  );
});
