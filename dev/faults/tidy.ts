import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childrenOf, kill } from './cluster.ts';

/**
 * Puts all files of a run into one folder. However the run ends, the folder is removed and all processes of the run are killed. The
 * returned function lists the processes, mounts and files that are left.
 */
export function keepTidy(): () => string[] {
  const folder = mkdtempSync(join(tmpdir(), 'trousseau-faults-'));
  // PostgreSQL runs as another user and must reach its own folder in this one.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;

  const processes = () => {
    // A process whose parent was killed has another parent, but its working folder shows that it belongs to the run.
    const strays = readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid && pid !== process.pid && isAbout(pid, folder));
    return [...new Set([...descendantsOf(process.pid), ...strays])];
  };
  const disks = () =>
    readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' ')[1] ?? '')
      .filter((path) => path.startsWith(folder));
  process.once('exit', () => {
    for (const pid of processes()) kill(pid, 'SIGKILL');
    for (const disk of disks()) execFileSync('umount', ['--lazy', disk]);
    rmSync(folder, { recursive: true, force: true });
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

  return () => [
    ...processes().map((pid) => `process ${pid}`),
    ...disks().map((path) => `mount ${path}`),
    ...readdirSync(folder).map((name) => `folder ${name}`),
  ];
}

const descendantsOf = (pid: number): number[] =>
  childrenOf(pid).flatMap((child) => [...descendantsOf(child), child]);

function isAbout(pid: number, folder: string): boolean {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
    return environment.includes(folder) || readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
  } catch {
    return false;
  }
}
