import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startTestService } from './support.ts';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);

const hasCurl = await run('curl', ['--version']).then(
  () => false as const,
  () => 'curl is not installed',
);
if (hasCurl && process.env.CI === 'true') throw new Error(hasCurl);

test('the example that opens /docs can be copied', { skip: hasCurl }, async () => {
  await using service = await startTestService();
  const { info } = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
    info: { description: string };
  };
  const [, script] = /```sh\n([\s\S]*?)\n```/.exec(info.description)!;
  const { stdout } = await run('sh', ['-euc', script!.replace('http://127.0.0.1:8000', service.url)]);
  assert.match(stdout, /"name":"Copper saucepan".*\[\{.*"name":"Copper saucepan"/s);
});

test('the script of docs/api.md runs, twice in a row', async () => {
  await using service = await startTestService();
  const page = await readFile(join(root, 'docs/api.md'), 'utf8');
  const code = /```ts\n([\s\S]*?)\n```/.exec(page)![1]!.replaceAll('http://127.0.0.1:8000', service.url);
  const script = join(root, `api-example-${process.pid}.ts`);
  await writeFile(script, code);
  try {
    for (const time of ['first', 'second']) {
      const { stdout } = await run(process.execPath, [script], { cwd: root });
      assert.equal(stdout, 'Copper saucepan: 1 left\n', time);
    }
  } finally {
    await rm(script);
  }
});
