// @again postgres
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { until } from '../../dev/until.ts';
import { backgroundJobs, TURN_OF_ONE } from '../src/background/jobs.ts';
import { startJobs } from '../src/background/runner.ts';
import { systemClock } from '../src/lib/clock.ts';
import type { Database } from '../src/store/database.ts';
import { idempotencyKeys } from '../src/store/idempotency.ts';
import { leaseStore } from '../src/store/leases.ts';
import { SITE_TABLES } from '../src/store/moved-tables.ts';
import { queuedNotices, queueNotice } from '../src/store/notices.ts';
import { openDatabase } from '../src/store/open.ts';
import { ONLY_SITE } from '../src/store/sites.ts';
import { DAY } from './claim-service.ts';
import { startFakeHost } from './fake-host.ts';
import { startManySitesHere, stores } from './many-sites.ts';
import { freshSqlite, openedDatabase, PAN, startTestService } from './support.ts';

/** From now on each row that is written to the store has its table and the kind of the change in the table `written`. */
async function noteWrites(db: Database, url: string): Promise<void> {
  const isServer = url.startsWith('postgres');
  await db.write(['create table written (what text not null)']);
  if (isServer)
    await db.write([
      `create function note() returns trigger language plpgsql as $$ begin
         insert into written values (tg_op || ' ' || tg_table_name); return null; end $$`,
    ]);
  const note = (change: string, table: string) =>
    isServer ? 'execute function note()' : `begin insert into written values ('${change} ${table}'); end`;
  for (const table of Object.keys(SITE_TABLES))
    for (const change of ['insert', 'update', 'delete'])
      await db.write([
        `create trigger ${table}_${change} after ${change} on ${table} for each row ${note(change, table)}`,
      ]);
}

describe('background work', () => {
  it('tells the host of each registry in turn, however many change all the time', async () => {
    await using db = await openedDatabase('sqlite::memory:');
    for (let registry = 1; registry <= 60; registry++) await db.write(queueNotice(ONLY_SITE, registry, 0));
    const told = new Set<number>();
    for (let run = 0; run < 1_000 && told.size < 60; run++)
      for (const { registryId } of await queuedNotices(db, ONLY_SITE).due(1, 50)) told.add(registryId);
    assert.equal(told.size, 60);
  });

  it('runs in one process at a time, and again after a failure', async () => {
    await using store = await freshSqlite();
    const { url } = store;
    const databases = await Promise.all([url, url, url].map((each) => openedDatabase(each)));
    let [running, most, runs] = [0, 0, 0];
    const failures: string[] = [];
    const job = {
      name: 'count',
      everyMs: 5,
      hasWork: async () => true,
      async run() {
        most = Math.max(most, ++running);
        await sleep(10);
        running--;
        if (++runs % 3 === 0) throw new Error('now and then');
      },
    };
    const log = { error: (_details: object, message: string) => void failures.push(message) };
    const jobs = databases.map((db) => startJobs([job], { leases: leaseStore(db, ONLY_SITE), log }));
    await until('ten runs', () => runs >= 10);
    await Promise.all(jobs.map((each) => each.close()));
    await Promise.all(databases.map((db) => db.close()));
    assert.equal(most, 1);
    assert.ok(failures.length >= 3);
    assert.equal(failures[0], 'the job “count” failed and is tried again');
  });

  it('has the names in the documentation that it has in the log', async () => {
    const database = await openDatabase('sqlite::memory:');
    const visit = async () => undefined;
    const log = pino({ level: 'silent' });
    const { jobs } = backgroundJobs({ database, visit, turns: TURN_OF_ONE, log, clock: systemClock });
    await database.close();
    const folder = join(import.meta.dirname, '../..');
    const dispatcher = await readFile(join(folder, 'api/src/background/webhook-dispatcher.ts'), 'utf8');
    const ofDispatcher = [...dispatcher.matchAll(/ round\(\s*'([a-z ]+)'/g)].map(([, name]) => name!);
    const table = await readFile(join(folder, 'docs/monitor.md'), 'utf8');
    const named = [...table.matchAll(/^\| `([a-z ]+)` \|/gm)].map(([, name]) => name!);
    assert.deepEqual(named.sort(), [...jobs.map(({ name }) => name), ...ofDispatcher].sort());
    assert.equal(ofDispatcher.length, 2);
  });

  for (const { name, open, skip } of stores)
    for (const SITES of ['off', 'on'])
      it(`of an idle service writes nothing to ${name}, with SITES=${SITES}`, { skip }, async () => {
        await using store = await open();
        await using host = await startFakeHost();
        let looks = 0;
        const wall = () => {
          looks++;
          return Date.now();
        };
        const limits = { jobsEveryMs: 10, scanAgainMs: 0 };
        const env: Record<string, string> = SITES === 'on' ? {} : { SITES, HOST_URL: host.url };
        await using many = await startManySitesHere(store, { clock: { wall }, limits }, env);
        const site = many.at(SITES === 'on' ? await many.add(host.url) : many.url);
        const { id } = (await site('ann', 'POST /registries/7/items', PAN)).body.data;
        assert.equal((await site('admin', `POST /registries/7/items/${id}/claims`, {})).status, 201);
        await using db = await openedDatabase(store.url);
        await noteWrites(db, store.url);
        const written = async () => (await db.read('select what from written')).map(([what]) => what);
        // At first there is still work behind the requests.
        let found: unknown[] = ['not looked'];
        for (let tries = 0; found.length > 0 && tries < 20; tries++) {
          await db.write(['delete from written']);
          const enough = looks + 200;
          await until('the jobs have looked for work', () => looks > enough);
          found = await written();
        }
        assert.deepEqual(found, []);
      });

  it('forgets idempotency keys after a day, some at a time', async () => {
    await using store = await freshSqlite();
    await using db = await openedDatabase(store.url);
    const old = idempotencyKeys(db, ONLY_SITE, () => Date.now() - DAY);
    await Promise.all(Array.from({ length: 1200 }, (_, i) => old.begin(`old ${i}`, 'x')));
    const fresh = await idempotencyKeys(db, ONLY_SITE, Date.now).begin('fresh', 'x');
    const kept = async () => (await db.read('select name from idempotency_keys')).map(([name]) => name);
    assert.equal(await old.deleteOld(500), 0, 'nothing is old to who lives then');
    const found = await idempotencyKeys(db, ONLY_SITE, Date.now).deleteOld(500);
    assert.equal(found, 500, 'one step takes no more');
    {
      await using _service = await startTestService({ DATABASE_URL: store.url });
      await until('one is left', async () => (await kept()).length <= 1);
    }
    assert.deepEqual(await kept(), [fresh!.key]);
  });
});
