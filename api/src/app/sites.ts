import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { EmbeddedHost } from '../../emulator/server.ts';
import apiPackage from '../../package.json' with { type: 'json' };
import type { Expired } from '../background/claim-expiry.ts';
import { backgroundJobs, TURN_OF_ONE, TURNS_OF_MANY } from '../background/jobs.ts';
import type { Job } from '../background/runner.ts';
import type { Config } from '../config.ts';
import { type JoinRules, joinRules, siteProofs } from '../domain/joining.ts';
import { siteTokens } from '../internet/joining.ts';
import { calledAs } from '../lib/invocation.ts';
import { bindings } from '../store/bindings.ts';
import type { Database } from '../store/database.ts';
import { joiningStore } from '../store/joining.ts';
import { type Leases, leaseStore } from '../store/leases.ts';
import { ONLY_SITE, SERVICE, type StoredSite, siteName, siteStore } from '../store/sites.ts';
import type { SharedParts } from './open-site.ts';
import type { Parts as AppParts } from './server.ts';
import { type SiteLimits, sitePool } from './site-pool.ts';

type Parts = SharedParts & {
  /** No other process has opened the store for this service. */
  isFirst: boolean;
  limits?: SiteLimits;
};

/** Everything that serves the sites, whether the settings name the only one or the store has many. */
export type Served = Pick<AppParts, 'sites' | 'counters'> & {
  jobs: Job[];
  jobCounters: { expired: Expired };
  registryChanged(siteId: number, registryId: number): void;
  isServed(siteId: number): Promise<boolean>;
  /** Of the service, not of a site. */
  leases: Leases;
  hostUrl?: string | undefined;
  embedded?: EmbeddedHost | undefined;
};

/** Opens what the settings ask for; `ends` gets what is to be closed. */
export async function openSites(parts: Parts, ends: AsyncDisposableStack): Promise<Served> {
  const { config, database, log, clock, limits = {} } = parts;
  const host = config.sites === 'on' ? undefined : await openHost(parts, ends);
  if (!host && parts.isFirst) await warnOfUnserved(parts);
  const pool = sitePool({ ...parts, limits, only: host && onlySiteAt(host.url, config) });
  ends.defer(pool.close);
  const { visit, sites, counters, registryChanged, isServed } = pool;
  const turns = host ? TURN_OF_ONE : TURNS_OF_MANY;
  const work = backgroundJobs({ database, visit, turns, log, clock });
  const joining = config.sitesJoin === 'off' ? undefined : openJoining(parts, ends);
  return {
    ...{ sites: 'many' in sites ? { ...sites, joining } : sites, registryChanged, isServed },
    counters: { ...counters, store: database.counters },
    ...{ jobs: work.jobs, jobCounters: work.counters },
    leases: leaseStore(database, host ? ONLY_SITE : SERVICE),
    ...{ hostUrl: host?.url, embedded: host?.embedded },
  };
}

const onlySiteAt = (url: string, { adminRoles, itemAccess }: Config): StoredSite => ({
  ...{ id: ONLY_SITE, key: '', url, adminRoles, itemAccess },
  ...{ state: 'active', createdAt: '', mostItems: undefined },
});

async function openHost({ config, database, isFirst }: Parts, ends: AsyncDisposableStack): Promise<Host> {
  if (isFirst) await bindToHost(database, config);
  const host = await startHost(config);
  ends.defer(host.close);
  return host;
}

async function warnOfUnserved({ database, log }: Parts): Promise<void> {
  const left = await siteStore(database).onlySite();
  if (left === undefined) return;
  const cure = `${calledAs('sites')} add URL`;
  log.warn({ address: left }, `the store has items of a site that is not served: ${cure}`);
}

function openJoining(parts: Parts, ends: AsyncDisposableStack): JoinRules {
  const { config, database, log, clock } = parts;
  const { lookupAllow } = config;
  const tokens = siteTokens({ version: apiPackage.version, allowed: lookupAllow, clock });
  ends.defer(tokens.close);
  const proofs = siteProofs({ tokens, lookupAllow, clock: clock.steady });
  return joinRules({ store: joiningStore(database, { now: clock.wall }), proofs, settings: config, log });
}

type Host = { url: string; embedded: EmbeddedHost | undefined; close(): Promise<void> };

/** Binds a store to the first site it is used with, since its items carry that site's registry numbers. */
async function bindToHost(database: Database, config: Config): Promise<void> {
  const { hostUrl, hostMovedFrom, databaseUrl } = config;
  const host = hostUrl === undefined ? EMBEDDED : siteName(hostUrl);
  const binding = bindings(database, ONLY_SITE);
  const other = hostUrl === undefined ? undefined : await siteStore(database).byName(host);
  if (other && other.id !== ONLY_SITE)
    throw new Error(
      `${hostUrl} is site ${other.key} of a store for many: start with SITES=on and without HOST_URL, or set DATABASE_URL to another`,
    );
  const bound = await binding.bindHost(host);
  if (bound === host) return;
  if (hostMovedFrom !== undefined && siteName(hostMovedFrom) === bound) {
    await binding.moveHost(bound, host);
    return;
  }
  throw new Error(
    `The store ${databaseUrl.replace(/^postgres.*/s, 'in DATABASE_URL')} belongs to ${bound}, not to ${host}: ` +
      'its items have the registry numbers of that site. To start anew, set DATABASE_URL to another; ' +
      `to keep them, because ${host} is the same site at a new address, start once with HOST_MOVED_FROM="${bound}"`,
  );
}

const EMBEDDED = 'the embedded host';

/** Where the embedded host stores its registries, next to the items. Nowhere if the items are in memory. */
function hostFile(databaseUrl: string): string | undefined {
  const path = databaseUrl.startsWith('sqlite:') ? databaseUrl.slice('sqlite:'.length) : 'data/trousseau.db';
  return path === ':memory:' ? undefined : join(dirname(path), 'embedded-host.db');
}

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
