import { statfsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import pino from 'pino';
import { type Client, type ClientOptions, createClient } from 'trousseau-client';
import { startEmbeddedHost } from '../emulator/server.ts';
import { type Limits, type Options, startService } from '../src/app/service.ts';
import { readConfig } from '../src/config.ts';
import { type Clock, systemClock } from '../src/lib/clock.ts';
import type { Write } from '../src/store/database.ts';
import { openDatabase } from '../src/store/open.ts';
import { type EmptyStore, freshPostgres } from './postgres.ts';
import { send } from './send.ts';

export type Name = 'admin' | 'alice' | 'bob' | 'carol';

/** The service as it ships, on a free port, with everything it wrote to its log. */
export type TestService = {
  url: string;
  hostUrl: string;
  settings: Readonly<Record<string, string>>;
  log: string[];
  authorization(name: Name): string;
  client(name: Name): Client;
  /** A bare request; `json` is sent as a JSON body. */
  fetch(path: string, init?: RequestInit & { as?: Name; json?: unknown }): Promise<Response>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** The sample users of the embedded host; any other host of the tests is given the same ones. */
export const PASSWORDS: Record<Name, string> = {
  admin: 'open this door with main keys',
  alice: 'tick tock goes that late hare',
  bob: 'this crew will mend your roof',
  carol: 'snow bell song near pine tree',
};

/** An item with the fields that it needs. */
export const PAN = { name: 'Pan', url: 'https://shop.example/pan' };

export const SECRET_KEY = 'thirty-two characters or more of a secret';

/** The client without its limit of ten seconds, which is for machines that aren't busy. */
export const patientClient = (options: ClientOptions): Client =>
  createClient({ env: {}, fetch: (input, init) => fetch(input, { ...init, signal: null }), ...options });

export const authorization = (name: Name) => `Basic ${btoa(`${name}:${PASSWORDS[name]}`)}`;

// Where the same tests are run another time: with `TEST_STORE=postgres` on the PostgreSQL at hand, and with
// `TEST_WORKERS=2` on a service of so many processes. A test that names a store or passes an option keeps it.
const { TEST_STORE, TEST_WORKERS } = process.env;

/** For tests of state that each process has for itself. */
export const ONE_PROCESS = { clock: systemClock };

/** A store for one service, empty. */
async function ownStore(inWorkers: boolean): Promise<EmptyStore> {
  if (TEST_STORE === 'postgres') return freshPostgres();
  // Processes share no memory.
  return inWorkers ? freshSqlite() : { url: 'sqlite::memory:', [Symbol.asyncDispose]: async () => {} };
}

export async function freshSqlite(): Promise<EmptyStore> {
  const folder = await temporaryFolder();
  return { url: `sqlite:${folder.path}/items.db`, [Symbol.asyncDispose]: folder[Symbol.asyncDispose] };
}

// Ten times those that ship: only a test about a limit meets it, however busy the machine is.
const GENEROUS = {
  limits: {
    host: { connectMs: 20_000, totalMs: 50_000 },
    storeMs: 50_000,
    waits: { lockMs: 50_000, orderMs: 30_000 },
    http: {
      senders: { headMs: 150_000, requestMs: 300_000, lookEveryMs: 5_000 },
      pressure: { delayMs: 5_000 },
    },
  },
  pages: { totalMs: 80_000, connectMs: 40_000, readMs: 30_000 },
  webhooks: { totalMs: 150_000, connectMs: 50_000, slowMs: 30_000 },
};

/** These options, with generous limits where they name none. */
function generously<T extends Omit<Options, 'write'>>(options: T): T {
  const { limits = {}, pages, webhooks } = options;
  const { host, waits, http, ...others } = GENEROUS.limits;
  const generous: Limits = {
    ...others,
    ...limits,
    host: { ...host, ...limits.host },
    waits: { ...waits, ...limits.waits },
    http: { ...http, ...limits.http, pressure: { ...http.pressure, ...limits.http?.pressure } },
  };
  return {
    ...options,
    limits: generous,
    pages: { ...pages, limits: { ...GENEROUS.pages, ...pages?.limits } },
    webhooks: { ...webhooks, limits: { ...GENEROUS.webhooks, ...webhooks?.limits } },
  };
}

/** A clock that only the test moves: what waits for a time waits until the clock has passed it. */
export type ManualClock = Clock & {
  readonly sleeping: number;
  advance(ms: number): void;
};

export function manualClock(start = Date.now()): ManualClock {
  let passed = 0;
  let sleeping = 0;
  const waiting = new Map<() => void, number>();
  return {
    wall: () => start + passed,
    steady: () => passed,
    limit(ms) {
      const ended = new AbortController();
      waiting.set(() => ended.abort(new DOMException('The time is over', 'TimeoutError')), passed + ms);
      return ended.signal;
    },
    get sleeping() {
      return sleeping;
    },
    async sleep(ms) {
      sleeping++;
      await new Promise<void>((resolve) => void waiting.set(resolve, passed + ms));
      sleeping--;
    },
    advance(ms) {
      passed += ms;
      for (const [end, at] of waiting) {
        if (at > passed) continue;
        waiting.delete(end);
        end();
      }
    },
  };
}

type Running = { url: string; hostUrl: string; log: string[]; close(): Promise<void> };

export async function startTestService(
  env: Record<string, string> = {},
  options: Omit<Options, 'write'> = {},
): Promise<TestService> {
  const inWorkers =
    TEST_WORKERS !== undefined && env.DATABASE_URL === undefined && Object.keys(options).length === 0;
  const parts = new AsyncDisposableStack();
  const settings = { ...env };
  try {
    settings.DATABASE_URL ??= parts.use(await ownStore(inWorkers)).url;
    // The registries of a store that is gone afterwards stay in memory; beside a file that a test names they have one, too.
    const isInMemory = settings.DATABASE_URL.endsWith(':memory:');
    const isNamedFile = env.DATABASE_URL?.startsWith('sqlite:');
    const needsHost = env.HOST_URL === undefined && env.SITES === undefined;
    if (needsHost && !isInMemory && !isNamedFile) settings.HOST_URL = await startMemoryHost(parts, env);
    const running = inWorkers ? await startInWorkers(settings) : await startHere(settings, options);
    parts.defer(running.close);
    return testService(running, env, () => parts.disposeAsync());
  } catch (error) {
    await parts.disposeAsync();
    throw error;
  }
}

async function startMemoryHost(parts: AsyncDisposableStack, env: Record<string, string>): Promise<string> {
  const { registryPostType: postType, registryMetaPrefix: metaPrefix } = readConfig(env);
  return parts.use(await memoryHost({ postType, metaPrefix })).url;
}

async function startInWorkers(env: Record<string, string>): Promise<Running> {
  const settings = { LOG_LEVEL: 'debug', WORKERS: TEST_WORKERS!, ...env };
  // Loaded here, so that files which start no process need no right to: `--quick`.
  const { startServiceProcess } = await import('./service-process.ts');
  const service = startServiceProcess(settings, [], 10 * 60_000);
  const url = await service.url;
  await service.logged('Server listening at [^"]+', Number(settings.WORKERS));
  return {
    url,
    hostUrl: env.HOST_URL!,
    get log() {
      return service.stdout().split(/(?<=\n)/);
    },
    async close() {
      service.child.kill('SIGTERM');
      await service.exit;
    },
  };
}

async function startHere(env: Record<string, string>, options: Omit<Options, 'write'>): Promise<Running> {
  const log: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      log.push(String(chunk));
      done();
    },
  });
  const config = readConfig({ PORT: '0', LOG_LEVEL: 'debug', ...env });
  const service = await startService(config, pino({ level: config.logLevel }, sink), generously(options));
  return {
    url: service.url,
    hostUrl: config.hostUrl ?? service.embeddedHost?.url ?? 'none',
    log,
    close: () => service.close(),
  };
}

