import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { Problem } from '../contract/problem.ts';
import { hostBodies } from '../host/bodies.ts';
import { notHere } from '../http/errors.ts';
import { rememberedLists } from '../http/item-lists.ts';
import { signInLimits } from '../http/sign-in-limits.ts';
import type { ManySites, Site } from '../http/site.ts';
import { guardedConnector, publicWeb } from '../internet/connect.ts';
import { bounded, LoadingCache } from '../lib/cache.ts';
import { type StoredSite, siteStore } from '../store/sites.ts';
import { newCounters } from './counters.ts';
import { type SiteLimits as LimitsOfSite, type OpenSite, openSite, type SharedParts } from './open-site.ts';

const POOL_LIMITS = {
  /** Seconds for which a site's settings are cached: a command takes effect within five. */
  cachedSeconds: 4,
  /** Settings of sites, and keys without a site, that are remembered for this time. */
  remembered: 10_000,
  rememberedUnknown: 1_000,
  /** The most sites to keep ready, whether idle or not. */
  resident: 1_000,
  /** An idle site is kept ready for this long, or briefly, if only a job needed it. */
  idleMs: 10 * 60_000,
  idleAfterJobMs: 30_000,
  sweepMs: 15_000,
  /** A site that was given up serves those that have it for this much longer: no request or job takes as long. */
  leavingMs: 60_000,
  /** Requests of one site in progress at once: at most, and whatever the other sites do. */
  most: 100,
  least: 20,
};
export type PoolLimits = typeof POOL_LIMITS;
// The only site of a service stays ready for ever, which 0 stands for, and may use all of the service.
const LIMITS_OF_ONE = { idleMs: 0, idleAfterJobMs: 0, most: Number.POSITIVE_INFINITY, least: 0 };

const CONNECT_MS = 2_000;

export type SiteLimits = LimitsOfSite & {
  /** The least time of a sign-in with a name that many are guessing at. */
  slowSignInMs?: number;
  pool?: Partial<PoolLimits>;
};

type Parts = SharedParts & {
  /** The site that the settings name; without one, the store has many. */
  only: StoredSite | undefined;
  limits: SiteLimits;
};

type Resident = { stored: StoredSite; site: OpenSite };

const settingsOf = ({ url, adminRoles, itemAccess, mostItems }: StoredSite) =>
  JSON.stringify([url, adminRoles, itemAccess, mostItems !== undefined]);

/** The sites of a service: of many, each is made ready by its first request, and given up when it is idle. */
export function sitePool(parts: Parts) {
  const { only, limits: ofSite, ...shared } = parts;
  const { config, database, clock } = shared;
  const limits = { ...POOL_LIMITS, ...(only && LIMITS_OF_ONE), ...ofSite.pool };
  const [bodies, remembered, counters] = [hostBodies(), rememberedLists(), newCounters()];
  const connect = guardedConnector(publicWeb(config.lookupAllow), CONNECT_MS);
  const store = siteStore(database);
  const known = new LoadingCache<StoredSite>({
    ttlSeconds: limits.cachedSeconds,
    max: limits.remembered,
    clock: clock.steady,
  });
  // Keys without a site are remembered apart, so that invented ones push no site out.
  const unknown = bounded<string, number>(limits.rememberedUnknown);
  // Those that were used longest ago are given up if there are too many; the others once they have been idle for `ttl`.
  const residents = new LRUCache<number, Resident>({
    max: limits.resident,
    ttl: limits.idleMs,
    updateAgeOnGet: true,
    perf: { now: clock.steady },
    dispose: giveUp,
  });
  const stopping = new AbortController();
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
    if (clock.steady() - missedAt < limits.cachedSeconds * 1000) throw notHere();
    return known.get(key, () => look(key));
  }

  function open(stored: StoredSite, before?: Resident): Resident {
    const share = before?.site.share ?? { running: 0, most: limits.most, least: limits.least };
    const own = { stored, announceChange, isOnly: only !== undefined, share, limits: ofSite };
    return { stored, site: openSite({ ...shared, ...own, counters, remembered, bodies, connect, signIns }) };
  }

  const registryChanged = (siteId: number, registryId: number): void =>
    residents.peek(siteId)?.site.registryChanged(registryId);

  /** Also tells the site itself: it may have been made ready anew since the change began. */
  async function announceChange(siteId: number, registryId: number): Promise<void> {
    registryChanged(siteId, registryId);
    await parts.announceChange?.(siteId, registryId);
  }

  /** Requests under way keep the site for a while, with the settings with which they began. */
  function giveUp({ site }: Resident): void {
    const left = sleep(limits.leavingMs, undefined, { ref: false, signal: stopping.signal }).catch(() => {});
    const closed = left.then(site.close).finally(() => closing.delete(closed));
    closing.add(closed);
  }

  function ready(stored: StoredSite, idleMs: number): Resident {
    const found = residents.get(stored.id);
    if (found && (found.stored === stored || settingsOf(found.stored) === settingsOf(stored))) {
      found.stored = stored;
      return found;
    }
    const resident = open(stored, found);
    residents.set(stored.id, resident, { ttl: idleMs });
    return resident;
  }

  const sweeping = setInterval(() => residents.purgeStale(), limits.sweepMs).unref();

  function refuseSuspended(stored: StoredSite): void {
    if (stored.state === 'suspended')
      throw new Problem('unavailable', 'This site is suspended', { retryAfter: 300 });
  }

  /** The site for a request; throws where it is suspended. */
  function siteForRequest(stored: StoredSite): Site {
    refuseSuspended(stored);
    const resident = ready(stored, limits.idleMs);
    // It may have been made ready by a job, which keeps it for less.
    residents.set(stored.id, resident, { ttl: limits.idleMs });
    return resident.site;
  }

  const many: ManySites = {
    peek(key) {
      const stored = known.peek(key, () => look(key));
      return stored?.state === 'active' ? siteForRequest(stored) : undefined;
    },
    find: async (key) => siteForRequest(await lookOnce(key)),
    check: async (key) => refuseSuspended(await lookOnce(key)),
  };

  /** The site of this number, unless it is suspended or removed. */
  async function activeSite(id: number): Promise<StoredSite | undefined> {
    if (only) return id === only.id ? only : undefined;
    const found = await store.byId(id);
    if (found?.state !== 'active') return undefined;
    // From the cache that requests use; otherwise old and new settings would take turns making the site ready anew.
    const stored = await known.get(found.key, () => look(found.key));
    return stored.state === 'active' ? stored : undefined;
  }

  return {
    sites: only ? { only: ready(only, limits.idleMs).site } : { many },
    counters,
    registryChanged,

    isServed: async (id: number): Promise<boolean> =>
      only ? id === only.id : (await store.byId(id))?.state === 'active',

    async visit<T>(id: number, work: (site: OpenSite) => Promise<T>): Promise<T | undefined> {
      const stored = await activeSite(id);
      if (!stored) return undefined;
      return work(ready(stored, limits.idleAfterJobMs).site);
    },

    async close(): Promise<void> {
      clearInterval(sweeping);
      stopping.abort();
      residents.clear();
      await Promise.all(closing);
    },
  };
}
