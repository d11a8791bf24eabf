import { randomBytes, randomUUID } from 'node:crypto';
import { type Claim, type ClaimState, MAX_CLAIMS, MAX_PENDING } from '../contract/index.ts';
import type { Database, Row, Statement, Unit, Value } from './database.ts';
import { queueNotice } from './notices.ts';

/** A claim as it is stored; times in milliseconds. */
export type StoredClaim = {
  number: number;
  id: string;
  registryId: number;
  itemId: number;
  /** The registry's owner when the claim was made. */
  ownerId: number;
  /** The user who recorded it: the giver, or an admin for them; null once the giver was erased. */
  recordedBy: number | null;
  quantity: number;
  state: ClaimState;
  giver: Claim['giver'];
  message: string | null;
  thankedAt: number | null;
  expiresAt: number | null;
  createdAt: number;
  updatedAt: number;
  /** The number of its state, which every change counts up. */
  version: number;
};

export type NewClaim = Pick<
  StoredClaim,
  'registryId' | 'itemId' | 'ownerId' | 'quantity' | 'giver' | 'message' | 'expiresAt' | 'createdAt'
> & {
  state: 'pending' | 'reserved' | 'purchased';
  recordedBy: number;
  actor: 'giver' | 'admin';
  creationKey: string | null;
};

/** A claim as it was when it was made. */
export type ClaimRecord = Omit<StoredClaim, 'number'>;

/** The one who changed a claim; the clock has no user id. */
export type Actor = { as: 'giver' | 'owner' | 'admin' | 'clock' | 'registry'; userId: number | null };

/** A giver: a user id, an address in any letters, or both. */
export type Giver = { userId: number | null; email: string | null };

/** The target of an erasure: a giver everywhere, or all givers of a registry whose claims nothing has changed since. */
export type ErasureTarget = Giver | { registryId: number; unchangedSince: number };

/** A reader from whom claims are concealed that others recorded in the reader's own registries with a surprise. */
export type GiverView = {
  userId: number;
  email: string;
  concealed: readonly number[];
  open: readonly number[];
};

/** The reason why a claim can't be taken; undefined where there is room by now. */
export type ClaimObstacle =
  | { kind: 'no item' | 'too many' }
  | { kind: 'too few'; left: number }
  | { kind: 'unconfirmed'; until: number }
  | undefined;

/** States in which a claim takes its pieces. */
const LIVE: readonly ClaimState[] = ['pending', 'reserved', 'purchased'];
const LIVE_SQL = `state in ('pending', 'reserved', 'purchased')`;
const ENDING_SQL = `state in ('pending', 'reserved')`;

export const isLive = ({ state }: { state: ClaimState }): boolean => LIVE.includes(state);
const taken = (claim: StoredClaim): number => (isLive(claim) ? claim.quantity : 0);

/** The claim's state at a time: final as soon as its time is over, even before a job has expired it. */
export function asOf(now: number, claim: StoredClaim): StoredClaim {
  const { expiresAt, version } = claim;
  const ends = claim.state === 'pending' || claim.state === 'reserved';
  if (!ends || expiresAt === null || expiresAt > now) return claim;
  return { ...claim, state: 'expired', updatedAt: expiresAt, version: version + 1 };
}

/** An address in the form in which it is stored for searching. */
const searchKey = (email: string | null): string | null =>
  email === null || email === '' ? null : email.toLowerCase();

export const isGiver = ({ giver }: StoredClaim, user: { id: number; email: string }): boolean =>
  giver.user_id === user.id || (user.email !== '' && searchKey(giver.email) === searchKey(user.email));

const COLUMNS = `number, id, registry_id, item_id, owner_id, recorded_by, quantity, state, giver_user_id, giver_name,
  giver_email, message, thanked_at, expires_at, created_at, updated_at, version`;

function fromRow(row: Row): StoredClaim {
  const [number, id, registryId, itemId, ownerId, recordedBy, quantity, state, ...rest] = row;
  const [user_id, name, email, message, thankedAt, expiresAt, createdAt, updatedAt, version] = rest;
  const giver = { user_id, name, email };
  return {
    ...{ number, id, registryId, itemId, ownerId, recordedBy, quantity, state, giver },
    ...{ message, thankedAt, expiresAt, createdAt, updatedAt, version },
  } as StoredClaim;
}

