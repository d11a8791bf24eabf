import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { startEmbeddedHost } from '../../api/emulator/server.ts';
import { type Cluster, startCluster } from './cluster.ts';
import {
  gift,
  isStored,
  isUnavailable,
  judged,
  Ledger,
  type Part,
  type StoredRow,
  startService,
  stop,
  type Tally,
} from './kit.ts';
import { comesAbout, Late } from './time.ts';

const TOO_MANY_CONNECTIONS = '53300';

type Patient = { cluster: Cluster; tally: Tally; url: string; ledger: Ledger };

/** Checks that while PostgreSQL is unavailable, reads and writes get 503 in time and `/health` keeps answering. */
async function unavailable({ tally, url, ledger }: Patient, where: string): Promise<void> {
  const since = performance.now();
  const [written, read, health] = await Promise.all([
    ledger.storeOne(url),
    tally.send(url, 'alice', 'GET /items'),
    tally.send(url, undefined, 'GET /health'),
  ]);
  isUnavailable(written, `${where}, writing`);
  isUnavailable(read, `${where}, reading`);
  assert.equal(health?.status, 200);
  const seconds = (performance.now() - since) / 1000;
  if (seconds > 9) throw new Late(`${where}: ${seconds} s are more than a client waits`);
}

const CROWD = 8;

/**
 * Waits until the service works again without a restart. All its connections must be back: with only some of them, the
 * next request might meet one that is not.
 */
async function well({ tally, url, ledger }: Patient, where: string): Promise<void> {
  const stored = async () => {
    const answers = await Promise.all([
      ...Array.from({ length: CROWD }, () => ledger.storeOne(url)),
      ...Array.from({ length: CROWD }, () => tally.send(url, 'alice', 'GET /items')),
    ]);
    return answers.every((answer) => answer?.status === 201 || answer?.status === 200);
  };
  if (!(await comesAbout(stored, 15_000))) throw new Late(`${where}: not well again`);
}

async function stopped(patient: Patient): Promise<void> {
  await well(patient, 'at first');
  await patient.cluster.stop();
  try {
    await unavailable(patient, 'stopped');
  } finally {
    await patient.cluster.start();
  }
  await well(patient, 'started again');
}

// Connections rarely break during a transaction or while they open, so PostgreSQL restarts several times.
const RESTARTS = 5;

async function restartedUnderLoad(patient: Patient): Promise<void> {
  let working = true;
  const writers = Array.from({ length: 8 }, async () => {
    while (working) {
      const answer = await patient.ledger.storeOne(patient.url);
      if (answer?.status !== 201) isUnavailable(answer, 'under load');
      // The pause keeps the registry below its limit of a thousand items.
      await sleep(20);
    }
  });
  const done = Promise.all(writers).finally(() => {
    working = false;
  });
  done.catch(() => {});
  for (let i = 0; i < RESTARTS; i++) {
    await sleep(300);
    await patient.cluster.stop();
    await patient.cluster.start();
  }
  await well(patient, 'restarted');
  working = false;
  await done;
}

async function frozen(patient: Patient): Promise<void> {
  patient.cluster.signal('SIGSTOP');
  try {
    await unavailable(patient, 'frozen');
  } finally {
    patient.cluster.signal('SIGCONT');
  }
  await well(patient, 'thawed');
}

async function exhausted(patient: Patient): Promise<void> {
  const { cluster } = patient;
  const taken: pg.Client[] = [];
  const takeAll = async () => {
    for (;;) {
      try {
        taken.push(await cluster.session());
      } catch (error) {
        if ((error as { code?: string }).code === TOO_MANY_CONNECTIONS) return;
      }
    }
  };
  try {
    await takeAll();
    // Ends the service's sessions and takes their connection slots. The service may be faster, so this repeats.
    await comesAbout(async () => {
      const ended = await taken[0]!.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'trousseau-api'",
      );
      await sleep(100);
      await takeAll();
      return ended.rows.length === 0;
    });
    await unavailable(patient, 'no connection left');
  } finally {
    await Promise.all(taken.map((session) => session.end()));
  }
  await well(patient, 'connections to be had');
}

/** Makes a deadlock: the service deactivates a registry's items while another session locks them in reverse order. */
async function deadlock(patient: Patient): Promise<void> {
  const { cluster, tally, url, ledger } = patient;
  await well(patient, 'before the deadlock');
  const registry = await tally.send(url, 'alice', 'POST /registries', { title: 'Locked' });
  isStored(registry, 'the registry');
  const id = registry!.body.id as number;
  const ids: number[] = [];
  for (const which of ['First', 'Second', 'Third']) {
    const name = `${which} of registry ${id}`;
    const answer = await tally.send(url, 'alice', `POST /registries/${id}/items`, gift(name));
    isStored(answer, name);
    ledger.promised(name, answer!.body.data.id);
    ids.push(answer!.body.data.id);
  }
  const other = await cluster.session();
  const observer = await cluster.session();
  try {
    const hold = (id: number) => other.query("update items set retailer = 'x' where id = $1", [id]);
    await other.query('begin');
    // This session checks for deadlocks later, so that PostgreSQL cancels the service's session.
    await other.query("set local deadlock_timeout = '30s'");
    await hold(ids[2]!);
    const deleted = tally.send(url, 'alice', `DELETE /registries/${id}`);
    const waiting = async () =>
      (
        await observer.query(
          // Longer than a group of units waits for a lock, so that this unit is being stored on its own by now.
          "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query_start < now() - interval '500 ms'",
        )
      ).rows.length > 0;
    if (!(await comesAbout(waiting, 10_000))) throw new Late('the service does not wait');
    await hold(ids[0]!);
    await other.query('commit');
    const answer = await deleted;
    if (answer?.status !== 204) throw judged(answer, `the one given up is not said again: ${answer?.text}`);
    const active = await other.query('select id from items where registry_id = $1 and is_active = 1', [id]);
    assert.equal(active.rows.length, 0);
    assert.match(cluster.log(), /deadlock detected/, 'no deadlock came about');
  } finally {
    await observer.end();
    await other.end();
  }
}

/** Stops, restarts and freezes PostgreSQL, uses up its connections, and makes a deadlock. */
export const postgresFaults: Part = async (_run, tally) => {
  await using cluster = await startCluster();
  if (!cluster) return tally.skip('PostgreSQL', 'there is no /usr/lib/postgresql');
  const host = await startEmbeddedHost({ file: ':memory:' });
  const ledger = new Ledger(tally);
  {
    await using service = startService({ DATABASE_URL: cluster.url, HOST_URL: host.url });
    const patient: Patient = { cluster, tally, ledger, url: await service.url };
    for (const work of [stopped, restartedUnderLoad, frozen, exhausted, deadlock])
      await tally.fault(`PostgreSQL ${work.name}`, () => work(patient));
    await tally.look('a stop at the end', () => stop(service));
    tally.readLog(service.stdout());
  }
  const session = await cluster.session();
  const { rows } = await session.query<StoredRow>('select id, name from items');
  ledger.judge(rows);
  await session.end();
  await host.close();
};
