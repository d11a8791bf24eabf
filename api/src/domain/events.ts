import { hash } from 'node:crypto';
import { DEFAULT_LIMIT, type EventQuery, type EventType } from '../contract/index.ts';
import { Problem } from '../contract/problem.ts';
import type { Post } from '../host/post-format.ts';
import { RegistryGone } from '../host/registries.ts';
import { DAY_MS } from '../lib/clock.ts';
import { claimFromRow } from '../store/claims.ts';
import {
  type EventSight,
  type EventStore,
  KEPT_MS,
  type Position,
  type RegistryState,
  type StoredEvent,
} from '../store/events.ts';
import { type ClaimSight, itemOfEvent } from '../store/items.ts';
import {
  eventSight,
  eventSightIn,
  owns,
  type RegistryAccess,
  sightIn,
  throwUnlessHidden,
  type Viewer,
  verdictOn,
} from './access.ts';
import { mergeOrder } from './item-order.ts';
import { type SeenRegistry, seenRegistry } from './registries.ts';

type Parts = { store: EventStore; access: RegistryAccess; now: () => number };

// The most bytes on a page, and those of an event without its data: a thousand events of 6 kB would delay everyone by 300 ms.
// Whatever their size, `LEAST_EVENTS` fit: sites ask for that many, and take a shorter page for the last one.
const PAGE_BYTES = 512 * 1024;
const EVENT_BYTES = 500;
const LEAST_EVENTS = 200;
const MOST_TEXT = 2_000;
const START: Position = { number: 0, part: 0 };

export type SeenEvent = { event: StoredEvent; claims: ClaimSight };

export type EventPage = { events: SeenEvent[]; next: string };

export type EventRules = ReturnType<typeof eventRules>;

