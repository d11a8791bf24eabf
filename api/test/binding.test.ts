// @again postgres
import assert from 'node:assert/strict';
import { copyFile, writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { startEmbeddedHost } from '../emulator/server.ts';
import { startServiceProcess } from './service-process.ts';
import { startTestService, temporaryFolder } from './support.ts';

const anyHost = () => startEmbeddedHost({ file: ':memory:', postType: 'registry', metaPrefix: 'registry_' });

describe('a store belongs to the host it was first used with', () => {
  it('and is refused with another, in one line that says what to do', async () => {
    await using folder = await temporaryFolder();
    const DATABASE_URL = `sqlite:${folder.path}/items.db`;
    const [first, second] = [await anyHost(), await anyHost()];
    try {
      await (await startTestService({ DATABASE_URL, HOST_URL: first.url })).close();
      for (const WORKERS of ['1', '2']) {
        await using refused = startServiceProcess({ DATABASE_URL, HOST_URL: second.url, WORKERS });
        assert.equal((await refused.exit).code, 1);
        const said = refused.stderr().trim();
        assert.doesNotMatch(said, /\n/);
        assert.match(said, new RegExp(`belongs to ${new URL(first.url).host}`));
        assert.match(said, /set DATABASE_URL to another/);
        assert.match(said, /HOST_MOVED_FROM=/);
      }
      await (await startTestService({ DATABASE_URL, HOST_URL: first.url })).close();
      await assert.rejects(startTestService({ DATABASE_URL, HOST_URL: second.url, HOST_MOVED_FROM: 'x' }));

      const moved = { DATABASE_URL, HOST_URL: second.url, HOST_MOVED_FROM: first.url };
      await (await startTestService(moved)).close();
      await (await startTestService({ DATABASE_URL, HOST_URL: second.url })).close();
      await assert.rejects(startTestService({ DATABASE_URL, HOST_URL: first.url }), /belongs to/);
    } finally {
      await first.close();
      await second.close();
    }
  });

  it('the embedded host, too, at whatever port, also where the store is older than the rule', async () => {
    const host = await anyHost();
    try {
      for (const old of [false, true]) {
        await using folder = await temporaryFolder();
        const DATABASE_URL = `sqlite:${folder.path}/items.db`;
        if (old) {
          await copyFile(new URL('fixtures/store-0.1.0.db', import.meta.url), `${folder.path}/items.db`);
          await writeFile(`${folder.path}/embedded-host.db`, '');
        } else {
          await (await startTestService({ DATABASE_URL })).close();
          await (await startTestService({ DATABASE_URL })).close();
        }
        await assert.rejects(
          startTestService({ DATABASE_URL, HOST_URL: host.url }),
          /belongs to the embedded host/,
        );
        await (await startTestService({ DATABASE_URL })).close();
      }
    } finally {
      await host.close();
    }
  });

  it('a store of an older version without a trial beside it goes on with its site', async () => {
    await using folder = await temporaryFolder();
    const host = await anyHost();
    try {
      await copyFile(new URL('fixtures/store-0.1.0.db', import.meta.url), `${folder.path}/items.db`);
      const env = { DATABASE_URL: `sqlite:${folder.path}/items.db`, HOST_URL: host.url };
      await (await startTestService(env)).close();
      await (await startTestService(env)).close();
    } finally {
      await host.close();
    }
  });
});
