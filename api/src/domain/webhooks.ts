import { randomBytes } from 'node:crypto';
import type { UserRoles, WebhookCreate } from '../contract/index.ts';
import { Problem, tooManyRequests } from '../contract/problem.ts';
import type { HostRegistries } from '../host/registries.ts';
import type { SendProblem, Sent, Target, WebhookSender } from '../internet/webhook-sender.ts';
import { bounded } from '../lib/cache.ts';
import type { Cipher } from '../lib/cipher.ts';
import { DAY_MS } from '../lib/clock.ts';
import { rateLimiter } from '../lib/rate-limiter.ts';
import { marksOf } from '../store/co-owners.ts';
import type { EventSight, EventStore, StoredEvent } from '../store/events.ts';
import type { ClaimSight } from '../store/items.ts';
import {
  type ListedDelivery,
  type Standing,
  type StoredWebhook,
  type WebhookStore,
  WHEN_DECIDED,
  WHOLE_SITE,
} from '../store/webhooks.ts';
import {
  eventSight,
  eventSightIn,
  ownersSight,
  owns,
  type RegistryAccess,
  type Viewer,
  verdictOn,
} from './access.ts';
import type { EventRules } from './events.ts';

const MOST_OF_REGISTRY = 10;
const MOST_OF_SITE = 20;
const SECRET_BYTES = 32;
const LISTED = 50;
const READ_AT_ONCE = 100;
const MOST_AWAITED = 100;
// How long until a question that the host has lost is asked again.
const ASK_AGAIN_MS = 20_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MAKERS_AN_HOUR = 100;
const TESTS_A_MINUTE = 30;
// An admin the host hasn't confirmed for this long may have lost that role.
const ADMIN_FOR_MS = 30 * DAY_MS;

type Parts = {
  store: WebhookStore;
  access: RegistryAccess;
  events: EventRules;
  sender: WebhookSender;
  cipher: () => Promise<Cipher>;
  siteId: number;
  adminRoles: readonly string[];
  /** Ask the host about a user or a registry, without credentials. */
  host: Pick<HostRegistries, 'lookAtUser' | 'reportRights'>;
  undecided: EventStore['undecided'];
  signInAnew: (authorization: string) => Promise<{ admin: boolean }>;
  now: () => number;
  clock: () => number;
};

export { type ListedDelivery, type SendProblem, type Sent, type StoredWebhook, WHEN_DECIDED, WHOLE_SITE };

export type WebhookRules = ReturnType<typeof webhookRules>;

