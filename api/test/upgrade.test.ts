import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../dev/until.ts';
import { startEmbeddedHost } from '../emulator/server.ts';
import { SCHEMA_VERSION } from '../src/store/migrations.ts';
import { openDatabase } from '../src/store/open.ts';
import { callsOf } from './answers.ts';
import { agrees, DAY, key, type OpenStore, openStore } from './claim-service.ts';
import { freshPostgres, withoutPostgres } from './postgres.ts';
import { openSession } from './sql-session.ts';
import type { Line, Order, Report } from './store-process.ts';
import { type Name, startTestService, temporaryFolder } from './support.ts';

const fixture = (name: string) => new URL(`fixtures/${name}`, import.meta.url);

const BEGINS = 'the upgrade of the store begins';
const ENDED = 'the upgrade of the store has ended';

/** Answers of version 0.2.0, at a moment and beside a host whose registries are those of `host-0.2.0.db`. */
type Recorded = {
  now: string;
  host: string;
  gets: { as: Name | null; target: string; status: number; text: string; etag?: string }[];
  repeated: { as: Name; target: string; body: object; key: string; status: number; text: string }[];
};

/** Members of answers that version 0.2.0 doesn't know, as they are where nobody has set them. */
const NEW = ['"registry_owners":[],', ',"registry_surprise_keeps":"all"', ',"registry_pay_to":null'];

/** Today's service on a store and a host of version 0.2.0. */
async function openUpgraded() {
  const recorded: Recorded = JSON.parse(await readFile(fixture('answers-0.2.0.json'), 'utf8'));
  const parts = new AsyncDisposableStack();
  const store = parts.use(await openStore('0.2.0'));
  const { path } = parts.use(await temporaryFolder());
  await copyFile(fixture('host-0.2.0.db'), `${path}/host.db`);
  const now = () => Date.parse(recorded.now);
  const host = await startEmbeddedHost({ file: `${path}/host.db`, now });
  parts.defer(() => host.close());
  const service = await startTestService(
    {
      ...{ DATABASE_URL: store.url, HOST_URL: host.url, HOST_MOVED_FROM: recorded.host },
      ITEM_ACCESS: 'registry',
    },
    { clock: { wall: now }, limits: { jobsEveryMs: DAY } },
  );
  parts.defer(() => service.close());
  const dispose = () => parts.disposeAsync();
  return { recorded, store, host, service, [Symbol.asyncDispose]: dispose };
}

/** A process that opens a store and tells how that went. */
function startOpening(url: string) {
  const child = fork(new URL('store-process.ts', import.meta.url), [url, 'log']);
  const lines: string[] = [];
  let report: Report | undefined;
  child.on('message', (message: 'ready' | Line | Report) => {
    if (message === 'ready') child.send({ open: true } satisfies Order);
    else if ('line' in message) lines.push(message.line);
    else report = message;
  });
  return { child, lines, report: () => report };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  if (child.connected) child.disconnect();
  await exit;
}

const versionOf = async ({ query }: OpenStore) =>
  Number(
    (await query<{ version: number }>('select max(version) as version from schema_versions'))[0]!.version,
  );

/** Adds as many items as version 0.2.0 would. */
const addItems = ({ query }: OpenStore, count: number) =>
  query(`insert into items (registry_id, name, url, description, created_at, updated_at, json)
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})
    select 100 + n / 30, 'Gift ' || n, 'https://shop.example/gift', '${'x'.repeat(200)}', '2027', '2027',
      '{"name":"Gift","description":"${'x'.repeat(200)}"' from numbers`);

describe('a store of version 0.2.0', () => {
  it('opens, and every answer is as it was', async () => {
    await using upgraded = await openUpgraded();
    const { recorded, service, host, store } = upgraded;
    const lines = service.log.map((line) => JSON.parse(line));
    const [begins, end] = [BEGINS, ENDED].map((message) => lines.filter(({ msg }) => msg === message));
    assert.deepEqual([begins!.length, end!.length], [1, 1]);
    assert.deepEqual([begins![0].from, begins![0].to], [5, SCHEMA_VERSION]);
    assert.ok(end![0].rows > 30 && end![0].seconds >= 0, JSON.stringify(end));

    const call = await callsOf(service);
    const different: unknown[] = [];
    for (const { as, target, status, text } of recorded.gets) {
      const answer = await call(as ?? undefined, target);
      const was = text.replaceAll(recorded.host, host.url);
      const is = NEW.reduce((rest, member) => rest.replaceAll(member, ''), answer.text);
      if (answer.status !== status || is !== was)
        different.push({ as, target, was, is: [answer.status, is] });
    }
    assert.deepEqual(different, []);
    for (const { as, target, body, key: name, status, text } of recorded.repeated) {
      const answer = await call(as, target, body, key(name));
      assert.deepEqual([answer.status, answer.text], [status, text], target);
    }
    await agrees(store);

    const added = await call('alice', 'POST /registries/1/items', {
      name: 'New',
      url: 'https://shop.example/',
    });
    assert.deepEqual([added.status, added.body.data.id], [201, 11]);
    const claimed = await call('bob', 'POST /registries/1/items/11/claims', {});
    assert.equal(claimed.status, 201, claimed.text);
    await agrees(store);
  });

  it('is upgraded by one of eight processes that start at once', async () => {
    await using store = await openStore('0.2.0');
    await addItems(store, 5_000);
    const opening = Array.from({ length: 8 }, () => startOpening(store.url));
    try {
      const reports = await until('all have opened it', () => {
        const reports = opening.map(({ report }) => report());
        return reports.every((report) => report !== undefined) && reports;
      });
      assert.deepEqual(
        reports,
        Array.from({ length: 8 }, () => ({ opened: true })),
      );
      assert.deepEqual(opening.flatMap(({ lines }) => lines).sort(), [BEGINS, ENDED]);
      assert.equal(await versionOf(store), SCHEMA_VERSION);
      const [row] = await store.query<{ n: number }>('select count(*) as n from items');
      assert.equal(Number(row!.n), 5_010);
      await agrees(store);
    } finally {
      await Promise.all(opening.map(({ child }) => ended(child)));
    }
  });

  it('is as it was when the upgrade is killed in the middle, and whole after the next start', async () => {
    await using store = await openStore('0.2.0');
    await addItems(store, 60_000);
    for (const after of [0, 60, 120]) {
      const { child, lines } = startOpening(store.url);
      const exit = once(child, 'exit');
      try {
        await until('the upgrade begins', () => lines.includes(BEGINS), { everyMs: 2 });
        await sleep(after);
      } finally {
        child.kill('SIGKILL');
        await exit;
      }
      assert.deepEqual(lines, [BEGINS]);
      assert.equal(await versionOf(store), 5);
    }
    const db = await openDatabase(store.url);
    try {
      assert.equal(await versionOf(store), SCHEMA_VERSION);
      assert.deepEqual(await db.read('select count(*), count(distinct id) from items'), [[60_010, 60_010]]);
      const tables = [
        'claims',
        'claim_events',
        'idempotency_keys',
        'deletions',
        'notices',
        'bindings',
        'leases',
      ];
      const counted = tables.map((table) => `(select count(*) from ${table} where site_id = 1)`);
      assert.deepEqual(await db.read(`select ${counted}`), [[8, 12, 2, 1, 1, 3, 1]]);
      await agrees(store);
    } finally {
      await db.close();
    }
  });
});

