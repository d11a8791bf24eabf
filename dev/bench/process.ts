import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../api/test/free-port.ts';
import root from '../../package.json' with { type: 'json' };

/** A server in a process of its own. */
export type Running = {
  url: string;
  pid: number;
  /** From the start of the process to its first answer. */
  startMs: number;
  stop(): Promise<void>;
};

/** The service's command, as `npm start` runs it. */
export const SERVICE = [
  process.execPath,
  ...root.scripts.start
    .split(' ')
    .slice(1)
    .map((part) => (part.startsWith('-') ? part : join(import.meta.dirname, '../..', part))),
];

const cores = allowedCores();

/** Whether the server and the generator have a core each. */
export const pinned = cores.length > 1;

// The bench and its child processes run on the last core; `onServerCore` gives the servers theirs.
moveTo(cores.at(-1));

/** Does work whose processes run on the servers' core. */
async function onServerCore<T>(work: () => Promise<T>): Promise<T> {
  moveTo(cores[0]);
  try {
    return await work();
  } finally {
    moveTo(cores.at(-1));
  }
}

/** Starts a server on `PORT` and waits until its `/health` answers. */
export async function startServer(
  [program, ...args]: readonly string[],
  { cwd, env }: { cwd: string; env: Record<string, string> },
): Promise<Running> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const startedAt = performance.now();
  const child = await onServerCore(async () =>
    spawn(program!, args, {
      cwd,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { PATH: process.env.PATH, NODE_ENV: 'production', PORT: String(port), ...env },
    }),
  );
  const stop = stopper(child);
  try {
    await once(child, 'spawn');
    await whenAnswering(`${url}/health`, child);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, pid: child.pid!, startMs: performance.now() - startedAt, stop };
}

/** Returns the process's own memory in MB, without mapped files; undefined except on Linux. */
export function ownMemory(pid: number): number | undefined {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Anonymous: +(\d+) kB/m.exec(rollup)?.[1]) / 1024;
  } catch {
    return undefined;
  }
}

/** Returns a function that ends the process; it also ends with the bench. */
export function stopper(child: ChildProcess): () => Promise<void> {
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  return async () => {
    process.off('exit', kill);
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    const late = setTimeout(kill, 5_000);
    await once(child, 'exit');
    clearTimeout(late);
  };
}

async function whenAnswering(url: string, child: ChildProcess): Promise<void> {
  for (const deadline = performance.now() + 30_000; ; await pause(2)) {
    try {
      if ((await fetch(url)).ok) return;
    } catch {
      // The server isn't listening yet.
    }
    if (child.exitCode !== null || performance.now() > deadline)
      throw new Error(`no answer from ${child.spawnargs.join(' ')}`);
  }
}

function moveTo(core: number | undefined): void {
  if (pinned) execFileSync('taskset', ['-cp', String(core), String(process.pid)], { stdio: 'ignore' });
}

function allowedCores(): number[] {
  const { status, stdout } = spawnSync('taskset', ['-cp', String(process.pid)], { encoding: 'utf8' });
  if (status !== 0) return [];
  const ranges = stdout.slice(stdout.lastIndexOf(':') + 1).split(',');
  return ranges.flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
}
