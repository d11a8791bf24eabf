import type { EventType } from '../contract/index.ts';
import type { Database, Input, Param, Row, Statement, Value } from './database.ts';
import { fanOut } from './fan-out.ts';
import { siteRows } from './site-rows.ts';

type ClaimEventType = Extract<EventType, `claim.${string}`>;

const PLACED_AT_ONCE = 500;

// SQLite uses the index of those with a place only where the statement says that they have one.
const LAST_PLACE = '(select coalesce(max(place), 0) from events where site_id = $1 and place is not null)';

export const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** An event's position in its registry. Claims increment only `part`, so that other events' numbers don't depend on them. */
export type Position = { number: number; part: number };

/** A stored event. A claim's event has the ledger's entry, from which a person may be erased. */
export type StoredEvent = Position & {
  registryId: number;
  /** Its place among all events of the site, once it has one. */
  place: number | null;
  at: number;
  type: EventType;
  itemId: number | null;
  /** How many pieces of the item were claimed then. */
  claimed: number | null;
  /** The item or registry as it was then. */
  data: string | null;
  claimId: string | null;
  /** The claim's row as it was then. Null in other events. */
  claim: Row | null;
  /** Whether it is concealed from owners. Null until the host's next answer decides. */
  isConcealed: boolean | null;
  /** Whether `claimed` may include claims whose own events are still undecided. */
  countsUndecided: boolean;
};

// One row: the last event of a registry, or nulls if it has none.
const LAST = `(select 1 as one) as one left join (
    select number, part, sorted_at, type from events where site_id = $1 and registry_id = $2
    order by number desc, part desc limit 1
  ) as last on 1 = 1`;
// Never before the registry's last event, though processes' clocks differ: sorted by it, events keep their registry's order.
const SORTED_AT = 'case when last.sorted_at > $3 then last.sorted_at else $3 end';
const INSERT = 'insert into events (site_id, registry_id, number, part, at, sorted_at, type, item_id';

const CHANGE_EVENT = `${INSERT}, claimed, data)
  select $1, $2, coalesce(last.number, 0) + 1, 0, $3, ${SORTED_AT}, $4, $5,
    (select claimed from items where site_id = $1 and id = $5), $6
  from ${LAST}`;

/** The event of a change of an item, or without one of the registry itself. */
export const changeEvent = (
  siteId: number,
  registryId: number,
  itemId: Param,
  at: number,
  type: EventType,
  data: object | null,
): Statement => [
  CHANGE_EVENT,
  [siteId, registryId, at, type, itemId, data === null ? null : JSON.stringify(data)],
  'events',
];

/** The events of a registry whose items are all deleted by the rest of the unit. */
export const itemsDeleted = (siteId: number, registryId: number, at: number): Statement => [
  `${INSERT})
   select $1, $2, coalesce(last.number, 0) + row_number() over (order by items.id), 0, $3, ${SORTED_AT},
     'item.deleted', items.id
   from ${LAST} join items on items.site_id = $1 and items.registry_id = $2 and items.is_active = 1`,
  [siteId, registryId, at],
  'events',
];

// Stored instead of the form of a registry that the host no longer has.
const DELETED = '';

const UNDECIDED = (site: string, registry: string) => `select 1 from events as undecided
  where undecided.site_id = ${site} and undecided.registry_id = ${registry} and undecided.claim_id is not null
    and undecided.concealed is null`;
const BEHIND_UNDECIDED = `exists (${UNDECIDED('events.site_id', 'events.registry_id')}
  and (undecided.number, undecided.part) < (events.number, events.part))`;

/** The registry won't be looked at again: if some of its events are still undecided, it stays a surprise for good. */
export const concealUndecided = (siteId: number, registryId: number): Statement => [
  `update registry_states set surprise_until = 'always', surprise_keeps = null
   where site_id = $1 and registry_id = $2 and exists (${UNDECIDED('$1', '$2')})`,
  [siteId, registryId],
];

