import { randomUUID } from 'node:crypto';
import { type Claim, type ClaimState, MAX_CLAIMS, MAX_PENDING } from '../contract/index.ts';
import { marksOf, type Named } from './co-owners.ts';
import type { Database, Input, Row, Statement, Unit, Value } from './database.ts';
import { claimEvent, claimsEnded, claimsErased } from './events.ts';
import { queueNotice, REQUEST_NOTIFIES_MS } from './notices.ts';
import { countClaimChange } from './registries.ts';
import { siteRows } from './site-rows.ts';

/** A stored claim. Times are in milliseconds. */
export type StoredClaim = {
  id: string;
  registryId: number;
  itemId: number;
  /** The registry's owner when the claim was made; after a handover, the new owner. */
  ownerId: number;
  /** The user who recorded it: the giver, or an admin for them; null once the giver was erased. */
  recordedBy: number | null;
  quantity: number;
  state: ClaimState;
  giver: Claim['giver'];
  message: string | null;
  /** The currency of a group gift. */
  currency: string | null;
  /** Whether this giver buys the group gift, and says where the others send their shares. */
  buys: boolean;
  payTo: string | null;
  /** Where this giver sends their share, if the viewer may know. */
  sendTo?: string | null;
  thankedAt: number | null;
  expiresAt: number | null;
  createdAt: number;
  updatedAt: number;
  /** The version of its state, which every change increments. */
  version: number;
};

export type NewClaim = Pick<
  StoredClaim,
  'registryId' | 'itemId' | 'ownerId' | 'quantity' | 'giver' | 'message' | 'expiresAt' | 'createdAt'
> & {
  state: 'pending' | 'reserved' | 'purchased';
  recordedBy: number;
  recorder: Named;
  actor: 'giver' | 'admin';
  creationKey: string | null;
};

/** Who changed a claim. The clock has no user id. */
export type Actor = { as: 'giver' | 'owner' | 'admin' | 'clock' | 'registry'; userId: number | null };

/** A giver: a user id, an address in any letters, or both. */
export type Giver = { userId: number | null; email: string | null };

/** The target of an erasure: a giver everywhere, or the givers of a registry's claims that haven't changed since a time. */
export type ErasureTarget = Giver | { registryId: number; unchangedSince: number };

/** A reader and their own registries: `concealed` ones with a surprise, which hide what others recorded, and `open` ones. */
export type GiverView = {
  userId: number;
  email: string;
  concealed: readonly number[];
  open: readonly number[];
};

/** What is left of an item: pieces, or minor units of a currency. */
export type Left = { pieces: number; currency: string | null };

/** Why a claim can't be made. Undefined if there is room by now. */
export type ClaimObstacle =
  | { kind: 'no item' | 'too many' }
  | { kind: 'too few'; left: Left }
  | { kind: 'unconfirmed'; until: number }
  | undefined;

/** The states in which a claim holds its pieces. */
const LIVE: readonly ClaimState[] = ['pending', 'reserved', 'purchased'];
const LIVE_SQL = `state in ('pending', 'reserved', 'purchased')`;
// A claim that ends this much later than its time is late.
const ON_TIME_MS = 60_000;

const ENDING_SQL = `state in ('pending', 'reserved')`;

export const isLive = ({ state }: { state: ClaimState }): boolean => LIVE.includes(state);
const taken = (claim: StoredClaim): number => (isLive(claim) ? claim.quantity : 0);

export const BUYS_NOTHING = { buys: false, payTo: null };

/** The claim's state at this time: final once it has expired, even before a job records that. */
export function asOf(now: number, claim: StoredClaim): StoredClaim {
  const { expiresAt, version } = claim;
  const ends = claim.state === 'pending' || claim.state === 'reserved';
  if (!ends || expiresAt === null || expiresAt > now) return claim;
  return { ...claim, ...BUYS_NOTHING, state: 'expired', updatedAt: expiresAt, version: version + 1 };
}

/** An address in the form that is stored for searching. */
const searchKey = (email: string | null): string | null =>
  email === null || email === '' ? null : email.toLowerCase();

export const isGiver = ({ giver }: StoredClaim, user: { id: number; email: string }): boolean =>
  giver.user_id === user.id || (user.email !== '' && searchKey(giver.email) === searchKey(user.email));