function testService(running: Running, env: Record<string, string>, close: () => Promise<void>): TestService {
  return {
    url: running.url,
    hostUrl: running.hostUrl,
    settings: env,
    get log() {
      return running.log;
    },
    authorization,
    client: (name) => {
      const user = { username: name, password: PASSWORDS[name] };
      return patientClient({ baseUrl: running.url, apiKey: env.API_KEY ?? '', ...user });
    },
    fetch: (path, { as, json, ...init } = {}) => {
      const headers = new Headers(init.headers);
      if (as) headers.set('authorization', authorization(as));
      if (json !== undefined) headers.set('content-type', 'application/json');
      const body = json !== undefined && { body: JSON.stringify(json) };
      return send(running.url + path, { ...init, headers, ...body });
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A request to the host itself, past the service; `path` is `registry/7`. */
export function askHost(
  hostUrl: string,
  method: string,
  path: string,
  as: Name = 'alice',
  json?: unknown,
): Promise<Response> {
  return send(`${hostUrl}/wp-json/wp/v2/${path}`, {
    method,
    headers: { authorization: authorization(as), 'content-type': 'application/json' },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
}

/** What else has to be closed is closed when the test is over. */
export const closing = <T extends { close(): Promise<unknown> }>(it: T) =>
  Object.assign(it, { [Symbol.asyncDispose]: async () => void (await it.close()) });

/** What a test opens: it is closed at the test's end, the last part first. With node:test's own `after`, at the file's. */
export function partsOf(test: { after(end: () => Promise<void>): void }): AsyncDisposableStack {
  const parts = new AsyncDisposableStack();
  test.after(() => parts.disposeAsync());
  return parts;
}

export const openedDatabase = async (url: string, write?: Write, limitMs = GENEROUS.limits.storeMs) =>
  closing(await openDatabase(url, write, limitMs));

/** The embedded host, whose registries are gone when the test is. */
export const memoryHost = async (options: Partial<Parameters<typeof startEmbeddedHost>[0]> = {}) =>
  closing(await startEmbeddedHost({ file: ':memory:', ...options }));

/** A folder that is gone when the test is. */
export async function temporaryFolder(): Promise<{ path: string; [Symbol.asyncDispose](): Promise<void> }> {
  const path = await mkdtemp(join(roomInMemory() ?? tmpdir(), 'trousseau-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/** A file system in memory with room for many stores: there a commit waits for no disk. */
function roomInMemory(): string | undefined {
  if (process.env.TMPDIR !== undefined) return undefined;
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize > 1024 ** 3 ? '/dev/shm' : undefined;
  } catch {
    return undefined;
  }
}
