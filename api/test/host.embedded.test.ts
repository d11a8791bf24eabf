import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, it } from 'node:test';
import { type EmbeddedHost, startEmbeddedHost } from '../emulator/server.ts';
import { describeHost } from './host-contract.ts';
import { memoryHost, temporaryFolder } from './support.ts';

const user = (host: EmbeddedHost, name: string) => host.users.find(({ username }) => username === name)!;

describeHost('the embedded host', async () => {
  const host = await startEmbeddedHost({ file: ':memory:' });
  const [admin, alice] = [user(host, 'admin'), user(host, 'alice')];
  const users = { admin, alice, bob: user(host, 'bob'), carol: user(host, 'carol') };
  return { url: host.url, users, close: host.close };
});

const { path: folder, [Symbol.asyncDispose]: remove } = await temporaryFolder();
after(remove);

describe('the embedded host, as a program', () => {
  const registries = '/wp-json/wp/v2/registry';
  const json = { 'content-type': 'application/json' };

  async function send(host: EmbeddedHost, method: string, target: string, body?: object) {
    const answer = await fetch(host.url + target, {
      method,
      headers: { authorization: `Basic ${btoa(`alice:${user(host, 'alice').password}`)}`, ...json },
      body: body ? JSON.stringify(body) : null,
    });
    return { status: answer.status, body: await answer.json() };
  }

  it('keeps users, registries and ids over a restart', async () => {
    const file = path.join(folder, 'restart.db');
    await using first = await memoryHost({ file });
    const meta = { registry_item_ids: '[2,1]' };
    const kept = (await send(first, 'POST', registries, { title: 'Kept', status: 'private', meta })).body;
    const gone = (await send(first, 'POST', registries, { title: 'Gone' })).body;
    await send(first, 'DELETE', `${registries}/${gone.id}?force=true`);
    await first.close();

    await using second = await memoryHost({ file });
    assert.deepEqual(second.users, first.users);
    const { link, ...again } = (await send(second, 'GET', `${registries}/${kept.id}?context=edit`)).body;
    assert.deepEqual({ ...again, link: kept.link }, kept);
    assert.equal(link, `${second.url}/registry/kept/`);
    const next = (await send(second, 'POST', registries, { title: 'Next' })).body;
    assert.ok(next.id > gone.id);
  });

  it('stores no password', async () => {
    const file = path.join(folder, 'passwords.db');
    await using host = await memoryHost({ file });
    await send(host, 'POST', registries, { title: 'Written' });
    await host.close();
    const bytes = await readFile(file, 'latin1');
    assert.match(bytes, /alice@example\.test/);
    for (const { password } of host.users)
      for (const secret of [password, password.replaceAll(' ', '')]) assert.ok(!bytes.includes(secret));
  });

  it('listens on loopback alone', async () => {
    await using host = await memoryHost();
    const { port } = new URL(host.url);
    // A port taken on all addresses could not be taken again.
    const other = createServer();
    await once(other.listen(Number(port), '127.0.0.2'), 'listening');
    await once(other.close(), 'close');
  });

  it('shows a published registry at its permalink, and no private one', async () => {
    await using host = await memoryHost();
    const registry = { title: 'Ann & Bob', content: 'Hello', status: 'publish' };
    const { id, link } = (await send(host, 'POST', registries, registry)).body;
    const page = await fetch(link);
    assert.equal(page.status, 200);
    assert.match(await page.text(), /<h1>Ann &amp; Bob<\/h1>\n<p>Hello<\/p>/);
    await send(host, 'PUT', `${registries}/${id}`, { status: 'private' });
    const hidden = await fetch(link);
    assert.equal(hidden.status, 404);
    assert.doesNotMatch(await hidden.text(), /Ann|Hello/);
  });

  it('refuses a body over 8 MiB', async () => {
    const body = { title: 'x'.repeat(8 * 1024 * 1024) };
    await using host = await memoryHost();
    assert.equal((await send(host, 'POST', registries, body)).status, 413);
  });

  it('does not start on a taken port, an unusable file or a database of a newer version', async () => {
    const file = path.join(folder, 'newer.db');
    await using host = await memoryHost({ file });
    const port = Number(new URL(host.url).port);
    await assert.rejects(memoryHost({ port }), { code: 'EADDRINUSE' });
    await host.close();
    const missing = path.join(folder, 'missing', 'host.db');
    await assert.rejects(memoryHost({ file: missing }), { code: 'ERR_SQLITE_ERROR' });
    const database = new DatabaseSync(file);
    database.exec('pragma user_version = 99');
    database.close();
    await assert.rejects(memoryHost({ file }), /newer version/);
  });
});
