import type { Clock } from './clock.ts';
import { DAY_MS } from './days.ts';
import { deletionScan, type ScanLimits } from './domain/deletion-scan.ts';
import type { HostNotices } from './domain/host-notices.ts';
import type { RegistryRules } from './domain/registries.ts';
import type { WebhookRules } from './domain/webhooks.ts';
import type { Job } from './job-runner.ts';
import type { ClaimStore } from './store/claims.ts';
import type { Database } from './store/database.ts';
import type { Deletions } from './store/deletions.ts';
import { type EventStore, KEPT_MS } from './store/events.ts';
import type { IdempotencyKeys } from './store/idempotency.ts';
import { type NextSites, sitesWithWork } from './store/sites.ts';
import type { WebhookStore } from './store/webhooks.ts';

// Rows of one step; a longer step would hold up requests.
const BATCH = 500;

/** Whether a piece of work has had its time: it ends soon then, and the next run goes on. */
export type IsOver = () => boolean;

const never: IsOver = () => false;

/** Claims that the job found past their time, by the state they were in. */
export type Expired = { pending: number; reserved: number };

export async function forgetOldKeys(keys: IdempotencyKeys, isOver = never): Promise<void> {
  while ((await keys.forgetOld(BATCH)) === BATCH && !isOver());
}

export async function expireClaims(
  claims: ClaimStore,
  expired: Expired,
  now: () => number,
  isOver = never,
): Promise<void> {
  for (;;) {
    const over = await claims.expire(now(), BATCH);
    for (const { state } of over) expired[state as keyof Expired]++;
    if (over.length < BATCH || isOver()) return;
  }
}

/** Whether there are events, or what webhooks were to get of them, that are older than they are kept. */
export const hasOldEvents = async (
  events: EventStore,
  webhooks: WebhookStore,
  now: () => number,
): Promise<boolean> =>
  (await webhooks.hasBefore(now() - KEPT_MS)) || (await events.hasBefore(now() - KEPT_MS, BATCH));

/** Forgets events that are older than they are kept, and that webhooks were to get them. */
export async function forgetOldEvents(
  events: EventStore,
  webhooks: WebhookStore,
  now: () => number,
  isOver = never,
): Promise<void> {
  while ((await webhooks.forgetBefore(now() - KEPT_MS, BATCH)) === BATCH && !isOver());
  let last: number | undefined = 0;
  while (last !== undefined && !isOver()) last = await events.forgetBefore(now() - KEPT_MS, last, BATCH);
}

type HostParts = {
  deletions: Deletions;
  claims: ClaimStore;
  registries: RegistryRules;
  notices: HostNotices;
  webhooks: WebhookRules;
  clock: Clock;
  scanLimits?: Partial<ScanLimits> | undefined;
};

/** A site's background work for which its host is asked. */
export type HostWork = ReturnType<typeof hostWork>;

export function hostWork(parts: HostParts) {
  const { deletions, claims, registries, notices, webhooks, clock, scanLimits } = parts;
  return {
    async finishDeletions(isOver = never): Promise<void> {
      for (const id of await deletions.unfinished(BATCH)) {
        await registries.resumeDeletion(id);
        if (isOver()) return;
      }
    },

    /** Tells whether the host was there. */
    sendNotices: notices.sendQueued,
    askForMakers: webhooks.askForMakers,
    askForRights: webhooks.askForRights,
    awaitsRights: webhooks.awaitsRights,

    scan: deletionScan({
      claims,
      deleteIfGoneOnHost: registries.deleteIfGoneOnHost,
      clock: clock.steady,
      limits: scanLimits,
    }),
  };
}

/** Names and intervals of jobs; in a service of one site and in one of many, they take turns with the same leases. */
export const JOBS = {
  forgetOldKeys: { name: 'forget old idempotency keys', everyMs: 60_000 },
  forgetOldEvents: { name: 'forget old events', everyMs: 60 * 60_000 },
  finishDeletions: { name: 'finish deletions', everyMs: 20_000 },
  // Visitors see the change within ten seconds, also through a cache.
  expireClaims: { name: 'expire claims', everyMs: 5_000 },
  sendNotices: { name: 'notify the host', everyMs: 5_000 },
  askForMakers: { name: 'ask who the makers of webhooks are now', everyMs: 60 * 60_000 },
  askForRights: { name: 'ask who owns the registries of waiting webhooks', everyMs: 5_000 },
  // The scan itself limits how often the host is asked.
  scan: { name: 'release claims of registries that are gone', everyMs: 5_000 },
};

type Parts = {
  database: Database;
  siteId: number;
  keys: IdempotencyKeys;
  claims: ClaimStore;
  events: EventStore;
  webhooks: WebhookStore;
  work: HostWork;
  clock: Clock;
};

/** The background work of a service of one site. */
export function jobsOfOne({ database, siteId, keys, claims, events, webhooks, work, clock }: Parts) {
  const expired: Expired = { pending: 0, reserved: 0 };
  const sites = sitesWithWork(database);
  const isAmong = (next: NextSites, due?: () => number) => async () =>
    (await next(siteId - 1, 1, due?.())).sites.includes(siteId);
  const jobs: Job[] = [
    {
      ...JOBS.forgetOldKeys,
      hasWork: isAmong(sites.oldKeys, () => clock.wall() - DAY_MS),
      run: () => forgetOldKeys(keys),
    },
    {
      ...JOBS.forgetOldEvents,
      hasWork: () => hasOldEvents(events, webhooks, clock.wall),
      run: () => forgetOldEvents(events, webhooks, clock.wall),
    },
    { ...JOBS.finishDeletions, hasWork: isAmong(sites.deletions), run: () => work.finishDeletions() },
    {
      ...JOBS.expireClaims,
      hasWork: isAmong(sites.claimsThatEnd, clock.wall),
      run: () => expireClaims(claims, expired, clock.wall),
    },
    // By itself: claims don't wait for a host that is slow.
    {
      ...JOBS.sendNotices,
      hasWork: isAmong(sites.notices, clock.wall),
      run: async () => void (await work.sendNotices()),
    },
    {
      ...JOBS.askForMakers,
      hasWork: isAmong(sites.makersWebhooks),
      run: async () => void (await work.askForMakers()),
    },
    { ...JOBS.askForRights, hasWork: work.awaitsRights, run: async () => void (await work.askForRights()) },
    { ...JOBS.scan, run: work.scan },
  ];
  return { jobs, counters: { expired } };
}