describe('a store that a later version has upgraded', () => {
  const item = { name: 'Pan', url: 'https://shop.example/pan' };

  it('is served by this one beside it, where the later schema only adds', async () => {
    await using upgraded = await openUpgraded();
    const { service, store, host } = upgraded;
    await store.query(
      `insert into schema_versions (version, applied_at) values (${SCHEMA_VERSION + 1}, '2028')`,
    );
    await store.query('alter table items add column colour text');
    await store.query("alter table claims add column wrapping text not null default 'none'");
    await store.query('create table colours (site_id integer, name text)');
    await using second = await startTestService({
      ...{ DATABASE_URL: store.url, HOST_URL: host.url, ITEM_ACCESS: 'registry' },
    });
    for (const each of [service, second]) {
      const call = await callsOf(each);
      const added = await call('alice', 'POST /registries/1/items', item);
      assert.equal(added.status, 201, added.text);
      const claimed = await call('bob', `POST /registries/1/items/${added.body.data.id}/claims`, {});
      assert.equal(claimed.status, 201, claimed.text);
      const read = await call('bob', `GET /claims/${claimed.body.id}`);
      assert.equal(read.text, claimed.text);
    }
    assert.equal(await versionOf(store), SCHEMA_VERSION + 1);
    await agrees(store);
  });

  it('is refused in words, also by a service that runs, where older code may not work on it', async () => {
    await using upgraded = await openUpgraded();
    const { service, store } = upgraded;
    const later = SCHEMA_VERSION + 1;
    await store.query(`insert into schema_versions (version, applied_at) values (${later}, '2028')`);
    await store.query(`update oldest_code set schema_version = ${later}`);
    await assert.rejects(
      openDatabase(store.url),
      new RegExp(
        `it has schema version ${later}, this version of the service knows ${SCHEMA_VERSION}: start the newer`,
      ),
    );
    const call = await callsOf(service);
    const answer = await until('the service refuses', async () => {
      const answer = await call('alice', 'POST /registries/1/items', item);
      return answer.status !== 201 && answer;
    });
    assert.equal(answer.status, 503, answer.text);
    assert.equal((await call('admin', 'GET /items/1')).status, 503);
    assert.ok(service.log.some((line) => line.includes(`it has schema version ${later}, this version`)));
  });
});

describe('the upgrade on PostgreSQL beside a service of version 0.2.0', {
  skip: await withoutPostgres(),
}, () => {
  // As version 0.2.0 writes them, one that is copied early and one that is copied late.
  for (const [table, write, isCopied] of [
    [
      'items',
      `insert into items (registry_id, name, url, created_at, updated_at, json)
       values (1, 'Late', 'https://shop.example/late', '2027', '2027', '{}')`,
      "select count(*) from items where name = 'Late'",
    ],
    [
      'claim_events',
      `insert into claim_events (claim, entry, at, actor, state, quantity) values (1, 9, 1, 'giver', 'released', 1)`,
      'select count(*) from claim_events where entry = 9',
    ],
    [
      'notices',
      'insert into notices (registry_id) values (3) on conflict (registry_id) do update set times = notices.times + 1',
      'select count(*) from notices where registry_id = 3',
    ],
  ] as const) {
    it(`copies a row of ${table} that is stored while it runs`, async () => {
      await using store = await freshPostgres();
      const [older, observer] = await Promise.all([openSession(store.url), openSession(store.url)]);
      try {
        await older.query(await readFile(fixture('store-0.2.0.sql'), 'utf8'));
        await older.query('begin');
        await older.query(write);
        const opening = openDatabase(store.url);
        await until('the upgrade waits', async () => {
          const waiting = `select 1 from pg_locks where relation = '${table}'::regclass and not granted`;
          return (await observer.query(waiting)).rows.length > 0;
        });
        await older.query('commit');
        const db = await opening;
        try {
          assert.deepEqual(await db.read(isCopied), [[1]]);
        } finally {
          await db.close();
        }
      } finally {
        await Promise.all([older.end(), observer.end()]);
      }
    });
  }
});
