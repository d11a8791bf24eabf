import type { Logger } from 'pino';
import type { HostNotices } from '../domain/host-notices.ts';
import type { RegistryRules } from '../domain/registries.ts';
import type { WebhookRules } from '../domain/webhooks.ts';
import { bounded } from '../lib/cache.ts';
import { type Clock, DAY_MS } from '../lib/clock.ts';
import { type ClaimStore, claimStore } from '../store/claims.ts';
import type { Database } from '../store/database.ts';
import type { Deletions } from '../store/deletions.ts';
import { eventStore, KEPT_MS } from '../store/events.ts';
import { idempotencyKeys } from '../store/idempotency.ts';
import { type NextSites as Next, type SitesInTurn, sitesWithWork } from '../store/sites.ts';
import { webhookStore } from '../store/webhooks.ts';
import { deletionScan } from './deletion-scan.ts';
import type { Job } from './runner.ts';

// Rows of one step; a longer step would hold up requests.
const BATCH = 500;
// Sites per statement, and hosts asked concurrently, so that one that hangs doesn't delay the others.
const SITES_AT_ONCE = 200;
const HOSTS_AT_ONCE = 32;
// Sites per run of the scan, which asks each site's host once.
const SCANNED_AT_ONCE = 10;

/** How long a site's turn may take, and how long a host that failed is left alone: longer after each failure. */
export type Turns = { ms: number; pauseMs: number; longestPauseMs: number };

export const TURNS_OF_MANY: Turns = { ms: 1_000, pauseMs: 5_000, longestPauseMs: 30 * 60_000 };
// A service with one site needs no turns.
export const TURN_OF_ONE: Turns = { ms: Number.POSITIVE_INFINITY, pauseMs: 0, longestPauseMs: 0 };

/** Reports whether a piece of work has used up its time. It then ends soon, and the next run continues it. */
type IsOver = () => boolean;

type HostParts = {
  deletions: Deletions;
  claims: ClaimStore;
  registries: RegistryRules;
  notices: HostNotices;
  webhooks: WebhookRules;
  clock: Clock;
  scanAgainMs?: number | undefined;
};

export type HostWork = ReturnType<typeof hostWork>;

/** A site's part of the jobs that ask its host, by the jobs' names. One that returns false had no answer. */
export function hostWork(parts: HostParts) {
  const { deletions, claims, registries, notices, webhooks, clock, scanAgainMs } = parts;
  const jobs = {
    async 'finish deletions'(isOver: IsOver): Promise<void> {
      for (const id of await deletions.unfinished(BATCH)) {
        await registries.resumeDeletion(id);
        if (isOver()) break;
      }
    },
    'send notices': notices.sendQueued,
    'check makers of webhooks': webhooks.askForMakers,
    'check owners of registries': webhooks.askForRights,
    'scan for deletions': deletionScan({ claims, registries, clock: clock.steady, againMs: scanAgainMs }),
  } satisfies Record<string, (isOver: IsOver) => Promise<unknown>>;
  return { jobs, awaitsRights: webhooks.awaitsRights };
}

export type Parts = {
  database: Database;
  visit<T>(siteId: number, work: (site: { work: HostWork }) => Promise<T>): Promise<T | undefined>;
  turns: Turns;
  log: Logger;
  clock: Clock;
};
/** Claims that ended, by the state they were in. */
type Expired = { pending: number; reserved: number };
type Visit = (siteId: number, isOver: IsOver) => Promise<unknown>;
type RoundOptions = {
  atOnce?: number;
  /** How long ago what is due was due. */
  agoMs?: number;
  /** The most sites per run; the next run continues after the last one. All of them by default. */
  most?: number;
  /** Runs in each process, without a lease: doing it twice is harmless. */
  inEveryProcess?: true;
  isWanted?(siteId: number): boolean | Promise<boolean>;
};