/** Ends a registry's events, unless they have ended already. It may be restored on the host, and deleted again. */
export const registryDeleted = (siteId: number, registryId: number, at: number): Statement[] => [
  [
    `update events set concealed = 1 where site_id = $1 and registry_id = $2 and claim_id is not null and concealed is null`,
    [siteId, registryId],
    'events',
  ],
  [
    `${INSERT})
     select $1, $2, coalesce(last.number, 0) + 1, 0, $3, ${SORTED_AT}, 'registry.deleted', null
     from ${LAST} where coalesce(last.type, '') <> 'registry.deleted'`,
    [siteId, registryId, at],
    'events',
  ],
  [
    `update registry_states set form = '${DELETED}',
       owner_id = case when owner_id = ${UNKNOWN_OWNER} then 0 else owner_id end
     where site_id = $1 and registry_id = $2`,
    [siteId, registryId],
  ],
];

/** Stores a registry's order after an item has come or gone, so that this isn't taken for a change of order. */
export const knownOrder = (siteId: number, registryId: number, order: readonly number[]): Statement => [
  'update registry_states set item_order = $3 where site_id = $1 and registry_id = $2',
  [siteId, registryId, JSON.stringify(order)],
];

const KNOWN_SURPRISE = (time: string) => `exists (select 1 from registry_states
  where registry_states.site_id = $1 and registry_states.registry_id = $2 and surprise_until > ${time})`;
// Null: the next look at the host decides.
const IS_CONCEALED = (time: string) => `case when ${KNOWN_SURPRISE(time)} then 1 end`;

const CLAIM_EVENT = `${INSERT}, claim_id, entry, data, concealed)
  select $1, $2, coalesce(last.number, 0), coalesce(last.part, 0) + 1, $3, ${SORTED_AT}, $4, $5, $6, $7, $8,
    ${IS_CONCEALED('$9')}
  from ${LAST}`;

/** The event of an entry of the ledger, in the unit that writes it. */
export const claimEvent = (
  siteId: number,
  claim: { registryId: number; itemId: number; id: string; buys: boolean },
  entry: number,
  at: number,
  type: ClaimEventType,
): Statement => [
  CLAIM_EVENT,
  [
    ...[siteId, claim.registryId, at, type, claim.itemId, claim.id, entry],
    ...[claim.buys ? '{"buys":true}' : null, isoOf(at)],
  ],
  'events',
];

/** The events of the claims that the rest of the unit ends with their registry; `over` tells whose time had passed. */
export const claimsEnded = (
  siteId: number,
  registryId: number,
  at: number,
  live: string,
  over: string,
): Statement => [
  `${INSERT}, claim_id, entry, concealed)
   select $1, $2, coalesce(last.number, 0), coalesce(last.part, 0) + row_number() over (order by claims.place),
     $3, ${SORTED_AT}, case when ${over} then 'claim.expired' else 'claim.released' end, claims.item_id,
     claims.id, claims.version + 1, case when ${KNOWN_SURPRISE('$4')} then 1 else 0 end
   from ${LAST} join claims on ${live}`,
  [siteId, registryId, at, isoOf(at)],
  'events',
];

const LAST_OF_CLAIM = (value: string) => `(select ${value} from events as last
  where last.site_id = $1 and last.registry_id = claims.registry_id order by last.number desc, last.part desc limit 1)`;

/** The events of the claims from which the rest of the unit erases a person; `erased` finds them by `mark`, which is `$2`. */
export const claimsErased = (siteId: number, mark: string, at: number, erased: string): Statement => [
  `${INSERT}, claim_id, entry, concealed, data)
   select $1, claims.registry_id, coalesce(${LAST_OF_CLAIM('last.number')}, 0),
     coalesce(${LAST_OF_CLAIM('last.part')}, 0)
       + row_number() over (partition by claims.registry_id order by claims.place),
     $3, coalesce(${LAST_OF_CLAIM(SORTED_AT)}, $3), 'claim.updated', claims.item_id, claims.id, claims.version,
     (select case when surprise_until > $4 or form = '${DELETED}' then 1 end from registry_states
      where registry_states.site_id = $1 and registry_states.registry_id = claims.registry_id),
     case when claims.buys = 1 then '{"buys":true}' end
   from claims where ${erased}`,
  [siteId, mark, at, isoOf(at)],
  'events',
];

