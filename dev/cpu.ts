// Measures the CPU time of this process and all its children; without /proc, only its own.
import { readdirSync, readFileSync } from 'node:fs';

interface Process {
  pid: number;
  parent: number;
  /** In hundredths of a second, including children that it has waited for. */
  own: number;
  waited: number;
}

/** Returns a function that returns the seconds of CPU used since this process started. */
export function startCpuMeter(): () => number {
  const seen = new Map<string, Process>();
  const look = () => {
    const all = processes();
    const byPid = new Map([...all].map(([id, { pid }]) => [pid, id]));
    const isOurs = (pid: number): boolean => {
      const id = byPid.get(pid);
      return id !== undefined && (pid === process.pid || seen.has(id) || isOurs(all.get(id)!.parent));
    };
    for (const [id, now] of all) {
      if (now.pid !== process.pid && isOurs(now.pid))
        seen.set(id, { ...now, parent: seen.get(id)?.parent ?? now.parent });
    }
    // PHP's workers and a browser's helpers are killed together with their parent, so nobody waits for them.
    let unwaited = 0;
    for (const [id, { parent, own, waited }] of seen) {
      if (!byPid.has(parent)) unwaited += own + waited;
      else if (!all.has(id)) seen.delete(id);
    }
    return ((all.get(byPid.get(process.pid) ?? '')?.waited ?? 0) + unwaited) / 100;
  };
  setInterval(look, 500).unref();
  return () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6 + look();
  };
}

/** Returns processes by id and start time, because the system reuses ids. */
function processes(): Map<string, Process> {
  const found = new Map<string, Process>();
  let names: string[] = [];
  try {
    names = readdirSync('/proc');
  } catch {}
  for (const name of names.filter((name) => /^\d+$/.test(name))) {
    try {
      // The program's name, in parentheses, may contain anything.
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
        .map(Number);
      const [parent, user, system, ofChildren, systemOfChildren, start] = [1, 11, 12, 13, 14, 19].map(
        (n) => fields[n]!,
      );
      const times = { own: user! + system!, waited: ofChildren! + systemOfChildren! };
      found.set(`${name} ${start}`, { pid: Number(name), parent: parent!, ...times });
    } catch {}
  }
  return found;
}
