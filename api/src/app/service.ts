import type { Logger } from 'pino';
import type { EmbeddedHost } from '../../emulator/server.ts';
import apiPackage from '../../package.json' with { type: 'json' };
import { startJobs } from '../background/runner.ts';
import { type Deliveries, type DeliveryLimits, startDeliveries } from '../background/webhook-dispatcher.ts';
import type { Config } from '../config.ts';
import { presentEvent } from '../http/event-presenter.ts';
import { type Options as PageOptions, type ShopPages, shopPages } from '../internet/pages.ts';
import {
  type SenderLimits,
  type Options as SenderOptions,
  webhookSender,
} from '../internet/webhook-sender.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import type { Write } from '../store/database.ts';
import { reportingEvents } from '../store/events.ts';
import { openDatabase } from '../store/open.ts';
import { openCipher } from './cipher.ts';
import { buildApp, type HttpLimits } from './server.ts';
import type { SiteLimits } from './site-pool.ts';
import { openSites } from './sites.ts';

export type Service = { url: string; embeddedHost: EmbeddedHost | undefined; close(): Promise<void> };

/** Overrides of default limits, so that a test needn't wait to reach one. */
export type Limits = SiteLimits & { http?: HttpLimits; storeMs?: number; jobsEveryMs?: number };

/** The process that started this one, and through it the others that it started. */
export type Supervisor = {
  /** Writes to the store in the supervisor, which also runs the jobs. Undefined: this process does both itself. */
  write?: Write;
  /** Tells the other processes that a registry of a site has changed. Resolves once they know. */
  announceChange?(siteId: number, registryId: number): Promise<void>;
  onChanged?(listener: (siteId: number, registryId: number) => void): void;
};

export type Options = Supervisor & {
  /** The parts of a clock that replace the system's. */
  clock?: Partial<Clock>;
  limits?: Limits;
  pages?: Pick<PageOptions, 'limits' | 'rules'>;
  webhooks?: Pick<SenderOptions, 'rules'> & { limits?: Partial<SenderLimits & DeliveryLimits> };
};

/** Starts everything that the settings ask for; stops what it had begun if something cannot start. */
export async function startService(config: Config, log: Logger, options: Options = {}): Promise<Service> {
  const clock = { ...systemClock, ...options.clock };
  await using parts = new AsyncDisposableStack();
  const { hostUrl: site, lookupAllow: allowed, lookups } = config;
  const pageOptions = { site, allowed, version: apiPackage.version, log, clock, ...options.pages };
  const pages = lookups === 'off' ? undefined : shopPages(pageOptions);
  if (pages) parts.defer(pages.close);
  const { served, onListening } = await openService(config, log, { ...options, pages }, parts);
  options.onChanged?.(served.registryChanged);
  const { sites, counters } = served;
  const app = await buildApp({
    ...{ config, sites, counters, log, clock },
    ...{ version: apiPackage.version, limits: options.limits?.http },
  });
  parts.defer(() => app.close());
  parts.defer(served.stopJobs);
  // For `localhost` Fastify would open a second server, without our limits.
  const address = { port: config.port, host: config.listenAddress.replace(/^localhost$/, '127.0.0.1') };
  const url = await app.listen(address).catch(cannotListen('PORT'));
  await onListening();
  const running = parts.move();
  return { url, embeddedHost: served.embedded, close: () => running.disposeAsync() };
}

type OpenOptions = Omit<Options, 'pages'> & { pages?: ShopPages | undefined };

/** Opens all but HTTP. The one process that writes to the store also runs jobs, webhooks and metrics. */
export async function openService(
  config: Config,
  log: Logger,
  { write, announceChange, pages, webhooks, limits = {}, ...options }: OpenOptions,
  parts: AsyncDisposableStack,
) {
  const clock = { ...systemClock, ...options.clock };
  const isPrimary = write === undefined;
  const opened = await openDatabase(config.databaseUrl, write, limits.storeMs, log);
  parts.defer(() => opened.close());
  let deliveries: Deliveries | undefined;
  const database = reportingEvents(opened, (siteId) => deliveries?.wake(siteId));
  const { version } = apiPackage;
  const sender = webhookSender({ allowed: config.lookupAllow, version, clock, ...webhooks });
  const cipher = openCipher(config, database);
  const served = await openSites(
    { config, database, isPrimary, pages, sender, cipher, log, clock, announceChange, limits },
    parts,
  );
  if (isPrimary) {
    const { jobs, leases, isServed } = served;
    const running = startJobs(jobs, { leases, log, everyMsInTests: limits.jobsEveryMs });
    parts.defer(running.close);
    const sending = { sender, cipher, present: presentEvent, isServed, limits: webhooks?.limits };
    deliveries = startDeliveries({ database, log, clock, ...sending });
    parts.defer(deliveries.close);
  }
  return {
    served,
    database,
    async onListening() {
      if (!isPrimary) return;
      const { words, cure } = await database.durability();
      if (cure) log.warn({ cure }, words);
      else log.info(words);
      if (config.metricsPort === undefined) return;
      const { collectJobMetrics, serveMetrics } = await import('./metrics.ts');
      collectJobMetrics(served.expired, deliveries!);
      const serving = serveMetrics(config.metricsPort, config.listenAddress);
      const { close } = await serving.catch(cannotListen('METRICS_PORT'));
      parts.defer(close);
    },
  };
}

/** Throws an error that names the settings of an address at which the service cannot listen. */
const cannotListen = (setting: 'PORT' | 'METRICS_PORT') => (cause: NodeJS.ErrnoException) => {
  const why =
    cause.code === 'EADDRINUSE' ? `another program uses that port (${cause.message})` : cause.message;
  throw new Error(`Nothing can be served at LISTEN_ADDRESS and ${setting}: ${why}`, { cause });
};
