import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedHost } from '../../api/emulator/server.ts';
import { agrees } from '../../api/test/claim-service.ts';
import { temporaryFolder } from '../../api/test/support.ts';
import { adapted, example, execute, type Machine, type Restored } from './backup-machine.ts';
import { hasPgBackRest, postgresMachine } from './backup-postgres.ts';
import { asPostgres, kill } from './cluster.ts';
import { gift, type Part, type Run, startService, type Tally } from './kit.ts';
import { comesAbout, Late } from './time.ts';

type Stored = { kind: 'item' | 'claim'; id: string; start: number; end: number };

const WRITERS = 8;
const REGISTRIES = 12;
const BIG = 1_000_000;

/** Starts writers that add items and claims until stopped, and remember when each was answered. */
function startWriters(tally: Tally, url: () => string, registries: number[], shared: Map<number, number>) {
  const stored: Stored[] = [];
  let working = true;
  let count = 0;
  const writers = Array.from({ length: WRITERS }, async (_, n) => {
    while (working) {
      const registry = registries[count++ % registries.length]!;
      const start = performance.now();
      const isClaim = count % 4 === 0;
      const answer = isClaim
        ? await tally.send(
            url(),
            'alice',
            `POST /registries/${registry}/items/${shared.get(registry)}/claims`,
            {},
          )
        : await tally.send(url(), 'alice', `POST /registries/${registry}/items`, gift(`Gift ${n} ${count}`));
      const end = performance.now();
      if (answer?.status === 201) {
        const id = String(isClaim ? answer.body.id : answer.body.data.id);
        stored.push({ kind: isClaim ? 'claim' : 'item', id, start, end });
        tally.writes++;
      }
      await sleep(15);
    }
  });
  return {
    stored,
    async [Symbol.asyncDispose]() {
      working = false;
      await Promise.all(writers);
    },
  };
}

/** Adds ordinary items, so that the store is as large as that of a site in use. */
async function fill(machine: Machine, rows: number): Promise<void> {
  const numbers = machine.storeUrl.startsWith('sqlite:')
    ? `(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows}) select i from n)`
    : `(select generate_series(1, ${rows}) as i)`;
  await machine.run(`insert into items (site_id, id, registry_id, is_active, quantity_needed, quantity_purchased, price,
      name, description, url, created_at, updated_at)
    select 1, i, ${BIG} + i / 900, 1, 2, 0, 24.5, 'Gift ' || i, 'A description of ordinary length for gift number ' || i,
      'https://shop.example/things/of/ordinary/length/' || i, '2026-11-20T07:09:36.123Z', '2026-11-20T07:09:36.123Z'
    from ${numbers} as numbers;
    insert into registries (site_id, registry_id, active)
    select site_id, registry_id, count(*) from items where registry_id >= ${BIG} group by site_id, registry_id;
    insert into item_ids (site_id, last) values (1, ${rows});`);
}

/** Checks that a restored store has every write up to some moment and none after it, and returns the missing ones. */
async function compare(restored: Restored, stored: readonly Stored[]): Promise<Stored[]> {
  const ids = new Set(
    [
      ...(await restored.query<{ id: string | number }>(`select id from items where registry_id < ${BIG}`)),
      ...(await restored.query<{ id: string }>('select id from claims')),
    ].map(({ id }) => String(id)),
  );
  const lost = stored.filter(({ id }) => !ids.has(id));
  const lastKept = stored.reduce((last, { id, start }) => (ids.has(id) ? Math.max(last, start) : last), 0);
  const hole = lost.find(({ end }) => end < lastKept);
  assert.equal(hole, undefined, `the ${hole?.kind} ${hole?.id} is lost, later ones are not`);
  await agrees(restored);
  return lost;
}