export function eventRules({ store, access, now }: Parts) {
  const cutoff = () => now() - KEPT_MS;

  /** Which of a registry's events the viewer sees, and how much of the claims on its items. */
  async function sightsOf(viewer: Viewer, id: number): Promise<{ events: EventSight; items: ClaimSight }> {
    try {
      const { post, mayWrite } = await access.readNow(viewer, id);
      if (!mayWrite) throw new Problem('forbidden', 'Only its owners and admins may follow a registry');
      const items = access.sightOf(viewer, post);
      return { events: eventSight(owns(viewer, post), items), items };
    } catch (error) {
      // Admins learn of the deletion by its last event.
      const isAdmins = error instanceof RegistryGone && viewer.admin;
      if (isAdmins && (await store.last(id, 'all'))) return { events: 'all', items: 'shown' };
      throw error;
    }
  }

  /** Returns the event that a cursor of this feed names, if the store still has it unchanged, or else undefined. */
  async function namedBy({ registryId, position, at, mark }: Cursor): Promise<StoredEvent | undefined> {
    if (mark === '') return undefined;
    const event = await store.at(registryId, position);
    if (event?.at === at && markOf(event) === mark) return event;
    // The event was deleted, or a restored backup has another one in its place.
    throw noneAt(at);
  }

  /** One refusal for a cursor that names no event, and for one whose event its reader may not know. */
  const noneAt = (at: number) => (at < cutoff() ? tooOld() : unknownCursor());

  return {
    /** Assigns a place in the site's order to every event that is stored by now. */
    async assignAllPlaces(): Promise<void> {
      while (await store.assignPlaces(now()));
    },

    /** Which of a registry's events the viewer sees. Refuses everyone but its owners and admins. */
    sightOf: async (viewer: Viewer, id: number): Promise<EventSight> => (await sightsOf(viewer, id)).events,

    async ofRegistry(viewer: Viewer, id: number, { after, limit = DEFAULT_LIMIT }: EventQuery) {
      const { events: sight, items } = await sightsOf(viewer, id);
      const cursor = after === undefined ? undefined : readCursor(after, `${id}`);
      const named = cursor && (await namedBy(cursor));
      // Nobody learns of a concealed event by trying its cursor.
      if (named && named.isConcealed !== false && verdictOn(named, sight) !== 'shown') throw noneAt(named.at);
      const known = cursor && (named ?? START);
      const [from, since] = known ? [known, 0] : [START, cutoff()];
      // Looked for first: what is stored meanwhile comes with the next page.
      const before = cursor ? named : await store.last(id, sight);
      const found = await store.ofRegistry(id, from, since, sight, limit);
      if (known && found[0] && found[0].at < cutoff()) throw tooOld();
      const page = found.filter(pageRoom());
      const last = page.at(-1) ?? before;
      return {
        events: page.map((event) => ({ event, claims: items })),
        next: cursorOf(`${id}`, id, last ?? START),
      };
    },

    async ofAll(viewer: Viewer, { after, limit = DEFAULT_LIMIT }: EventQuery): Promise<EventPage> {
      if (!viewer.admin) throw new Problem('forbidden', 'Only admins may follow everything');
      // One time for all looks: the host is asked once, however many events are concealed, and not at all for its own page.
      const began = access.time();
      const ownAmong = (ids: number[]) => access.ownRegistries(viewer, ids, began);
      const known = after === undefined ? undefined : readCursor(after, 'all');
      let last = known && (await namedBy(known));
      // Every event returned here already had its place; a restored store would give it another one.
      if (last?.place === null) throw noneAt(last.at);
      if (last && last.claimId !== null && last.isConcealed !== false) {
        const sight = eventSightIn(await ownAmong([last.registryId]))(last.registryId);
        if (verdictOn(last, sight) !== 'shown') throw noneAt(last.at);
      }
      let place = last?.place ?? 0;
      // The cursor of an empty feed has the cutoff as it was then, rounded up to a day.
      const since = last ? 0 : (known?.position.number ?? cutoff());
      const events: SeenEvent[] = [];
      const hasRoom = pageRoom();
      const lookedAt = new Set<number>();
      pages: while (events.length < limit) {
        const rows = await store.afterPlace(place, since, limit);
        if (rows.length === 0) {
          if (!(await store.assignPlaces(now()))) break;
          continue;
        }
        const own = await ownAmong(rows.map(({ registryId }) => registryId));
        const eventSightOf = eventSightIn(own);
        for (const event of rows) {
          if (events.length === limit) break;
          const verdict = verdictOn(event, eventSightOf(event.registryId));
          if (verdict === 'undecided') {
            if (lookedAt.has(event.registryId)) break pages;
            lookedAt.add(event.registryId);
            // The answer decides about the event, also where the host doesn't show the registry.
            await access.readNow(viewer, event.registryId).catch(throwUnlessHidden);
            continue pages;
          }
          place = event.place!;
          if (verdict === 'concealed') continue;
          if (!hasRoom(event)) break pages;
          // Old concealed events don't reveal that something happened.
          if (known && events.length === 0 && event.at < cutoff()) throw tooOld();
          events.push({ event, claims: sightIn(own)(event.registryId) });
          last = event;
        }
      }
      const from = { number: Math.ceil(since / DAY_MS) * DAY_MS, part: 0 };
      return { events, next: cursorOf('all', last?.registryId ?? 0, last ?? from) };
    },
  };
}

/** Tells for each event in turn whether the page still has room for it. */
function pageRoom(): (event: StoredEvent) => boolean {
  let events = 0;
  let bytes = 0;
  return ({ data, claim }) => {
    const hasRoom = events++ < LEAST_EVENTS || bytes < PAGE_BYTES;
    bytes += EVENT_BYTES + (data?.length ?? 0) + String(claim ?? '').length;
    return hasRoom;
  };
}

const unknownCursor = () => new Problem('invalid', 'after: not a cursor of this feed');
const tooOld = () => new Problem('gone', 'after: the events after this cursor are no longer kept');

/** An event's id reveals nothing, and stays the same when a site moves to another service. */
export function idOf(event: Position & Pick<StoredEvent, 'registryId' | 'at' | 'itemId'>): string {
  const { registryId, number, part, at, itemId } = event;
  const text = JSON.stringify([registryId, number, part, at, itemId]);
  return `evt_${hash('sha256', text, 'base64url').slice(0, 22)}`;
}

/** Distinguishes an event from the one that takes its place in a restored store. */
function markOf(event: StoredEvent): string {
  // A registry's data contains its site's URLs, which may change.
  const text = JSON.stringify([idOf(event), event.type, event.itemId === null ? null : event.data]);
  return hash('sha256', text, 'base64url').slice(0, 11);
}

/** A place in a feed: after an event, or at the beginning, which has no mark. */
type Cursor = { registryId: number; position: Position; at: number; mark: string };

