// Checks the systemd unit with systemd's own tool; containers.ts starts the images.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../api/test/support.ts';
import { skipWithout } from '../../plugin/test/programs.ts';
import { deploy } from './gateway.ts';

const top = join(deploy, '..');
const run = (command: string, ...args: string[]) => spawnSync(command, args, { cwd: top, encoding: 'utf8' });

test('systemd finds nothing wrong with the unit', { skip: skipWithout('systemd-analyze') }, async () => {
  await using folder = await temporaryFolder();
  const unit = readFileSync(join(deploy, 'trousseau-api.service'), 'utf8');
  const check = (text: string) => {
    const path = join(folder.path, 'trousseau-api.service');
    writeFileSync(path, text.replace('/opt/trousseau/node_modules/.bin/trousseau-api', process.execPath));
    const { status, stderr } = run('systemd-analyze', 'verify', '--man=no', path);
    return { status, stderr };
  };
  assert.deepEqual(check(unit), { status: 0, stderr: '' });
  const found = check(unit.replace('KillMode=mixed', 'KilMode=mixed')).stderr;
  assert.match(found, /KilMode/, 'the check can fail');
});
