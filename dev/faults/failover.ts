import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedHost } from '../../api/emulator/server.ts';
import type { Answer } from '../../api/test/answers.ts';
import { kill } from './cluster.ts';
import { inPostgres, underLoad } from './crashes.ts';
import { type Part, startService, stop, type Tally } from './kit.ts';
import { type Machines, missingPrograms, startMachines } from './machines.ts';
import { comesAbout, Late, watchTheMachine } from './time.ts';

const WRITERS = 8;
// A registry takes a thousand items, and a round lasts a minute.
const PAUSE_MS = 250;
const FROZEN_MS = 30_000;
const BACK_WITHIN_S = 30;
const ANSWERED_WITHIN_S = 6;
// Shorter than a standby's wait before it reconnects.
const CANCELLING_MS = 2_500;

/** Measures how long one service answers no write, and how long its callers wait. */
class Watch {
  #since = performance.now();
  #lastWrite = performance.now();
  #withoutWrite = 0;
  #longest = 0;

  restart(): void {
    this.#since = this.#lastWrite = performance.now();
    this.#withoutWrite = this.#longest = 0;
  }

  heard(target: string, answer: Answer | undefined, milliseconds: number): void {
    const now = performance.now();
    // Requests sent before the fault count as well, since it made them wait.
    this.#longest = Math.max(this.#longest, milliseconds);
    if (target.startsWith('GET') || !answer || answer.status >= 300) return;
    this.#withoutWrite = Math.max(this.#withoutWrite, now - this.#lastWrite);
    this.#lastWrite = now;
  }

  get hasWritten(): boolean {
    return this.#lastWrite > this.#since;
  }

