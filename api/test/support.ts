import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import pino from 'pino';
import { type Client, createClient } from 'trousseau-client';
import { startEmbeddedHost } from '../emulator/server.ts';
import type { SenderLimits } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import type { Clock } from '../src/core.ts';
import { startService } from '../src/service.ts';
import { freshPostgres } from './postgres.ts';

export type Name = 'admin' | 'alice' | 'bob' | 'carol';

/** The service as it ships, on a free port, with everything it wrote to its log. */
export type TestService = {
  url: string;
  /** The host's address. */
  hostUrl: string;
  /** Lines of the log so far. */
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

export const authorization = (name: Name) => `Basic ${btoa(`${name}:${PASSWORDS[name]}`)}`;

/**
 * A store for one service: SQLite in memory, or with `TEST_STORE=postgres` a schema on the PostgreSQL at hand, so that
 * the same tests speak for both. The embedded host then stays in memory, too.
 */
async function ownStore(
  settings: Record<string, string>,
): Promise<{ env: Record<string, string>; remove(): Promise<void> }> {
  if (process.env.TEST_STORE !== 'postgres') {
    return { env: { DATABASE_URL: 'sqlite::memory:' }, remove: async () => {} };
  }
  const store = await freshPostgres();
  const { registryPostType: postType, registryMetaPrefix: metaPrefix } = readConfig(settings);
  const host = await startEmbeddedHost({ file: ':memory:', postType, metaPrefix });
  return {
    env: { DATABASE_URL: store.url, HOST_URL: host.url },
    remove: async () => {
      await host.close();
      await store[Symbol.asyncDispose]();
    },
  };
}

/** Starts the service with these settings on top of a store of its own. */
export async function startTestService(
  env: Record<string, string> = {},
  options: { clock?: Clock; limits?: SenderLimits; jobsEveryMs?: number } = {},
): Promise<TestService> {
  const log: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      log.push(String(chunk));
      done();
    },
  });
  const store = env.DATABASE_URL === undefined ? await ownStore(env) : { env: {}, remove: async () => {} };
  const config = readConfig({ PORT: '0', LOG_LEVEL: 'debug', ...store.env, ...env });
  const service = await startService(config, pino({ level: config.logLevel }, sink), options);
  const close = async () => {
    await service.close();
    await store.remove();
  };
  return {
    url: service.url,
    hostUrl: config.hostUrl ?? service.embeddedHost!.url,
    log,
    authorization,
    client: (name) =>
      createClient({
        env: {},
        baseUrl: service.url,
        username: name,
        password: PASSWORDS[name],
        ...(env.API_KEY && { apiKey: env.API_KEY }),
      }),
    fetch: (path, { as, json, ...init } = {}) => {
      const headers = new Headers(init.headers);
      if (as) headers.set('authorization', authorization(as));
      if (json !== undefined) headers.set('content-type', 'application/json');
      return fetch(service.url + path, {
        ...init,
        headers,
        ...(json !== undefined && { body: JSON.stringify(json) }),
      });
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A folder that is gone when the test is. */
export async function temporaryFolder(): Promise<{ path: string; [Symbol.asyncDispose](): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'trousseau-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
