import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import type { EmbeddedHost } from '../../emulator/server.ts';
import apiPackage from '../../package.json' with { type: 'json' };
import type { ScanLimits } from '../background/deletion-scan.ts';
import {
  backgroundJobs,
  type Expired,
  type Parts as JobParts,
  TURN_OF_ONE,
  TURNS_OF_MANY,
  type Turns,
} from '../background/jobs.ts';
import type { Job } from '../background/runner.ts';
import type { Config } from '../config.ts';
import type { JoinRules } from '../domain/joining.ts';
import { type HostBodies, hostBodies } from '../host/bodies.ts';
import { wordpress } from '../host/wordpress.ts';
import { rememberedLists } from '../http/item-presenter.ts';
import type { ShopPages } from '../internet/pages.ts';
import type { WebhookSender } from '../internet/webhooks.ts';
import type { Cipher } from '../lib/cipher.ts';
import type { Clock } from '../lib/clock.ts';
import { calledAs } from '../lib/invocation.ts';
import type { OutboundLimits } from '../lib/outbound.ts';
import { type Bindings, bindings } from '../store/bindings.ts';
import type { Database } from '../store/database.ts';
import { type Leases, leaseStore } from '../store/leases.ts';
import { ONLY_SITE, SERVICE, siteName, siteStore } from '../store/sites.ts';
import { buildSite, type WaitLimits } from './build-site.ts';
import type { Parts as AppParts } from './server.ts';
import type { PoolLimits } from './site-pool.ts';

/** Limits of a site's parts, where others than those that ship are wanted. */
export type SiteLimits = {
  host?: Partial<OutboundLimits>;
  waits?: WaitLimits;
  /** The shortest time of a sign-in under a name at which many guess. */
  slowSignInMs?: number;
  scanLimits?: Partial<ScanLimits>;
  pool?: Partial<PoolLimits>;
};

type Parts = {
  config: Config;
  database: Database;
  /** No other process has opened the store for this service. */
  isFirst: boolean;
  pages?: ShopPages | undefined;
  sender: WebhookSender;
  cipher: () => Promise<Cipher>;
  log: Logger;
  clock: Clock;
  announceChange?: ((siteId: number, registryId: number) => Promise<void>) | undefined;
  limits?: SiteLimits;
};

/** The sites that are served, whether the settings name the only one or the store knows many. */
type OpenSites = Pick<AppParts, 'sites' | 'counters'> & {
  visit: JobParts['visit'];
  turns: Turns;
  /** Another process has changed this registry of a site. */
  registryChanged(siteId: number, registryId: number): void;
  /** Whether webhooks of this site are sent to. */
  isServed(siteId: number): Promise<boolean>;
  /** The number under which the service keeps what is its own. */
  number: number;
  /** The only site's host. */
  hostUrl?: string;
  embedded?: EmbeddedHost | undefined;
};

/** Everything that serves them. */
export type Served = Omit<OpenSites, 'visit' | 'turns' | 'number'> & {
  jobs: Job[];
  jobCounters: { expired: Expired };
  leases: Leases;
  /** The service's own, not a site's. */
  binding: Bindings;
};

/** Opens what the settings ask for; `ends` gets what is to be closed. */
export async function openSites(parts: Parts, ends: AsyncDisposableStack): Promise<Served> {
  const { config, database, log, clock } = parts;
  const bodies = hostBodies(clock);
  ends.defer(bodies.close);
  const open = config.sites === 'on' ? openMany : openOne;
  const { visit, turns, number, ...sites } = await open(parts, bodies, ends);
  const { jobs, counters } = backgroundJobs({ database, visit, turns, log, clock });
  return {
    ...{ ...sites, jobs, jobCounters: counters },
    ...{ leases: leaseStore(database, number), binding: bindings(database, number) },
  };
}

async function openOne(parts: Parts, bodies: HostBodies, ends: AsyncDisposableStack): Promise<OpenSites> {
  const { config, database, isFirst, clock, announceChange, limits = {} } = parts;
  if (isFirst) await bindToHost(database, config);
  const { url, embedded, close } = await startHost(config);
  ends.defer(close);
  const host = wordpress(url, bodies, limits.host, clock);
  ends.defer(() => host.close());
  const site = buildSite({
    ...{ ...parts, ...limits, siteId: ONLY_SITE, remembered: rememberedLists(), host },
    announceChange: announceChange && ((registryId) => announceChange(ONLY_SITE, registryId)),
  });
  ends.defer(site.settled);
  return {
    ...{ sites: { only: site }, counters: () => site.counters, turns: TURN_OF_ONE },
    ...{ number: ONLY_SITE, hostUrl: url, embedded },
    visit: async (siteId, work) => (siteId === ONLY_SITE ? work(site) : undefined),
    registryChanged: (_siteId, registryId) => site.registryChanged(registryId),
    isServed: async (siteId) => siteId === ONLY_SITE,
  };
}

