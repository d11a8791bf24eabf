import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import postgres from 'postgres';
import { Problem } from '../src/problem.ts';
import type { Database } from '../src/store/database.ts';
import { type Items, items as storedItems } from '../src/store/items.ts';
import { SCHEMA_VERSION } from '../src/store/migrations.ts';
import { openDatabase } from '../src/store/open.ts';
import { type EmptyStore, freshPostgres, withoutPostgres } from './postgres.ts';
import { sample } from './store-suite.ts';

describe('a store on a PostgreSQL server', { skip: await withoutPostgres() }, () => {
  let empty: EmptyStore;
  let url: string;
  let db: Database;
  let items: Items;

  before(async () => {
    empty = await freshPostgres();
    url = `${empty.url}&max=3`;
    db = await openDatabase(url, undefined, 2_000);
    items = storedItems(db);
  });
  after(async () => {
    await db?.close();
    await empty?.[Symbol.asyncDispose]();
  });

  it('holds as many connections as the URL says', async () => {
    const asked = Array.from({ length: 30 }, () => db.read('select pg_backend_pid(), pg_sleep(0.01)'));
    const sessions = new Set((await Promise.all(asked)).map(([row]) => row![0]));
    assert.equal(sessions.size, 3);
  });

  it('migrates for as long as that takes, and waits for whoever migrates', async () => {
    await using store = await freshPostgres();
    const first = await openDatabase(store.url, undefined, 250);
    const somebody = postgres(store.url, { max: 1 });
    try {
      await first.migrate(async (run) => {
        await run('select pg_sleep(1)');
        await run('create table slow (a integer)');
      });
      assert.equal((await first.read('select * from slow')).length, 0);
      // As a process does that is bringing the store to the newest version: the next one finds that claimed.
      await somebody`delete from schema_versions where version = ${SCHEMA_VERSION}`;
      const { waiting } = await somebody.begin(async (tx) => {
        await tx`insert into schema_versions (version, applied_at) values (${SCHEMA_VERSION}, 'now')`;
        const opening = openDatabase(store.url, undefined, 250);
        await tx`select pg_sleep(1)`;
        return { waiting: opening };
      });
      await (await waiting).close();
    } finally {
      await somebody.end();
      await first.close();
    }
  });

  it('stores what comes in together in one transaction', async () => {
    const transactions = async () => {
      const [row] = await db.read('select count(distinct xmin::text), count(*) from items');
      return row as number[];
    };
    const [before = 0, stored = 0] = await transactions();
    await Promise.all(Array.from({ length: 50 }, () => items.insert(sample())));
    assert.deepEqual(await transactions(), [before + 1, stored + 50]);
  });

  it('lets a row that somebody holds keep nobody else waiting', async () => {
    const [held, ...free] = await Promise.all(Array.from({ length: 10 }, () => items.insert(sample())));
    const somebody = postgres(url, { max: 1 });
    try {
      await somebody.begin(async (tx) => {
        await tx`update items set retailer = 'held' where id = ${held!.id}`;
        const change = (item: typeof held) => items.replace(item!, { ...item!, name: 'Changed' });
        const refused = assert.rejects(
          change(held),
          (error) => error instanceof Problem && error.code === 'unavailable',
        );
        const start = performance.now();
        for (const changed of await Promise.all(free.map(change))) assert.equal(changed?.version, 2);
        const waited = performance.now() - start;
        await refused;
        assert.ok(waited < performance.now() - start - 1000, `the others waited for ${waited} ms`);
      });
    } finally {
      await somebody.end();
    }
    assert.equal((await items.find(held!.id))?.retailer, 'held');
  });
});

describe('a PostgreSQL server that goes away as soon as somebody is connected', () => {
  it('ends no process', async () => {
    const welcome = Buffer.concat([Buffer.from('R\0\0\0\x08\0\0\0\0'), Buffer.from('Z\0\0\0\x05I')]);
    const twice = Promise.withResolvers<string>();
    let left = 2;
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => {
        socket.write(welcome);
        socket.once('data', () => {
          socket.destroy();
          if (--left === 0) twice.resolve('');
        });
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    // Two writes at once have a connection of their own.
    const script = `
      import { openPostgres } from './postgres.ts';
      const db = openPostgres('postgres://postgres@127.0.0.1:${port}/postgres');
      for (let i = 0; i < 2; i++) db.write(['select 1']).catch(() => {});`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      cwd: `${import.meta.dirname}/../src/store`,
    });
    try {
      assert.equal(await Promise.race([twice.promise, text(child.stderr)]), '');
    } finally {
      child.kill();
      server.close();
    }
  });
});
