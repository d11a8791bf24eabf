import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import type { ServiceProcess } from '../../api/test/service-process.ts';

/** The environment that a process needs for `footprintOf`: opens Node's inspector on a free port. */
export const INSPECTABLE = { NODE_OPTIONS: '--inspect-port=0' };

/** Resident memory in MB after a garbage collection, and open descriptors; on Linux only. */
export type Footprint = { megabytes: number; descriptors: number };

/** Connects to the inspector, and returns a function that measures the process. */
export async function footprintOf(service: ServiceProcess): Promise<() => Promise<Footprint>> {
  const pid = service.child.pid!;
  service.child.kill('SIGUSR1');
  await service.said(/ws:\S+/);
  const door = /ws:\S+/.exec(service.stderr())![0];
  const collectGarbage = async () => {
    const inspector = new WebSocket(door);
    await once(inspector, 'open');
    const collected = once(inspector, 'message');
    inspector.send('{"id":1,"method":"HeapProfiler.collectGarbage"}');
    await collected;
    const closed = once(inspector, 'close');
    inspector.close();
    await closed;
  };
  return async () => {
    await collectGarbage();
    const resident = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1];
    return { megabytes: Number(resident) / 1024, descriptors: readdirSync(`/proc/${pid}/fd`).length };
  };
}
