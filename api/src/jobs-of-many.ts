import type { Logger } from 'pino';
import { bounded } from './cache.ts';
import type { Clock } from './clock.ts';
import { DAY_MS } from './days.ts';
import type { Job } from './job-runner.ts';
import {
  type Expired,
  expireClaims,
  forgetOldEvents,
  forgetOldKeys,
  type HostWork,
  hasOldEvents,
  type IsOver,
  JOBS,
} from './jobs.ts';
import type { SitePool } from './site-pool.ts';
import { claimStore } from './store/claims.ts';
import type { Database } from './store/database.ts';
import { eventStore } from './store/events.ts';
import { idempotencyKeys } from './store/idempotency.ts';
import { type SitesInTurn, sitesWithWork } from './store/sites.ts';
import { webhookStore } from './store/webhooks.ts';

// Sites of one statement, a site's time in a run, and sites whose hosts are asked at once: one that hangs holds up no other.
const SITES_AT_ONCE = 200;
const MOST_MS_OF_A_SITE = 1_000;
const HOSTS_AT_ONCE = 32;
// Sites of one run of the scan, which asks each one's host once.
const SCANNED_AT_ONCE = 10;
// Pause after a host that failed, which grows with each failure.
const PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 30 * 60_000;

type Parts = { database: Database; pool: SitePool; log: Logger; clock: Clock };
type Next = (after: number, limit: number) => Promise<SitesInTurn>;
type Visit = (siteId: number, isOver: IsOver) => Promise<void>;

/** The background work of a service of many sites: only those with work are visited, in turn and for a limited time each. */
export function jobsOfMany({ database, pool, log, clock }: Parts) {
  const work = sitesWithWork(database);
  const expired: Expired = { pending: 0, reserved: 0 };

  function timed(): IsOver {
    const end = clock.steady() + MOST_MS_OF_A_SITE;
    return () => clock.steady() > end;
  }

  /** Visits all sites with such work that is wanted now, or some: the next run goes on behind the last one. */
  function round(
    job: string,
    next: Next,
    visit: Visit,
    {
      atOnce = 1,
      most = SITES_AT_ONCE,
      all = true,
      isWanted = (_: number): boolean | Promise<boolean> => true,
    } = {},
  ) {
    let after = 0;
    const run = async () => {
      for (;;) {
        const { sites, last } = await next(after, most);
        after = last ?? 0;
        const left = sites[Symbol.iterator]();
        await Promise.all(
          Array.from({ length: Math.min(atOnce, sites.length) }, async () => {
            for (const id of left) {
              await visit(id, timed()).catch((error) =>
                log.warn({ err: error, site: id, job }, 'a job failed for a site and is tried again'),
              );
            }
          }),
        );
        if (!all || last === undefined) return;
      }
    };
    const hasWork = async () => {
      for (let behind: number | undefined = 0; behind !== undefined; ) {
        const { sites, last }: SitesInTurn = await next(behind, most);
        for (const id of sites) if (await isWanted(id)) return true;
        behind = last;
      }
      return false;
    };
    return { hasWork, run };
  }

  const pauses = bounded<number, { until: number; ms: number }>(10_000);
  const isPaused = (id: number): boolean =>
    clock.steady() < (pauses.get(id)?.until ?? Number.NEGATIVE_INFINITY);

  /** Asks a site's host, unless that failed a moment ago. */
  const atHost =
    (ask: (work: HostWork, isOver: IsOver) => Promise<unknown>) => async (id: number, isOver: IsOver) => {
      if (isPaused(id)) return;
      const before = pauses.get(id);
      let answers = false;
      try {
        answers = (await pool.visit(id, (core) => ask(core.work, isOver))) !== false;
      } finally {
        const ms = Math.min(before ? before.ms * 2 : PAUSE_MS, LONGEST_PAUSE_MS);
        if (answers) pauses.delete(id);
        else pauses.set(id, { until: clock.steady() + ms, ms });
      }
    };

  const many = { atOnce: HOSTS_AT_ONCE, isWanted: (id: number) => !isPaused(id) };
  const jobs: Job[] = [
    {
      ...JOBS.forgetOldKeys,
      ...round(
        JOBS.forgetOldKeys.name,
        (after, limit) => work.oldKeys(after, limit, clock.wall() - DAY_MS),
        (id, isOver) => forgetOldKeys(idempotencyKeys(database, id, clock.wall), isOver),
      ),
    },
    {
      ...JOBS.forgetOldEvents,
      ...round(
        JOBS.forgetOldEvents.name,
        work.events,
        (id, isOver) =>
          forgetOldEvents(eventStore(database, id), webhookStore(database, id), clock.wall, isOver),
        { isWanted: (id) => hasOldEvents(eventStore(database, id), webhookStore(database, id), clock.wall) },
      ),
    },
    {
      ...JOBS.expireClaims,
      ...round(
        JOBS.expireClaims.name,
        (after, limit) => work.claimsThatEnd(after, limit, clock.wall()),
        (id, isOver) => expireClaims(claimStore(database, id), expired, clock.wall, isOver),
      ),
    },
    {
      ...JOBS.sendNotices,
      ...round(
        JOBS.sendNotices.name,
        (after, limit) => work.notices(after, limit, clock.wall()),
        atHost((work, isOver) => work.sendNotices(isOver)),
        many,
      ),
    },
    {
      ...JOBS.askForMakers,
      ...round(
        JOBS.askForMakers.name,
        work.makersWebhooks,
        atHost((work, isOver) => work.askForMakers(isOver)),
        many,
      ),
    },
    {
      ...JOBS.askForRights,
      ...round(
        JOBS.askForRights.name,
        work.awaitedLooks,
        atHost((work, isOver) => work.askForRights(isOver)),
        many,
      ),
    },
    {
      ...JOBS.finishDeletions,
      ...round(
        JOBS.finishDeletions.name,
        work.deletions,
        atHost((work, isOver) => work.finishDeletions(isOver)),
        many,
      ),
    },
    {
      ...JOBS.scan,
      everyMs: 20_000,
      run: round(
        JOBS.scan.name,
        work.claims,
        atHost((work) => work.scan()),
        {
          atOnce: SCANNED_AT_ONCE,
          most: SCANNED_AT_ONCE,
          all: false,
        },
      ).run,
    },
  ];
  return { jobs, counters: { expired } };
}