const iso = (time: number) => new Date(time).toISOString();

/** The claim in the shape of the contract. */
export const toContract = (claim: ClaimRecord): Claim => ({
  id: claim.id,
  registry_id: claim.registryId,
  item_id: claim.itemId,
  quantity: claim.quantity,
  state: claim.state,
  giver: claim.giver,
  message: claim.message,
  thanked_at: claim.thankedAt === null ? null : iso(claim.thankedAt),
  expires_at: claim.expiresAt === null ? null : iso(claim.expiresAt),
  created_at: iso(claim.createdAt),
  updated_at: iso(claim.updatedAt),
});

// As bigint: a difference of three 32-bit numbers may not fit into 32 bits.
const LEFT = 'cast(quantity_needed as bigint) - quantity_purchased - claimed';
const PLACES = '(select coalesce(max(place), 0) from claims where registry_id = $2)';

/**
 * Takes the pieces of a new claim. Its parameters: item, registry, quantity, creation key, and for an unconfirmed
 * one those of `UNCONFIRMED`.
 */
const TAKE = `update items set claimed = claimed + $3, claim_changes = claim_changes + 1
  where id = $1 and registry_id = $2 and is_active = 1 and ${LEFT} >= $3 and ${PLACES} < ${MAX_CLAIMS}
    and not exists (select 1 from claims where creation_key = $4)`;

/** Unconfirmed claims of one registry ($1), or of one giver as far as the recording user may see them, at a time. */
const UNCONFIRMED_OF_REGISTRY = (registry: string, now: string) =>
  `from claims where registry_id = ${registry} and state = 'pending' and expires_at > ${now}`;
const UNCONFIRMED_OF_GIVER = (user: string, address: string, recorder: string, now: string) =>
  `from claims where (giver_user_id = ${user} or giver_address = ${address}) and state = 'pending'
    and expires_at > ${now} and (owner_id <> ${recorder} or coalesce(recorded_by, 0) = ${recorder})`;
const TAKE_UNCONFIRMED = `${TAKE}
  and (select count(*) ${UNCONFIRMED_OF_REGISTRY('$2', '$5')}) < ${MAX_PENDING.registry}
  and (select count(*) ${UNCONFIRMED_OF_GIVER('$6', '$7', '$8', '$5')}) < ${MAX_PENDING.giver}`;

// If the item was deleted meanwhile, with its registry in the same transaction, the whole unit is rolled back.
const INSERT = `insert into claims (id, registry_id, place, item_id, owner_id, recorded_by, quantity, state,
    giver_user_id, giver_name, giver_email, giver_address, message, expires_at, created_at, updated_at, creation_key)
  select $1, $2, ${PLACES} + 1, (select id from items where id = $3 and is_active = 1), $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14, $15`;
// Inserts into one registry run one after another: otherwise one would find its place taken and begin anew.
const IN_TURN = 'update claims set version = version where registry_id = $1 and place = 1';
const INSERT_EVENT = `insert into claim_events (claim, entry, at, actor, actor_id, state, quantity, message, expires_at)
  select number, 1, created_at, $2, recorded_by, state, quantity, message, expires_at from claims where id = $1`;

