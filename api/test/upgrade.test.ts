// @again postgres
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, readFile } from 'node:fs/promises';
import { describe, it, type TestContext } from 'node:test';
import { until } from '../../dev/until.ts';
import { MIGRATIONS, migrate, SCHEMA_VERSION } from '../src/store/migrations.ts';
import { openDriver } from '../src/store/open.ts';
import { callsOf } from './answers.ts';
import { agrees, DAY, key, type OpenStore, openStore } from './claim-service.ts';
import type { Line, Report } from './store-process.ts';
import {
  closing,
  memoryHost,
  type Name,
  openedDatabase,
  PAN,
  partsOf,
  startTestService,
  temporaryFolder,
} from './support.ts';

const fixture = (name: string) => new URL(`fixtures/${name}`, import.meta.url);
const linesOf = async (name: string) =>
  (await readFile(fixture(name), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const BEGINS = 'the upgrade of the store begins';
const ENDED = 'the upgrade of the store has ended';

/** What version 1.0 answered to each of these, at one moment with a host whose registries are those of `host-1.0.db`. */
type Recorded = {
  as: (Name | null)[];
  target: string;
  status: number;
  text: string;
  key?: string;
  body?: object;
};

/** A store as version 1.0 has written it: the first migration, which is never edited, and rows. */
async function openStoreOf1() {
  const store = await openStore();
  const rows = await linesOf('store-1.0.jsonl');
  await using db = closing(await openDriver(store.url, undefined, 60_000));
  await migrate(db, undefined, MIGRATIONS.slice(0, 1));
  await db.transaction(async (run) => {
    for (const [table, row] of rows as [string, Record<string, string | number | null>][]) {
      const columns = Object.keys(row);
      const values = columns.map((_, i) => `$${i + 1}`);
      await run(`insert into ${table} (${columns}) values (${values})`, Object.values(row));
    }
  });
  return store;
}

async function openUpgraded(t: TestContext) {
  const [{ now: at, host: former }, ...recorded] = await linesOf('answers-1.0.jsonl');
  const parts = partsOf(t);
  const store = parts.use(await openStoreOf1());
  const { path } = parts.use(await temporaryFolder());
  await copyFile(fixture('host-1.0.db'), `${path}/host.db`);
  const now = () => Date.parse(at);
  const host = parts.use(await memoryHost({ file: `${path}/host.db`, now }));
  const moved = { HOST_URL: host.url, HOST_MOVED_FROM: former };
  const env = { DATABASE_URL: store.url, ...moved, ITEM_ACCESS: 'registry' };
  const options = { clock: { wall: now }, limits: { jobsEveryMs: DAY } };
  const service = parts.use(await startTestService(env, options));
  return { recorded: recorded as Recorded[], former, store, host, service };
}

/** A process that makes one migration more than there are, and tells how that went; perhaps it is killed in the middle. */
function startUpgrading(url: string, end = 'whole') {
  const child = fork(new URL('store-process.ts', import.meta.url), [url, end]);
  const lines: string[] = [];
  let report: Report | undefined;
  child.on('message', (message: Line | Report) => {
    if ('line' in message) lines.push(message.line);
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

const versionOf = async ({ query }: OpenStore) => (await query('select version from schema_versions')).length;

async function isUpgraded(store: OpenStore): Promise<void> {
  assert.equal(await versionOf(store), SCHEMA_VERSION + 1);
  assert.equal((await store.query('select id from copied')).length, 10);
  await agrees(store);
}

it('a store of version 1.0 opens, and every answer is as it was', async (t) => {
  const { recorded, former, service, host, store } = await openUpgraded(t);
  const call = await callsOf(service);
  const different: unknown[] = [];
  for (const { as: all, target, status, text, body, key: name } of recorded)
    for (const as of all) {
      const answer = await call(as ?? undefined, target, body, name ? key(name) : {});
      const was = text.replaceAll(former, host.url);
      if (answer.status !== status || answer.text !== was)
        different.push({ as, target, was, is: [answer.status, answer.text] });
    }
  assert.deepEqual(different, []);
  await agrees(store);

  const added = await call('alice', 'POST /registries/1/items', PAN);
  assert.deepEqual([added.status, added.body.data.id], [201, 11]);
  const claimed = await call('bob', 'POST /registries/1/items/11/claims', {});
  assert.equal(claimed.status, 201, claimed.text);
  await agrees(store);
});

describe('the migration after it', () => {
  it('is made by one of eight processes that start at once', async () => {
    await using store = await openStoreOf1();
    const opening = Array.from({ length: 8 }, () => startUpgrading(store.url));
    try {
      const reports = await until('all have opened it', () => {
        const reports = opening.map(({ report }) => report());
        return reports.every((report) => report !== undefined) && reports;
      });
      assert.deepEqual(reports, Array(8).fill({ opened: true }));
      assert.deepEqual(opening.flatMap(({ lines }) => lines).sort(), [BEGINS, ENDED]);
      await isUpgraded(store);
    } finally {
      await Promise.all(opening.map(({ child }) => ended(child)));
    }
  });

  it('leaves the store as it was when it is killed in the middle, and is whole after the next start', async () => {
    await using store = await openStoreOf1();
    const killed = startUpgrading(store.url, 'killed');
    await once(killed.child, 'exit');
    assert.deepEqual([killed.child.signalCode, killed.lines], ['SIGKILL', [BEGINS]]);
    assert.equal(await versionOf(store), 1);
    await assert.rejects(store.query('select id from copied'));

    const next = startUpgrading(store.url);
    try {
      assert.deepEqual(await until('it has opened it', next.report), { opened: true });
      assert.deepEqual(next.lines, [BEGINS, ENDED]);
      await isUpgraded(store);
    } finally {
      await ended(next.child);
    }
  });
});

describe('a store that a later version has upgraded', () => {
  it('is served by this one beside it, where the later schema only adds', async (t) => {
    const { service, store, host } = await openUpgraded(t);
    await store.query(
      `insert into schema_versions (version, applied_at) values (${SCHEMA_VERSION + 1}, '2028')`,
    );
    await store.query('alter table items add column colour text');
    await store.query("alter table claims add column wrapping text not null default 'none'");
    await store.query('create table colours (site_id integer, name text)');
    const env = { DATABASE_URL: store.url, HOST_URL: host.url, ITEM_ACCESS: 'registry' };
    await using second = await startTestService(env);
    for (const each of [service, second]) {
      const call = await callsOf(each);
      const added = await call('alice', 'POST /registries/1/items', PAN);
      assert.equal(added.status, 201, added.text);
      const claimed = await call('bob', `POST /registries/1/items/${added.body.data.id}/claims`, {});
      assert.equal(claimed.status, 201, claimed.text);
      const read = await call('bob', `GET /claims/${claimed.body.id}`);
      assert.equal(read.text, claimed.text);
    }
    assert.equal(await versionOf(store), SCHEMA_VERSION + 1);
    await agrees(store);
  });

  it('is refused in words where older code may not work on it', async () => {
    await using store = await openStoreOf1();
    const later = SCHEMA_VERSION + 1;
    await store.query(`insert into schema_versions (version, applied_at) values (${later}, '2028')`);
    await store.query(`update oldest_code set schema_version = ${later}`);
    const words = `it has schema version ${later}, this version of the service knows ${SCHEMA_VERSION}: `;
    await assert.rejects(openedDatabase(store.url), new RegExp(`${words}start the newer`));
  });
});