const COLUMNS = `id, registry_id, item_id, owner_id, recorded_by, quantity, state, giver_user_id, giver_name,
  giver_email, message, thanked_at, expires_at, created_at, updated_at, version, currency, buys, pay_to`;

export function claimFromRow(row: Row): StoredClaim {
  const [id, registryId, itemId, ownerId, recordedBy, quantity, state, ...rest] = row;
  const [user_id, name, email, message, thankedAt, expiresAt, createdAt, updatedAt, version, ...money] = rest;
  const [currency, buys, payTo] = money;
  const giver = { user_id, name, email };
  return {
    ...{ id, registryId, itemId, ownerId, recordedBy, quantity, state, giver },
    ...{ message, thankedAt, expiresAt, createdAt, updatedAt, version },
    ...{ currency, buys: buys === 1, payTo },
  } as StoredClaim;
}

// As bigint: a difference of three 32-bit numbers may not fit into 32 bits.
const LEFT = 'cast(quantity_needed as bigint) - quantity_purchased - claimed';
const LAST_PLACE = '(select coalesce(max(place), 0) from claims where site_id = $1 and registry_id = $2)';

/** Takes a new claim's pieces. Parameters: site, registry, item, quantity, creation key, then `TAKE_UNCONFIRMED`'s. */
const TAKE = `update items set claimed = claimed + $4, claim_changes = claim_changes + 1
  where site_id = $1 and registry_id = $2 and id = $3 and is_active = 1 and ${LEFT} >= $4
    and ${LAST_PLACE} < ${MAX_CLAIMS}
    and not exists (select 1 from claims where site_id = $1 and creation_key = $5)`;

/** Claims still unconfirmed `now`: of one registry ($2), or of one giver as far as the recording user may see them. */
const UNCONFIRMED_OF_REGISTRY = (now: string) =>
  `from claims where site_id = $1 and registry_id = $2 and state = 'pending' and expires_at > ${now}`;
const UNCONFIRMED_OF_GIVER = (user: string, address: string, recorder: string, now: string, marks: string) =>
  `from claims where site_id = $1 and (giver_user_id = ${user} or giver_address = ${address}) and state = 'pending'
    and expires_at > ${now} and (coalesce(recorded_by, 0) = ${recorder} or (owner_id <> ${recorder}
      and registry_id not in (select registry_id from co_owners where site_id = $1 and mark in (${marks}))))`;
const TAKE_UNCONFIRMED = `${TAKE}
  and (select count(*) ${UNCONFIRMED_OF_REGISTRY('$6')}) < ${MAX_PENDING.registry}
  and (select count(*) ${UNCONFIRMED_OF_GIVER('$7', '$8', '$9', '$6', '$10, $11')}) < ${MAX_PENDING.giver}`;

// PostgreSQL runs all guards of a group first: if another of its units then deletes the item's registry, this one is rolled back.
const INSERT = `insert into claims (site_id, registry_id, place, item_id, id, owner_id, recorded_by, quantity, state,
    giver_user_id, giver_name, giver_email, giver_address, message, expires_at, created_at, updated_at, creation_key,
    currency)
  select $1, $2, ${LAST_PLACE} + 1, (select id from items where site_id = $1 and id = $3 and is_active = 1),
    $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15, $16,
    (select currency from items where site_id = $1 and id = $3)`;

