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

test('the example of docs/api.md can be copied, twice in a row, and its script runs', {
  skip: hasCurl,
}, async () => {
  await using service = await startTestService();
  const page = await readFile(join(root, 'docs/api.md'), 'utf8');
  const example = page.slice(page.indexOf('\n## With curl\n'));
  const block = (language: string) =>
    new RegExp(`\\n\`\`\`${language}\\n([\\s\\S]*?)\\n\`\`\``)
      .exec(example)![1]!
      .replaceAll('http://127.0.0.1:8000', service.url);
  const shape = (json: string) =>
    JSON.stringify(JSON.parse(json), (key, value) =>
      key === '' || typeof value === 'object' ? value : typeof value,
    );
  for (const time of ['first', 'second']) {
    const { stdout } = await run('sh', ['-euc', block('sh')]);
    const lines = stdout.trim().split('\n');
    assert.equal(shape(lines[2]!), shape(block('json')), time);
    const [registry, , reserved, bought, thanked, items] = lines.map((line) => JSON.parse(line));
    assert.deepEqual([reserved.state, bought.state], ['reserved', 'purchased'], time);
    assert.ok(thanked.thanked_at, time);
    assert.deepEqual([items.length, items[0].quantity_purchased], [1, 1], time);
    const { title, permalink } = registry;
    const answer = await fetch(permalink);
    assert.equal(answer.status, 200, permalink);
    assert.ok((await answer.text()).includes(title.split(' ')[0]));
  }
  const script = join(root, `api-example-${process.pid}.ts`);
  await writeFile(script, block('ts'));
  try {
    for (const time of ['first', 'second']) {
      const { stdout } = await run(process.execPath, [script], { cwd: root });
      assert.equal(stdout, 'Copper saucepan: 1 left\n', time);
    }
  } finally {
    await rm(script);
  }
});