async function openMany(parts: Parts, bodies: HostBodies, ends: AsyncDisposableStack): Promise<OpenSites> {
  const { config, database, isFirst, log, limits = {} } = parts;
  const { sitePool } = await import('./site-pool.ts');
  if (isFirst) {
    const left = await siteStore(database).onlySite();
    if (left !== undefined)
      log.warn(
        { address: left },
        `the store has items of a site that is not served: ${calledAs('sites')} add URL`,
      );
  }
  const pool = sitePool({
    ...{ ...parts, bodies, remembered: rememberedLists() },
    ...{ ...limits, limits: limits.pool },
  });
  ends.defer(pool.close);
  const joining = config.sitesJoin === 'off' ? undefined : await openJoining(parts, ends);
  return {
    ...{
      sites: { many: pool.many, joining },
      counters: pool.counters,
      turns: TURNS_OF_MANY,
      number: SERVICE,
    },
    ...{ visit: pool.visit, registryChanged: pool.registryChanged },
    isServed: async (siteId) => (await siteStore(database).byId(siteId))?.state === 'active',
  };
}

async function openJoining(parts: Parts, ends: AsyncDisposableStack): Promise<JoinRules> {
  const { config, database, log, clock } = parts;
  const [{ joinRules, siteProofs }, { joiningStore }, { siteTokens }] = await Promise.all([
    import('../domain/joining.ts'),
    import('../store/joining.ts'),
    import('../internet/joining.ts'),
  ]);
  const { lookupAllow } = config;
  const tokens = siteTokens({ version: apiPackage.version, allowed: lookupAllow, clock });
  ends.defer(tokens.close);
  const proofs = siteProofs({ tokens, lookupAllow, clock: clock.steady });
  return joinRules({ store: joiningStore(database, { now: clock.wall }), proofs, settings: config, log });
}

type Host = { url: string; embedded: EmbeddedHost | undefined; close(): Promise<void> };

/**
 * Binds a store to the first site it is used with: its items carry that site's registry numbers, and would stand in strangers'
 * registries on another.
 */
async function bindToHost(database: Database, config: Config): Promise<void> {
  const { hostUrl, hostMovedFrom, databaseUrl } = config;
  const host = hostUrl === undefined ? EMBEDDED : siteName(hostUrl);
  const binding = bindings(database, ONLY_SITE);
  const other = hostUrl === undefined ? undefined : await siteStore(database).byName(host);
  if (other && other.id !== ONLY_SITE)
    throw new Error(
      `${hostUrl} is site ${other.key} of a store for many: start with SITES=on and without HOST_URL, or set DATABASE_URL to another`,
    );
  const bound = await binding.bind('host', host);
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

/** Where the embedded host keeps its registries, beside the items; nowhere if those are in memory. */
function hostFile(databaseUrl: string): string | undefined {
  const path = databaseUrl.startsWith('sqlite:') ? databaseUrl.slice('sqlite:'.length) : 'data/trousseau.db';
  return path === ':memory:' ? undefined : join(dirname(path), 'embedded-host.db');
}

/** The host that the settings name, or else the embedded one. */
async function startHost(config: Config): Promise<Host> {
  const { hostUrl, databaseUrl, registryPostType, registryMetaPrefix } = config;
  if (hostUrl !== undefined) return { url: hostUrl, embedded: undefined, close: async () => {} };
  const file = hostFile(databaseUrl);
  if (file && !existsSync(dirname(file))) mkdirSync(dirname(file), { recursive: true });
  const { startEmbeddedHost } = await import('../../emulator/server.ts');
  const embedded = await startEmbeddedHost({
    file: file ?? ':memory:',
    postType: registryPostType,
    metaPrefix: registryMetaPrefix,
  });
  return { url: embedded.url, embedded, close: () => embedded.close() };
}
