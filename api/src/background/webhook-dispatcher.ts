import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { RegistryEvent } from '../contract/index.ts';
import { idOf, type SeenEvent } from '../domain/events.ts';
import { nameOf, purposeOf, sightOfMaker, targetOf, verdictForWebhook } from '../domain/webhooks.ts';
import type { Sent, WebhookSender } from '../internet/webhook-sender.ts';
import type { Cipher } from '../lib/cipher.ts';
import { type Clock, DAY_MS } from '../lib/clock.ts';
import { coalescing } from '../lib/coalescing.ts';
import { AddressRefused } from '../lib/outbound.ts';
import type { Database } from '../store/database.ts';
import { type EventStore, eventStore } from '../store/events.ts';
import { type NextSites, type SitesInTurn, sitesWithWork } from '../store/sites.ts';
import {
  type Attempt,
  type ClaimedDelivery,
  type StoredWebhook,
  type WebhookStore,
  WHEN_DECIDED,
  waitingDeliveries,
  webhookStore,
} from '../store/webhooks.ts';
import { repeat } from './runner.ts';

const MINUTE_MS = 60_000;
// Pauses after failed attempts; after the last one, an event is given up.
const RETRY_MS = [5_000, ...[5, 30, 120, 300, 600, 840, 1200, 1440].map((minutes) => minutes * MINUTE_MS)];
const DISABLED_AFTER_MS = 5 * DAY_MS;
const GONE = 410;

const LIMITS = {
  /** How often to look for due deliveries, and for events that other processes stored. */
  dueEveryMs: 1_000,
  eventsEveryMs: 5_000,
  /** The most concurrent attempts for one webhook. */
  ofOne: 4,
  /** How long attempts under way may take after the service begins to stop. */
  endMs: 4_000,
};
export type DeliveryLimits = typeof LIMITS;

const SITES_PER_READ = 200;
const RECORD_AGAIN_MS = 500;
const RECORD_TRIES = 20;
const TURN_MS = 1_000;

export type Parts = {
  database: Database;
  sender: WebhookSender;
  cipher: () => Promise<Cipher>;
  present(event: SeenEvent, admin: boolean): RegistryEvent;
  isServed(siteId: number): Promise<boolean>;
  log: Logger;
  clock: Clock;
  limits?: Partial<DeliveryLimits> | undefined;
};

type SiteStores = { siteId: number; hooks: WebhookStore; events: EventStore };

/** Sends events to webhooks, in every process that runs jobs. Any number of processes may share the store. */
export type Deliveries = ReturnType<typeof startDeliveries>;

