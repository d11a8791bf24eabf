import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { startEmbeddedHost } from '../../api/emulator/server.ts';
import type { Answer } from '../../api/test/answers.ts';
import { freePort } from '../../api/test/free-port.ts';
import { authorization, temporaryFolder } from '../../api/test/support.ts';
import { claimers } from './claimers.ts';
import { childrenOf, kill, startCluster } from './cluster.ts';
import { History } from './history.ts';
import {
  gift,
  Ledger,
  type Part,
  type Run,
  randomFrom,
  startService,
  type Tally,
  tellsOfNoTime,
} from './kit.ts';
import { comesAbout, PATIENCE_MS, watchTheMachine } from './time.ts';

export type Row = {
  id: number;
  name: string;
  registry_id: number;
  is_active: number;
  quantity_purchased: number;
};

/** A service to kill: where to send requests, how to kill it, and how to read its store. */
export type Victim = {
  url(): string;
  /** Kills the process; resolves when the service works again. */
  strike(random: (below: number) => number): Promise<void>;
  /** Fails if the store is damaged. */
  inspect(): Promise<void>;
  rows(): Promise<Row[]>;
  query<T>(sql: string): Promise<T[]>;
  /** Called with each answer, or undefined if none came: the service, the request, and how long it took. */
  heard?(url: string, target: string, answer: Answer | undefined, milliseconds: number): void;
  /** Keeps the writers from filling a registry while a round takes long. */
  pauseMs?: number;
  writers?: number;
};

const WRITERS = 10;
// Few enough to run out during a run, although many are released.
const PIECES = 40;

/**
 * Lets writers write and read while the victim is killed repeatedly; then compares the store with the answers, which must
 * fit one order.
 */