/** Loses a machine while writers write, and restores its store elsewhere. `limit` is how many seconds of writes may be lost. */
async function lostMachine(
  { long }: Run,
  tally: Tally,
  name: string,
  machine: Machine,
  limit: number,
): Promise<void> {
  await using ends = new AsyncDisposableStack();
  const host = await startEmbeddedHost({ file: ':memory:' });
  ends.defer(() => host.close());
  const start = (url: string) => ends.use(startService({ DATABASE_URL: url, HOST_URL: host.url }));
  const service = start(machine.storeUrl);
  let url = await service.url;
  const rows = long ? 100_000 : 5_000;
  await fill(machine, rows);
  const registries: number[] = [];
  const shared = new Map<number, number>();
  for (let i = 0; i < REGISTRIES; i++) {
    const id = (await tally.send(url, 'alice', 'POST /registries', { title: `Registry ${i}` }))!.body.id;
    const big = { ...gift('Shared'), quantity_needed: BIG };
    const item = await tally.send(url, 'alice', `POST /registries/${id}/items`, big);
    registries.push(id);
    shared.set(id, item!.body.data.id);
  }
  const kept = { 'idempotency-key': `${name}-kept` };
  const before = await tally.send(url, 'alice', 'POST /items', { registry_id: 1, ...gift('Kept') }, kept);
  const keptItem = before!.body.data.id;
  const sinceBackup = performance.now();
  await machine.startBackup();
  const backupSeconds = (performance.now() - sinceBackup) / 1000;

  const writers = ends.use(startWriters(tally, () => url, registries, shared));
  await sleep(long ? 30_000 : 5_000);
  const moment = { date: new Date(), at: performance.now() };
  await sleep(Math.max(limit * 1000 * 1.3, long ? 30_000 : 4_000));
  // The last second brings an item, states of an older item, and an answer under an idempotency key.
  const late = { 'idempotency-key': `${name}-late` };
  for (let i = 0; i < 3; i++)
    await tally.send(url, 'alice', `PUT /items/${keptItem}`, { description: `lost ${i}` });
  const lateTag = (await tally.send(url, 'alice', `GET /items/${keptItem}`))!.headers.get('etag')!;
  const lateItem = await tally.send(url, 'alice', 'POST /items', { registry_id: 1, ...gift('Late') }, late);
  const diedAt = performance.now();
  service.child.kill('SIGKILL');
  await machine.die();
  await service.exit;
  await writers[Symbol.asyncDispose]();
  tally.readLog(service.stdout());

  const since = performance.now();
  await using restored = await machine.restore();
  const restoredAfter = (performance.now() - since) / 1000;
  const lost = await compare(restored, writers.stored);
  const seconds = Math.max(0, ...lost.map(({ end }) => (diedAt - end) / 1000));
  if (seconds > limit) throw new Late(`${name}: the writes of ${seconds.toFixed(1)} s are lost`);
  await restored.afterRestore();
  url = await start(restored.storeUrl).url;
  const answered = await comesAbout(
    async () =>
      (await tally.send(url, 'alice', 'POST /items', { registry_id: 1, ...gift('First') }))?.status === 201,
  );
  assert.ok(answered, 'the service does not store anything after the restore');
  const allAfter = (performance.now() - since) / 1000;
  await confusesNothing({ tally, url, keptItem, kept, late, lateTag, lateItem: lateItem?.body.data.id });
  tally.notes.push(
    `${name}, ${rows} items: backup begun in ${backupSeconds.toFixed(1)} s; of ${writers.stored.length} answered writes the last ` +
      `${lost.length} lost, ${seconds.toFixed(1)} s; restored in ${restoredAfter.toFixed(1)} s, answering after ${allAfter.toFixed(1)} s`,
  );

  await tally.fault(`${name} as it was at a time`, async () => {
    const begun = performance.now();
    await using earlier = await machine.restore(moment.date);
    const took = (performance.now() - begun) / 1000;
    const missing = await compare(earlier, writers.stored);
    // Litestream records one time per file, which contains a second of changes.
    const blur = name === 'SQLite' ? limit * 1000 : 0;
    const tooOld = missing.filter(({ end }) => end < moment.at - blur);
    const tooNew = writers.stored.filter((one) => one.start > moment.at + blur && !missing.includes(one));
    assert.deepEqual([tooOld.length, tooNew.length], [0, 0], 'lacks older writes, or holds newer ones');
    tally.notes.push(
      `${name} as it was at a time: restored in ${took.toFixed(1)} s, ${missing.length} newer writes not in it`,
    );
  });
}

type Leftover = {
  tally: Tally;
  url: string;
  keptItem: number;
  kept: Record<string, string>;
  late: Record<string, string>;
  lateTag: string;
  lateItem: number | undefined;
};

