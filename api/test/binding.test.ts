// @again postgres
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startServiceProcess } from './service-process.ts';
import { freshSqlite, memoryHost, startTestService } from './support.ts';

describe('a store belongs to the host it was first used with', () => {
  it('and is refused with another, in one line that says what to do', async () => {
    await using store = await freshSqlite();
    const DATABASE_URL = store.url;
    await using first = await memoryHost();
    await using second = await memoryHost();
    await (await startTestService({ DATABASE_URL, HOST_URL: first.url })).close();
    for (const WORKERS of ['1', '2']) {
      await using refused = startServiceProcess({ DATABASE_URL, HOST_URL: second.url, WORKERS });
      assert.equal((await refused.exit).code, 1);
      const said = refused.stderr().trim();
      assert.match(said, new RegExp(`^.*belongs to ${new URL(first.url).host}.*HOST_MOVED_FROM=.*$`));
    }
    await (await startTestService({ DATABASE_URL, HOST_URL: first.url })).close();
    await assert.rejects(startTestService({ DATABASE_URL, HOST_URL: second.url, HOST_MOVED_FROM: 'x' }));

    const moved = { DATABASE_URL, HOST_URL: second.url, HOST_MOVED_FROM: first.url };
    await (await startTestService(moved)).close();
    await (await startTestService({ DATABASE_URL, HOST_URL: second.url })).close();
    await assert.rejects(startTestService({ DATABASE_URL, HOST_URL: first.url }), /belongs to/);
  });

  it('the embedded host, too, at whatever port', async () => {
    await using host = await memoryHost();
    await using store = await freshSqlite();
    const DATABASE_URL = store.url;
    await (await startTestService({ DATABASE_URL })).close();
    const moved = startTestService({ DATABASE_URL, HOST_URL: host.url });
    await assert.rejects(moved, /belongs to the embedded host/);
    await (await startTestService({ DATABASE_URL })).close();
  });
});
