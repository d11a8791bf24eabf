// The command as typed in a shell: its output, files and exit code, and that it leaves nothing behind.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { Registry } from 'trousseau-client';
import { listen } from '../../api/test/listen.ts';
import { memoryHost, startTestService, temporaryFolder } from '../../api/test/support.ts';
import { cases } from '../cases/index.ts';
import { MARK } from '../world.ts';

const main = join(import.meta.dirname, '../main.ts');
const HEALTH = ['--only', 'welcome-and-health'];

function start(...args: string[]) {
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      said[stream] += text;
    });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number, ...said }));
  return { child, said, ended };
}

const service = await startTestService();
after(() => service.close());
const folder = await temporaryFolder();
after(() => folder[Symbol.asyncDispose]());

describe('npm run conformance', () => {
  const run = (...args: string[]) => start('--url', service.url, ...args).ended;
  const registriesThere = async (of = service): Promise<Registry[]> => {
    const lists = (['admin', 'alice', 'bob', 'carol'] as const).map((name) =>
      of.client(name).registries.list(),
    );
    return (await Promise.all(lists)).flatMap((list) => list!);
  };

  it('says a line a case, writes JUnit and JSON, and ends with 0', async () => {
    const [junit, json] = [join(folder.path, 'junit.xml'), join(folder.path, 'outcome.json')];
    const only = ['--only', '#health', '--only', 'gateway-key'];
    const { code, stdout, stderr } = await run(...only, '--junit', junit, '--json', json);
    assert.deepEqual([code, stderr], [0, '']);
    const [first, ...lines] = stdout.trim().split('\n');
    assert.match(first!, /^4 cases against http.* in registries of their own\.$/);
    assert.match(lines.pop()!, /^Done after \d+\.\d s: 3 passed, 0 failed, 1 not applicable\.$/);
    assert.equal(lines.length, 4);
    const isLine = /^(ok {4}|- {5})errors-and-limits\.md#(health|signing-in) [a-z-]+ /;
    for (const line of lines) assert.match(line, isLine);

    const { outcomes, left, interrupted } = JSON.parse(await readFile(json, 'utf8'));
    assert.deepEqual([outcomes.length, left, interrupted], [4, [], false]);
    const xml = await readFile(junit, 'utf8');
    const numbers = 'tests="4" failures="0" errors="0" skipped="1"';
    assert.ok(xml.includes(`<testsuites name="Trousseau conformance" ${numbers}`));
    assert.match(xml, /<testsuite name="errors-and-limits\.md#health" tests="3"/);
    assert.equal(xml.match(/<testcase /g)!.length, 4);
    assert.match(xml, /<skipped message="the run was given no key"\/>/);
    assert.deepEqual(await registriesThere(), []);
  });

  it('ends with 1 when a case fails, and says why in the file, too', async () => {
    const junit = join(folder.path, 'failed.xml');
    await using wrong = await listen(
      createServer((asked, response) => {
        const { method = '', url, headers } = asked;
        const passed = request(service.url + url, { method, headers }, (answer) => {
          const { 'x-request-id': _, ...kept } = answer.headers;
          answer.pipe(response.writeHead(answer.statusCode!, kept));
        });
        asked.pipe(passed);
      }),
    );
    const { code, stdout } = await start('--url', `${wrong.url}/`, ...HEALTH, '--junit', junit).ended;
    assert.equal(code, 1);
    const why = /no request id[\s\S]*last request: GET \/ as nobody, answered 200$/m;
    assert.match(stdout, /^FAIL {2}errors-and-limits\.md#health welcome-and-health/m);
    assert.match(stdout, why);
    assert.match(await readFile(junit, 'utf8'), /failures="1"[\s\S]*<failure message="no request id/);
  });

  it('says in a sentence why it cannot begin, and ends with 2', async () => {
    let files = 0;
    const users = async (text: string) => {
      const file = join(folder.path, `users-${++files}.json`);
      await writeFile(file, text);
      return ['--users', file];
    };
    const example = JSON.parse(await readFile(join(import.meta.dirname, '../users.example.json'), 'utf8'));
    const changed = (change: object) => users(JSON.stringify({ ...example, ...change }));
    const { owner, administrator, stranger } = example;
    for (const [args, sentence] of [
      [['--url', 'http://127.0.0.1:9'], /^http:\/\/127\.0\.0\.1:9 can't be reached: /],
      [['--only', 'no such case'], /^No case has such a name/],
      [['--nonsense'], /nonsense/],
      [await users('{'), /can't be read as JSON/],
      [await changed({ guest: undefined }), /: guest must be given as/],
      [await changed({ guest: owner }), /names one account in two roles$/],
      [await changed({ owner: { ...owner, password: 'wrong' } }), /^alice \(owner\) can't log in: /],
      [await changed({ administrator: stranger, stranger: administrator }), /isn't an admin of the service/],
    ] as const) {
      const { code, stderr } = await run(...args);
      assert.equal(code, 2, stderr);
      assert.match(stderr.trim(), sentence);
    }
    assert.deepEqual(await registriesThere(), []);
  });

  it('deletes what it made when it is interrupted, and ends with 130', async () => {
    const { child, said, ended } = start('--url', service.url);
    // Interrupts the run while registries exist, some of them for cases that wait for a minute.
    while ((await registriesThere()).length < 5 || !said.stdout.includes('\nok'))
      assert.equal(child.exitCode, null, said.stderr);
    child.kill('SIGINT');
    const { code, stdout, stderr } = await ended;
    assert.deepEqual([code, stderr], [130, '']);
    assert.match(stdout, /deleting what was made …[\s\S]*Interrupted after \d+\.\d s: /);
    assert.deepEqual(await registriesThere(), []);
  });

  it('deletes what a run that was killed an hour ago has left, and nothing else', async () => {
    let now = Date.now() - 61 * 60_000;
    await using host = await memoryHost({ now: () => now });
    await using there = await startTestService({ HOST_URL: host.url });
    const make = async (title: string) => (await there.client('alice').registries.create({ title }))!.id;
    await make(`${MARK} left`);
    const kept = [await make('Ann & Bob'), await make(`Not ${MARK}`)];
    now = Date.now();
    kept.push(await make(`${MARK} another run's, under way`));
    const { code, stdout } = await start('--url', there.url, ...HEALTH).ended;
    assert.equal(code, 0);
    assert.match(stdout, /^Deleted data left behind by an earlier run: 1\.$/m);
    const ids = (await registriesThere(there)).map(({ id }) => id);
    assert.deepEqual(ids.sort(), kept.sort());
  });

  it('names every case once', async () => {
    const { stdout } = await start('--list', '--quick').ended;
    assert.ok(!stdout.includes('(slow)'));
    const ids = cases.map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    for (const id of ids) assert.match(id, /^[a-z-]+\.md#[a-z-]+ [a-z\d]+(-[a-z\d]+)*$/);
    for (const id of stdout.trim().split('\n')) assert.ok(ids.includes(id), id);
  });
});