export async function underLoad(
  { seed }: Run,
  tally: Tally,
  rounds: number,
  hostUrl: string,
  victim: Victim,
): Promise<void> {
  const random = randomFrom(seed);
  const ledger = new Ledger(tally);
  const registries: number[] = [];
  const changes = new Map<number, { answered: number; sent: number; deleted: 'no' | 'perhaps' | 'yes' }>();
  const insisting: Promise<void>[] = [];
  const claims = claimers({ tally, seed, random, send: (...request) => send(...request) });
  let count = 0;
  let working = true;
  let patienceEnds = Number.POSITIVE_INFINITY;
  const writerCount = victim.writers ?? WRITERS;

  const sendOne = async (target: string, json?: unknown, headers?: Record<string, string>) => {
    const wasStarved = watchTheMachine();
    const url = victim.url();
    const since = performance.now();
    const answer = await tally.send(url, 'alice', target, json, headers);
    victim.heard?.(url, target, answer, performance.now() - since);
    // Nothing is listening right now, so the writer waits a little.
    if (!answer || answer.status === 503) await sleep(50);
    const expected = [200, 201, 204, 503, ...(headers || target.includes('/claims') ? [409] : [])];
    // Another writer may have deleted the item; the history checks whether it had.
    if (target.startsWith('GET')) expected.push(404);
    tally.check(
      !answer || expected.includes(answer.status) || (tellsOfNoTime(answer) && wasStarved()),
      `${target} answered ${answer?.status} ${answer?.text}`,
    );
    return answer;
  };
  const history = new History();
  const send = history.record('alice', sendOne);

  async function create(): Promise<void> {
    const name = `Gift ${++count}`;
    const registry_id = registries.at(-1)!;
    const [target, json] = random(2)
      ? [`POST /registries/${registry_id}/items`, gift(name)]
      : ['POST /items', { registry_id, ...gift(name) }];
    if (random(3) === 0) return createForSure(name, target, json);
    const answer = await send(target, json);
    if (answer?.status !== 201) return;
    const { id } = answer.body.data;
    ledger.promised(name, id);
    changes.set(id, { answered: 0, sent: 0, deleted: 'no' });
  }

  // Repeats the request under one key until it is answered. It must make one item, whatever was killed in the meantime.
  function createForSure(name: string, target: string, json: unknown): Promise<void> {
    const key = { 'idempotency-key': `${seed}-${name.replace(' ', '-')}` };
    return insist(name, async () => {
      const answer = await send(target, json, key);
      if (answer?.status === 201) ledger.promised(name, answer.body.data.id);
      return answer?.status === 201;
    });
  }

  async function insist(name: string, attempt: () => Promise<boolean>): Promise<void> {
    if (await attempt()) return;
    // The retries are not awaited: the lease of a dead process takes a while to end, and another kill may come first.
    const success = (async () => {
      while (performance.now() < patienceEnds) {
        await sleep(500);
        if (await attempt()) return;
      }
      tally.check(false, `"${name}" has no success ${PATIENCE_MS / 1000} s after the last kill`);
    })();
    insisting.push(success);
  }

  async function change(): Promise<void> {
    const free = [...changes].filter(([, { deleted }]) => deleted === 'no').slice(-50);
    const [id, state] = free[random(free.length || 1)] ?? [];
    if (id === undefined || !state) return create();
    if (random(5) === 0) {
      state.deleted = 'perhaps';
      const answer = await send(`DELETE /items/${id}`);
      if (answer?.status !== 200) return;
      state.deleted = 'yes';
      tally.writes++;
      return;
    }
    // No other writer may take this item while its change is under way.
    changes.delete(id);
    const next = ++state.sent;
    const answer = await send(`PUT /items/${id}`, { quantity_purchased: next });
    if (answer?.status === 200) {
      state.answered = next;
      tally.writes++;
    }
    changes.set(id, state);
  }

  async function look(): Promise<void> {
    const recent = [...changes].filter(([, { deleted }]) => deleted === 'no').slice(-20);
    const [id] = recent[random(recent.length || 1)] ?? [];
    if (id !== undefined) await send(`GET /items/${id}`);
  }

  async function write(): Promise<void> {
    while (working) {
      if (victim.pauseMs) await sleep(victim.pauseMs);
      await look();
      const next = random(6);
      await (next < 3 ? create() : next < 4 ? change() : claims.work(insist));
    }
  }

  async function newRegistry(): Promise<void> {
    const made = await comesAbout(async () => {
      const answer = await send('POST /registries', { title: `Round ${registries.length + 1}` });
      if (answer?.status === 201) registries.push(answer.body.id);
      return answer?.status === 201;
    });
    assert.ok(made, 'no registry can be made');
    const [registry, name] = [registries.at(-1)!, `Shared gift ${registries.length}`];
    const shared = { ...gift(name), quantity_needed: PIECES };
    const key = { 'idempotency-key': `${seed}-${name.replaceAll(' ', '-')}` };
    const offered = await comesAbout(async () => {
      const answer = await send(`POST /registries/${registry}/items`, shared, key);
      if (answer?.status === 201) claims.sell(registry, answer.body.data.id);
      return answer?.status === 201;
    });
    assert.ok(offered, 'nothing can be offered');
  }

  await newRegistry();
  const writers = Array.from({ length: writerCount }, write);
  for (let round = 1; round <= rounds; round++) {
    await sleep(100 + random(400));
    await tally.fault(`round ${round}`, async () => {
      await victim.strike(random);
      await victim.inspect();
      await newRegistry();
    });
  }
  working = false;
  patienceEnds = performance.now() + PATIENCE_MS;
  await Promise.all(writers);
  await Promise.all(insisting);

  const rows = await victim.rows();
  ledger.judge(rows);
  history.judge(tally);
  await claims.judge(victim.query);
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const [id, { answered, sent, deleted }] of changes) {
    const row = byId.get(id);
    const quantity = row?.quantity_purchased ?? -1;
    if (sent > 0)
      tally.kept(
        quantity >= answered && quantity <= sent,
        `item ${id}: bought ${answered} to ${sent}, stored ${quantity}`,
      );
    if (deleted !== 'perhaps')
      tally.kept(row?.is_active === (deleted === 'no' ? 1 : 0), `item ${id}: deleted ${deleted}`);
  }
  await victim.inspect();
  await Promise.all(
    registries.map((id) =>
      tally.look(`registry ${id}`, () => converges(tally, hostUrl, victim.url(), rows, id)),
    ),
  );
  tally.notes.push(
    `${rounds} kills under ${writerCount} writers, ${insisting.length} writes repeated until answered, ${registries.length} registries converged`,
  );
}

async function converges(
  tally: Tally,
  hostUrl: string,
  url: string,
  rows: readonly Row[],
  id: number,
): Promise<void> {
  const active = rows.filter((row) => row.registry_id === id && row.is_active).map((row) => row.id);
  const done = await comesAbout(async () => {
    await tally.send(url, 'alice', `GET /registries/${id}`);
    const post = await fetch(`${hostUrl}/wp-json/wp/v2/registry/${id}?context=edit`, {
      headers: { authorization: authorization('alice') },
    });
    const { meta } = (await post.json()) as { meta: { registry_item_ids: string } };
    const ids: number[] = JSON.parse(meta.registry_item_ids || '[]');
    if (ids.toSorted((a, b) => a - b).join() === active.join()) return true;
    await sleep(500);
    return false;
  });
  assert.ok(done, 'registry_item_ids does not converge');
}

const ROWS =
  'select cast(id as integer) as id, name, cast(registry_id as integer) as registry_id, is_active, quantity_purchased from items order by id';

function inSqlite(file: string): Pick<Victim, 'inspect' | 'rows' | 'query'> {
  const look = <T>(sql: string): T[] => {
    const db = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
    try {
      return db.prepare(sql).all() as T[];
    } finally {
      db.close();
    }
  };
  return {
    rows: async () => look<Row>(ROWS),
    query: async <T>(sql: string) => look<T>(sql),
    inspect: async () =>
      assert.deepEqual(
        look('pragma integrity_check').map((row) => ({ ...(row as object) })),
        [{ integrity_check: 'ok' }],
      ),
  };
}

