import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { until } from '../../dev/until.ts';
import type { Database } from '../src/store/database.ts';
import { deletionStore } from '../src/store/deletions.ts';
import { itemStore } from '../src/store/items.ts';
import { SCHEMA_VERSION } from '../src/store/migrations.ts';
import { openDatabase } from '../src/store/open.ts';
import { openPostgres } from '../src/store/postgres/driver.ts';
import { ONLY_SITE } from '../src/store/sites.ts';
import { listen } from './listen.ts';
import { freshPostgres, withoutPostgres } from './postgres.ts';
import { startWay } from './postgres-way.ts';
import { openSession } from './sql-session.ts';
import { sample } from './store-suite.ts';
import { closing, openedDatabase, partsOf } from './support.ts';

describe('a store on a PostgreSQL server', { skip: await withoutPostgres() }, () => {
  const parts = partsOf({ after });
  let [url, db, items]: [string, Database, ReturnType<typeof itemStore>] = [] as never;
  before(async () => {
    url = `${parts.use(await freshPostgres()).url}&max=3`;
    db = parts.use(await openedDatabase(url));
    items = itemStore(db, ONLY_SITE);
  });

  /** Connections whose callers wait no longer than two seconds, or so many milliseconds. */
  const impatient = (limit = 2_000) => openedDatabase(url, undefined, limit);

  const oneWaits = async (observer: Awaited<ReturnType<typeof openSession>>) =>
    (await observer.query("select 1 from pg_stat_activity where wait_event_type = 'Lock'")).rows.length > 0;

  it('holds as many connections as the URL says', async () => {
    const sessions = new Set();
    await until('three sessions work', async () => {
      const asked = Array.from({ length: 30 }, () => db.read('select pg_backend_pid(), pg_sleep(0.01)'));
      for (const [row] of await Promise.all(asked)) sessions.add(row![0]);
      return sessions.size >= 3;
    });
    assert.equal(sessions.size, 3);
  });

  it('prepares few statements, however many are stored together, and no more than a limit', async () => {
    await using store = await freshPostgres({ max: 1 });
    await using one = await openedDatabase(store.url);
    const own = itemStore(one, ONLY_SITE);
    const prepared = async (like: string) => {
      const count = 'select count(*) from pg_prepared_statements where statement like $1';
      return Number((await one.read(count, [like]))[0]![0]);
    };
    for (let size = 1; size <= 64; size++)
      await Promise.all(Array.from({ length: size }, (_, n) => own.insert(sample({ registry_id: n + 1 }))));
    const inserts = await prepared('insert into registries%');
    assert.ok(inserts > 0 && inserts <= 7, `${inserts} inserts of counts`);
    for (let n = 0; n < 600; n++)
      assert.deepEqual(await one.read(`select ${n} + $1::integer`, [1]), [[n + 1]]);
    assert.ok((await prepared('%')) <= 500);
  });

  it('migrates without a time limit, and waits while another process migrates', async () => {
    await using store = await freshPostgres();
    await using first = await openedDatabase(store.url, undefined, 1_000);
    await using somebody = await openSession(store.url);
    await first.transaction(async (run) => {
      await run('select pg_sleep(2)');
      await run('create table slow (a integer)');
    });
    assert.equal((await somebody.query('select * from slow')).rows.length, 0);
    // Like a process that migrates the store: the next one finds the version claimed.
    await somebody.query('delete from schema_versions where version = $1', [SCHEMA_VERSION]);
    await somebody.query('begin');
    const claim = "insert into schema_versions (version, applied_at) values ($1, 'now')";
    await somebody.query(claim, [SCHEMA_VERSION]);
    const opening = openDatabase(store.url, undefined, 1_000);
    await somebody.query('select pg_sleep(2)');
    await somebody.query('commit');
    await (await opening).close();
  });

  it('stores simultaneous writes in one transaction', async () => {
    const transactions = async () => {
      const [row] = await db.read('select count(distinct xmin::text), count(*) from items');
      return row as number[];
    };
    const [before = 0, stored = 0] = await transactions();
    await Promise.all(Array.from({ length: 50 }, () => items.insert(sample())));
    assert.deepEqual(await transactions(), [before + 1, stored + 50]);
  });

  it('answers whatever was asked together with a statement that fails', async () => {
    const fails = (n: number) => n % 5 === 2;
    const ask = (_: unknown, n: number) =>
      fails(n) ? db.read('select 1 / $1::integer', [0]) : db.read('select $1::integer', [n]);
    for (let round = 0; round < 2; round++) {
      const answers = await Promise.allSettled(Array.from({ length: 60 }, ask));
      for (const [n, answer] of answers.entries())
        if (fails(n)) assert.equal(answer.status === 'rejected' && answer.reason.code, '22012');
        else assert.deepEqual(answer, { status: 'fulfilled', value: [[n]] });
    }
  });

  it('reads each type alike, whether the statement is new or prepared', async () => {
    const texts = ['a"b\\c', '{x},y', 'null', '', 'two\nlines'];
    for (let round = 0; round < 2; round++)
      assert.deepEqual(
        await db.read(
          'select text, null, 2::bigint, 0.5::double precision, 7::numeric from unnest($1::text[]) as text',
          [texts],
        ),
        texts.map((text) => [text, null, 2, 0.5, 7]),
      );
  });

  it('reads columns by the type that they have now', async () => {
    await using somebody = await openSession(url);
    await somebody.query('create table typed (x integer); insert into typed values (42)');
    const wait = `select pg_advisory_lock(${process.pid})`;
    await somebody.query(wait);
    await using one = closing(openPostgres(url.replace('max=3', 'max=1'), 60_000));
    const look = () => one.read('select x from typed where $1 = 1', [1]);
    await one.read('select 1');
    // The last one goes out while the first are under way, so it prepares the statement anew.
    const asked = [...Array.from({ length: 8 }, look), one.read(wait), look()];
    await until('they have been read', async () => {
      const waiting = `select 1 from pg_locks where objid = ${process.pid} and not granted`;
      return (await somebody.query(waiting)).rows.length > 0;
    });
    await somebody.query("alter table typed alter x type text using 'a' || x");
    await somebody.query('select pg_advisory_unlock_all()');
    assert.deepEqual((await Promise.all(asked)).at(-1), [['a42']]);
    assert.deepEqual(await look(), [['a42']]);
    await somebody.query('drop table typed');
  });

  it('says that a commit is stored although the server ends the session right after it', async () => {
    await using somebody = await openSession(url);
    await somebody.query('create table flushed (x integer)');
    // Syncing takes a tenth of a second.
    const slow = 'options=-c+commit_delay%3D100000+-c+commit_siblings%3D0+';
    await using one = closing(openPostgres(url.replace('options=', slow), 60_000));
    const end = `select pg_terminate_backend(pid) from pg_stat_activity where state = 'active' and query = 'commit'
      and pid in (select pid from pg_locks where relation = 'flushed'::regclass)`;
    let isEnded = false;
    for (let n = 1; !isEnded; n++) {
      let told: boolean | undefined;
      const written = one.write(['insert into flushed values ($1)', [n]], ['select 1']);
      const over = written.then(
        () => (told = true),
        () => (told = false),
      );
      while (told === undefined && !isEnded) isEnded = (await somebody.query(end)).rows.length > 0;
      const { rows } = await over.then(() => somebody.query('select 1 from flushed where x = $1', [n]));
      assert.deepEqual([n, told], [n, rows.length > 0]);
    }
    await somebody.query('drop table flushed');
  });

  it('prepares statements again after the server has forgotten them', async () => {
    const nine = (sql: string, params: number[] = []) =>
      Promise.all(Array.from({ length: 9 }, () => db.read(sql, params)));
    await nine('select $1::integer + 1', [41]);
    await nine('deallocate all');
    assert.deepEqual((await nine('select $1::integer + 1', [41])).flat(2), Array(9).fill(42));
  });

  it('stores nothing for callers who were told that it was not', async () => {
    const [last, ...rows] = await Promise.all(Array.from({ length: 16 }, () => items.insert(sample())));
    await using hurried = await impatient();
    const change = (item: typeof last) =>
      itemStore(hurried, ONLY_SITE).replace(item!, { ...item!, name: 'Too late' });
    await using somebody = await openSession(url);
    await using observer = await openSession(url);
    await somebody.query('begin');
    const ids = rows.map(({ id }) => id);
    await somebody.query("update items set retailer = 'held' where id = any($1)", [ids]);
    // Five times as many wait for a row as there are connections. The last one's turn comes when its caller's time is over.
    const answers = await Promise.allSettled([...rows, last].map(change));
    assert.ok(answers.every(({ status }) => status === 'rejected'));
    await until('nobody waits for a row', async () => !(await oneWaits(observer)));
    // Over each connection reads follow what was to be sent before them.
    for (let round = 0; round < 100; round++)
      await Promise.allSettled(Array.from({ length: 30 }, () => hurried.read('select 1')));
    assert.notEqual((await items.find(last!.id))?.name, 'Too late');
  });

  it('delays only the writes to a row that is locked', async () => {
    const [held, ...free] = await Promise.all(Array.from({ length: 10 }, () => items.insert(sample())));
    await using somebody = await openSession(url);
    await somebody.query('begin');
    await somebody.query("update items set retailer = 'held' where id = $1", [held!.id]);
    // The others are stored long before a caller's time is over, also on a busy machine.
    await using hurried = await impatient(5_000);
    const change = (item: typeof held) =>
      itemStore(hurried, ONLY_SITE).replace(item!, { ...item!, name: 'Changed' });
    let isRefused = false;
    const refused = assert.rejects(change(held), { code: 'unavailable' }).finally(() => (isRefused = true));
    for (const changed of await Promise.all(free.map(change))) assert.equal(changed?.version, 2);
    assert.ok(!isRefused, 'the others don’t wait for it');
    await refused;
    await somebody.query('commit');
    assert.equal((await items.find(held!.id))?.retailer, 'held');
  });

  it('counts an item that is stored while its registry is deleted', async () => {
    const { id, registry_id } = await items.insert(sample({ registry_id: 77 }));
    await using somebody = await openSession(url);
    await using observer = await openSession(url);
    // Another process stores an item, and its commit is under way when the deletion comes.
    await somebody.query('begin');
    const columns = (await somebody.query('select * from items where id = $1', [id])).fields
      .map(({ name }) => name)
      .filter((name) => name !== 'id');
    const copy = `select id + 1000000, ${columns} from items where id = $1`;
    await somebody.query(`insert into items (id, ${columns}) ${copy}`, [id]);
    await somebody.query('update registries set active = active + 1 where registry_id = $1', [registry_id]);
    const deleted = deletionStore(db, ONLY_SITE).finish(registry_id, '2026-01-01T00:00:00.000Z');
    await until('the deletion waits', () => oneWaits(observer));
    await somebody.query('commit');
    await deleted;
    const [[active, shown] = []] = await db.read(
      `select active, (select count(*) from items where registry_id = $1 and is_active = 1)
       from registries where registry_id = $1`,
      [registry_id],
    );
    assert.equal(active, shown);
  });
});

