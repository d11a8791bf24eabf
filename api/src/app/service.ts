import cluster from 'node:cluster';
import type { Logger } from 'pino';
import type { EmbeddedHost } from '../../emulator/server.ts';
import apiPackage from '../../package.json' with { type: 'json' };
import { openCipher } from '../app/cipher.ts';
import { startJobs } from '../background/runner.ts';
import {
  type Deliveries,
  type DeliveryLimits,
  type Parts as DeliveryParts,
  startDeliveries,
} from '../background/webhook-dispatcher.ts';
import type { Config } from '../config.ts';
import { presentEvent } from '../http/event-presenter.ts';
import { type Options as PageOptions, shopPages } from '../internet/pages.ts';
import {
  type SenderLimits,
  type Options as SenderOptions,
  type WebhookSender,
  webhookSender,
} from '../internet/webhooks.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import type { Write } from '../store/database.ts';
import { reportingEvents } from '../store/events.ts';
import { openDatabase } from '../store/open.ts';
import { openSites, type Served, type SiteLimits } from './open-sites.ts';
import { buildApp, type HttpLimits } from './server.ts';

export type Service = { url: string; embeddedHost: EmbeddedHost | undefined; close(): Promise<void> };

/** Other limits than those that ship: a test that meets one shall not have to wait for it. */
export type Limits = SiteLimits & {
  http?: HttpLimits;
  /** How long a caller waits for the store. */
  storeMs?: number;
  /** Instead of each job's own rhythm. */
  jobsEveryMs?: number;
};

/** The process that started this one, and through it the others that it started. */
export type Supervisor = {
  /** Writes to the store, where this process shall not; that process runs the jobs, too. */
  write?: Write;
  /** Tells the others that a registry of a site was changed; resolves when they know. */
  announceChange?(siteId: number, registryId: number): Promise<void>;
  /** Tells that process of events of a site, which it brings to webhooks. */
  eventsStored?(siteId: number): void;
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
  const { write, announceChange, limits = {} } = options;
  const clock = { ...systemClock, ...options.clock };
  const parts = new AsyncDisposableStack();
  try {
    const opened = await openDatabase(config.databaseUrl, write, limits.storeMs, log);
    parts.defer(() => opened.close());
    const isFirst = write === undefined;
    let deliveries: Deliveries | undefined;
    const database = reportingEvents(opened, (siteId) =>
      isFirst ? deliveries?.wake(siteId) : options.eventsStored?.(siteId),
    );
    const pages = openPages(config, log, clock, options.pages);
    if (pages) parts.defer(pages.close);
    const sender = openSender(config, clock, options.webhooks);
    const cipher = openCipher(config, database);
    const served = await openSites(
      { config, database, isFirst, pages, sender, cipher, log, clock, announceChange, limits },
      parts,
    );
    options.onChanged?.(served.registryChanged);
    if (isFirst) {
      const { jobsEveryMs: everyMs } = limits;
      const timing = { everyMs, limits: options.webhooks?.limits };
      deliveries = startBackground(served, { database, sender, cipher, log, clock, ...timing }, parts);
    }
    const { sites, counters } = served;
    const { version } = apiPackage;
    const app = await buildApp({ config, sites, counters, log, clock, version, limits: limits.http });
    parts.defer(() => app.close());
    const url = await listen(app, config);
    if (isFirst) {
      await served.binding.servedAt(url);
      const { words, cure } = await database.durability();
      if (cure) log.warn({ cure }, words);
      else log.info(words);
    }
    if (cluster.isPrimary) parts.defer(await startMetrics(config, served, deliveries));
    return { url, embeddedHost: served.embedded, close: () => parts.disposeAsync() };
  } catch (error) {
    await parts.disposeAsync();
    throw error;
  }
}

type BackgroundParts = Omit<DeliveryParts, 'present' | 'isServed'> & { everyMs?: number | undefined };

/** Jobs and deliveries to webhooks, in the one process that writes to the store. */
export function startBackground(
  { jobs, leases, isServed }: Served,
  { everyMs, ...parts }: BackgroundParts,
  ends: AsyncDisposableStack,
): Deliveries {
  const running = startJobs(jobs, { leases, log: parts.log, everyMs });
  ends.defer(() => running.close());
  const deliveries = startDeliveries({ ...parts, present: presentEvent, isServed });
  ends.defer(deliveries.close);
  return deliveries;
}

/** Metrics on a port of their own, where one is set; what makes them is loaded only then. */
export async function startMetrics(
  config: Config,
  { jobCounters }: Served,
  deliveries: Deliveries | undefined,
): Promise<() => Promise<void>> {
  if (config.metricsPort === undefined) return async () => {};
  const { collectDeliveryMetrics, collectJobMetrics, serveMetrics } = await import('./metrics.ts');
  collectJobMetrics(jobCounters);
  if (deliveries) collectDeliveryMetrics(deliveries);
  const { close } = await serveMetrics(config.metricsPort, config.listenAddress);
  return close;
}

function openPages(config: Config, log: Logger, clock: Clock, options: Options['pages']) {
  if (config.lookups === 'off') return undefined;
  const { hostUrl: site, lookupAllow: allowed } = config;
  return shopPages({ site, allowed, version: apiPackage.version, log, clock, ...options });
}

export function openSender(
  { lookupAllow: allowed }: Config,
  clock: Clock,
  options?: Options['webhooks'],
): WebhookSender {
  return webhookSender({ allowed, version: apiPackage.version, clock, ...options });
}

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