// If the claim has changed since, its next ledger entry exists already and the whole unit is rolled back.
const INSERT_EVENT = `insert into claim_events
    (site_id, claim_id, entry, at, actor, actor_id, state, quantity, message, thanked_at, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;
// One giver buys an item. Placeholders: the changed claim's id, and 1 if it is to be the buyer, else 0.
const HAS_NO_OTHER_BUYER = (id: string, buys: string) =>
  `(${buys} = 0 or not exists (select 1 from claims as other where other.site_id = $1 and other.buys = 1
     and other.item_id = (select item_id from claims where site_id = $1 and id = ${id}) and other.id <> ${id}))`;
const UPDATE = `update claims set version = version + 1, updated_at = $4, state = $5, quantity = $6, message = $7,
    thanked_at = $8, expires_at = $9, buys = $10, pay_to = $11
  where site_id = $1 and id = $2 and version = $3`;
// Events of a claim that moved with its item belong to its new registry.
const UPDATE_AS_GUARD = `${UPDATE} and registry_id = $12 and ${HAS_NO_OTHER_BUYER('$2', '$10')}`;
const UNCHANGED = `exists (select 1 from claims where site_id = $1 and id = $3 and version = $4)
  and ${HAS_NO_OTHER_BUYER('$3', '$6')}`;
const GROW = `update items set claimed = claimed + $5, claim_changes = claim_changes + 1
  where site_id = $1 and id = $2 and registry_id = $7 and is_active = 1 and ${LEFT} >= $5 and ${UNCHANGED}`;
const SHRINK = `update items set claimed = claimed + $5, claim_changes = claim_changes + 1
  where site_id = $1 and id = $2 and registry_id = $7 and ${UNCHANGED}`;

// For a registry ($4) and a time ($5). A running reservation has a giver who may need it; one that is over counts from its end.
const OF_REGISTRY_LONG_AGO = `registry_id = $4 and updated_at <= $5
  and (giver_name <> '' or giver_email is not null or giver_user_id is not null)
  and (state not in ('pending', 'reserved') or expires_at is null or expires_at <= $5)`;

const IS_LIVE_AT = (now: string) => `(${LIVE_SQL} and (expires_at is null or expires_at > ${now}))`;
const NEWEST_LIVE_FIRST = (now: string) =>
  `order by case when ${IS_LIVE_AT(now)} then 0 else 1 end, created_at desc, registry_id desc, place desc`;

/** Ends the claims of a deleted registry, as the last part of the unit that deletes its items. */
export function releaseOfRegistry(siteId: number, registryId: number, now: number): Statement[] {
  const over = 'expires_at is not null and expires_at <= $3';
  const live = `site_id = $1 and registry_id = $2 and ${LIVE_SQL}`;
  return [
    [
      `update registries set claim_changes = claim_changes + 1
       where site_id = $1 and registry_id = $2 and exists (select 1 from claims where ${live})`,
      [siteId, registryId],
    ],
    [
      `update items set claimed = 0, claim_changes = claim_changes + 1
       where site_id = $1 and claimed > 0 and id in (select item_id from claims where ${live})`,
      [siteId, registryId],
    ],
    claimsEnded(siteId, registryId, now, live, over),
    [
      `insert into claim_events
         (site_id, claim_id, entry, at, actor, state, quantity, message, thanked_at, expires_at)
       select site_id, id, version + 1, case when ${over} then expires_at else $3 end,
         case when ${over} then 'clock' else 'registry' end, case when ${over} then 'expired' else 'released' end,
         quantity, message, thanked_at, case when ${over} then expires_at end
       from claims where ${live}`,
      [siteId, registryId, now],
    ],
    [
      `update claims set version = version + 1, updated_at = case when ${over} then expires_at else $3 end,
         state = case when ${over} then 'expired' else 'released' end, buys = 0, pay_to = null,
         expires_at = case when ${over} then expires_at end
       where ${live}`,
      [siteId, registryId, now],
    ],
  ];
}

// Claims that came with an item have places below 0, where no bound holds.
const MOVE_CLAIMS = `update claims set registry_id = $3, owner_id = $5, place = moved.place
  from (
    select id, row_number() over () * -1 + coalesce((
      select min(place) from claims where site_id = $1 and registry_id = $3 and place < 0), 0) as place
    from claims where site_id = $1 and registry_id = $2 and item_id = $4
  ) as moved
  where claims.site_id = $1 and claims.id = moved.id`;

/** Moves an item's claims along with it, as part of the unit that moves the item. Their versions and their ledger stay. */
export const movingClaims = (
  siteId: number,
  { itemId, from, to, ownerId }: { itemId: number; from: number; to: number; ownerId: number },
): Statement => [MOVE_CLAIMS, [siteId, from, to, itemId, ownerId]];

function typeOf(before: StoredClaim, next: StoredClaim) {
  if (next.state === 'released') return 'claim.released';
  if (next.state === 'expired') return 'claim.expired';
  return next.thankedAt !== null && before.thankedAt === null ? 'claim.thanked' : 'claim.updated';
}

/** The time keeps new ids together in their index; 80 random bits, of a UUID since `randomBytes` is slow, are hard to guess. */
function newId(now: number): string {
  const uuid = randomUUID();
  const id = now.toString(16).padStart(12, '0') + uuid.slice(0, 8) + uuid.slice(-12);
  return Buffer.from(id, 'hex').toString('base64url');
}

export type ClaimStore = ReturnType<typeof claimStore>;

export function claimStore(db: Database, siteId: number) {
  const rows = siteRows(db, siteId);
  const some = async (condition: string, ...values: Input[]): Promise<StoredClaim[]> =>
    (await rows.all(`select ${COLUMNS} from claims where site_id = $1 and ${condition}`, ...values)).map(
      claimFromRow,
    );
  const one = async (condition: string, value: Value): Promise<StoredClaim | undefined> =>
    (await some(condition, value))[0];

  async function left(registryId: number, itemId: number): Promise<Left | undefined> {
    const row = await rows.first(
      `select ${LEFT}, currency from items where site_id = $1 and registry_id = $2 and id = $3 and is_active = 1`,
      ...[registryId, itemId],
    );
    return row && { pieces: Math.max(0, row[0] as number), currency: row[1] as string | null };
  }

  const ledgerEntry = (claim: StoredClaim, { as, userId }: Actor): Statement => {
    const { id, version, updatedAt, state, quantity, message, thankedAt, expiresAt } = claim;
    const params = [id, version, updatedAt, as, userId, state, quantity, message, thankedAt, expiresAt];
    return [INSERT_EVENT, [siteId, ...params]];
  };

  /** Writes `next` if the claim hasn't changed and there is room. Returns whether it did. */
  async function replace(before: StoredClaim, next: StoredClaim, actor: Actor): Promise<boolean> {
    const { id, version, itemId, registryId } = before;
    const { updatedAt, state, quantity, message, thankedAt, expiresAt, payTo } = next;
    const buys = Number(next.buys);
    const values = [id, version, updatedAt, state, quantity, message, thankedAt, expiresAt, buys, payTo];
    const others = [
      claimEvent(siteId, next, version + 1, updatedAt, typeOf(before, next)),
      ledgerEntry({ ...next, id, version: version + 1 }, actor),
      // Expiry has no request in progress that could notify the host.
      queueNotice(siteId, registryId, actor.as === 'clock' ? 0 : updatedAt + REQUEST_NOTIFIES_MS),
    ];
    const more = taken(next) - taken(before);
    const count: Statement = [
      more > 0 ? GROW : SHRINK,
      [siteId, itemId, id, version, more, buys, registryId],
    ];
    // If the guard didn't see another buyer yet, the index of buyers refuses the whole unit.
    const unit: Unit =
      more === 0
        ? [[UPDATE_AS_GUARD, [siteId, ...values, registryId]], ...others]
        : [count, countClaimChange(siteId, registryId), [UPDATE, [siteId, ...values]], ...others];
    return (await db.write(...unit)).count > 0;
  }

  return {
    find: (id: string) => one('id = $2', id),

    /** The claims with these ids, in any order; unknown ids are left out. */
    some: (ids: readonly string[]) => some(db.isAmong('id', '$2'), ids),

    createdBy: (creationKey: string) => one('creation_key = $2', creationKey),

    /** A claim as it was made, with what is left of the giver. */
    async asFirstStored(id: string): Promise<StoredClaim | undefined> {
      const claim = await one('id = $2', id);
      const row = await rows.first(
        `select state, quantity, message, expires_at from claim_events
         where site_id = $1 and claim_id = $2 and entry = 1`,
        id,
      );
      if (!claim || !row) return undefined;
      const [state, quantity, message, expiresAt] = row;
      const first = { state, quantity, message, expiresAt } as StoredClaim;
      return { ...claim, ...BUYS_NOTHING, ...first, thankedAt: null, updatedAt: claim.createdAt, version: 1 };
    },

    /** Stores a claim and returns it; undefined if there is no room or its creation key was used: one key makes one claim. */
    async insert(claim: NewClaim, now: number): Promise<StoredClaim | undefined> {
      const { actor, recorder, creationKey, ...fields } = claim;
      const { registryId, itemId, ownerId, recordedBy, quantity, state, giver, message, expiresAt } = claim;
      const at = claim.createdAt;
      const made = {
        ...{ ...fields, ...BUYS_NOTHING, currency: null, id: newId(at) },
        ...{ thankedAt: null, updatedAt: at, version: 1 },
      };
      const address = searchKey(giver.email);
      const isPending = state === 'pending';
      const counted = isPending ? [now, giver.user_id, address, recordedBy, ...marksOf(recorder)] : [];
      const written = await db.write(
        [
          // Only group gifts have a currency.
          `${isPending ? TAKE_UNCONFIRMED : TAKE} returning currency`,
          [siteId, registryId, itemId, quantity, creationKey, ...counted],
        ],
        countClaimChange(siteId, registryId),
        [
          INSERT,
          [
            ...[siteId, registryId, itemId, made.id, ownerId, recordedBy, quantity, state, giver.user_id],
            ...[giver.name, giver.email, address, message, expiresAt, at, creationKey],
          ],
        ],
        claimEvent(siteId, made, 1, at, 'claim.created'),
        ledgerEntry(made, { as: actor, userId: recordedBy }),
        queueNotice(siteId, registryId, at + REQUEST_NOTIFIES_MS),
      );
      return written.count === 0 ? undefined : { ...made, currency: written.rows[0]![0] as string | null };
    },

    left,

    async obstacle(claim: NewClaim, now: number): Promise<ClaimObstacle> {
      const { itemId, registryId, quantity, state, giver, recordedBy, recorder } = claim;
      const room = await left(registryId, itemId);
      if (!room) return { kind: 'no item' };
      if (room.pieces < quantity) return { kind: 'too few', left: room };
      const [lastPlace] = await rows.column(`select ${LAST_PLACE}`, registryId);
      if (lastPlace! >= MAX_CLAIMS) return { kind: 'too many' };
      if (state !== 'pending') return undefined;
      const ofRegistry = await rows.first(
        `select count(*), min(expires_at) ${UNCONFIRMED_OF_REGISTRY('$3')}`,
        ...[registryId, now],
      );
      const ofGiver = await rows.first(
        `select count(*), min(expires_at) ${UNCONFIRMED_OF_GIVER('$2', '$3', '$4', '$5', '$6, $7')}`,
        ...[giver.user_id, searchKey(giver.email), recordedBy, now, ...marksOf(recorder)],
      );
      for (const [[count, until], limit] of [
        [ofRegistry!, MAX_PENDING.registry],
        [ofGiver!, MAX_PENDING.giver],
      ] as const)
        if (Number(count) >= limit) return { kind: 'unconfirmed', until: Number(until) };
      return undefined;
    },

    replace,

    async buyersOf(itemIds: readonly number[]): Promise<Map<number, StoredClaim>> {
      const buyers = await some(`buys = 1 and ${db.isAmong('item_id', '$2')}`, itemIds);
      return new Map(buyers.map((claim) => [claim.itemId, claim]));
    },

    /** Expires up to `limit` claims whose time is over, of one item or of any; returns them as they were. */
    async expire(now: number, limit: number, itemId: number | null = null): Promise<StoredClaim[]> {
      const over = await some(
        `${ENDING_SQL} and expires_at <= $2 ${itemId === null ? '' : 'and item_id = $4'} order by expires_at limit $3`,
        ...[now, limit, ...(itemId === null ? [] : [itemId])],
      );
      const clock: Actor = { as: 'clock', userId: null };
      await Promise.all(over.map((claim) => replace(claim, asOf(now, claim), clock)));
      return over;
    },

    /** The time up to which claims are expired, give or take a minute. It reveals no claim's time unless one is late. */
    async expiredUntil(now: number): Promise<number> {
      const [oldest] = await rows.column<Value>(
        `select min(expires_at) from claims where site_id = $1 and ${ENDING_SQL} and expires_at <= $2`,
        now - ON_TIME_MS,
      );
      return Number(oldest ?? now);
    },

    /** A registry's claims, or those of one giver there: live ones first, then the others, newest first. */
    async ofRegistry(registryId: number, now: number, giver?: Giver): Promise<StoredClaim[]> {
      const found = await some(
        `registry_id = $2 ${giver ? 'and (giver_user_id = $4 or giver_address = $5)' : ''} ${NEWEST_LIVE_FIRST('$3')}`,
        ...[registryId, now, ...(giver ? [giver.userId, searchKey(giver.email)] : [])],
      );
      return found.map((claim) => asOf(now, claim));
    },

    /** One giver's claims in all registries, as far as the reader may see them. */
    async ofGiver(giver: Giver, view: GiverView, now: number, skip: number, limit: number) {
      const found = await some(
        `(giver_user_id = $2 or giver_address = $3)
           and (${db.isAmong('registry_id', '$9')}
             or (owner_id <> $4 and not ${db.isAmong('registry_id', '$10')})
             or (recorded_by = $4 and (giver_user_id = $4 or giver_address = $5)))
         ${NEWEST_LIVE_FIRST('$6')} limit $7 offset $8`,
        ...[giver.userId, searchKey(giver.email), view.userId, searchKey(view.email)],
        ...[now, limit, skip, view.open, view.concealed],
      );
      return found.map((claim) => asOf(now, claim));
    },

    /** Erases a person from claims without changing quantities. Returns the number of claims. */
    async erase(target: ErasureTarget, byUserId: number, now: number): Promise<number> {
      // Between the statements a mark in place of the address identifies the claims of this erasure; it is removed last.
      const mark = `erased ${randomUUID()}`;
      const marked = 'site_id = $1 and giver_address = $2';
      const [condition, params]: [string, Value[]] =
        'registryId' in target
          ? [OF_REGISTRY_LONG_AGO, [target.registryId, target.unchangedSince]]
          : ['(giver_address = $4 or giver_user_id = $5)', [searchKey(target.email), target.userId]];
      const { count } = await db.write(
        [
          `update claims set giver_name = '', giver_email = null, giver_user_id = null, giver_address = $2,
             message = null, pay_to = null, recorded_by = case when recorded_by = giver_user_id then null else recorded_by end,
             updated_at = $3, version = version + 1
           where site_id = $1 and ${condition}`,
          [siteId, mark, now, ...params],
        ],
        [
          `update claim_events set message = null, actor_id = case when actor = 'giver' then null else actor_id end
           where site_id = $1 and claim_id in (select id from claims where ${marked})`,
          [siteId, mark],
        ],
        [
          `insert into claim_events
             (site_id, claim_id, entry, at, actor, actor_id, state, quantity, thanked_at, expires_at)
           select site_id, id, version, $3, 'admin', $4, state, quantity, thanked_at, expires_at
           from claims where ${marked}`,
          [siteId, mark, now, byUserId],
        ],
        claimsErased(siteId, mark, now, 'claims.site_id = $1 and claims.giver_address = $2'),
        [`update claims set giver_address = null where ${marked}`, [siteId, mark]],
      );
      return count;
    },

    /** The first of the next `limit` registries in which something is claimed; `last` was checked last, undefined at the end. */
    async registryAfter(after: number, limit: number): Promise<Record<'id' | 'last', number | undefined>> {
      let last: number | undefined = after;
      for (let looked = 0; looked < limit; looked++) {
        const [next]: (number | null)[] = await rows.column(
          'select min(registry_id) from claims where site_id = $1 and registry_id > $2',
          last,
        );
        last = next ?? undefined;
        if (last === undefined) break;
        if (await this.anyIn(last)) return { id: last, last };
      }
      return { id: undefined, last };
    },

    /** The highest id of a registry in which anything was ever claimed, or 0. */
    lastRegistry: async (): Promise<number> =>
      (await rows.column('select coalesce(max(registry_id), 0) from claims where site_id = $1'))[0]!,

    hasClaimsAsOwner: (userId: number, registryId: number): Promise<boolean> =>
      rows.has('claims', 'registry_id = $2 and owner_id = $3', registryId, userId),

    /** Whether anything is claimed in a registry. */
    anyIn: (registryId: number): Promise<boolean> =>
      rows.has('claims', `registry_id = $2 and ${LIVE_SQL}`, registryId),
  };
}