  get seconds(): { withoutWrite: number; longest: number } {
    return {
      withoutWrite: Math.max(this.#withoutWrite, performance.now() - this.#lastWrite) / 1000,
      longest: this.#longest / 1000,
    };
  }
}

type Fault = [name: string, make: (machines: Machines) => Promise<void>];

/** Waits for the leader's name, which is unknown while etcd elects its own leader. */
async function leaderOf(machines: Machines) {
  let leader = await machines.leader();
  await comesAbout(async () => {
    leader ??= await machines.leader();
    return leader !== undefined;
  });
  if (!leader) throw new Late('there is no leader');
  return leader;
}

async function anotherLeads(machines: Machines, former: string): Promise<void> {
  const leads = async () => {
    const leader = await machines.leader();
    return leader !== undefined && leader.name !== former;
  };
  if (!(await comesAbout(leads, 60_000))) throw new Late(`${former} is gone and no other leads`);
}

/** Makes a fault that disturbs the leader's machine until another machine has replaced it. */
const toLeader =
  (action: 'kill' | 'freeze' | 'unplug', back: 'start' | 'thaw' | 'plug', milliseconds = 0) =>
  async (machines: Machines) => {
    const { name } = await leaderOf(machines);
    await machines.does(action, name);
    try {
      await Promise.all([anotherLeads(machines, name), sleep(milliseconds)]);
    } finally {
      await machines.does(back, name);
    }
  };

async function switchover(machines: Machines): Promise<void> {
  const { name, api_url } = await leaderOf(machines);
  const answer = await fetch(api_url.replace('/patroni', '/switchover'), {
    method: 'POST',
    body: JSON.stringify({ leader: name }),
  });
  if (answer.status !== 200) throw new Late(`switchover: ${answer.status} ${await answer.text()}`);
  await anotherLeads(machines, name);
}

/**
 * Cuts off the leader's machine, cancels its commits' wait for a standby, and kills it: these
 * commits existed nowhere else.
 */
async function cancelledWait(machines: Machines): Promise<void> {
  const leader = await leaderOf(machines);
  const session = await machines.session(leader);
  let cancelled = 0;
  try {
    const { rows: senders } = await session.query<{ pid: number }>('select pid from pg_stat_replication');
    for (const { pid } of senders) kill(pid, 'SIGSTOP');
    for (const end = performance.now() + CANCELLING_MS; performance.now() < end; await sleep(50)) {
      const { rows } = await session.query(`select pg_cancel_backend(pid) from pg_stat_activity
        where wait_event = 'SyncRep' and query_start < now() - interval '200 ms'`);
      cancelled += rows.length;
    }
    await machines.does('kill', leader.name);
  } finally {
    await session.end().catch(() => {});
  }
  assert.ok(cancelled > 0, 'no commit waited');
  try {
    await anotherLeads(machines, leader.name);
  } finally {
    await machines.does('start', leader.name);
  }
}

async function standbyKilled(machines: Machines): Promise<void> {
  const standby = (await machines.members()).find(({ role }) => role === 'sync_standby');
  assert.ok(standby, 'there is no synchronous standby');
  await machines.does('kill', standby.name);
  await sleep(20_000);
  await machines.does('start', standby.name);
}

async function etcdAway(machines: Machines): Promise<void> {
  await machines.does('freeze', 'etcd');
  await sleep(FROZEN_MS);
  await machines.does('thaw', 'etcd');
}

async function proxyKilled(machines: Machines): Promise<void> {
  await machines.does('kill', 'proxy');
  await sleep(8_000);
  await machines.does('start', 'proxy');
}

const KILLED: Fault = ['leader killed', toLeader('kill', 'start')];
const SHORT: Fault[] = [
  KILLED,
  ['leader frozen for 30 s', toLeader('freeze', 'thaw', FROZEN_MS)],
  ['switchover', switchover],
  ['wait for the standby cancelled, then the leader killed', cancelledWait],
];
const LONG: Fault[] = [
  ...SHORT,
  ['synchronous standby killed', standbyKilled],
  ['all etcds frozen for 30 s', etcdAway],
  ['HAProxy killed for 8 s', proxyKilled],
];
const WITH_CABLES: Fault[] = [["leader's cable pulled for 45 s", toLeader('unplug', 'plug', 45_000)]];

/**
 * Waits until all three machines work: a fault in the next round needs a standby. PostgreSQL chooses it some seconds before Patroni
 * records that, and Patroni makes only a recorded standby the leader.
 */
async function isWhole(machines: Machines): Promise<boolean> {
  try {
    const leader = await machines.leader();
    const isWrittenDown = (await machines.members()).some(({ role }) => role === 'sync_standby');
    if (!leader || !isWrittenDown) return false;
    const session = await machines.session(leader);
    try {
      const { rows } = await session.query(
        `select sync_state from pg_stat_replication where state = 'streaming'`,
      );
      return rows.length === 2 && rows.some(({ sync_state }) => sync_state === 'sync');
    } finally {
      await session.end();
    }
  } catch {
    return false;
  }
}

function judge(tally: Tally, fault: string, via: string, watch: Watch, wasStarved: boolean): void {
  const { withoutWrite, longest } = watch.seconds;
  tally.notes.push(
    `${fault}, VIA=${via}: ${withoutWrite.toFixed(1)} s without an answered write, longest wait ${longest.toFixed(1)} s`,
  );
  const late: string[] = [];
  if (withoutWrite > BACK_WITHIN_S) late.push(`writes are answered after ${withoutWrite.toFixed(1)} s`);
  if (longest > ANSWERED_WITHIN_S) late.push(`a request waited ${longest.toFixed(1)} s`);
  if (late.length === 0) return;
  const said = `${fault}, VIA=${via}: ${late.join(', ')}`;
  throw wasStarved ? new Late(said) : new Error(said);
}

/** Kills, freezes or cuts off machines of a PostgreSQL cluster while two services write to it. */
export const failover: Part = async (run, tally) => {
  const missing = missingPrograms();
  if (missing.length > 0)
    return tally.skip(
      'a cluster',
      `${missing.join(', ')}: apt-get install patroni etcd-server haproxy postgresql procps`,
    );
  const cables = run.long && process.getuid?.() === 0;
  if (run.long && !cables) tally.skip("the leader's cable pulled", 'only root can make network namespaces');
  await using machines = await startMachines({ cables });
  const host = await startEmbeddedHost({ file: ':memory:' });
  const all = run.long ? [...LONG, ...(cables ? WITH_CABLES : [])] : SHORT;
  const faults = run.kills > 0 ? Array.from({ length: run.kills }, () => KILLED) : all;
  {
    const start = () => startService({ DATABASE_URL: machines.url, HOST_URL: host.url });
    await using first = start();
    await using second = start();
    const urls = [await first.url, await second.url];
    const watches = new Map(urls.map((url) => [url, new Watch()]));
    async function oneFault(name: string, make: Fault[1]): Promise<void> {
      if (!(await comesAbout(() => isWhole(machines), 120_000))) throw new Late('the cluster is not whole');
      const wasStarved = watchTheMachine();
      for (const watch of watches.values()) watch.restart();
      await make(machines);
      const areBack = () => [...watches.values()].every(({ hasWritten }) => hasWritten);
      await comesAbout(areBack, 60_000);
      await comesAbout(() => isWhole(machines), 120_000);
      for (const [url, watch] of watches)
        judge(tally, name, url === urls[0] ? 'first' : 'second', watch, wasStarved());
    }
    let next = 0;
    let round = 0;
    await underLoad(run, tally, faults.length, host.url, {
      writers: WRITERS,
      pauseMs: PAUSE_MS,
      url: () => urls[next++ % 2]!,
      heard: (url, target, answer, milliseconds) => watches.get(url)?.heard(target, answer, milliseconds),
      async strike() {
        const [name, make] = faults[round]!;
        try {
          await oneFault(name, make);
        } catch (error) {
          // The fault is repeated if the machine was too busy.
          if (error instanceof Late) throw error;
          round++;
          throw error;
        }
        round++;
      },
      ...inPostgres(async () => machines.session(await leaderOf(machines))),
    });
    for (const service of [first, second]) {
      await tally.look('a stop at the end', () => stop(service));
      tally.readLog(service.stdout());
    }
  }
  await host.close();
};
