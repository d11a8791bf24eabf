import type { Logger } from 'pino';
import type { buildConnector } from 'undici';
import { hostWork } from '../background/jobs.ts';
import type { Config } from '../config.ts';
import { registryAccess } from '../domain/access.ts';
import { claimRules } from '../domain/claims.ts';
import { eventRules, registryWatch } from '../domain/events.ts';
import { hostNotices } from '../domain/host-notices.ts';
import { repeats } from '../domain/idempotency.ts';
import { itemLists } from '../domain/item-lists.ts';
import { itemOrder } from '../domain/item-order.ts';
import { itemRules } from '../domain/items.ts';
import { locks } from '../domain/locks.ts';
import { lookupRules } from '../domain/lookups.ts';
import { registryRules } from '../domain/registries.ts';
import { webhookRules } from '../domain/webhooks.ts';
import type { HostBodies } from '../host/bodies.ts';
import { hostRegistries } from '../host/registries.ts';
import { hostUsers } from '../host/users.ts';
import { wordpress } from '../host/wordpress.ts';
import { listPresenter, type RememberedLists } from '../http/item-lists.ts';
import type { Share } from '../http/pressure.ts';
import { presentRegistry } from '../http/registry-presenter.ts';
import type { SignInLimits } from '../http/sign-in-limits.ts';
import type { LookupCaller, ShopPages } from '../internet/pages.ts';
import type { WebhookSender } from '../internet/webhook-sender.ts';
import type { Cipher } from '../lib/cipher.ts';
import type { Clock } from '../lib/clock.ts';
import type { OutboundLimits } from '../lib/outbound.ts';
import { bindings } from '../store/bindings.ts';
import { claimStore } from '../store/claims.ts';
import { coOwnerStore, marksOf } from '../store/co-owners.ts';
import type { Database } from '../store/database.ts';
import { deletionStore } from '../store/deletions.ts';
import { eventStore } from '../store/events.ts';
import { idempotencyKeys } from '../store/idempotency.ts';
import { itemStore } from '../store/items.ts';
import { leaseStore } from '../store/leases.ts';
import { queuedNotices } from '../store/notices.ts';
import { registryStore } from '../store/registries.ts';
import type { StoredSite } from '../store/sites.ts';
import { webhookStore } from '../store/webhooks.ts';
import type { Counters } from './counters.ts';

/** Parts that all sites of a service have in common. */
export type SharedParts = {
  config: Config;
  database: Database;
  pages?: Pick<ShopPages, 'read'> | undefined;
  sender: WebhookSender;
  cipher: () => Promise<Cipher>;
  log: Logger;
  clock: Clock;
  /** Tells other processes that a registry has changed. Resolves once they know. */
  announceChange?: ((siteId: number, registryId: number) => Promise<void>) | undefined;
};

/** Overrides of a site's default limits. */
export type SiteLimits = {
  host?: Partial<OutboundLimits>;
  /** How long a caller waits for the lock of a registry, and for the host to learn of a stored item. */
  waits?: { lockMs?: number; orderMs?: number };
  scanAgainMs?: number;
};

type Parts = SharedParts & {
  stored: StoredSite;
  /** Whether this is the service's only site, named in its settings. */
  isOnly: boolean;
  counters: Counters;
  remembered: RememberedLists;
  bodies: HostBodies;
  /** For sites that joined by themselves: refuses private addresses, to which they could point their name later. */
  connect: buildConnector.connector;
  limits: SiteLimits;
  share: Share;
  signIns: SignInLimits;
};

// A site's connections to its host, and requests that use them or wait.
const HOST_LIMITS = { connections: 16, pending: 200 };

/** Store, host and domain of a site: what HTTP, jobs and commands all use. */
export type OpenSite = ReturnType<typeof openSite>;