/** Reads the store in PostgreSQL. `open` opens a new session for each check. */
export function inPostgres(open: () => Promise<pg.Client>): Pick<Victim, 'inspect' | 'rows' | 'query'> {
  const look = async <T>(sql: string): Promise<T[]> => {
    const session = await open();
    try {
      return (await session.query(sql)).rows as T[];
    } finally {
      await session.end();
    }
  };
  return {
    rows: () => look<Row>(ROWS),
    query: look,
    // Checks that every index agrees with its table.
    inspect: async () => {
      await look('create extension if not exists amcheck');
      await look(`select bt_index_check(indexrelid, true) from pg_index
        where indrelid in ('items'::regclass, 'idempotency_keys'::regclass, 'leases'::regclass,
          'claims'::regclass, 'claim_events'::regclass)`);
    },
  };
}

/** Kills the service with `kill -9`, with or without workers, and restarts it on the same file. */
export const crashOfService: Part = async (run, tally) => {
  await using folder = await temporaryFolder();
  const file = `${folder.path}/items.db`;
  const host = await startEmbeddedHost({ file: ':memory:' });
  const start = (workers: number) =>
    startService({ DATABASE_URL: `sqlite:${file}`, HOST_URL: host.url, WORKERS: String(workers) });
  let service = start(1);
  let url = await service.url;
  let kills = 0;
  await underLoad(run, tally, run.long ? 34 : 2, host.url, {
    ...inSqlite(file),
    url: () => url,
    async strike() {
      service.child.kill('SIGKILL');
      await service.exit;
      tally.readLog(service.stdout());
      service = start((++kills % 2) + 1);
      url = await service.url;
    },
  });
  await service[Symbol.asyncDispose]();
  await host.close();
};

/** Kills one of two workers with `kill -9`; the service replaces it. */
export const crashOfWorker: Part = async (run, tally) => {
  await using folder = await temporaryFolder();
  const file = `${folder.path}/items.db`;
  const host = await startEmbeddedHost({ file: ':memory:' });
  // The port is fixed: a port chosen by the system changes when its last worker dies.
  const PORT = String(await freePort());
  const env = { DATABASE_URL: `sqlite:${file}`, HOST_URL: host.url, WORKERS: '2', PORT };
  {
    await using service = startService(env);
    const url = await service.url;
    // The service ends when a worker dies before all workers listen, so the kills wait until then.
    const started = () => service.stdout().match(/Server listening/g)?.length === 2;
    assert.ok(await comesAbout(started), `two workers do not start: ${service.stderr()}`);
    await underLoad(run, tally, run.long ? 33 : 2, host.url, {
      ...inSqlite(file),
      url: () => url,
      async strike(random) {
        const workers = childrenOf(service.child.pid!);
        const killed = workers[random(workers.length)];
        assert.ok(killed, `no worker is left: ${service.child.exitCode} ${service.stderr()}`);
        kill(killed, 'SIGKILL');
        const replaced = () => {
          const now = childrenOf(service.child.pid!);
          return now.length === 2 && !now.includes(killed);
        };
        assert.ok(await comesAbout(replaced), 'the worker is not replaced');
      },
    });
    tally.readLog(service.stdout());
  }
  await host.close();
};

/** Kills one of PostgreSQL's sessions, or all of PostgreSQL, with `kill -9`; the service keeps running. */
export const crashOfPostgres: Part = async (run, tally) => {
  await using cluster = await startCluster();
  if (!cluster) return tally.skip('kill -9 of PostgreSQL', 'there is no /usr/lib/postgresql');
  const host = await startEmbeddedHost({ file: ':memory:' });
  {
    await using service = startService({ DATABASE_URL: cluster.url, HOST_URL: host.url });
    const url = await service.url;
    const store = inPostgres(() => cluster.session());
    const isBack = () => store.query('select 1').then(Boolean, () => false);
    await underLoad(run, tally, run.long ? 33 : 2, host.url, {
      url: () => url,
      async strike(random) {
        const sessions = cluster.sessions();
        if (random(2) && sessions.length > 0) {
          kill(sessions[random(sessions.length)]!, 'SIGKILL');
          // After a kill, PostgreSQL ends all other sessions, and accepts new ones only once they are gone.
          await comesAbout(() => !cluster.sessions().some((pid) => sessions.includes(pid)), 10_000);
        } else {
          cluster.signal('SIGKILL');
          await cluster.start();
        }
        assert.ok(await comesAbout(isBack), 'PostgreSQL does not come back');
      },
      ...store,
    });
    tally.readLog(service.stdout());
  }
  await host.close();
};
