import { LRUCache } from 'lru-cache';
import type { ScanLimits } from '../background/deletion-scan.ts';
import { Problem } from '../contract/problem.ts';
import { hostBodies } from '../host/bodies.ts';
import { wordpress } from '../host/wordpress.ts';
import { notHere } from '../http/errors.ts';
import { rememberedLists } from '../http/item-lists.ts';
import { signInLimits } from '../http/sign-in-limits.ts';
import type { ManySites, Site } from '../http/site.ts';
import { guardedConnector, PUBLIC_WEB } from '../internet/connect.ts';
import { dnsResolver } from '../internet/dns.ts';
import { bounded, LoadingCache } from '../lib/cache.ts';
import type { OutboundLimits } from '../lib/outbound.ts';
import { type StoredSite, siteStore } from '../store/sites.ts';
import { type BuiltSite, buildSite, type SharedParts, type WaitLimits } from './build-site.ts';
import { newCounters } from './counters.ts';

const POOL_LIMITS = {
  /** Seconds for which a site's settings are cached: a command takes effect within five. */
  believedSeconds: 4,
  /** Settings of sites, and keys without a site, that are remembered for this time. */
  remembered: 10_000,
  rememberedUnknown: 1_000,
  /** The most idle sites to keep ready. */
  resident: 1_000,
  /** An idle site is kept ready for this long, or briefly, if only a job needed it. */
  idleMs: 10 * 60_000,
  idleAfterJobMs: 30_000,
  sweepMs: 15_000,
  /** A request or a job takes less; until then a site that was given up goes on serving those that have it. */
  leavingMs: 60_000,
  /** Requests of one site in progress at once: at most, and whatever the other sites do. */
  most: 100,
  least: 20,
};
export type PoolLimits = typeof POOL_LIMITS;
// The only site of a service stays ready and has all of it.
const LIMITS_OF_ONE = {
  // Without an end.
  ...{ idleMs: 0, idleAfterJobMs: 0 },
  ...{ most: Number.POSITIVE_INFINITY, least: 0 },
};

// A site's connections to its host, and requests that use them or wait.
const HOST_LIMITS = { connections: 16, pending: 200, connectMs: 2_000 };

/** Overrides of a site's default limits. */
export type SiteLimits = {
  host?: Partial<OutboundLimits>;
  waits?: WaitLimits;
  /** The least time of a sign-in with a name that many are guessing at. */
  slowSignInMs?: number;
  scanLimits?: Partial<ScanLimits>;
  pool?: Partial<PoolLimits>;
};

type Parts = SharedParts & {
  /** The site that the settings name; the store knows many otherwise. */
  only: StoredSite | undefined;
  limits: SiteLimits;
};

type Resident = { stored: StoredSite; site: BuiltSite; close(): Promise<void> };

const settingsOf = ({ url, adminRoles, itemAccess, mostItems }: StoredSite) =>
  JSON.stringify([url, adminRoles, itemAccess, mostItems !== undefined]);

