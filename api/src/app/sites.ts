import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import apiPackage from '../../package.json' with { type: 'json' };
import { backgroundJobs, TURN_OF_ONE, TURNS_OF_MANY } from '../background/jobs.ts';
import type { Config } from '../config.ts';
import { type JoinRules, joinRules } from '../domain/joining.ts';
import { siteTokens } from '../internet/joining.ts';
import { calledAs } from '../lib/invocation.ts';
import { bindings } from '../store/bindings.ts';
import type { Database } from '../store/database.ts';
import { joiningStore } from '../store/joining.ts';
import { leaseStore } from '../store/leases.ts';
import { ONLY_SITE, SERVICE, type StoredSite, siteName, siteStore } from '../store/sites.ts';
import type { SharedParts } from './open-site.ts';
import { type SiteLimits, sitePool } from './site-pool.ts';

type Parts = SharedParts & {
  /** This is the service's one process that writes to the store itself, and the first to open it. */
  isPrimary: boolean;
  limits?: SiteLimits;
};

/** Opens what serves the site that the settings name, or the store's many; `ends` gets what is to be closed. */
export async function openSites(parts: Parts, ends: AsyncDisposableStack) {
  const { config, database, isPrimary, log, clock, limits = {} } = parts;
  const isForMany = config.sites === 'on';
  if (isPrimary) await (isForMany ? warnOfUnserved(parts) : bindToHost(database, config));
  const host = isForMany ? undefined : await startHost(config);
  if (host) ends.defer(host.close);
  const pool = sitePool({ ...parts, limits, only: host && onlySiteAt(host.url, config) });
  ends.defer(pool.close);
  const { visit, sites, counters, registryChanged, isServed } = pool;
  const turns = host ? TURN_OF_ONE : TURNS_OF_MANY;
  const work = backgroundJobs({ database, visit, turns, log, clock });
  const joining = config.sitesJoin === 'off' ? undefined : openJoining(parts, ends);
  return {
    ...{ sites: 'many' in sites ? { ...sites, joining } : sites, registryChanged, isServed },
    counters: { ...counters, store: database.counters },
    ...work,
    // The jobs' leases are the service's own. In a store of one site all rows have that site's number.
    leases: leaseStore(database, host ? ONLY_SITE : SERVICE),
    ...{ hostUrl: host?.url, embedded: host?.embedded },
  };
}

const onlySiteAt = (url: string, { adminRoles, itemAccess }: Config): StoredSite => ({
  ...{ id: ONLY_SITE, key: '', url, adminRoles, itemAccess },
  ...{ state: 'active', createdAt: '', mostItems: undefined },
});

async function warnOfUnserved({ database, log }: Parts): Promise<void> {
  const address = await siteStore(database).onlySite();
  const cure = `${calledAs('sites')} add URL`;
  if (address) log.warn({ address }, `the store has items of a site that is not served: ${cure}`);
}

function openJoining(parts: Parts, ends: AsyncDisposableStack): JoinRules {
  const { config, database, log, clock } = parts;
  const tokens = siteTokens({ version: apiPackage.version, allowed: config.lookupAllow, clock });
  ends.defer(tokens.close);
  const store = joiningStore(database, { now: clock.wall });
  return joinRules({ store, tokens, clock: clock.steady, settings: config, log });
}

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

async function startHost(config: Config) {
  const { hostUrl, databaseUrl, registryPostType, registryMetaPrefix } = config;
  if (hostUrl !== undefined) return { url: hostUrl, embedded: undefined, close: async () => {} };
  // The embedded host stores its registries next to the items, or in memory with them.
  const path = databaseUrl.startsWith('sqlite:') ? databaseUrl.slice('sqlite:'.length) : 'data/trousseau.db';
  const file = path === ':memory:' ? path : join(dirname(path), 'embedded-host.db');
  if (file !== path) mkdirSync(dirname(path), { recursive: true });
  const { startEmbeddedHost } = await import('../../emulator/server.ts');
  const names = { postType: registryPostType, metaPrefix: registryMetaPrefix };
  const embedded = await startEmbeddedHost({ file, ...names });
  return { url: embedded.url, embedded, close: () => embedded.close() };
}