export function openSite(parts: Parts) {
  const { config, database, stored, isOnly, remembered, clock, counters, announceChange } = parts;
  const { waits = {}, scanAgainMs } = parts.limits;
  const { id: siteId, key, url, adminRoles, itemAccess } = stored;
  const times = { clock: clock.steady, now: clock.wall };
  const hasJoined = stored.mostItems !== undefined;
  const log = isOnly ? parts.log : parts.log.child({ site: key });
  const limits = {
    ...(!isOnly && HOST_LIMITS),
    ...(hasJoined && { connect: parts.connect }),
    ...parts.limits.host,
  };
  const hostClient = wordpress(url, parts.bodies, limits, clock, counters.host);
  const pages = isOnly ? parts.pages : parts.pages && ofSite(parts.pages, { key, url });
  const isoNow = () => new Date(clock.wall()).toISOString();
  const storedItems = itemStore(database, siteId, hasJoined);
  const storedClaims = claimStore(database, siteId);
  const binding = bindings(database, siteId);
  const deletions = deletionStore(database, siteId);
  const storedEvents = eventStore(database, siteId);
  const storedWebhooks = webhookStore(database, siteId);
  const storedRegistries = registryStore(database, siteId, config.registryPostType);
  const users = hostUsers(hostClient, {
    ...{ adminRoles, ttlSeconds: config.authCacheTtl, clock: clock.steady, counters: counters.users },
    onUser: (user, msAgo) =>
      storedWebhooks
        .makerSeen(user.id, marksOf(user), user.admin, Math.floor(clock.wall() - msAgo))
        .catch((error) => log.warn({ err: error, user: user.id }, 'webhooks of a user keep former rights')),
  });
  const host = hostRegistries(hostClient, {
    ...{ postType: config.registryPostType, metaPrefix: config.registryMetaPrefix },
    ...{ questionKey: binding.questionKey, clock: clock.steady },
  });
  // An id that was never a registry keeps its items.
  const deleteLeftovers = async (id: number) => {
    if (!(await storedRegistries.isKnown(id))) return;
    const items = await storedItems.activeIds([id]);
    const hasLeftovers = items.get(id)!.length > 0 || (await storedClaims.anyIn(id));
    if (hasLeftovers || (await storedEvents.isAlive(id))) await deletions.finish(id, isoNow());
  };
  // Registries are also deleted on the host's own screens, or while the service is down.
  const onRegistryGone = (id: number) =>
    deleteLeftovers(id).catch((error) =>
      log.warn({ err: error, registry: id }, 'the items of a deleted registry are left for the next visit'),
    );
  const access = registryAccess(host, {
    ...{ ttlSeconds: config.registryCacheTtl, ...times },
    ...{ claims: storedClaims, events: storedEvents, webhooks: storedWebhooks },
    coOwners: coOwnerStore(database, siteId),
    onSeen: registryWatch({
      store: storedEvents,
      activeIds: async (id) => (await storedItems.activeIds([id])).get(id)!,
      present: presentRegistry,
    }),
    onRegistryExists: (id) =>
      storedRegistries
        .setKnown(id)
        .catch((error) => log.warn({ err: error, registry: id }, 'a registry could not be recorded')),
    onRegistryGone,
  });
  const locking = { leases: leaseStore(database, siteId), log, clock, waitMs: waits.lockMs };
  const registryLocks = locks({
    ...{ ...locking, noun: 'registry', busy: 'This registry is being changed' },
    changed: async (id) => {
      access.changed(id);
      await announceChange?.(siteId, id);
    },
  });
  const unconfirmedLocks = locks({
    ...{ ...locking, noun: 'unconfirmed claims', busy: 'Too much is being claimed at the moment' },
  });
  const shared = { access, locks: registryLocks };
  const order = itemOrder({
    ...shared,
    host,
    items: storedItems,
    onRegistryGone,
    log,
    waitMs: waits.orderMs,
  });
  const lists = itemLists({ items: storedItems, registries: storedRegistries });
  const registries = registryRules({
    ...{ ...shared, host, items: storedItems, lists, deletions, order, deleteLeftovers, now: isoNow },
  });
  const notices = hostNotices({ host, queued: queuedNotices(database, siteId), log, ...times });
  const items = itemRules({
    ...{ ...shared, store: storedItems, lists, claims: storedClaims, order, notices },
    ...{ itemAccess, now: clock.wall },
  });
  const claims = claimRules({
    ...{ store: storedClaims, access, unconfirmedLocks, notices, now: clock.wall, counters: counters.claims },
    onOwnerNamed: storedEvents.nameOwner,
  });
  const events = eventRules({ store: storedEvents, access, now: clock.wall });
  const webhooks = webhookRules({
    ...{ store: storedWebhooks, access, events, siteId, ...times, adminRoles, host },
    ...{ sender: parts.sender, cipher: parts.cipher },
    ...{ undecided: storedEvents.undecided, signInAnew: users.resolveAnew },
  });
  const lookups = pages && lookupRules({ pages, log, clock: clock.steady });

  const hostParts = { deletions, claims: storedClaims, registries, notices, webhooks, clock, scanAgainMs };
  return {
    ...{ users, itemAccess, registries, items, claims, events, webhooks, lookups },
    work: hostWork(hostParts),
    repeats: repeats(idempotencyKeys(database, siteId, clock.wall)),
    id: siteId,
    key: isOnly ? undefined : key,
    share: parts.share,
    signInLimits: parts.signIns,
    presentList: listPresenter(remembered, siteId),
    questionKey: binding.questionKey,
    claimsExpiredUntil: storedClaims.expiredUntil,
    registryChanged: access.changed,
    /** Waits for work that outlives its response, then closes the connections to the host. */
    async close() {
      try {
        await registryLocks.settled();
        await unconfirmedLocks.settled();
        await notices.close();
        await access.settled();
        await hostClient.close();
      } catch (error) {
        log.warn({ err: error }, 'a site was not closed cleanly');
      }
    },
  };
}

const ofSite = ({ read }: Pick<ShopPages, 'read'>, site: { key: string; url: string }) => ({
  read: (address: URL, caller: LookupCaller) => read(address, { ...caller, site }),
});