describe('the way to a PostgreSQL server', { skip: await withoutPostgres() }, () => {
  it('is replaced when it has gone silent', async (t) => {
    const parts = partsOf(t);
    const way = parts.use(await startWay(parts.use(await freshPostgres()).url));
    await using db = closing(openPostgres(way.url(), 2_000));
    assert.deepEqual(await db.read('select 1'), [[1]]);
    way.freeze();
    await assert.rejects(db.read('select 2'), { code: 'unavailable' });
    assert.deepEqual(await db.read('select 3'), [[3]]);
    way.freeze();
    const insert = "insert into leases (site_id, name, holder, expires_at) values (1, 'way', 'x', 1)";
    const table = 'create table leases (site_id int, name text, holder text, expires_at int)';
    await db.transaction((run) => run(table).then(() => {}));
    const units = ['a', 'b'].map((name) => db.write([insert.replace('way', name)]));
    assert.equal((await Promise.all(units)).length, 2);
  });

  it('is encrypted as `sslmode` says', { skip: withoutOpenssl() }, async (t) => {
    const parts = partsOf(t);
    const way = parts.use(await startWay(parts.use(await freshPostgres()).url));
    const encrypted = async (mode: string, withinMs = 60_000) => {
      way.encrypted = 0;
      await using db = closing(openPostgres(way.url(mode), withinMs));
      assert.deepEqual(await db.read('select 1'), [[1]]);
      return way.encrypted > 0;
    };
    for (const mode of ['', 'disable']) assert.equal(await encrypted(mode), false, mode);
    for (const mode of ['prefer', 'require']) assert.equal(await encrypted(mode), true, mode);
    await assert.rejects(encrypted('verify-full', 2_000), /cannot be reached/);
    way.tls = false;
    assert.equal(await encrypted('prefer'), false);
    await assert.rejects(encrypted('require', 2_000), /cannot be reached/);
  });
});

it('a PostgreSQL server that drops each new connection ends no process', async () => {
  const welcome = Buffer.concat([Buffer.from('R\0\0\0\x08\0\0\0\0'), Buffer.from('Z\0\0\0\x05I')]);
  const twice = Promise.withResolvers<string>();
  let left = 2;
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write(welcome);
      socket.once('data', () => {
        socket.destroy();
        if (--left === 0) twice.resolve('');
      });
    });
  });
  await using dropping = await listen(server);
  // Two writes at once have a connection of their own.
  const script = `
    import { openPostgres } from './driver.ts';
    const db = openPostgres('postgres://postgres@${dropping.host}/postgres');
    for (let i = 0; i < 2; i++) db.write(['select 1']).catch(() => {});`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: `${import.meta.dirname}/../src/store/postgres`,
  });
  try {
    assert.equal(await Promise.race([twice.promise, text(child.stderr)]), '');
  } finally {
    child.kill();
  }
});

function withoutOpenssl(): string | false {
  if (!spawnSync('openssl', ['version']).error) return false;
  if (process.env.CI === 'true') throw new Error('there is no openssl to make a certificate');
  return 'there is no openssl to make a certificate';
}
