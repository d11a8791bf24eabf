import type { Logger } from 'pino';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import { registryAccess } from './domain/access.ts';
import { claimRules } from './domain/claims.ts';
import type { ScanLimits } from './domain/deletion-scan.ts';
import { hostNotices } from './domain/host-notices.ts';
import { itemOrder } from './domain/item-order.ts';
import { itemRules } from './domain/items.ts';
import { locks } from './domain/locks.ts';
import { lookupRules } from './domain/lookups.ts';
import { registryRules } from './domain/registries.ts';
import { hostRegistries } from './host/registries.ts';
import { hostUsers } from './host/users.ts';
import type { WordPress } from './host/wordpress.ts';
import { backgroundJobs } from './jobs.ts';
import { bindings } from './store/bindings.ts';
import { claimStore } from './store/claims.ts';
import type { Database } from './store/database.ts';
import { deletionStore } from './store/deletions.ts';
import { idempotencyKeys } from './store/idempotency.ts';
import { itemStore } from './store/items.ts';
import { leaseStore } from './store/leases.ts';
import { queuedNotices } from './store/notices.ts';
import { seenRegistries } from './store/registries.ts';
import type { ShopPages } from './web/pages.ts';

/** How long a caller waits for the lock of a registry, and for the host to learn of a stored item. */
export type WaitLimits = { lockMs?: number; orderMs?: number };

type Parts = {
  config: Config;
  database: Database;
  host: WordPress;
  /** Where shops' pages are looked up. */
  pages?: ShopPages | undefined;
  log: Logger;
  clock: Clock;
  waits?: WaitLimits | undefined;
  scanLimits?: Partial<ScanLimits> | undefined;
  /** Tells other processes that a registry was changed; resolves when they know. */
  announceChange?: ((registryId: number) => Promise<void>) | undefined;
};

/** Store, host and domain, built once: what HTTP, jobs and commands all use. */
export type Core = ReturnType<typeof buildCore>;

export function buildCore(parts: Parts) {
  const { config, database, host, pages, log, clock, waits = {}, scanLimits, announceChange } = parts;
  const now = () => new Date(clock.wall()).toISOString();
  const storedItems = itemStore(database);
  const leases = leaseStore(database);
  const storedClaims = claimStore(database);
  const binding = bindings(database);
  const deletions = deletionStore(database);
  const seen = seenRegistries(database, config.registryPostType);
  const idempotency = idempotencyKeys(database, clock.wall);
  const users = hostUsers(host, {
    adminRoles: config.adminRoles,
    ttlSeconds: config.authCacheTtl,
    clock: clock.steady,
  });
  const hostedRegistries = hostRegistries(host, {
    postType: config.registryPostType,
    metaPrefix: config.registryMetaPrefix,
  });
  const deleteLeftovers = async (id: number) => {
    if (!(await seen.has(id))) return;
    const items = await storedItems.activeIds([id]);
    if (items.get(id)!.length > 0 || (await storedClaims.anyIn(id))) await deletions.finish(id, now());
  };
  const access = registryAccess(hostedRegistries, {
    ttlSeconds: config.registryCacheTtl,
    clock: clock.steady,
    now: clock.wall,
    hasClaimsWhileOwned: storedClaims.hasClaimsWhileOwned,
    onRegistryExists: (id) =>
      seen
        .add(id)
        .catch((error) => log.warn({ err: error, registry: id }, 'a registry is not known for one yet')),
    // Registries also vanish through the site's own screens or while the service is down. Items under a number that never was
    // a registry stay.
    onRegistryGone: async (id) => {
      try {
        await deleteLeftovers(id);
      } catch (error) {
        log.warn({ err: error, registry: id }, 'the items of a deleted registry are left for the next visit');
      }
    },
  });
  const registryLocks = locks({
    leases,
    log,
    noun: 'registry',
    busy: 'This registry is being changed',
    changed: async (id) => {
      access.changed(id);
      await announceChange?.(id);
    },
    waitMs: waits.lockMs,
  });
  const unconfirmedLocks = locks({
    leases,
    log,
    noun: 'unconfirmed claims',
    busy: 'Too much is being claimed at the moment',
    waitMs: waits.lockMs,
  });
  const order = itemOrder({
    host: hostedRegistries,
    items: storedItems,
    locks: registryLocks,
    access,
    log,
    waitMs: waits.orderMs,
  });
  const registries = registryRules({
    host: hostedRegistries,
    items: storedItems,
    deletions,
    access,
    locks: registryLocks,
    order,
    deleteLeftovers,
    now,
  });
  const notices = hostNotices({
    host: hostedRegistries,
    queued: queuedNotices(database),
    log,
    clock: clock.steady,
  });
  const items = itemRules({
    store: storedItems,
    claims: storedClaims,
    access,
    order,
    notices,
    itemAccess: config.itemAccess,
    now: clock.wall,
  });
  const claims = claimRules({ store: storedClaims, access, unconfirmedLocks, notices, now: clock.wall });
  const lookups = pages && lookupRules({ pages, log, clock: clock.steady });

  const background = backgroundJobs({
    idempotency,
    deletions,
    claims: storedClaims,
    registries,
    notices,
    binding,
    clock,
    scanLimits,
  });

  return {
    store: storedItems,
    leases,
    idempotency,
    users,
    registries,
    items,
    claims,
    lookups,
    jobs: background.jobs,
    claimsExpiredAt: binding.claimsExpiredAt,
    /** Another process has changed this registry. */
    registryChanged: access.changed,
    counters: {
      host: host.counters,
      users: users.counters,
      registries: access.counters,
      store: database.counters,
      lookups: lookups?.counters,
      claims: claims.counters,
    },
    jobCounters: background.counters,
    /** Resolves when all work behind responses is done. */
    async settled() {
      await registryLocks.settled();
      await unconfirmedLocks.settled();
      await notices.settled();
    },
  };
}