/** The background work of all sites: only those with work are visited, in turn and for a limited time each. */
export function backgroundJobs({ database, visit, turns, log, clock }: Parts) {
  const sites = sitesWithWork(database);
  const expired: Expired = { pending: 0, reserved: 0 };
  const longAgo = () => clock.wall() - KEPT_MS;

  function newTurn(): IsOver {
    const end = clock.steady() + turns.ms;
    return () => clock.steady() > end;
  }

  function round(name: string, everyMs: number, next: Next, work: Visit, options: RoundOptions = {}): Job {
    const { atOnce = 1, agoMs = 0, most, inEveryProcess, isWanted = () => true } = options;
    let after = 0;
    async function hasWork(): Promise<boolean> {
      for (let behind: number | undefined = 0; behind !== undefined; ) {
        const { sites, last }: SitesInTurn = await next(behind, SITES_AT_ONCE, clock.wall() - agoMs);
        for (const id of sites) if (await isWanted(id)) return true;
        behind = last;
      }
      return false;
    }

    return {
      name,
      everyMs,
      ...(!inEveryProcess && { hasWork }),

      async run() {
        do {
          const { sites, last } = await next(after, most ?? SITES_AT_ONCE, clock.wall() - agoMs);
          after = last ?? 0;
          const left = sites[Symbol.iterator]();
          await Promise.all(
            Array.from({ length: Math.min(atOnce, sites.length) }, async () => {
              for (const id of left)
                await work(id, newTurn()).catch((error) =>
                  log.warn(
                    { err: error, site: id },
                    `the job “${name}” failed for a site and is tried again`,
                  ),
                );
            }),
          );
        } while (most === undefined && after !== 0);
      },
    };
  }

  const pauses = bounded<number, { until: number; ms: number }>(10_000);
  const isPaused = (id: number): boolean =>
    clock.steady() < (pauses.get(id)?.until ?? Number.NEGATIVE_INFINITY);

  /** Makes a job that asks each site's host, except hosts that failed recently. */
  const hostRound = (name: keyof HostWork['jobs'], everyMs: number, next: Next, options: RoundOptions = {}) =>
    round(
      name,
      everyMs,
      next,
      async (id, isOver) => {
        if (isPaused(id)) return;
        const before = pauses.get(id);
        let answers = false;
        try {
          answers = (await visit(id, async ({ work }) => work.jobs[name](isOver))) !== false;
        } finally {
          const ms = Math.min(before ? before.ms * 2 : turns.pauseMs, turns.longestPauseMs);
          if (answers) pauses.delete(id);
          else pauses.set(id, { until: clock.steady() + ms, ms });
        }
      },
      { atOnce: HOSTS_AT_ONCE, isWanted: (id) => !isPaused(id), ...options },
    );

  /** Ends claims whose time is over, and counts them by the state they were in. */
  async function expireClaims(id: number, isOver: IsOver): Promise<void> {
    const claims = claimStore(database, id);
    for (;;) {
      const over = await claims.expire(clock.wall(), BATCH);
      for (const { state } of over) expired[state as keyof Expired]++;
      if (over.length < BATCH || isOver()) return;
    }
  }

  async function deleteOldKeys(id: number, isOver: IsOver): Promise<void> {
    const keys = idempotencyKeys(database, id, clock.wall);
    while ((await keys.deleteOld(BATCH)) === BATCH && !isOver());
  }

  // Where a site's last turn ended.
  const cleanedUpTo = bounded<number, number>(10_000);

  /** Deletes events past their retention time, and their deliveries to webhooks. */
  async function deleteOldEvents(id: number, isOver: IsOver): Promise<void> {
    const [events, webhooks] = [eventStore(database, id), webhookStore(database, id)];
    while ((await webhooks.deleteBefore(longAgo(), BATCH)) === BATCH && !isOver());
    let last: number | undefined = cleanedUpTo.get(id) ?? 0;
    while (last !== undefined && !isOver()) last = await events.deleteBefore(longAgo(), last, BATCH);
    cleanedUpTo.set(id, last ?? 0);
  }

  const jobs: Job[] = [
    round('delete old keys', 60_000, sites.oldKeys, deleteOldKeys, { agoMs: DAY_MS }),
    round('delete old events', 60 * 60_000, sites.events, deleteOldEvents, { inEveryProcess: true }),
    // Visitors see the change within ten seconds, also through a cache.
    round('expire claims', 5_000, sites.claimsThatEnd, expireClaims),
    hostRound('finish deletions', 20_000, sites.deletions),
    // A job of its own, so that claims don't wait for a slow host.
    hostRound('send notices', 5_000, sites.notices),
    hostRound('check makers of webhooks', 60 * 60_000, sites.makersWebhooks),
    hostRound('check owners of registries', 5_000, sites.awaitedLooks, {
      isWanted: async (id) => !isPaused(id) && (await visit(id, ({ work }) => work.awaitsRights())) === true,
    }),
    // It only records deletions, and limits its requests to the host itself.
    hostRound('scan for deletions', 20_000, sites.claims, { most: SCANNED_AT_ONCE, inEveryProcess: true }),
  ];
  return { jobs, expired };
}
