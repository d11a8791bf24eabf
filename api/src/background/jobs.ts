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
const SITES_PER_READ = 200;
// Asked concurrently, so that a host that hangs doesn't delay the others.
const HOSTS_AT_ONCE = 32;
// Sites per run of the scan, which asks each site's host once.
const SCANS_PER_RUN = 10;

/** A site's longest turn, and the pause for a host that failed, doubled with each failure. A service with one site needs neither. */
export type Turns = { ms: number; pauseMs: number; longestPauseMs: number };

export const TURNS_OF_MANY: Turns = { ms: 1_000, pauseMs: 5_000, longestPauseMs: 30 * 60_000 };
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

/** A site's part of the jobs that ask its host, by the jobs' names. If the host doesn't answer, a job returns false or throws. */
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
type Task = (siteId: number, isOver: IsOver) => Promise<unknown>;
type RoundOptions = {
  atOnce?: number;
  /** Finds only rows whose time came at least this long ago. */
  agoMs?: number;
  /** The most sites per run; the next run continues after the last one. All of them by default. */
  most?: number;
  /** Runs in each process, without a lease: doing it twice is harmless. */
  inEveryProcess?: true;
  /** Whether a site is a reason to run. A run visits the others with work, too. */
  needsRun?(siteId: number): boolean | Promise<boolean>;
};

/** The background work of all sites: only those with work are visited, in turn and for a limited time each. */
export function backgroundJobs({ database, visit, turns, log, clock }: Parts) {
  const sitesWith = sitesWithWork(database);
  const expired = { pending: 0, reserved: 0 };
  const eventCutoff = () => clock.wall() - KEPT_MS;
  const stopping = new AbortController();

  function newTurn(): IsOver {
    const end = clock.steady() + turns.ms;
    return () => stopping.signal.aborted || clock.steady() > end;
  }

  function round(name: string, everyMs: number, next: Next, task: Task, options: RoundOptions = {}): Job {
    const { atOnce = 1, agoMs = 0, most, inEveryProcess, needsRun = () => true } = options;
    let lastVisited = 0;
    const failed = (site: number) => (err: unknown) =>
      log.warn({ err, site }, `the job “${name}” failed for a site and is tried again`);
    async function hasWork(): Promise<boolean> {
      for (let lastChecked: number | undefined = 0; lastChecked !== undefined; ) {
        const { sites, last }: SitesInTurn = await next(lastChecked, SITES_PER_READ, clock.wall() - agoMs);
        for (const id of sites) if (await needsRun(id)) return true;
        lastChecked = last;
      }
      return false;
    }

    return {
      name,
      everyMs,
      ...(!inEveryProcess && { hasWork }),

      async run() {
        do {
          const { sites, last } = await next(lastVisited, most ?? SITES_PER_READ, clock.wall() - agoMs);
          lastVisited = last ?? 0;
          const queue = sites[Symbol.iterator]();
          await Promise.all(
            Array.from({ length: Math.min(atOnce, sites.length) }, async () => {
              for (const id of queue)
                if (!stopping.signal.aborted) await task(id, newTurn()).catch(failed(id));
            }),
          );
        } while (most === undefined && lastVisited !== 0 && !stopping.signal.aborted);
      },
    };
  }

  const pauses = bounded<number, { until: number; ms: number }>(10_000);
  const isPaused = (id: number): boolean =>
    clock.steady() < (pauses.get(id)?.until ?? Number.NEGATIVE_INFINITY);

  /** Makes a job that asks each site's host, except hosts that failed recently. */
  function hostRound(name: keyof HostWork['jobs'], everyMs: number, next: Next, options: RoundOptions = {}) {
    const task: Task = async (id, isOver) => {
      if (isPaused(id)) return;
      const before = pauses.get(id);
      let hasAnswered = false;
      try {
        hasAnswered = (await visit(id, async ({ work }) => work.jobs[name](isOver))) !== false;
      } finally {
        const ms = Math.min(before ? before.ms * 2 : turns.pauseMs, turns.longestPauseMs);
        if (hasAnswered) pauses.delete(id);
        else pauses.set(id, { until: clock.steady() + ms, ms });
      }
    };
    const usual: RoundOptions = { atOnce: HOSTS_AT_ONCE, needsRun: (id) => !isPaused(id) };
    return round(name, everyMs, next, task, { ...usual, ...options });
  }

  /** Ends claims whose time is over, and counts them by the state they were in. */
  async function expireClaims(id: number, isOver: IsOver): Promise<void> {
    const claims = claimStore(database, id);
    for (;;) {
      const over = await claims.expire(clock.wall(), BATCH);
      for (const { state } of over) expired[state as keyof typeof expired]++;
      if (over.length < BATCH || isOver()) return;
    }
  }

  async function deleteOldKeys(id: number, isOver: IsOver): Promise<void> {
    const keys = idempotencyKeys(database, id, clock.wall);
    while ((await keys.deleteOld(BATCH)) === BATCH && !isOver());
  }

  // The registry up to which this process deleted a site's old events in the last turn; the next turn goes on after it.
  const cleanedUpTo = bounded<number, number>(10_000);

  /** Deletes events past their retention time, and their deliveries to webhooks. */
  async function deleteOldEvents(id: number, isOver: IsOver): Promise<void> {
    const [events, webhooks] = [eventStore(database, id), webhookStore(database, id)];
    while ((await webhooks.deleteBefore(eventCutoff(), BATCH)) === BATCH && !isOver());
    let last: number | undefined = cleanedUpTo.get(id) ?? 0;
    while (last !== undefined && !isOver()) last = await events.deleteBefore(eventCutoff(), last, BATCH);
    cleanedUpTo.set(id, last ?? 0);
  }

  const jobs: Job[] = [
    round('delete old keys', 60_000, sitesWith.oldKeys, deleteOldKeys, { agoMs: DAY_MS }),
    round('delete old events', 60 * 60_000, sitesWith.events, deleteOldEvents, { inEveryProcess: true }),
    // Visitors see the change within ten seconds, also through a cache.
    round('expire claims', 5_000, sitesWith.claimsThatEnd, expireClaims),
    hostRound('finish deletions', 20_000, sitesWith.deletions),
    // Separate from expiring claims, which mustn't wait for a slow host.
    hostRound('send notices', 5_000, sitesWith.notices),
    hostRound('check makers of webhooks', 60 * 60_000, sitesWith.makersWebhooks),
    hostRound('check owners of registries', 5_000, sitesWith.awaitedLooks, {
      needsRun: async (id) => !isPaused(id) && (await visit(id, ({ work }) => work.awaitsRights())) === true,
    }),
    // Harmless in every process: it only records deletions, and limits how often it asks the host.
    hostRound('scan for deletions', 20_000, sitesWith.claims, { most: SCANS_PER_RUN, inEveryProcess: true }),
  ];
  return { jobs, expired, stopJobs: () => stopping.abort() };
}