/**
 * Cursors name the last event their reader got by its content, so that nobody can compute the cursor of an unseen
 * event. A secret key would do that, too, but it would differ between stores.
 */
function cursorOf(feed: string, registryId: number, last: StoredEvent | Position): string {
  const { number, part } = last;
  const text = [registryId, number, part, ...('at' in last ? [last.at, markOf(last)] : [0, ''])].join('.');
  return `evc_${Buffer.from(text).toString('base64url')}_${checkOf(feed, text)}`;
}

const checkOf = (feed: string, text: string): string =>
  hash('sha256', `cursor ${feed} ${text}`, 'base64url').slice(0, 11);

function readCursor(cursor: string, feed: string): Cursor {
  const [, encoded = '', check] = /^evc_([\w-]+)_([\w-]{11})$/.exec(cursor) ?? [];
  const text = Buffer.from(encoded, 'base64url').toString();
  const [, place = '', mark] = /^(\d{1,16}\.\d{1,15}\.\d{1,9}\.\d{1,15})\.((?:[\w-]{11})?)$/.exec(text) ?? [];
  const [registryId = 0, number = 0, part = 0, at = 0] = place.split('.').map(Number);
  // Without an event: the beginning of a registry's feed, or the day from which all registries are followed.
  const isBeginning = registryId === 0 ? number % DAY_MS === 0 : number === 0;
  const isWhole = mark !== '' || (isBeginning && part + at === 0);
  const isOfFeed = feed === 'all' || feed === `${registryId}`;
  if (mark === undefined || !isWhole || !isOfFeed || check !== checkOf(feed, text)) throw unknownCursor();
  return { registryId, position: { number, part }, at, mark };
}

/** The subject of an event: a claim or an item as it was then, or the registry fields that the event has stored. */
export function subjectOf({ data, claim, itemId, claimed }: StoredEvent) {
  const kept = data === null ? null : JSON.parse(data);
  if (claim) return { claim: claimFromRow([...claim, kept?.buys ? 1 : 0, null]) };
  return kept && itemId !== null ? { item: itemOfEvent(kept, itemId, claimed ?? 0) } : { kept };
}

type WatchParts = {
  store: EventStore;
  activeIds: (id: number) => Promise<number[]>;
  /** The registry as the API answers it to its owner. */
  present: (registry: SeenRegistry) => object;
};

export function registryWatch({ store, activeIds, present }: WatchParts) {
  /** Stores a registry as the host shows it, with events for what changed since any process, or an earlier run, last saw it. */
  return async function seen(post: Post, time: number): Promise<void> {
    const form = formOf(post);
    const before = await store.seen(post.id);
    const active = await activeIds(post.id);
    const order = mergeOrder(post.itemIds, active);
    const { surpriseUntil, authorId: ownerId, surpriseKeeps } = post;
    const now: RegistryState = { form, order, surpriseUntil, ownerId, surpriseKeeps };
    const types: EventType[] = [];
    if (before && before.form !== form) types.push('registry.updated');
    // Adding or removing items isn't a change of order.
    if (before && mergeOrder(before.order, active).join() !== order.join()) types.push('items.reordered');
    const isKnown =
      before?.surpriseUntil === surpriseUntil &&
      before.ownerId === ownerId &&
      before.surpriseKeeps === surpriseKeeps;
    if (isKnown && types.length === 0) return;
    const data = withoutPeople(present(seenRegistry(post, active)));
    const events = types.map((type) => ({ type, data }));
    await store.storeSeen(post.id, now, before, time, events);
  };
}

function withoutPeople(registry: object): object {
  const { story, meta, ...shown } = registry as Record<string, unknown>;
  const { registry_invitees, registry_owners, registry_pay_to, ...rest } = meta as Record<string, unknown>;
  return { ...cut(shown), meta: cut(rest) };
}

/** Only the host limits a registry's texts, but an event must fit into a page and into a line of an export. */
const cut = (fields: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.slice(0, MOST_TEXT).toWellFormed() : value,
    ]),
  );

/** Names what a registry is, without its order and times. */
const formOf = ({ itemIds, createdAt, updatedAt, ...post }: Post): string =>
  hash('sha256', JSON.stringify(Object.entries(post).sort()), 'base64url');
