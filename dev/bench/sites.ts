import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { openDatabase } from '../../api/src/store/open.ts';
import { siteStore } from '../../api/src/store/sites.ts';
import { sampleBody } from './data.ts';
import type { Flood, FloodNews, FloodRequest } from './flood.ts';
import { authorizationOf, startHost } from './host.ts';
import { ownMemory, SERVICE, startServer, stopper } from './process.ts';

const NUMBERS = [1, 100, 10_000];
const QUIET_PER_SECOND = 50;
const LOUD_CONNECTIONS = 64;
/** The registry with gifts, and how many it has. */
const LONG_LIST = 2;
const LENGTH = 100;

export type SitesMeasured = {
  /** The quiet site's waiting times in milliseconds, and the other site's answers per second. */
  besides: { name: string; p50: number; p99: number; others: number }[];
  /** A service with this many sites, all but one idle. */
  sizes: { sites: number; startMs: number; memory: number | undefined }[];
};

/** Measures a quiet site next to busy ones, and a service with more and more idle sites. */
export async function measureSites(seconds: number, say: (line: string) => void): Promise<SitesMeasured> {
  await using ends = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'trousseau-sites-'));
  ends.defer(() => rm(folder, { recursive: true }));
  const itemsOf = (registry: number): number[] =>
    registry === LONG_LIST ? Array.from({ length: LENGTH }, (_, n) => n + 1) : [];
  const [quietHost, loudHost] = [ends.use(await startHost(itemsOf)), ends.use(await startHost(itemsOf))];
  const hangingUrl = await startHangingHost(ends);

  const serve = async (name: string, urls: string[]) => {
    const databaseUrl = `sqlite:${join(folder, name)}.db`;
    const database = await openDatabase(databaseUrl);
    const sites = await siteStore(database).add(
      urls.map((url) => ({ url, adminRoles: ['administrator'], itemAccess: 'registry' })),
      new Date().toISOString(),
    );
    await database.close();
    const server = await startServer(SERVICE, {
      cwd: import.meta.dirname,
      env: { DATABASE_URL: databaseUrl, SITES: 'on', LOOKUPS: 'off', LOG_LEVEL: 'error' },
    });
    return { server, bases: sites.map(({ key }) => `/sites/${key}`) };
  };

  const { server, bases } = await serve('beside', [quietHost.url, loudHost.url, hangingUrl]);
  ends.defer(server.stop);
  const [quiet = '', loud = '', hanging = ''] = bases;
  const besides: SitesMeasured['besides'] = [];
  const pool = new Pool(server.url);
  for (let n = 1; n <= LENGTH; n++) await answered(pool, creation(loud, LONG_LIST, n));
  await pool.close();
  const floods: [string, FloodRequest?][] = [
    ['alone'],
    ['while another site is flooded with small reads', list(loud)],
    [`while another site is flooded with requests for lists of ${LENGTH}`, list(loud, LONG_LIST)],
    ['while another site is flooded with new items', creation(loud, 1, LENGTH)],
    ['while another site’s host hangs', list(hanging)],
  ];
  for (const [name, request] of floods) {
    say(`a quiet site ${name}`);
    const flood = request && (await startFlood(server.url, request));
    const figures = await waits(server.url, quiet, seconds);
    besides.push({ name, ...figures, others: (await flood?.()) ?? 0 });
  }

  const sizes: SitesMeasured['sizes'] = [];
  for (const count of NUMBERS) {
    say(`${count} sites`);
    const idle = Array.from({ length: count - 1 }, (_, n) => `https://site-${n}.example`);
    const many = await serve(`of-${count}`, [quietHost.url, ...idle]);
    await waits(many.server.url, many.bases[0]!, 1);
    sizes.push({
      sites: count,
      startMs: many.server.startMs,
      memory: ownMemory(many.server.pid),
    });
    await many.server.stop();
  }
  return { besides, sizes };
}

/** Starts a host that accepts requests and answers none. */
async function startHangingHost(ends: AsyncDisposableStack): Promise<string> {
  const server = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.defer(() => void server.close());
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const headers = { authorization: authorizationOf(1), 'content-type': 'application/json' };

const list = (base: string, registry = 1): FloodRequest => ({
  method: 'GET',
  path: `${base}/registries/${registry}/items`,
  headers,
});

const creation = (base: string, registry: number, n: number): FloodRequest => ({
  method: 'POST',
  path: `${base}/items`,
  headers,
  body: JSON.stringify({ ...sampleBody(n), registry_id: registry }),
});

async function answered(pool: Pool, request: FloodRequest): Promise<void> {
  const { statusCode, body } = await pool.request(request);
  const text = await body.text();
  if (statusCode >= 300)
    throw new Error(`${request.method} ${request.path} was answered ${statusCode} ${text}`);
}

/** Measures how long a few requests per second wait for their answers. */
async function waits(url: string, base: string, seconds: number): Promise<{ p50: number; p99: number }> {
  const pool = new Pool(url, { connections: 8 });
  const took: number[] = [];
  const one = async () => {
    const since = performance.now();
    await answered(pool, list(base));
    took.push(performance.now() - since);
  };
  // The first ones log in and read the registry.
  for (let n = 0; n < 20; n++) await one();
  took.length = 0;
  const under: Promise<void>[] = [];
  for (let n = 0; n < seconds * QUIET_PER_SECOND; n++) {
    under.push(one());
    await pause(1_000 / QUIET_PER_SECOND);
  }
  await Promise.all(under);
  await pool.close();
  took.sort((a, b) => a - b);
  const at = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))]!;
  return { p50: at(0.5), p99: at(0.99) };
}

/** Starts flooding a site. The returned function ends that, and returns the answers per second. */
async function startFlood(url: string, request: FloodRequest): Promise<() => Promise<number>> {
  const child = fork(join(import.meta.dirname, 'flood.ts'));
  const stop = stopper(child);
  const gone = once(child, 'exit').then(() => {
    throw new Error('the flood is gone');
  });
  gone.catch(() => {});
  const news = async () => (await Promise.race([once(child, 'message'), gone]))[0] as FloodNews;
  child.send({ url, request, connections: LOUD_CONNECTIONS } satisfies Flood);
  await news();
  return async () => {
    child.send('end');
    const told = await news();
    await stop();
    return told === 'begun' ? 0 : told.perSecond;
  };
}
