import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../api/test/free-port.ts';
import { openSession } from '../../api/test/sql-session.ts';
import { temporaryFolder } from '../../api/test/support.ts';
import { comesAbout } from './time.ts';

/** A PostgreSQL server that the tests start and mistreat. */
export type Cluster = {
  url: string;
  /** The data folder. */
  data: string;
  /** Opens a session besides the service's. */
  session(): ReturnType<typeof openSession>;
  log(): string;
  /** Sends this signal to every process of the cluster. */
  signal(signal: NodeJS.Signals): void;
  /** The processes that serve one client each. PostgreSQL restarts all of them when one is killed. */
  sessions(): number[];
  stop(): Promise<void>;
  start(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

const VERSIONS = '/usr/lib/postgresql';
const SETTINGS = '-c max_connections=40 -c deadlock_timeout=1s -c listen_addresses=127.0.0.1';

/** How to run the newest PostgreSQL's programs, which refuse to run as root; undefined without PostgreSQL. */
export function asPostgres(): { bin: string; prefix: string[]; own(path: string): void } | undefined {
  const found = existsSync(VERSIONS) ? readdirSync(VERSIONS) : [];
  const newest = found.sort((a, b) => Number(b) - Number(a))[0];
  if (!newest) return undefined;
  const bin = join(VERSIONS, newest, 'bin');
  if (process.getuid?.() !== 0) return { bin, prefix: [], own: () => {} };
  const idOf = (flag: string) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
  const [user, group] = [idOf('-u'), idOf('-g')];
  const prefix = ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'];
  return { bin, prefix, own: (path) => chownSync(path, user, group) };
}

/**
 * Starts a cluster in a temporary folder, with Debian's binaries; undefined if there are none. `standbyOf` is a stopped cluster;
 * the new one is then a copy of it that waits to be promoted.
 */
export async function startCluster(standbyOf?: Cluster): Promise<Cluster | undefined> {
  const programs = asPostgres();
  if (!programs) return undefined;
  const { bin, prefix, own } = programs;
  const folder = await temporaryFolder();
  own(folder.path);
  const data = join(folder.path, 'data');
  const command = (program: string, ...args: string[]) =>
    [...prefix, join(bin, program), ...args] as [string, ...string[]];

  function makeStandby(): void {
    execFileSync('cp', ['-a', standbyOf!.data, data]);
    const signal = join(data, 'standby.signal');
    writeFileSync(signal, '');
    chownSync(signal, statSync(data).uid, statSync(data).gid);
  }

  const options = `-D ${data} -U postgres -A trust -E UTF8 --locale=C --no-sync`;
  async function makeEmpty(): Promise<void> {
    const [initdb, ...initArgs] = command('initdb', ...options.split(' '));
    const made = spawn(initdb, initArgs, { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    made.stderr.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
    const [code] = await once(made, 'close');
    if (code !== 0) throw new Error(`initdb: ${said}`);
  }
  await (standbyOf ? makeStandby() : makeEmpty());

  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let server: ChildProcess;
  let log = '';

  const running = () => server.exitCode === null && server.signalCode === null;
  const children = () => childrenOf(server.pid!);

  async function start(): Promise<void> {
    const options = `-D ${data} -p ${port} -k ${folder.path} ${SETTINGS}`;
    const [program, ...args] = command('postgres', ...options.split(' '));
    const launch = () => {
      server = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
      server.stderr!.setEncoding('utf8').on('data', (text) => {
        log += text;
      });
    };
    launch();
    const started = await comesAbout(() => {
      // PostgreSQL refuses to start while a session of its killed predecessor lives.
      if (!running()) launch();
      return answers(url);
    });
    if (!started) throw new Error(`PostgreSQL does not start: ${log.trimEnd().split('\n').at(-1)}`);
  }

  function signal(signal: NodeJS.Signals): void {
    // The postmaster gets the signal first: otherwise it would react to the deaths of the others.
    for (const pid of [server.pid!, ...children()]) kill(pid, signal);
  }

  async function stop(): Promise<void> {
    if (!running()) return;
    const ended = once(server, 'exit');
    server.kill('SIGINT');
    await ended;
  }

  await start();
  return {
    url,
    data,
    session: () => openSession(url),
    log: () => log,
    signal,
    sessions: () => children().filter((pid) => commandOf(pid).includes('127.0.0.1')),
    stop,
    start,
    async [Symbol.asyncDispose]() {
      if (running()) signal('SIGCONT');
      await stop();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    await (await openSession(url)).end();
    return true;
  } catch {
    return false;
  }
}

/** Returns the running children of this process; none except on Linux. */
export function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** Sends a signal to a process that may have ended. */
export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
