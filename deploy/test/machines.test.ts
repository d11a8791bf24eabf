// The ways onto a server, by the programs that read them there: systemd's own check of the unit, and an image that is built and
// started where podman or docker runs.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../api/test/support.ts';
import { until } from '../../dev/until.ts';
import { skipWithout } from '../../plugin/test/programs.ts';
import { deploy } from './gateway.ts';

const top = join(deploy, '..');
const run = (command: string, ...args: string[]) => spawnSync(command, args, { cwd: top, encoding: 'utf8' });
const engine = ['podman', 'docker'].find((name) => run(name, 'info').status === 0);

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
  assert.match(
    check(unit.replace('KillMode=mixed', 'KilMode=mixed')).stderr,
    /KilMode/,
    'the check can fail',
  );
});

test('the image is built, starts and stops', {
  skip: engine ? false : 'neither podman nor docker runs here',
  timeout: 600_000,
}, async () => {
  const name = `trousseau-test-${process.pid}`;
  const works = (...args: string[]) => {
    const { status, stdout, stderr } = run(engine!, ...args);
    assert.equal(status, 0, `${engine} ${args.join(' ')}\n${stderr}`);
    return stdout.trim();
  };
  try {
    works('build', '-t', name, '.');
    works('run', '-d', '--name', name, '-p', '127.0.0.1::8000', '-e', 'HOST_URL=https://site.example', name);
    const address = works('port', name, '8000').split('\n')[0]!;
    const health = () =>
      fetch(`http://${address}/health`).then(
        (answer) => answer.status,
        () => 0,
      );
    await until('the service answers', async () => (await health()) === 200);
    works('stop', '-t', '20', name);
    assert.equal(works('inspect', '-f', '{{.State.ExitCode}}', name), '0');
  } finally {
    run(engine!, 'rm', '-f', '-v', name);
    run(engine!, 'rmi', '-f', name);
  }
});