/** Checks that ids, ETags and keys that clients have from the lost time mean nothing else after the restore. */
async function confusesNothing({
  tally,
  url,
  keptItem,
  kept,
  late,
  lateTag,
  lateItem,
}: Leftover): Promise<void> {
  const send = (target: string, json?: unknown, headers?: Record<string, string>) =>
    tally.send(url, 'alice', target, json, headers);
  const again = await send('POST /items', { registry_id: 1, ...gift('Kept') }, kept);
  assert.equal(again?.body.data?.id, keptItem, 'a key from before the backup made another item');
  for (let i = 0; i < 5; i++) {
    const read = await send(`GET /items/${keptItem}`, undefined, { 'if-none-match': lateTag });
    assert.equal(read?.status, 200, `a lost ETag is that of a new state after ${i} changes`);
    const changed = await send(`PUT /items/${keptItem}`, { description: `x ${i}` }, { 'if-match': lateTag });
    assert.equal(changed?.status, 412, 'a change was taken for a lost state');
    await send(`PUT /items/${keptItem}`, { description: `new ${i}` });
  }
  const repeated = await send('POST /items', { registry_id: 1, ...gift('Late') }, late);
  assert.equal(repeated?.status, 201, 'a repeated request whose item is lost');
  if (lateItem === undefined) return;
  const ids = [
    repeated!.body.data.id,
    (await send('POST /items', { registry_id: 1, ...gift('New') }))!.body.data.id,
  ];
  assert.ok(
    ids[1] > lateItem + 1000,
    `item ${ids[1]} has a number that may have been another's: ${lateItem} was the last`,
  );
}

function litestream(): string | undefined {
  try {
    const here = createRequire(import.meta.url);
    return here.resolve(`@flydotio/litestream-${process.platform}-${process.arch}/litestream`);
  } catch {
    return undefined;
  }
}

async function sqliteMachine(program: string, folder: string): Promise<Machine & AsyncDisposable> {
  const [machine, other] = [join(folder, 'machine'), join(folder, 'other')];
  await mkdir(machine);
  const file = join(machine, 'trousseau.db');
  const config = join(machine, 'litestream.yml');
  const replica = join(other, 'replica');
  await writeFile(
    config,
    adapted('litestream.yml', {
      '/var/lib/trousseau/trousseau.db': file,
      's3://backups.example/trousseau': `file://${replica}`,
    }),
  );
  let copier: ReturnType<typeof spawn> | undefined;
  let said = '';
  let restores = 0;
  return {
    storeUrl: `sqlite:${file}`,
    async run(sql) {
      using db = new DatabaseSync(file, { timeout: 5_000 });
      db.exec(`begin immediate; ${sql} commit`);
    },
    async startBackup() {
      copier = spawn(program, ['replicate', '-config', config], { stdio: ['ignore', 'pipe', 'pipe'] });
      for (const stream of [copier.stdout!, copier.stderr!])
        stream.setEncoding('utf8').on('data', (text) => {
          said += text;
        });
      assert.ok(await comesAbout(() => said.includes('wal segment written'), 60_000), `Litestream: ${said}`);
    },
    async die() {
      const ended = once(copier!, 'exit');
      kill(copier!.pid!, 'SIGKILL');
      await ended;
      await rm(machine, { recursive: true });
    },
    async [Symbol.asyncDispose]() {
      if (copier?.pid) kill(copier.pid, 'SIGKILL');
    },
    async restore(until) {
      const restored = join(folder, `restored-${++restores}.db`);
      const time = until ? ['-timestamp', until.toISOString()] : [];
      await execute([program, 'restore', ...time, '-o', restored, `file://${replica}`]);
      const query = async <T>(sql: string) => {
        using db = new DatabaseSync(restored, { timeout: 5_000 });
        return db.prepare(sql).all() as T[];
      };
      const [check] = await query<{ integrity_check: string }>('pragma integrity_check');
      assert.equal(check?.integrity_check, 'ok');
      return {
        storeUrl: `sqlite:${restored}`,
        query,
        async afterRestore() {
          using db = new DatabaseSync(restored);
          db.exec(example('after-restore-sqlite.sql'));
        },
        [Symbol.asyncDispose]: async () => {},
      };
    },
  };
}

/** Loses a machine with its disk, and restores the store from its backup on another machine, on both engines. */
export const backup: Part = async (run, tally) => {
  const program = litestream();
  if (program && existsSync(program))
    await tally.fault('SQLite, the machine lost', async () => {
      await using folder = await temporaryFolder();
      await using machine = await sqliteMachine(program, folder.path);
      await lostMachine(run, tally, 'SQLite', machine, 5);
    });
  else tally.skip('a backup with Litestream', '@flydotio/litestream has no program for this platform');
  if (!asPostgres() || !hasPgBackRest())
    return tally.skip('a backup with pgBackRest', 'there is no PostgreSQL or no pgbackrest');
  await tally.fault('PostgreSQL, the machine lost', async () => {
    await using folder = await temporaryFolder();
    await using machine = await postgresMachine(folder.path, run.long ? 10 : 2);
    await lostMachine(run, tally, 'PostgreSQL', machine, run.long ? 15 : 7);
  });
};