export function webhookRules({ store, access, events, sender, cipher, siteId, ...parts }: Parts) {
  const { adminRoles, host, undecided, signInAnew, now, clock } = parts;
  const askedAt = bounded<number, number>(MOST_AWAITED);
  const tested = rateLimiter<number>({ withinMs: MINUTE_MS, remembered: 10_000, clock });

  /** Throws unless the viewer may manage webhooks of this registry, or of the whole site if `registryId` is undefined. */
  async function admit(viewer: Viewer, registryId: number | undefined): Promise<{ isOwner: boolean }> {
    if (registryId === undefined) {
      if (!viewer.admin) throw new Problem('forbidden', 'Only admins may have webhooks of the whole site');
      return { isOwner: false };
    }
    const { post, mayWrite } = await access.readNow(viewer, registryId);
    if (!mayWrite)
      throw new Problem('forbidden', 'Only its owners and admins may have webhooks of a registry');
    return { isOwner: owns(viewer, post) };
  }

  async function one(viewer: Viewer, registryId: number | undefined, id: string): Promise<StoredWebhook> {
    await admit(viewer, registryId);
    const found = await store.byId(id);
    const isHere = found?.registryId === (registryId ?? WHOLE_SITE);
    if (!isHere || !isSeen(viewer, found)) throw new Problem('not_found', 'Webhook not found');
    return found;
  }

  /** Registries with waiting events, except those about which the host was asked a moment ago. */
  const registriesToAsk = async (): Promise<number[]> =>
    (await store.awaitedRegistries(MOST_AWAITED)).filter(
      (id) => (askedAt.get(id) ?? Number.NEGATIVE_INFINITY) < clock() - ASK_AGAIN_MS,
    );

  /** The address to call. Spaces and a missing `//`, which the parser repairs, are the caller's mistakes. */
  function addressOf(text: string): string {
    const url = /^https?:\/\/[^/?#\s\p{C}\\][^\s\p{C}\\]*$/iu.test(text) ? URL.parse(text) : null;
    if (!url || url.username || url.password)
      throw new Problem('invalid', 'url: must be an https address without a user name');
    const refusal = sender.refusalOf(url);
    if (refusal) throw new Problem('invalid', `url: ${refusal}`);
    url.hash = '';
    return url.href;
  }

  /** Leaves out deliveries about claims that are, or may be, concealed from this admin as an owner. */
  async function withoutConcealed(viewer: Viewer, found: ListedDelivery[]): Promise<ListedDelivery[]> {
    const registries = found.map(({ registryId }) => registryId);
    const eventSightOf = eventSightIn(await access.ownRegistriesNow(viewer, registries));
    return found.filter((delivery) => verdictOn(delivery, eventSightOf(delivery.registryId)) === 'shown');
  }

  /** Asks the host anew about a new webhook's maker: the cached sign-in may be older than a report of a lost role. */
  async function confirmAdmin({ authorization, noWait }: Viewer, webhook: StoredWebhook): Promise<void> {
    // The host may be waiting for this response. Its answer, whenever it comes, removes the rights of someone who is no
    // longer an admin: each sign-in stores whether its user is one.
    if (noWait)
      return void signInAnew(authorization).catch((error) => {
        const isRefused = error instanceof Problem && error.code === 'unauthorized';
        return isRefused ? store.delete(webhook.id).catch(() => {}) : undefined;
      });
    let mayKeep = false;
    try {
      mayKeep = (await signInAnew(authorization)).admin || webhook.isByOwner;
    } finally {
      if (!mayKeep) await store.delete(webhook.id);
    }
    if (!mayKeep) throw new Problem('forbidden', 'Only admins may have this webhook');
  }

  const secretOf = ({ id, secret }: StoredWebhook): Promise<string> =>
    opened(secret, purposeOf(siteId, id), 'The secret of this webhook is lost');

  /** Decrypts what this service encrypted; refuses if the site came from another service, or the key has changed. */
  async function opened(encrypted: string, purpose: string, refusal: string): Promise<string> {
    const { decrypt } = await cipher();
    try {
      return decrypt(encrypted, purpose);
    } catch (cause) {
      throw new Problem('conflict', `${refusal}: make another webhook`, { cause });
    }
  }

  async function disableAllOf(userId: number): Promise<void> {
    await store.updateMaker(userId, false, now());
    for (const id of await store.ofMaker(userId)) await store.disable(id, now());
  }

  return {
    async create(
      viewer: Viewer,
      registryId: number | undefined,
      { url: text, types }: WebhookCreate,
      creationKey: string | null,
    ): Promise<{ webhook: StoredWebhook; secret: string }> {
      const { isOwner } = await admit(viewer, registryId);
      const url = addressOf(text);
      const { encrypt } = await cipher();
      // A webhook gets only events that are given their place after it was made: those from before get theirs now.
      await events.assignAllPlaces();
      const id = randomBytes(16).toString('base64url');
      const most = registryId === undefined ? MOST_OF_SITE : MOST_OF_REGISTRY;
      const webhook = {
        ...{ url, types: [...new Set(types)], registryId: registryId ?? WHOLE_SITE },
        secret: encrypt(`whsec_${randomBytes(SECRET_BYTES).toString('base64')}`, purposeOf(siteId, id)),
        ...{ makerId: viewer.id, makerMarks: marksOf(viewer), makerIsAdmin: viewer.admin },
        ...{ isByOwner: isOwner, makerSeenAt: now(), createdAt: now() },
      };
      const stored = await store.add(id, webhook, creationKey, most);
      if (!stored)
        throw new Problem(
          'conflict',
          registryId === undefined
            ? `There are ${most} webhooks here already: delete one first`
            : `A registry has at most ${most} webhooks, including those that only administrators see: delete one, or ask them to`,
        );
      if (viewer.admin && stored.id === id) await confirmAdmin(viewer, stored);
      return { webhook: stored, secret: await secretOf(stored) };
    },

    /** An answer with a secret, as stored for an `Idempotency-Key`. */
    encrypt: async (json: string): Promise<string> => (await cipher()).encrypt(json, `answer ${siteId}`),
    decrypt: (encrypted: string): Promise<string> =>
      opened(encrypted, `answer ${siteId}`, 'The first answer cannot be given again'),

    /** Takes an admin's report of a user's roles on the host, or that there is no such user. */
    async storeReportedRoles(viewer: Viewer, userId: number, { roles, gone, username, email }: UserRoles) {
      if (!viewer.admin) throw new Problem('forbidden', "Only admins may report a user's roles");
      if (gone) return disableAllOf(userId);
      const isAdmin = roles.some((role) => adminRoles.includes(role));
      const isNamed = username !== undefined && email !== undefined;
      await store.updateMaker(userId, isAdmin, now(), isNamed ? marksOf({ username, email }) : undefined);
    },

    awaitsRights: async (): Promise<boolean> => (await registriesToAsk()).length > 0,

    /** Asks the host's plugin who owns the registries with waiting events. */
    async askForRights(isOver = () => false): Promise<void> {
      for (const id of await registriesToAsk()) {
        if (isOver()) break;
        askedAt.set(id, clock());
        const last = await undecided(id);
        await host.reportRights(id, `${last?.number ?? 0}.${last?.part ?? 0}`);
      }
    },

    /** Asks the host about as many makers as an hour allows. */
    async askForMakers(isOver = () => false): Promise<void> {
      const makers = await store.makers();
      // Each hour starts at another maker, since a slow host may answer for only the first few.
      const hour = Math.floor(now() / HOUR_MS);
      // The day is added so that all have their turn even if the number of makers is a multiple of the step.
      const first = (hour * (MAKERS_AN_HOUR + 1) + Math.floor(hour / 24)) % Math.max(1, makers.length);
      for (const id of [...makers.slice(first), ...makers.slice(0, first)].slice(0, MAKERS_AN_HOUR)) {
        if ((await host.lookAtUser(id)) === 'gone') await disableAllOf(id);
        if (isOver()) break;
      }
    },

    async list(viewer: Viewer, registryId: number | undefined): Promise<StoredWebhook[]> {
      await admit(viewer, registryId);
      const found = await store.of(registryId ?? WHOLE_SITE);
      return found.filter((webhook) => isSeen(viewer, webhook));
    },

    async delete(viewer: Viewer, registryId: number | undefined, id: string): Promise<void> {
      await one(viewer, registryId, id);
      await store.delete(id);
    },

    /** Sends a ping now, whatever else waits. */
    async test(viewer: Viewer, registryId: number | undefined, id: string): Promise<Sent> {
      const webhook = await one(viewer, registryId, id);
      const seconds = tested.countAttempt(viewer.id, TESTS_A_MINUTE);
      if (seconds !== undefined) throw tooManyRequests('Too many tests, try again later', seconds);
      const time = now();
      const event = {
        id: `evt_${randomBytes(16).toString('base64url')}`,
        type: 'ping',
        time: new Date(time).toISOString(),
        ...{ registry_id: registryId ?? null, item_id: null, claim_id: null, data: {} },
      };
      const secret = await secretOf(webhook);
      const message = { id: event.id, body: JSON.stringify(event), secret, time };
      return sender.send(targetOf(siteId, webhook), message);
    },

    async deliveries(viewer: Viewer, registryId: number | undefined, id: string): Promise<ListedDelivery[]> {
      await one(viewer, registryId, id);
      const sight = registryId === undefined ? 'all' : await events.sightOf(viewer, registryId);
      const seen: ListedDelivery[] = [];
      for (let before = Number.MAX_SAFE_INTEGER; seen.length < LISTED; ) {
        const found = await store.deliveries(id, before, sight, READ_AT_ONCE);
        seen.push(...(registryId === undefined ? await withoutConcealed(viewer, found) : found));
        if (found.length < READ_AT_ONCE) break;
        before = found.at(-1)!.place;
      }
      return seen.slice(0, LISTED);
    },
  };
}

const isSeen = (viewer: Viewer, { isByOwner }: StoredWebhook): boolean => viewer.admin || isByOwner;

export const nameOf = (siteId: number, { id }: StoredWebhook): string => `${siteId} ${id}`;

export const targetOf = (siteId: number, webhook: StoredWebhook): Target => ({
  name: nameOf(siteId, webhook),
  url: new URL(webhook.url),
  site: `${siteId}`,
  maker: `${siteId} ${webhook.makerId}`,
});

export const purposeOf = (siteId: number, id: string): string => `webhook ${siteId} ${id}`;

/** Which events a webhook gets, their claims' visibility, and whether it is an admin's. `isOutdated`: ask the host first. */
type MakersSight = { events: EventSight; items: ClaimSight; admin: boolean; isOutdated: boolean };

/** Events this webhook may receive given its maker's last known rights. Undefined means: disable it. */
export function sightOfMaker(
  { makerIsAdmin, makerSeenAt, registryId, isByOwner }: StoredWebhook,
  standing: Standing,
  now: number,
): MakersSight | undefined {
  const admin = makerIsAdmin && makerSeenAt > now - ADMIN_FOR_MS;
  const mayFollow = admin || (standing.owns && registryId !== WHOLE_SITE);
  const isOutdated = standing.isOutdated && !admin && registryId !== WHOLE_SITE;
  if (!mayFollow && !isOutdated) return undefined;
  // Owners see an owner's webhook and its deliveries, so it gets only what they may see, even if its maker is an admin.
  const isOwners = isByOwner || standing.isKnownOwner || !admin;
  const items = isOwners ? ownersSight(standing, now) : 'shown';
  return { events: eventSight(isOwners, items), items, admin, isOutdated };
}

export const verdictForWebhook = (event: StoredEvent, { events, isOutdated }: MakersSight) =>
  isOutdated || (events === 'owner' && event.countsUndecided) ? 'undecided' : verdictOn(event, events);