export function startDeliveries(parts: Parts) {
  const { database, sender, isServed, log, clock } = parts;
  const limits = { ...LIMITS, ...parts.limits };
  const counters = { delivered: 0, failed: 0, given_up: 0 };
  const work = sitesWithWork(database);
  const stop = new AbortController();
  const { signal } = stop;
  let isClosing = false;
  const sending = new Map<string, Set<Promise<void>>>();
  const visits = coalescing<number>();
  const waking = new Map<number, NodeJS.Timeout>();

  const warn = (job: string, err: unknown, where = '', about = {}) =>
    log.warn({ err, ...about }, `the job “${job}” failed${where} and is tried again`);
  const storesOf = (siteId: number): SiteStores => ({
    siteId,
    hooks: webhookStore(database, siteId),
    events: eventStore(database, siteId),
  });

  async function removeEnded(hooks: WebhookStore): Promise<void> {
    for (const id of await hooks.ended()) await hooks.delete(id);
  }

  async function secretOf(siteId: number, { id, secret }: StoredWebhook): Promise<string | undefined> {
    try {
      return (await parts.cipher()).decrypt(secret, purposeOf(siteId, id));
    } catch (error) {
      log.error({ err: error, webhook: id, site: siteId }, 'the secret of a webhook could not be decrypted');
      return undefined;
    }
  }

  /** Sends an event and returns the answer; undefined if the webhook isn't to get it after all, or not yet. */
  async function attempt(
    { siteId, hooks, events }: SiteStores,
    hook: StoredWebhook,
    delivery: ClaimedDelivery,
  ): Promise<Sent | undefined> {
    const event = await events.at(delivery.registryId, delivery);
    const sight = sightOfMaker(hook, await hooks.standing(hook, delivery.registryId), clock.wall());
    // A maker without rights loses the webhook, but not on the event of a claim that may be concealed: owners would see its time.
    const isConcealable = event !== undefined && event.claimId !== null && event.isConcealed !== false;
    if (!sight && !isConcealable) await hooks.disable(hook.id, clock.wall());
    const verdict = event && sight && verdictForWebhook(event, sight);
    if (verdict === 'undecided') await hooks.release(delivery, WHEN_DECIDED);
    else if (verdict !== 'shown') await hooks.drop(delivery);
    if (!event || !sight || verdict !== 'shown') return undefined;
    const secret = await secretOf(siteId, hook);
    if (secret === undefined) return { status: null, ms: 0, problem: 'unreachable', cause: undefined };
    const body = JSON.stringify(parts.present({ event, claims: sight.items }, sight.admin));
    const message = { id: idOf(event), body, secret, time: clock.wall() };
    return sender.send(targetOf(siteId, hook), message, signal);
  }

  /** Records the result of an attempt, retrying if the store fails, so that the attempt isn't repeated. */
  async function record(hooks: WebhookStore, delivery: ClaimedDelivery, result: Attempt): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await hooks.attempted(delivery, result);
      } catch (error) {
        if (tries === RECORD_TRIES) throw error;
        await sleep(RECORD_AGAIN_MS);
      }
    }
  }

  async function deliver(stores: SiteStores, hook: StoredWebhook, delivery: ClaimedDelivery): Promise<void> {
    const { hooks, siteId } = stores;
    const sent = await attempt(stores, hook, delivery).catch(async (error) => {
      await hooks.release(delivery);
      throw error;
    });
    if (!sent) return;
    const attempts = delivery.attempts + 1;
    const { status } = sent;
    const now = clock.wall();
    if (status !== null && status >= 200 && status < 300) {
      counters.delivered++;
      return record(hooks, delivery, { attempts, status, dueAt: null });
    }
    const isGone = status === GONE;
    const pause = isGone ? undefined : RETRY_MS[delivery.attempts];
    counters[pause === undefined ? 'given_up' : 'failed']++;
    if (sent.status === null && sent.cause instanceof AddressRefused)
      log.info({ webhook: hook.id, site: siteId, err: sent.cause }, 'an address of a webhook is not allowed');
    await record(hooks, delivery, { attempts, status, dueAt: pause === undefined ? null : now + pause });
    await hooks.failed(hook.id, now, isGone, now - DISABLED_AFTER_MS);
  }

  async function sendAll(stores: SiteStores, webhook: StoredWebhook): Promise<void> {
    const { hooks, siteId } = stores;
    while (!isClosing) {
      // Waits for a free place before claiming a delivery, so that the claim can't expire in the meantime.
      using _place = await sender.enter(targetOf(siteId, webhook), signal);
      const hook = await hooks.byId(webhook.id);
      // The site may have been suspended since the last attempt.
      if (!hook || !(await isServed(siteId)) || isClosing) return;
      if (hook.disabledAt !== null) await hooks.giveUp(hook.id);
      const delivery = await hooks.claim(hook.id, clock.wall());
      if (!delivery) return hook.isEnded ? await removeEnded(hooks) : undefined;
      await deliver(stores, hook, delivery);
    }
  }

  /** Starts sending what is due to a site's webhooks, without waiting for the end. */
  async function sendDue(stores: SiteStores): Promise<void> {
    for (const { hook, count } of await stores.hooks.due(clock.wall(), limits.ofOne)) {
      const key = nameOf(stores.siteId, hook);
      // A receiver that isn't known to be quick gets one request at a time, so a hanging one occupies no more than that.
      const most = sender.isQuick(key) ? count : Math.min(count, 1);
      const workers = sending.get(key) ?? new Set();
      while (!isClosing && workers.size < most) {
        const own = sendAll(stores, hook)
          .catch((error) => {
            const about = { webhook: hook.id, site: stores.siteId };
            if (!signal.aborted) warn('send events to webhooks', error, ' for a webhook', about);
          })
          .finally(() => {
            workers.delete(own);
            if (workers.size === 0) sending.delete(key);
          });
        sending.set(key, workers.add(own));
      }
    }
  }

  /** Assigns a site's new events to its webhooks, and starts sending what is due. */
  async function visitOnce(siteId: number): Promise<void> {
    if (isClosing) return;
    try {
      const stores = storesOf(siteId);
      if (!(await stores.hooks.any()) || !(await isServed(siteId))) return;
      while (!isClosing && (await stores.events.assignPlaces(clock.wall())));
      await stores.hooks.makeDecidedDue(clock.wall());
      await removeEnded(stores.hooks);
      await sendDue(stores);
    } catch (error) {
      warn('assign events to webhooks', error, ' for a site', { site: siteId });
    }
  }
  const visit = (siteId: number): Promise<void> => visits.run(siteId, () => visitOnce(siteId));

  async function round(name: string, next: NextSites, go: (id: number) => unknown): Promise<void> {
    try {
      for (let after: number | undefined = 0; after !== undefined && !isClosing; ) {
        const { sites, last }: SitesInTurn = await next(after, SITES_PER_READ, clock.wall());
        for (const id of sites) await go(id);
        after = last;
      }
    } catch (error) {
      warn(name, error);
    }
  }

  const repeats = [
    repeat(limits.dueEveryMs, () =>
      round('send events to webhooks', work.deliveries, async (id) => {
        if (await isServed(id)) await sendDue(storesOf(id));
      }),
    ),
    // After TURN_MS a visit goes on in the background, so that a site with endless events delays no others.
    repeat(limits.eventsEveryMs, () =>
      round('assign events to webhooks', work.webhooks, (id) =>
        Promise.race([visit(id), sleep(TURN_MS, undefined, { ref: false })]),
      ),
    ),
  ];

  return {
    counters,
    waiting: () => waitingDeliveries(database, clock.wall()),

    wake(siteId: number): void {
      if (isClosing || waking.has(siteId)) return;
      const go = () => {
        waking.delete(siteId);
        void visit(siteId);
      };
      // Slightly delayed, so that a burst of events causes one visit.
      waking.set(siteId, setTimeout(go, 5).unref());
    },

    async close(): Promise<void> {
      isClosing = true;
      for (const timer of waking.values()) clearTimeout(timer);
      const late = setTimeout(() => stop.abort(new Error('the service stops')), limits.endMs);
      await Promise.all(repeats.map(({ close }) => close()));
      await visits.settled();
      await Promise.all([...sending.values()].flatMap((workers) => [...workers]));
      clearTimeout(late);
    },
  };
}
