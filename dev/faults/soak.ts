import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { startEmbeddedHost } from '../../api/emulator/server.ts';
import { temporaryFolder } from '../../api/test/support.ts';
import { footprintOf, INSPECTABLE } from './footprint.ts';
import { gift, type Part, randomFrom, startService, stop, type Tally, tellsOfNoTime } from './kit.ts';
import { comesAbout, watchTheMachine } from './time.ts';

const CALLERS = 8;
const REGISTRIES = 4;
const ITEMS_EACH = 50;
// The number of windows at the start, and at the end, that are compared.
const THIRD = 10;
const AN_HOURS_WORTH = 60_000;
// The service closes a connection after 75 idle seconds, so each one gets a request before that.
const STIR_EVERY_MS = 45_000;
const STIR_STEP_MS = 100;
// Descriptors of the harness and the service besides those of the idle connections.
const OTHER_DESCRIPTORS = 500;

const p99 = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Opens idle connections, and keeps them open with occasional requests. */
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
  const isHeld = ({ destroyed, readableEnded }: Socket) => !destroyed && !readableEnded;
  // The requests are spread over time, so that no other request has to wait for all of them.
  let next = 0;
  const timer = setInterval(() => {
    for (const end = next + (many * STIR_STEP_MS) / STIR_EVERY_MS; next < end; next++) {
      const socket = sockets[Math.floor(next) % many]!;
      if (isHeld(socket)) void stir(socket).catch(() => {});
    }
  }, STIR_STEP_MS);
  return {
    held: () => sockets.filter(isHeld).length,
    close() {
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
    },
  };
}

function mostConnections(wanted: number, tally: Tally): number {
  const limit =
    Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' })) || Number.POSITIVE_INFINITY;
  const needed = wanted + OTHER_DESCRIPTORS;
  const possible = Math.max(0, Math.min(wanted, limit - OTHER_DESCRIPTORS));
  if (possible < wanted)
    tally.skip(
      `${wanted} idle connections, only ${possible}`,
      `${limit} files may be open at once; allow ${needed} with "ulimit -n ${needed}"`,
    );
  return possible;
}

/** Sends a mixed load next to many idle connections, and checks that memory and latency do not grow. */
export const soak: Part = async ({ long, seed }, tally) => {
  await using folder = await temporaryFolder();
  const host = await startEmbeddedHost({ file: ':memory:' });
  const random = randomFrom(seed);
  {
    const env = { DATABASE_URL: `sqlite:${folder.path}/items.db`, HOST_URL: host.url, ...INSPECTABLE };
    await using service = startService(env);
    const url = await service.url;
    const send = async (target: string, json?: unknown) => {
      const wasStarved = watchTheMachine();
      const answer = await tally.send(url, 'alice', target, json);
      const done = answer !== undefined && answer.status < 300;
      tally.check(
        done || (tellsOfNoTime(answer) && wasStarved()),
        `${target} answered ${answer?.status ?? 'nothing'} ${answer?.text}`,
      );
      return done ? answer : undefined;
    };
    const insist = async (target: string, json: unknown) =>
      assert.ok(await comesAbout(async () => Boolean(await send(target, json))), `${target} makes nothing`);
    for (let i = 1; i <= REGISTRIES; i++) {
      await insist('POST /registries', { title: `Registry ${i}` });
      for (let item = 0; item < ITEMS_EACH; item++)
        await insist('POST /items', { registry_id: i, ...gift(`Gift ${item}`) });
    }

    const kinds: (() => Promise<unknown>)[] = [
      ...Array<() => Promise<unknown>>(12).fill(() =>
        send(`GET /items/${1 + random(REGISTRIES * ITEMS_EACH)}`),
      ),
      ...Array<() => Promise<unknown>>(4).fill(() => send(`GET /registries/${1 + random(REGISTRIES)}/items`)),
      () => send('GET /items?limit=50'),
      () => send(`GET /registries/${1 + random(REGISTRIES)}`),
      async () => {
        const target = `PUT /items/${1 + random(REGISTRIES * ITEMS_EACH)}`;
        if (await send(target, { quantity_purchased: random(5) })) tally.writes++;
      },
      async () => {
        // The new item is deleted afterwards, so that the number of items stays the same.
        const made = await send('POST /items', { registry_id: 1 + random(REGISTRIES), ...gift('Passing') });
        if (!made) return;
        tally.writes++;
        if (await send(`DELETE /items/${made.body.data.id}`)) tally.writes++;
      },
    ];
    const requests = async (least: number, milliseconds: number): Promise<number[]> => {
      const times: number[] = [];
      const deadline = performance.now() + milliseconds;
      const caller = async () => {
        while (times.length < least || performance.now() < deadline) {
          const since = performance.now();
          await kinds[random(kinds.length)]!();
          times.push(performance.now() - since);
        }
      };
      await Promise.all(Array.from({ length: CALLERS }, caller));
      return times;
    };

    // The first requests fill caches and compile code, and do not count.
    await requests(long ? 5_000 : 500, 0);
    const footprint = await footprintOf(service);
    const before = await footprint();
    const idle = await idleConnections(url, mostConnections(long ? 5_000 : 1_000, tally), tally);
    const wanted = idle.held();
    const atFirst = await footprint();

    const windows: number[] = [];
    const window = async () => {
      windows.push(p99(await requests(long ? AN_HOURS_WORTH / (3 * THIRD) : 0, long ? 10_000 : 500)));
    };
    for (let i = 0; i < 3 * THIRD; i++) await window();
    const start = median(windows.slice(0, THIRD));
    const end = () => median(windows.slice(-THIRD));
    // A slowdown caused by other programs passes, one caused by the service stays, so the run continues.
    if (long) while (end() > start * 1.5 && windows.length < 9 * THIRD) await window();

    tally.check(idle.held() === wanted, `of ${wanted} idle connections ${idle.held()} were held`);
    const atLast = await footprint();
    idle.close();
    const { megabytes } = atFirst;
    tally.check(
      atLast.megabytes < megabytes * 1.1 + 8,
      `memory grew from ${megabytes} to ${atLast.megabytes} MB`,
    );
    // A short window on a busy machine holds too few requests to judge their slowest hundredth.
    if (long) tally.check(end() <= start * 1.5, `p99 grew from ${start} to ${end()} ms`);
    let descriptors = 0;
    const settled = await comesAbout(async () => {
      ({ descriptors } = await footprint());
      return descriptors <= before.descriptors + 8;
    }, 60_000);
    tally.check(settled, `descriptors: ${before.descriptors} before, ${descriptors} after`);
    tally.notes.push(
      `${wanted} idle connections held; memory ${Math.round(megabytes)} → ${Math.round(atLast.megabytes)} MB; ` +
        `p99 ${start.toFixed(1)} → ${end().toFixed(1)} ms${long ? '' : ' (not judged in the short form)'}; ` +
        `descriptors ${before.descriptors} → ${descriptors}`,
    );
    await tally.look('a stop at the end', () => stop(service));
    tally.readLog(service.stdout());
  }
  await host.close();
};