const isoOf = (time: number): string => new Date(time).toISOString();

/** Reports each site whose events were stored, or decided about, through this connection. */
export function reportingEvents(db: Database, stored: (siteId: number) => void): Database {
  return {
    ...db,
    async write(...unit) {
      const written = await db.write(...unit);
      const statement = written.count > 0 ? unit.find(([, , mark]) => mark === 'events') : undefined;
      if (statement) stored(statement[1]![0] as number);
      return written;
    },
  };
}

/** The part of the events that a reader gets. */
export type EventSight =
  /** All of them. */
  | 'all'
  /** All but those about claims that are concealed from owners. */
  | 'owner'
  /** None about claims. */
  | 'concealed';

/** Conditions on the events that a reader gets. Owners wait behind the first one that no look has decided about. */
export const SEEN: Record<EventSight, string> = {
  all: '',
  owner: `and (events.claim_id is null or events.concealed = 0) and not ${BEHIND_UNDECIDED}`,
  concealed: 'and events.claim_id is null',
};

export const isConcealedIn = (value: Value): boolean | null => (value === null ? null : value === 1);

// A claim may have moved with its item since.
const CLAIM_COLUMNS = `claims.id, events.registry_id, claims.item_id, claims.owner_id, claims.recorded_by,
  entry.quantity, entry.state, claims.giver_user_id, claims.giver_name, claims.giver_email, entry.message,
  entry.thanked_at, entry.expires_at, claims.created_at, entry.at, claims.version, claims.currency`;
const SELECT = `select events.registry_id, number, part, events.place, events.at, type, events.item_id,
    events.claimed, data, concealed, case when events.claimed > 0 and ${BEHIND_UNDECIDED} then 1 end,
    events.claim_id, ${CLAIM_COLUMNS}
  from events
    left join claim_events as entry on entry.site_id = events.site_id and entry.claim_id = events.claim_id
      and entry.entry = events.entry
    left join claims on claims.site_id = events.site_id and claims.id = events.claim_id`;

function fromRow(row: Row): StoredEvent {
  const [registryId, number, part, place, at, type, itemId, claimed, data, ...others] = row;
  const [concealed, countsUndecided, claimId, ...claim] = others;
  return {
    ...{ registryId, number, part, place, at, type, itemId, claimed, data, claimId },
    ...{ claim: claimId === null ? null : claim, isConcealed: isConcealedIn(concealed!) },
    countsUndecided: countsUndecided === 1,
  } as StoredEvent;
}

/** A registry as the service last saw it on the host. */
export type RegistryState = {
  /** A hash of all but its order and times: another one is a change. Empty after its deletion. */
  form: string;
  order: readonly number[];
  surpriseUntil: string | null;
  /** Null where an older service has seen it. */
  ownerId: number | null;
  surpriseKeeps: 'all' | 'names' | null;
};

/** The part of a registry by which its owners' rights and their surprise are known. */
export type OwnersRights = Pick<RegistryState, 'surpriseUntil' | 'ownerId' | 'surpriseKeeps'>;

/** Nobody's user id: a page of the host has named another owner than the one that the host showed last. */
export const UNKNOWN_OWNER = 2 ** 52;

/** No answer takes as long: a stored time that is further ahead of a new answer's is from before a clock was set back. */
export const LONGEST_LOOK_MS = 60_000;

/** Whether a registry was seen after this time, by a clock that wasn't set back since. */
export const seenAfter = (time: string) => `(seen_at > ${time} and seen_at - ${LONGEST_LOOK_MS} <= ${time})`;

// Events of some registries from before a time. The newest of each kind stay, for no reader: they tell whether a cursor missed
// anything, and where the numbers go on.
const OLD = `select registry_id, number, part from events where site_id = $1 and registry_id > $2 and registry_id <= $3 and at < $4
  and coalesce(place, -1) <> ${LAST_PLACE}
  and exists (
    select 1 from events as later where later.site_id = $1 and later.registry_id = events.registry_id
      and (later.number, later.part) > (events.number, events.part) and later.at < $4
      and (later.part = 0) = (events.part = 0)
      and coalesce(later.concealed, 0) = coalesce(events.concealed, 0)) limit $5`;

