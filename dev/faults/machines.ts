import { execFile, spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type pg from 'pg';
import { freePort } from '../../api/test/free-port.ts';
import { openSession } from '../../api/test/sql-session.ts';
import { temporaryFolder } from '../../api/test/support.ts';

const SCRIPT = join(import.meta.dirname, '../../deploy/cluster/cluster');
const PROGRAMS = ['patroni', 'etcd', 'haproxy', 'psql', 'pgrep', 'setpriv'];

type Member = { name: string; role: string; state: string; api_url: string; host: string; port: number };

/** The machines of `deploy/cluster`, on which faults are made. */
export type Machines = {
  /** The address of HAProxy, which forwards to the leader. */
  url: string;
  /** Whether each machine has its own network, which can be cut. */
  haveCables: boolean;
  does(action: 'start' | 'kill' | 'freeze' | 'thaw' | 'unplug' | 'plug', ...what: string[]): Promise<void>;
  members(): Promise<Member[]>;
  leader(): Promise<Member | undefined>;
  /** Opens a session on one of the machines. */
  session(of: Member): Promise<pg.Client>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** Returns the programs that the cluster needs and this machine lacks. */
export function missingPrograms(): string[] {
  const isThere = (program: string) =>
    spawnSync('sh', ['-c', `PATH=$PATH:/usr/sbin command -v ${program}`]).status === 0;
  return PROGRAMS.filter((program) => !isThere(program));
}

/** Starts the three machines and HAProxy on this computer. */
export async function startMachines({ cables }: { cables: boolean }): Promise<Machines> {
  const folder = await temporaryFolder();
  // PostgreSQL runs as another user and must reach its own folder in this one.
  chmodSync(folder.path, 0o711);
  const names = ['POSTGRES_PORT', 'PATRONI_PORT', 'PROXY_PORT', 'ETCD_PORT', 'PEER_PORT'];
  const ports = await Promise.all(names.map(async (name) => [name, String(await freePort())]));
  const env = { ...process.env, ...Object.fromEntries(ports), NAMESPACES: cables ? 'on' : 'off' };
  const run = async (...args: string[]) => (await promisify(execFile)(SCRIPT, args, { env })).stdout;
  const dispose = async () => {
    await run('down', folder.path);
    await folder[Symbol.asyncDispose]();
  };
  let said: string;
  try {
    said = await run('up', folder.path);
  } catch (error) {
    await dispose();
    throw error;
  }
  const [, url = ''] = /^DATABASE_URL=(.*)$/m.exec(said) ?? [];
  const { PATRONI_PORT } = Object.fromEntries(ports);
  const [, hosts = ''] = /^MACHINES=(.*)$/m.exec(said) ?? [];
  const addresses = hosts.split(',');

  // A machine that is frozen or cut off may be wrong: the leader is the one that two machines name.
  async function members(): Promise<Member[]> {
    const asked = addresses.map(async (address) => {
      const answer = await fetch(`http://${address}:${PATRONI_PORT}/cluster`, {
        signal: AbortSignal.timeout(1_000),
      });
      return ((await answer.json()) as { members: Member[] }).members;
    });
    const said = (await Promise.allSettled(asked)).flatMap((one) =>
      one.status === 'fulfilled' ? [one.value] : [],
    );
    const leaderOf = (list: Member[]) => list.find(({ role }) => role === 'leader')?.name;
    return said.find((list) => said.filter((other) => leaderOf(other) === leaderOf(list)).length > 1) ?? [];
  }

  return {
    url,
    haveCables: cables,
    does: async (action, ...what) => void (await run(action, folder.path, ...what)),
    members,
    leader: async () => (await members()).find(({ role, state }) => role === 'leader' && state === 'running'),
    session: ({ host, port }) => openSession(`postgres://postgres@${host}:${port}/postgres`),
    [Symbol.asyncDispose]: dispose,
  };
}
