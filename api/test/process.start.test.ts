import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { describe, it } from 'node:test';
import { openDatabase } from '../src/store/open.ts';
import { startServiceProcess } from './service-process.ts';
import { temporaryFolder } from './support.ts';

describe('a process that cannot start says why in a few words, and ends', { concurrency: 2 }, () => {
  async function failure(env: Record<string, string>, prefix: string[] = []): Promise<string> {
    await using service = startServiceProcess(env, prefix);
    const { code } = await service.exit;
    assert.equal(code, 1, service.stdout());
    const said = service.stderr().trimEnd();
    assert.doesNotMatch(said, /^\s+at |node:internal/m, 'no stack');
    assert.equal(service.stdout(), '');
    return said;
  }
  const assertOneLine = (said: string, ...expected: (RegExp | string)[]) => {
    assert.ok(!said.includes('\n'), said);
    for (const part of expected)
      assert.ok(typeof part === 'string' ? said.includes(part) : part.test(said), `${part}: ${said}`);
  };

  it('on a taken port', async () => {
    await using folder = await temporaryFolder();
    const other = createServer();
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const port = String((other.address() as AddressInfo).port);
    const env = { PORT: port, DATABASE_URL: `sqlite:${folder.path}/items.db` };
    assertOneLine(await failure(env), port, /taken/, /PORT/);
    other.close();
  });

  it('in a folder that cannot be written, or is none', async () => {
    await using folder = await temporaryFolder();
    const { path } = folder;
    await writeFile(`${path}/file`, '');
    await mkdir(`${path}/shut`, { mode: 0o555 });
    // Root writes anywhere, unless it gives that up.
    const humble = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : [];
    const start = (database: string) => failure({ DATABASE_URL: `sqlite:${database}` }, humble);
    assertOneLine(await start(`${path}/shut/items.db`), `${path}/shut`);
    assertOneLine(await start(`${path}/shut/data/items.db`), `${path}/shut`, /permission/);
    assertOneLine(await start(`${path}/file/data/items.db`), `${path}/file`);
    assertOneLine(await start(path), path);
  });

  it('on a data file that is no database', async () => {
    await using folder = await temporaryFolder();
    const file = `${folder.path}/items.db`;
    await writeFile(file, 'Dear Ann, '.repeat(100));
    assertOneLine(await failure({ DATABASE_URL: `sqlite:${file}` }), file, /not a database/);
  });

  it('on the database of a newer version', async () => {
    await using folder = await temporaryFolder();
    const url = `sqlite:${folder.path}/items.db`;
    const db = await openDatabase(url);
    await db.write(["insert into schema_versions (version, applied_at) values (99, '2030-01-01')"]);
    await db.close();
    assertOneLine(await failure({ DATABASE_URL: url }), /schema version 99/, /newer/);
  });

  it('with faulty settings, all of which it names', async () => {
    const said = await failure({
      PORT: 'eighty',
      HOST_URL: 'https://ann:secret-word@site.example',
      AUTH_CACHE_TTL: '-1',
      DATABASE_URL: 'mysql://root:secret-word@db',
      LOG_LEVEL: 'loud',
      TRUST_PROXY: 'everybody',
      CORS_ORIGINS: 'site.example',
      ITEM_ACCESS: 'all',
    });
    for (const name of [
      'PORT',
      'HOST_URL',
      'AUTH_CACHE_TTL',
      'DATABASE_URL',
      'LOG_LEVEL',
      'TRUST_PROXY',
      'CORS_ORIGINS',
      'ITEM_ACCESS',
    ])
      assert.match(said, new RegExp(`^ *- ${name} `, 'm'));
    assert.doesNotMatch(said, /secret-word/);
  });

  it('in production without a host', async () => {
    assert.match(await failure({ APP_ENV: 'production' }), /HOST_URL.*production/);
  });
});