// If the claim has changed since, its next ledger entry exists already and the whole unit is rolled back.
const EVENT = `insert into claim_events
    (claim, entry, at, actor, actor_id, state, quantity, message, thanked_at, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;
const UPDATE = `update claims set version = version + 1, updated_at = $3, state = $4, quantity = $5, message = $6,
    thanked_at = $7, expires_at = $8
  where number = $1 and version = $2`;
const UNCHANGED = (number: string, version: string) =>
  `exists (select 1 from claims where number = ${number} and version = ${version})`;
const GROW = `update items set claimed = claimed + $4, claim_changes = claim_changes + 1
  where id = $1 and is_active = 1 and ${LEFT} >= $4 and ${UNCHANGED('$2', '$3')}`;
const SHRINK = `update items set claimed = claimed + $4, claim_changes = claim_changes + 1
  where id = $1 and ${UNCHANGED('$2', '$3')}`;

// A reservation that still runs has a giver who may need it; one that is over counts from its end.
const OF_REGISTRY_LONG_AGO = `registry_id = $3 and updated_at <= $4
  and (giver_name <> '' or giver_email is not null or giver_user_id is not null)
  and (state not in ('pending', 'reserved') or expires_at is null or expires_at <= $4)`;

const IS_LIVE_AT = (now: string) => `(${LIVE_SQL} and (expires_at is null or expires_at > ${now}))`;
const NEWEST_LIVE_FIRST = (now: string) =>
  `order by case when ${IS_LIVE_AT(now)} then 0 else 1 end, created_at desc, number desc`;

const listed = (ids: readonly number[]): string => [0, ...ids].join(', ');

/** Ends the claims of a deleted registry, as the last part of the unit that deletes its items. */
export function releaseOfRegistry(registryId: number, now: number): Statement[] {
  const over = 'expires_at is not null and expires_at <= $2';
  const live = `registry_id = $1 and ${LIVE_SQL}`;
  return [
    [
      `update items set claimed = 0, claim_changes = claim_changes + 1
       where claimed > 0 and id in (select item_id from claims where ${live})`,
      [registryId],
    ],
    [
      `insert into claim_events (claim, entry, at, actor, state, quantity, message, thanked_at, expires_at)
       select number, version + 1, case when ${over} then expires_at else $2 end,
         case when ${over} then 'clock' else 'registry' end, case when ${over} then 'expired' else 'released' end,
         quantity, message, thanked_at, case when ${over} then expires_at end
       from claims where ${live}`,
      [registryId, now],
    ],
    [
      `update claims set version = version + 1, updated_at = case when ${over} then expires_at else $2 end,
         state = case when ${over} then 'expired' else 'released' end,
         expires_at = case when ${over} then expires_at end
       where ${live}`,
      [registryId, now],
    ],
  ];
}

/** 80 random bits are hard to guess; the time before them keeps new ids together in their index. */
function newId(now: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now, 0, 6);
  return bytes.toString('base64url');
}

/** The claims, their ledger, and all the SQL about them. */
export type ClaimStore = ReturnType<typeof claimStore>;

export function claimStore(db: Database) {
  async function one(condition: string, params: readonly Value[]): Promise<StoredClaim | undefined> {
    const [row] = await db.read(`select ${COLUMNS} from claims where ${condition}`, params);
    return row && fromRow(row);
  }

  /** How many pieces of an active item are left. */
  async function left(registryId: number, itemId: number): Promise<number | undefined> {
    const [row] = await db.read(
      `select ${LEFT} from items where id = $1 and registry_id = $2 and is_active = 1`,
      [itemId, registryId],
    );
    return row && Math.max(0, row[0] as number);
  }

  /** Writes `next` if the claim is still in the state it was in before and there is room; tells whether it did. */
  async function replace(before: StoredClaim, next: StoredClaim, actor: Actor): Promise<boolean> {
    const { number, version, itemId } = before;
    const { updatedAt, state, quantity, message, thankedAt, expiresAt } = next;
    const update: Statement = [
      UPDATE,
      [number, version, updatedAt, state, quantity, message, thankedAt, expiresAt],
    ];
    const event: Statement = [
      EVENT,
      [
        number,
        version + 1,
        updatedAt,
        actor.as,
        actor.userId,
        state,
        quantity,
        message,
        thankedAt,
        expiresAt,
      ],
    ];
    const more = taken(next) - taken(before);
    const count: Statement = [more > 0 ? GROW : SHRINK, [itemId, number, version, more]];
    // No request is in progress that could notify the host.
    const told: Statement[] = actor.as === 'clock' ? [queueNotice(before.registryId)] : [];
    const unit: Unit = more === 0 ? [update, event, ...told] : [count, update, event, ...told];
    return (await db.write(...unit)).count > 0;
  }

  return {
    find: (id: string) => one('id = $1', [id]),

    /** The claims with these ids, in any order; unknown ids are left out. */
    async some(ids: readonly string[]): Promise<StoredClaim[]> {
      const named = ids.map((_, i) => `$${i + 1}`).join(', ');
      return (await db.read(`select ${COLUMNS} from claims where id in (${named})`, ids)).map(fromRow);
    },

    /** The claim that a repeatable request made. */
    createdBy: (creationKey: string) => one('creation_key = $1', [creationKey]),

    /** A claim as it was made, with what is left of the giver. */
    async asFirstStored(id: string): Promise<ClaimRecord | undefined> {
      const claim = await one('id = $1', [id]);
      const [row] = await db.read(
        'select state, quantity, message, expires_at from claim_events where claim = $1 and entry = 1',
        [claim?.number ?? 0],
      );
      if (!claim || !row) return undefined;
      const [state, quantity, message, expiresAt] = row;
      const first = { state, quantity, message, expiresAt } as StoredClaim;
      return { ...claim, ...first, thankedAt: null, updatedAt: claim.createdAt, version: 1 };
    },

    /** Stores a claim if there is room for it, and tells whether there was. One creation key makes one claim. */
    async insert(claim: NewClaim, now: number): Promise<ClaimRecord | undefined> {
      const { registryId, itemId, ownerId, recordedBy, quantity, state, giver, message } = claim;
      const { createdAt, expiresAt } = claim;
      const id = newId(createdAt);
      const address = searchKey(giver.email);
      const take: Value[] = [itemId, registryId, quantity, claim.creationKey];
      const guard: Statement =
        state === 'pending'
          ? [TAKE_UNCONFIRMED, [...take, now, giver.user_id, address, recordedBy]]
          : [TAKE, take];
      const { count } = await db.write(
        guard,
        ...(db.oneWriter ? [] : [[IN_TURN, [registryId]] as const]),
        [
          INSERT,
          [
            ...[id, registryId, itemId, ownerId, recordedBy, quantity, state, giver.user_id, giver.name],
            ...[giver.email, address, message, expiresAt, createdAt, claim.creationKey],
          ],
        ],
        [INSERT_EVENT, [id, claim.actor]],
      );
      if (count === 0) return undefined;
      const times = { thankedAt: null, createdAt, updatedAt: createdAt };
      return {
        ...{ id, registryId, itemId, ownerId, recordedBy, quantity, state, giver, message, expiresAt },
        ...{ ...times, version: 1 },
      };
    },

    left,

    /** The reason why a claim cannot be taken at a time. */
    async obstacle(claim: NewClaim, now: number): Promise<ClaimObstacle> {
      const { itemId, registryId, quantity, state, giver, recordedBy } = claim;
      const pieces = await left(registryId, itemId);
      if (pieces === undefined) return { kind: 'no item' };
      if (pieces < quantity) return { kind: 'too few', left: pieces };
      const [[lastPlace] = []] = await db.read(
        'select coalesce(max(place), 0) from claims where registry_id = $1',
        [registryId],
      );
      if ((lastPlace as number) >= MAX_CLAIMS) return { kind: 'too many' };
      if (state !== 'pending') return undefined;
      const [ofRegistry] = await db.read(
        `select count(*), min(expires_at) ${UNCONFIRMED_OF_REGISTRY('$1', '$2')}`,
        [registryId, now],
      );
      const [ofGiver] = await db.read(
        `select count(*), min(expires_at) ${UNCONFIRMED_OF_GIVER('$1', '$2', '$3', '$4')}`,
        [giver.user_id, searchKey(giver.email), recordedBy, now],
      );
      for (const [row, limit] of [
        [ofRegistry!, MAX_PENDING.registry],
        [ofGiver!, MAX_PENDING.giver],
      ] as const)
        if (Number(row[0]) >= limit) return { kind: 'unconfirmed', until: Number(row[1]) };
      return undefined;
    },

    replace,

    /** Expires up to `limit` claims whose time is over, of one item or of any; returns them as they were. */
    async expire(now: number, limit: number, itemId: number | null = null): Promise<StoredClaim[]> {
      const rows = await db.read(
        `select ${COLUMNS} from claims where ${ENDING_SQL} and expires_at <= $1
         ${itemId === null ? '' : 'and item_id = $3'} order by expires_at limit $2`,
        itemId === null ? [now, limit] : [now, limit, itemId],
      );
      const over = rows.map(fromRow);
      const clock: Actor = { as: 'clock', userId: null };
      await Promise.all(
        over.map((claim) => replace(claim, { ...asOf(now, claim), version: claim.version }, clock)),
      );
      return over;
    },

    /** A registry's claims, or those of one giver there: live ones first, then the others, newest first. */
    async ofRegistry(registryId: number, now: number, giver?: Giver): Promise<StoredClaim[]> {
      const rows = await db.read(
        `select ${COLUMNS} from claims where registry_id = $1
         ${giver ? 'and (giver_user_id = $3 or giver_address = $4)' : ''} ${NEWEST_LIVE_FIRST('$2')}`,
        giver ? [registryId, now, giver.userId, searchKey(giver.email)] : [registryId, now],
      );
      return rows.map((row) => asOf(now, fromRow(row)));
    },

    /** One giver's claims over all registries, as far as the reader may see them. */
    async ofGiver(
      giver: Giver,
      view: GiverView,
      now: number,
      skip: number,
      limit: number,
    ): Promise<StoredClaim[]> {
      const rows = await db.read(
        `select ${COLUMNS} from claims
         where (giver_user_id = $1 or giver_address = $2) and (registry_id in (${listed(view.open)})
           or (owner_id <> $3 and registry_id not in (${listed(view.concealed)}))
           or (recorded_by = $3 and (giver_user_id = $3 or giver_address = $4)))
         ${NEWEST_LIVE_FIRST('$5')} limit $6 offset $7`,
        [
          ...[giver.userId, searchKey(giver.email), view.userId, searchKey(view.email) || null],
          ...[now, limit, skip],
        ],
      );
      return rows.map((row) => asOf(now, fromRow(row)));
    },

    /** Erases a person from claims, without changing quantities; returns the number of claims. */
    async erase(target: ErasureTarget, byUserId: number, now: number): Promise<number> {
      // Between the statements a mark in place of the address identifies the claims of this erasure; it is removed last.
      const mark = `erased ${randomUUID()}`;
      const [condition, params]: [string, Value[]] =
        'registryId' in target
          ? [OF_REGISTRY_LONG_AGO, [target.registryId, target.unchangedSince]]
          : ['giver_address = $3 or giver_user_id = $4', [searchKey(target.email), target.userId]];
      const { count } = await db.write(
        [
          `update claims set giver_name = '', giver_email = null, giver_user_id = null, giver_address = $1,
             message = null, recorded_by = case when recorded_by = giver_user_id then null else recorded_by end,
             updated_at = $2, version = version + 1
           where ${condition}`,
          [mark, now, ...params],
        ],
        [
          `update claim_events set message = null, actor_id = case when actor = 'giver' then null else actor_id end
           where claim in (select number from claims where giver_address = $1)`,
          [mark],
        ],
        [
          `insert into claim_events (claim, entry, at, actor, actor_id, state, quantity, thanked_at, expires_at)
           select number, version, $2, 'admin', $3, state, quantity, thanked_at, expires_at
           from claims where giver_address = $1`,
          [mark, now, byUserId],
        ],
        ['update claims set giver_address = null where giver_address = $1', [mark]],
      );
      return count;
    },

    /** The next registry after `after` in which something is claimed, among `limit` registries; `last` is the last one looked at. */
    async registryAfter(
      after: number,
      limit: number,
    ): Promise<{ id: number | undefined; last: number | undefined }> {
      let last: number | undefined = after;
      for (let looked = 0; looked < limit; looked++) {
        const [[next] = []] = await db.read('select min(registry_id) from claims where registry_id > $1', [
          last,
        ]);
        last = (next as number | null) ?? undefined;
        if (last === undefined) break;
        if (await this.anyIn(last)) return { id: last, last };
      }
      return { id: undefined, last };
    },

    /** The highest number of a registry in which anything was ever claimed; 0 where nothing was. */
    async lastRegistry(): Promise<number> {
      const [[last] = []] = await db.read('select max(registry_id) from claims', []);
      return (last as number | null) ?? 0;
    },

    /** Whether anything was ever claimed in a registry while this user owned it. */
    async hasClaimsWhileOwned(userId: number, registryId: number): Promise<boolean> {
      const rows = await db.read(`select 1 from claims where registry_id = $1 and owner_id = $2 limit 1`, [
        registryId,
        userId,
      ]);
      return rows.length > 0;
    },

    /** Whether anything is claimed in a registry. */
    async anyIn(registryId: number): Promise<boolean> {
      const rows = await db.read(`select 1 from claims where registry_id = $1 and ${LIVE_SQL} limit 1`, [
        registryId,
      ]);
      return rows.length > 0;
    },
  };
}
