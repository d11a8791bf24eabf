import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { startEmbeddedHost } from '../emulator/server.ts';
import { startServiceProcess } from '../test/service-process.ts';
import { temporaryFolder } from '../test/support.ts';
import { comesAbout, gift, type Part, randomFrom, type Tally } from './kit.ts';

const CALLERS = 8;
const REGISTRIES = 4;
const ITEMS_EACH = 50;
const SLICES = 10;
// The service closes a connection that was idle for 75 s; whoever wants to keep one says something before that.
const STIR_EVERY_MS = 45_000;

/** Resident memory in MB and open descriptors; only Linux tells. */
const footprint = (pid: number) => ({
  megabytes: Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024,
  descriptors: readdirSync(`/proc/${pid}/fd`).length,
});

const p99 = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Connections that say something once in a while and hold on. */
async function idleConnections(url: string, many: number, tally: Tally) {
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  const stir = async (socket: Socket) => {
    tally.requests++;
    socket.write(`GET /health HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`);
    await once(socket, 'data');
  };
  const open = async () => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    await once(socket, 'connect');
    await stir(socket);
    sockets.push(socket.resume());
  };
  while (sockets.length < many)
    await Promise.all(Array.from({ length: Math.min(100, many - sockets.length) }, open));
  const held = () => sockets.filter(({ destroyed, readableEnded }) => !destroyed && !readableEnded);
  const timer = setInterval(() => {
    for (const socket of held()) void stir(socket).catch(() => {});
  }, STIR_EVERY_MS);
  return {
    held: () => held().length,
    close() {
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
    },
  };
}

function mostConnections(wanted: number, tally: Tally): number {
  const limit =
    Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' })) || Number.POSITIVE_INFINITY;
  const possible = Math.max(0, Math.min(wanted, limit - 500));
  if (possible < wanted) tally.skip(`${wanted} idle connections`, `ulimit -n is ${limit}`);
  return possible;
}

/** A mixed load for a while, over many idle connections: nothing grows, nothing slows down. */
export const soak: Part = async ({ long, seed }, tally) => {
  await using folder = await temporaryFolder();
  const host = await startEmbeddedHost({ file: ':memory:' });
  const random = randomFrom(seed);
  {
    const env = { DATABASE_URL: `sqlite:${folder.path}/items.db`, HOST_URL: host.url };
    await using service = startServiceProcess(env, [], 30 * 60_000);
    const url = await service.url;
    const pid = service.child.pid!;
    const send = async (target: string, json?: unknown) => {
      const answer = await tally.send(url, 'alice', target, json);
      tally.check(
        answer !== undefined && answer.status < 300,
        `${target} answered ${answer?.status ?? 'nothing'}`,
      );
      return answer;
    };
    for (let i = 1; i <= REGISTRIES; i++) {
      await send('POST /registries', { title: `Registry ${i}` });
      for (let item = 0; item < ITEMS_EACH; item++)
        await send('POST /items', { registry_id: i, ...gift(`Gift ${item}`) });
    }

    const kinds: (() => Promise<unknown>)[] = [
      ...Array<() => Promise<unknown>>(12).fill(() =>
        send(`GET /items/${1 + random(REGISTRIES * ITEMS_EACH)}`),
      ),
      ...Array<() => Promise<unknown>>(4).fill(() => send(`GET /registries/${1 + random(REGISTRIES)}/items`)),
      () => send('GET /items?limit=50'),
      () => send(`GET /registries/${1 + random(REGISTRIES)}`),
      () => send(`PUT /items/${1 + random(REGISTRIES * ITEMS_EACH)}`, { quantity_purchased: random(5) }),
      async () => {
        // Comes and goes, so that what there is stays as much as it was.
        const made = await send('POST /items', { registry_id: 1 + random(REGISTRIES), ...gift('Passing') });
        await send(`DELETE /items/${made?.body.data.id}`);
        tally.writes += 2;
      },
    ];
    const requests = async (most: number, deadline: number): Promise<number[]> => {
      const times: number[] = [];
      const caller = async () => {
        for (; times.length < most && performance.now() < deadline; ) {
          const since = performance.now();
          await kinds[random(kinds.length)]!();
          times.push(performance.now() - since);
        }
      };
      await Promise.all(Array.from({ length: CALLERS }, caller));
      return times;
    };

    // Until what is compiled and remembered on first use is.
    await requests(long ? 5_000 : 500, performance.now() + 60_000);
    const before = footprint(pid);
    const idle = await idleConnections(url, mostConnections(long ? 5_000 : 1_000, tally), tally);
    const wanted = idle.held();

    const slices: { p99: number; megabytes: number }[] = [];
    for (let slice = 0; slice < SLICES; slice++) {
      const times = long
        ? await requests(60_000 / SLICES, Number.POSITIVE_INFINITY)
        : await requests(Number.POSITIVE_INFINITY, performance.now() + 1_500);
      slices.push({ p99: p99(times), megabytes: footprint(pid).megabytes });
    }
    await tally.look(`${wanted} idle connections`, async () => {
      assert.equal(idle.held(), wanted, 'held to the end');
    });
    idle.close();

    const part = (from: number, to: number, of: 'p99' | 'megabytes') =>
      median(slices.slice(from, to).map((slice) => slice[of]));
    const memory = [part(1, 4, 'megabytes'), part(SLICES - 3, SLICES, 'megabytes')] as const;
    const latency = [part(0, 3, 'p99'), part(SLICES - 3, SLICES, 'p99')] as const;
    tally.check(memory[1] < memory[0] * 1.1 + 8, `memory grew from ${memory[0]} to ${memory[1]} MB`);
    // A window of 1.5 s on a busy machine holds too few requests to judge their slowest hundredth.
    if (long) tally.check(latency[1] < latency[0] * 1.5, `p99 grew from ${latency[0]} to ${latency[1]} ms`);
    const settled = await comesAbout(() => footprint(pid).descriptors <= before.descriptors + 8, 10_000);
    tally.check(settled, `descriptors: ${before.descriptors} before, ${footprint(pid).descriptors} after`);
    tally.notes.push(
      `${wanted} idle connections held; memory ${memory.map(Math.round).join(' → ')} MB; p99 ${latency
        .map((ms) => ms.toFixed(1))
        .join(
          ' → ',
        )} ms${long ? '' : ' (not judged in the short form)'}; descriptors ${before.descriptors} → ${footprint(pid).descriptors}`,
    );
    service.child.kill('SIGTERM');
    assert.deepEqual(await service.exit, { code: 0, signal: null });
    tally.readLog(service.stdout());
  }
  await host.close();
};