export type EventStore = ReturnType<typeof eventStore>;

/** After a handover, a registry's claims name its new owner. */
const claimsOwned = (siteId: number, registryId: number, ownerId: number | null): Statement => [
  'update claims set owner_id = $3 where site_id = $1 and registry_id = $2 and owner_id <> $3',
  [siteId, registryId, ownerId],
];

export function eventStore(db: Database, siteId: number) {
  const rows = siteRows(db, siteId);
  const some = async (condition: string, ...values: Input[]): Promise<StoredEvent[]> =>
    (await rows.all(`${SELECT} where events.site_id = $1 and ${condition}`, ...values)).map(fromRow);

  async function lastWith(registryId: number, condition: string): Promise<StoredEvent | undefined> {
    const last = `events.registry_id = $2 ${condition} order by number desc, part desc limit 1`;
    return (await some(last, registryId))[0];
  }

  return {
    ofRegistry: (registryId: number, after: Position, since: number, sight: EventSight, limit: number) =>
      some(
        `events.registry_id = $2 and (number, part) > ($3, $4)
           and events.at >= $5 ${SEEN[sight]} order by number, part limit $6`,
        ...[registryId, after.number, after.part, since, limit],
      ),

    last: (registryId: number, sight: EventSight) => lastWith(registryId, SEEN[sight]),

    /** The last event of a registry about which no look at the host has decided. */
    undecided: (registryId: number) =>
      lastWith(registryId, 'and events.claim_id is not null and concealed is null'),

    /** A look at the host that began at `upTo`, or a known surprise, decides for good which events are concealed. */
    async decide(registryId: number, upTo: Position, conceals: boolean, now: number): Promise<void> {
      await db.write([
        `update events set concealed = case when $5 = 1 or ${KNOWN_SURPRISE('$6')} then 1 else 0 end
         where site_id = $1 and registry_id = $2 and claim_id is not null and concealed is null
           and (number, part) <= ($3, $4)`,
        [siteId, registryId, upTo.number, upTo.part, Number(conceals), isoOf(now)],
        'events',
      ]);
    },

    /** Assigns places to the oldest events without one, and hands these to webhooks. Returns false if there were none. */
    async assignPlaces(now: number): Promise<boolean> {
      if (!(await rows.has('events', 'place is null'))) return false;
      const [last] = await rows.column(`select ${LAST_PLACE}`);
      // Of several processes that do this at once, only one finds the last place still to be this one. `coalesce` is there
      // so that the engine looks for each event by its key: through the index of all without a place, a thousand took
      // PostgreSQL two seconds.
      await db.write(
        [
          `update events set place = batch.place
           from (
             select registry_id, number, part,
               $2 + row_number() over (order by sorted_at, registry_id, number, part) as place
             from events where site_id = $1 and place is null
             order by sorted_at, registry_id, number, part limit $3
           ) as batch
           where events.site_id = $1 and events.registry_id = batch.registry_id and events.number = batch.number
             and events.part = batch.part and coalesce(events.place, 0) = 0
             and ${LAST_PLACE} = $2`,
          [siteId, last!, PLACED_AT_ONCE],
        ],
        ...fanOut(siteId, last!, now),
      );
      return true;
    },

    at: async (registryId: number, { number, part }: Position): Promise<StoredEvent | undefined> =>
      (await some('events.registry_id = $2 and number = $3 and part = $4', registryId, number, part))[0],

    afterPlace: (place: number, since: number, limit: number): Promise<StoredEvent[]> =>
      some('events.place > $2 and events.at >= $3 order by events.place limit $4', place, since, limit),

    /** Deletes up to `limit` old events of the next registries behind `after`; returns where to go on, if there may be more. */
    async deleteBefore(time: number, after: number, limit: number): Promise<number | undefined> {
      const ids = await rows.column(
        'select registry_id from registries where site_id = $1 and registry_id > $2 order by registry_id limit $3',
        ...[after, limit],
      );
      // The last step goes beyond the last of them: a registry that never had an item isn't there.
      const last = ids.length < limit ? undefined : ids.at(-1);
      const sql = `delete from events where site_id = $1 and (registry_id, number, part) in (${OLD})`;
      const count = await rows.change(sql, after, last ?? Number.MAX_SAFE_INTEGER, time, limit);
      return count < limit ? last : after;
    },

    isSeenAfter: (registryId: number, time: number): Promise<boolean> =>
      rows.has('registry_states', `registry_id = $2 and ${seenAfter('$3')}`, registryId, time),

    /** Conceals a registry's claims at least until then, as the host said at `time`, unless a newer answer was stored. */
    conceal: (registryId: number, until: string, time: number) =>
      rows.changeIfAny(
        'registry_states',
        'surprise_until = $3, surprise_keeps = null, seen_at = $4',
        `registry_id = $2 and (surprise_until is null or surprise_until < $3) and not ${seenAfter('$4')}`,
        ...[registryId, until, time],
      ),

    storeRights: (
      registryId: number,
      { surpriseUntil, ownerId, surpriseKeeps }: OwnersRights,
      time: number,
    ) =>
      db.write(
        [
          `update registry_states set surprise_until = $3, owner_id = $4, surprise_keeps = $5, seen_at = $6
           where site_id = $1 and registry_id = $2 and not ${seenAfter('$6')}`,
          [siteId, registryId, surpriseUntil, ownerId, surpriseKeeps, time],
        ],
        claimsOwned(siteId, registryId, ownerId),
      ),

    /** A page of the host names a registry's owner. If it isn't the known one, none is known until the host's next answer. */
    nameOwner: (registryId: number, ownerId: number) =>
      rows.changeIfAny(
        'registry_states',
        `owner_id = ${UNKNOWN_OWNER}`,
        `registry_id = $2 and owner_id <> $3 and owner_id <> ${UNKNOWN_OWNER}`,
        ...[registryId, ownerId],
      ),

    /** Whether a registry was seen on the host, and not found deleted since. */
    isAlive: (registryId: number): Promise<boolean> =>
      rows.has('registry_states', `registry_id = $2 and form <> '${DELETED}'`, registryId),

    async seen(registryId: number): Promise<RegistryState | undefined> {
      const row = await rows.first(
        `select form, item_order, surprise_until, owner_id, surprise_keeps from registry_states
         where site_id = $1 and registry_id = $2`,
        registryId,
      );
      if (!row) return undefined;
      const [form, items, surpriseUntil, ownerId, surpriseKeeps] = row;
      return { form, order: JSON.parse(`${items}`), surpriseUntil, ownerId, surpriseKeeps } as RegistryState;
    },

    /** Keeps a registry as the host showed it at a time, with its changes' events, if nothing newer was seen. */
    async storeSeen(
      registryId: number,
      { form, order, surpriseUntil, ownerId, surpriseKeeps }: RegistryState,
      before: RegistryState | undefined,
      time: number,
      events: readonly { type: EventType; data: object }[],
    ): Promise<void> {
      const known = [surpriseUntil, ownerId, surpriseKeeps];
      const values: Value[] = [siteId, registryId, time, form, JSON.stringify(order), ...known];
      const kept: Statement = before
        ? [
            `update registry_states set seen_at = $3, form = $4, item_order = $5, surprise_until = $6,
               owner_id = $7, surprise_keeps = $8
             where site_id = $1 and registry_id = $2 and not ${seenAfter('$3')} and form = $9 and item_order = $10`,
            [...values, before.form, JSON.stringify(before.order)],
          ]
        : [
            `insert into registry_states
               (site_id, registry_id, seen_at, form, item_order, surprise_until, owner_id, surprise_keeps)
             values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing`,
            values,
          ];
      await db.write(
        kept,
        claimsOwned(siteId, registryId, ownerId),
        ...events.map(({ type, data }) => changeEvent(siteId, registryId, null, time, type, data)),
      );
    },
  };
}