/** The sites of a service: of many, each is made ready by its first request, and given up when it is idle. */
export function sitePool(parts: Parts) {
  const { only, limits: ofSite, ...shared } = parts;
  const { config, database, pages, log, clock } = shared;
  const limits = { ...POOL_LIMITS, ...(only && LIMITS_OF_ONE), ...ofSite.pool };
  const [bodies, remembered, counters] = [hostBodies(), rememberedLists(), newCounters()];
  // A site that has joined by itself may point its name to any address later.
  const connect = guardedConnector(
    { allowed: config.lookupAllow, ...PUBLIC_WEB, resolve: dnsResolver() },
    HOST_LIMITS.connectMs,
  );
  const store = siteStore(database);
  const known = new LoadingCache<StoredSite>({
    ttlSeconds: limits.believedSeconds,
    max: limits.remembered,
    clock: clock.steady,
  });
  // Keys without a site are remembered apart, so that invented ones push no site out.
  const unknown = bounded<string, number>(limits.rememberedUnknown);
  // Those that were used longest ago are given up if there are too many; each goes when it has been idle.
  const residents = new LRUCache<number, Resident>({
    max: limits.resident,
    ttl: limits.idleMs,
    updateAgeOnGet: true,
    perf: { now: clock.steady },
    dispose: giveUp,
  });
  const leaving = new Map<Resident, NodeJS.Timeout>();
  const closing = new Set<Promise<void>>();
  const signIns = signInLimits(clock, ofSite.slowSignInMs);

  async function look(key: string): Promise<StoredSite> {
    const askedAt = clock.steady();
    const stored = await store.byKey(key);
    if (stored && stored.state !== 'removed') return stored;
    unknown.set(key, askedAt);
    throw notHere();
  }

  async function lookOnce(key: string): Promise<StoredSite> {
    const missedAt = unknown.get(key) ?? Number.NEGATIVE_INFINITY;
    if (clock.steady() - missedAt < limits.believedSeconds * 1000) throw notHere();
    return known.get(key, () => look(key));
  }

  function makeReady(stored: StoredSite, before?: Resident): Resident {
    const { id, key, url, adminRoles, itemAccess, mostItems } = stored;
    const hasJoined = mostItems !== undefined;
    const host = wordpress(
      url,
      bodies,
      { ...(!only && HOST_LIMITS), ...(hasJoined && { connect }), ...ofSite.host },
      clock,
      counters.host,
    );
    const share = before?.site.share ?? { running: 0, most: limits.most, least: limits.least };
    const site = buildSite({
      ...shared,
      config: { ...config, hostUrl: url, adminRoles, itemAccess },
      ...{ siteId: id, counters, remembered, host, share, signIns, hasLimit: hasJoined },
      ...{ waits: ofSite.waits, scanLimits: ofSite.scanLimits },
      ...(!only && {
        ...{ key, log: log.child({ site: key }) },
        pages: pages && {
          read: (address, caller) => pages.read(address, { ...caller, site: { key, url } }),
        },
      }),
    });
    const close = async () => {
      try {
        await site.settled();
        await host.close();
      } catch (error) {
        log.warn({ err: error, site: key }, 'a site was not given up cleanly');
      }
    };
    return { stored, site, close };
  }

  function closeNow(resident: Resident): void {
    clearTimeout(leaving.get(resident));
    leaving.delete(resident);
    const closed = resident.close().finally(() => closing.delete(closed));
    closing.add(closed);
  }

  /** Requests under way keep the site, with the settings with which they began. */
  function giveUp(resident: Resident): void {
    leaving.set(resident, setTimeout(() => closeNow(resident), limits.leavingMs).unref());
  }

  function ready(stored: StoredSite, idleMs: number): Resident {
    const found = residents.get(stored.id);
    if (found && (found.stored === stored || settingsOf(found.stored) === settingsOf(stored))) {
      found.stored = stored;
      return found;
    }
    const resident = makeReady(stored, found);
    residents.set(stored.id, resident, { ttl: idleMs });
    return resident;
  }

  const sweeping = setInterval(() => residents.purgeStale(), limits.sweepMs).unref();

  function refuseSuspended(stored: StoredSite): void {
    if (stored.state === 'suspended')
      throw new Problem('unavailable', 'This site is suspended', { retryAfter: 300 });
  }

  /** The site for a request; throws where it is not served. */
  function requested(stored: StoredSite): Site {
    refuseSuspended(stored);
    const resident = ready(stored, limits.idleMs);
    // It may have been made ready by a job, which keeps it for less.
    residents.set(stored.id, resident, { ttl: limits.idleMs });
    return resident.site;
  }

  const many: ManySites = {
    peek(key) {
      const stored = known.peek(key, undefined, () => look(key));
      return stored?.state === 'active' ? requested(stored) : undefined;
    },
    find: async (key) => requested(await lookOnce(key)),
    check: async (key) => refuseSuspended(await lookOnce(key)),
  };

  /** The site of this number, if it is served at the moment. */
  async function served(id: number): Promise<StoredSite | undefined> {
    if (only) return id === only.id ? only : undefined;
    const found = residents.peek(id)?.stored ?? (await store.byId(id));
    if (!found || found.state === 'removed') return undefined;
    // From the cache that requests use: else old and new settings would make the site ready anew by turns.
    const stored = await known.get(found.key, () => look(found.key));
    return stored.state === 'active' ? stored : undefined;
  }

  return {
    sites: only ? { only: ready(only, limits.idleMs).site } : { many },
    counters,

    isServed: async (id: number): Promise<boolean> =>
      only ? id === only.id : (await store.byId(id))?.state === 'active',

    async visit<T>(id: number, work: (site: BuiltSite) => Promise<T>): Promise<T | undefined> {
      const stored = await served(id);
      if (!stored) return undefined;
      return work(ready(stored, limits.idleAfterJobMs).site);
    },

    registryChanged(siteId: number, registryId: number): void {
      residents.peek(siteId)?.site.registryChanged(registryId);
    },

    async close(): Promise<void> {
      clearInterval(sweeping);
      residents.clear();
      for (const each of leaving.keys()) closeNow(each);
      await Promise.all(closing);
    },
  };
}
