// The automation in docs/api.md, run exactly as documented.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { json as readJson } from 'node:stream/consumers';
import { test } from 'node:test';
import { freePort } from '../../api/test/free-port.ts';
import { listen } from '../../api/test/listen.ts';
import { startTestService, temporaryFolder } from '../../api/test/support.ts';
import { until } from '../../dev/until.ts';
import { answers } from '../../dev/wordpress/site.ts';

const root = join(import.meta.dirname, '../..');

test('a chat hears of each gift and a table of each claim; what nobody has signed is refused', async () => {
  const said: unknown[] = [];
  const chat = createServer(async (request, response) => {
    assert.equal(request.headers['content-type'], 'application/json');
    said.push(await readJson(request));
    response.end('ok');
  });
  await using room = await listen(chat);
  const port = await freePort();
  await using folder = await temporaryFolder();
  await using service = await startTestService({ LOOKUP_ALLOW: `127.0.0.1:${port}` });
  const admin = service.client('admin');
  const { secret } = (await admin.webhooks.create({ url: `http://127.0.0.1:${port}/` }))!;

  const [, program] = /```js\n(import [\s\S]*?)```/.exec(readFileSync(join(root, 'docs/api.md'), 'utf8'))!;
  writeFileSync(join(folder.path, 'automation.mjs'), program!);
  symlinkSync(join(root, 'node_modules'), join(folder.path, 'node_modules'));
  const table = join(folder.path, 'gifts.csv');
  const child = spawn(process.execPath, [join(folder.path, 'automation.mjs')], {
    env: { PORT: String(port), SECRET: secret, TABLE: table, CHAT: room.url },
    stdio: 'inherit',
  });
  try {
    await until('the program listens', () => answers(`http://127.0.0.1:${port}`));
    const alice = service.client('alice');
    const list = (await alice.registries.create({ title: 'Us', meta: { registry_invitees: ['bob'] } }))!;
    const gift = { name: 'Lamp, “warm”', url: 'https://shop.example/lamp', quantity_needed: 3 };
    const { data } = (await alice.registries.items.create(list.id, gift))!;
    await service.client('bob').registries.items.claims.create(list.id, data.id, { quantity: 2 });
    await until('the chat has heard', () => said.length > 0);
    assert.deepEqual(said, [{ text: 'New on the list: Lamp, “warm”' }]);
    const rows = () => (existsSync(table) && readFileSync(table, 'utf8')) || undefined;
    assert.match(await until('the table has a row', rows), new RegExp(`^evt_[\\w-]+,${data.id},2\n$`));

    const body = '{"type":"item.created"}';
    const forged = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body });
    assert.equal(forged.status, 400);
    assert.equal(said.length, 1);
  } finally {
    child.kill();
  }
});
