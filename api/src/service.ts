import cluster from 'node:cluster';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import { type EmbeddedHost, startEmbeddedHost } from '../emulator/server.ts';
import apiPackage from '../package.json' with { type: 'json' };
import { buildApp, type HttpLimits } from './app.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Config } from './config.ts';
import { buildCore, type Core, type WaitLimits } from './core.ts';
import type { ScanLimits } from './domain/deletion-scan.ts';
import { wordpress } from './host/wordpress.ts';
import { startJobs } from './job-runner.ts';
import type { OutboundLimits } from './outbound.ts';
import { bindings } from './store/bindings.ts';
import type { Database, Write } from './store/database.ts';
import { openDatabase } from './store/open.ts';
import { type Options as PageOptions, shopPages } from './web/pages.ts';

export type Service = { url: string; embeddedHost: EmbeddedHost | undefined; close(): Promise<void> };

type Host = { url: string; embedded: EmbeddedHost | undefined; close(): Promise<void> };

/** Other limits than those that ship: a test that meets one shall not have to wait for it. */
export type Limits = {
  http?: HttpLimits;
  host?: Partial<OutboundLimits>;
  waits?: WaitLimits;
  /** How long a caller waits for the store. */
  storeMs?: number;
  /** Instead of each job's own rhythm. */
  jobsEveryMs?: number;
  scanLimits?: Partial<ScanLimits>;
};

/** The process that started this one, and through it the others that it started. */
export type Supervisor = {
  /** Writes to the store, where this process shall not; that process runs the jobs, too. */
  write?: Write;
  /** Tells the others that a registry was changed; resolves when they know. */
  announceChange?(registryId: number): Promise<void>;
  onChanged?(listener: (registryId: number) => void): void;
};

export type Options = Supervisor & {
  clock?: Clock;
  limits?: Limits;
  pages?: Pick<PageOptions, 'limits' | 'rules'>;
};

/** Starts everything that the settings ask for; stops what it had begun if something cannot start. */
export async function startService(config: Config, log: Logger, options: Options = {}): Promise<Service> {
  const { clock = systemClock, write, announceChange, limits = {} } = options;
  const parts = new AsyncDisposableStack();
  try {
    const database = await openDatabase(config.databaseUrl, write, limits.storeMs);
    parts.defer(() => database.close());
    if (!write) await bindToHost(database, config);
    const site = await startHost(config);
    parts.defer(site.close);
    const host = wordpress(site.url, limits.host);
    parts.defer(() => host.close());
    const pages = openPages(config, log, options.pages);
    if (pages) parts.defer(pages.close);
    const { waits, scanLimits } = limits;
    const core = buildCore({ config, database, host, pages, log, clock, waits, scanLimits, announceChange });
    options.onChanged?.(core.registryChanged);
    if (!write) {
      const jobs = startJobs(core.jobs, { leases: core.leases, log, everyMs: limits.jobsEveryMs });
      parts.defer(() => jobs.close());
    }
    const { version } = apiPackage;
    const app = await buildApp({ config, core, log, clock, version, limits: limits.http });
    parts.defer(() => app.close());
    const url = await listen(app, config);
    if (!write) await bindings(database).servedAt(url);
    if (cluster.isPrimary) parts.defer(await startMetrics(config, core));
    return { url, embeddedHost: site.embedded, close: () => parts.disposeAsync() };
  } catch (error) {
    await parts.disposeAsync();
    throw error;
  }
}

/** Metrics on a port of their own, where one is set; what makes them is loaded only then. */
export async function startMetrics(config: Config, { jobCounters }: Core): Promise<() => Promise<void>> {
  if (config.metricsPort === undefined) return async () => {};
  const { collectJobMetrics, serveMetrics } = await import('./metrics.ts');
  collectJobMetrics(jobCounters);
  const { close } = await serveMetrics(config.metricsPort, config.listenAddress);
  return close;
}

function openPages(config: Config, log: Logger, options: Options['pages']) {
  if (config.lookups === 'off') return undefined;
  const { hostUrl: site, lookupAllow: allowed } = config;
  return shopPages({ site, allowed, version: apiPackage.version, log, ...options });
}

/**
 * Binds a store to the first site it is used with: its items carry that site's registry numbers, and would stand in strangers'
 * registries on another.
 */
export async function bindToHost(database: Database, config: Config): Promise<void> {
  const { hostUrl, hostMovedFrom, databaseUrl } = config;
  const host = hostUrl === undefined ? EMBEDDED : siteName(hostUrl);
  const binding = bindings(database);
  // In a store older than this rule only the embedded host's file beside it names the host; a store on a server has none.
  const tried = databaseUrl.startsWith('sqlite:') ? hostFile(databaseUrl) : undefined;
  const first = tried !== undefined && existsSync(tried) && (await binding.isUsed()) ? EMBEDDED : host;
  const bound = await binding.bind('host', first);
  if (bound === host) return;
  if (hostMovedFrom !== undefined && siteName(hostMovedFrom) === bound) {
    await binding.move('host', bound, host);
    return;
  }
  throw new Error(
    `The store ${databaseUrl.replace(/^postgres.*/s, 'in DATABASE_URL')} belongs to ${bound}, not to ${host}: ` +
      'its items have the registry numbers of that site. To start anew, set DATABASE_URL to another; ' +
      `to keep them, because ${host} is the same site at a new address, start once with HOST_MOVED_FROM="${bound}"`,
  );
}

const EMBEDDED = 'the embedded host';

// A site that changes from http to https is the same.
const siteName = (url: string) => url.replace(/^https?:\/\//, '').replace(/\/+$/, '');

async function listen(
  app: Awaited<ReturnType<typeof buildApp>>,
  { port, listenAddress }: Config,
): Promise<string> {
  try {
    return await app.listen({ port, host: listenAddress });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason: Record<string, string> = {
      EADDRINUSE: `Port ${port} on ${listenAddress} is taken: stop what uses it, or set PORT to another`,
      EACCES: `Port ${port} needs rights that this process lacks: set PORT to 1024 or more`,
      EADDRNOTAVAIL: `${listenAddress} is no address of this machine: set LISTEN_ADDRESS to one`,
      ENOTFOUND: `${listenAddress} is no address of this machine: set LISTEN_ADDRESS to one`,
    };
    throw code && reason[code] ? new Error(reason[code], { cause: error }) : error;
  }
}

/** Where the embedded host keeps its registries, beside the items; nowhere if those are in memory. */
function hostFile(databaseUrl: string): string | undefined {
  const path = databaseUrl.startsWith('sqlite:') ? databaseUrl.slice('sqlite:'.length) : 'data/trousseau.db';
  return path === ':memory:' ? undefined : join(dirname(path), 'embedded-host.db');
}

/** The host that the settings name, or else the embedded one. */
export async function startHost(config: Config): Promise<Host> {
  const { hostUrl, databaseUrl, registryPostType, registryMetaPrefix } = config;
  if (hostUrl !== undefined) return { url: hostUrl, embedded: undefined, close: async () => {} };
  const file = hostFile(databaseUrl);
  if (file && !existsSync(dirname(file))) mkdirSync(dirname(file), { recursive: true });
  const embedded = await startEmbeddedHost({
    file: file ?? ':memory:',
    postType: registryPostType,
    metaPrefix: registryMetaPrefix,
  });
  return { url: embedded.url, embedded, close: () => embedded.close() };
}
