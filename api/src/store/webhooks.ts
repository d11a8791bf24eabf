import { randomUUID } from 'node:crypto';
import type { WebhookType } from '../contract/index.ts';
import { DAY_MS } from '../lib/clock.ts';
import type { Database, Input, Row, Statement } from './database.ts';
import { type EventSight, isConcealedIn, type Position, SEEN, UNKNOWN_OWNER } from './events.ts';
import { siteRows } from './site-rows.ts';

/** The registry of webhooks for the whole site. */
export const WHOLE_SITE = 0;

export type NewWebhook = {
  registryId: number;
  url: string;
  types: WebhookType[];
  /** Encrypted. */
  secret: string;
  makerId: number;
  /** Marks (hashes) of the maker's user name and email address, either of which may be in a list of co-owners. */
  makerMarks: readonly [string, string];
  /** Whether the maker is an admin, as the host said it last. */
  makerIsAdmin: boolean;
  makerSeenAt: number;
  /** An owner of the registry made it: the other owners see it, too. */
  isByOwner: boolean;
  createdAt: number;
};

export type StoredWebhook = NewWebhook & { id: string; disabledAt: number | null; isEnded: boolean };

/** What is known of a maker's rights in a registry, and of its surprise, as the service last saw it. */
export type Standing = {
  owns: boolean;
  /** Owns it, or is named as its owner in a claim. */
  isKnownOwner: boolean;
  /** The owner seems to have changed, and the host hasn't said yet who it is now. */
  isOutdated: boolean;
  surpriseUntil: string | null;
  surpriseKeeps: 'all' | 'names' | null;
};

export type ClaimedDelivery = Position & {
  webhookId: string;
  place: number;
  registryId: number;
  attempts: number;
  holder: string;
};

/** `status` is null if nothing answered. The next attempt is at `dueAt`; none if that is null. */
export type Attempt = { attempts: number; status: number | null; dueAt: number | null };

export type ListedDelivery = Attempt &
  Position & {
    place: number;
    registryId: number;
    at: number;
    itemId: number | null;
    claimId: string | null;
    isConcealed: boolean | null;
  };

/** The `due_at` of a delivery until the host's answer decides whether it may be sent: the last time that a `Date` can be. */
export const WHEN_DECIDED = 8_640_000_000_000_000;

// For this long, a process that died during an attempt keeps others from it: enough to make one and to record its answer.
const LEASE_MS = 30_000;
const ENDED_AT_ONCE = 100;

const COLUMNS = `id, registry_id, url, types, secret, maker_id, maker_marks, maker_admin, maker_seen_at, by_owner,
  created_at, disabled_at, ended`;
const SELECT = `select ${COLUMNS} from webhooks where site_id = $1`;

function fromRow(row: Row): StoredWebhook {
  const [id, registryId, url, types, secret, makerId, marks, isAdmin, makerSeenAt, ...rest] = row;
  const [byOwner, createdAt, disabledAt, ended] = rest;
  return {
    ...{ id, registryId, url, secret, makerId, makerSeenAt, createdAt, disabledAt },
    types: (types as string).split(',').filter(Boolean),
    makerMarks: (marks as string).split(',') as [string, string],
    ...{ makerIsAdmin: isAdmin === 1, isByOwner: byOwner === 1, isEnded: ended === 1 },
  } as StoredWebhook;
}

/** A disabled webhook gets nothing more. */
const givenUp = (siteId: number, webhookId: string): Statement => [
  `update deliveries set due_at = null where site_id = $1 and webhook_id = $2 and due_at is not null
     and exists (select 1 from webhooks where site_id = $1 and id = $2 and disabled_at is not null)`,
  [siteId, webhookId],
];

export type WebhookStore = ReturnType<typeof webhookStore>;

export function webhookStore(db: Database, siteId: number) {
  const rows = siteRows(db, siteId);
  const find = async (condition: string, ...values: Input[]): Promise<StoredWebhook[]> =>
    (await rows.all(`${SELECT} and ${condition}`, ...values)).map(fromRow);

  /** An attempt has failed: disables the webhook if its address is gone, or if it has been failing since `failingSince`. */
  async function failed(id: string, now: number, isGone: boolean, failingSince = 0): Promise<void> {
    await db.write(
      [
        `update webhooks set failing_since = coalesce(failing_since, $3),
           disabled_at = case when $4 = 1 or failing_since <= $5 then $3 else disabled_at end
         where site_id = $1 and id = $2 and disabled_at is null`,
        [siteId, id, now, Number(isGone), failingSince],
      ],
      givenUp(siteId, id),
    );
  }

  return {
    byId: async (id: string): Promise<StoredWebhook | undefined> => (await find('id = $2', id))[0],

    any: (): Promise<boolean> => rows.has('webhooks'),

    /** A registry's own, or those of the whole site, oldest first. */
    of: (registryId: number) => find('registry_id = $2 and ended = 0 order by created_at, slot', registryId),

    /** Stores a webhook where one of `most` slots is free, or finds the one that the same request has stored. */
    async add(id: string, webhook: NewWebhook, creationKey: string | null, most: number) {
      const { registryId, url, types, secret, makerId, makerMarks, makerIsAdmin, makerSeenAt } = webhook;
      const { isByOwner, createdAt } = webhook;
      for (;;) {
        const [earlier] = await find('creation_key = $2', creationKey);
        if (earlier) return earlier;
        const slots = 'select slot from webhooks where site_id = $1 and registry_id = $2';
        const taken = new Set(await rows.column(slots, registryId));
        const slot = Array.from({ length: most }, (_, n) => n).find((n) => !taken.has(n));
        if (slot === undefined) return undefined;
        // Nothing is stored where someone else has taken the slot in the meantime, or the same request was stored.
        const count = await rows.change(
          `insert into webhooks (site_id, registry_id, id, slot, url, types, secret, maker_id, maker_marks, maker_admin,
             maker_seen_at, by_owner, created_at, creation_key)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
           on conflict do nothing`,
          ...[registryId, id, slot, url, types.join(), secret, makerId, makerMarks.join()],
          ...[Number(makerIsAdmin), makerSeenAt, Number(isByOwner), createdAt, creationKey],
        );
        if (count > 0) return { ...webhook, id, disabledAt: null, isEnded: false };
      }
    },

    /** Deletes a webhook with all its deliveries. */
    async delete(id: string): Promise<void> {
      await db.write(
        ['delete from webhooks where site_id = $1 and id = $2', [siteId, id]],
        ['delete from deliveries where site_id = $1 and webhook_id = $2', [siteId, id]],
      );
    },

    /** Some of the webhooks of deleted registries that have nothing left to be sent. */
    ended: (): Promise<string[]> =>
      rows.column(
        `select id from webhooks where site_id = $1 and ended = 1 and not exists (
           select 1 from deliveries where deliveries.site_id = $1 and webhook_id = webhooks.id and due_at is not null)
         order by id limit $2`,
        ENDED_AT_ONCE,
      ),

    /** A maker has signed in. An answer that was asked for before the host's last report can only take the admin's role away. */
    makerSeen: (id: number, marks: readonly [string, string], isAdmin: boolean, askedAt: number) =>
      rows.changeIfAny(
        'webhooks',
        'maker_marks = $3, maker_admin = $4, maker_seen_at = $6',
        `maker_id = $2 and (maker_marks <> $3 or maker_admin <> $4 or maker_seen_at < $5)
         and (maker_admin > $4 or maker_seen_at < $6)`,
        ...[id, marks.join(), Number(isAdmin), askedAt - DAY_MS, askedAt],
      ),

    /** The host has said whether a maker is an admin, and perhaps under which names this user may be a listed co-owner. */
    updateMaker: (id: number, isAdmin: boolean, now: number, marks?: readonly [string, string]) =>
      rows.change(
        `update webhooks set maker_admin = $3, maker_seen_at = $4, maker_marks = coalesce($5, maker_marks)
         where site_id = $1 and maker_id = $2`,
        ...[id, Number(isAdmin), now, marks?.join() ?? null],
      ),

    makers: (): Promise<number[]> =>
      rows.column(
        `select distinct maker_id from webhooks
         where site_id = $1 and maker_id > 0 and disabled_at is null order by maker_id`,
      ),

    ofMaker: (id: number): Promise<string[]> =>
      rows.column('select id from webhooks where site_id = $1 and maker_id = $2 and disabled_at is null', id),

    async standing(webhook: StoredWebhook, registryId: number): Promise<Standing> {
      const { makerId, makerMarks } = webhook;
      const row = await rows.first(
        `select owner_id, surprise_until, surprise_keeps,
           (select count(*) from co_owners where site_id = $1 and registry_id = $2 and mark in ($4, $5)),
           (select count(*) from (select 1 from claims where site_id = $1 and registry_id = $2 and owner_id = $3 limit 1) as one)
         from (select 1 as one) as one left join registry_states on site_id = $1 and registry_id = $2`,
        ...[registryId, makerId, ...makerMarks],
      );
      const [ownerId, surpriseUntil, surpriseKeeps, listed, claimed] = row!;
      // If no owner is stored yet, what the host said when the webhook was made counts.
      const isOwner =
        ownerId === null ? webhook.isByOwner && webhook.registryId === registryId : ownerId === makerId;
      const owns = isOwner || Number(listed) > 0;
      return {
        ...{ owns, isKnownOwner: owns || Number(claimed) > 0, isOutdated: ownerId === UNKNOWN_OWNER },
        ...{ surpriseUntil, surpriseKeeps },
      } as Standing;
    },

    failed,

    disable: (id: string, now: number) => failed(id, now, true),

    /** Webhooks with waiting deliveries, and how many are due, up to `most`: a long queue costs no more than a short one. */
    async due(now: number, most: number): Promise<{ hook: StoredWebhook; count: number }[]> {
      const next = (after: string) =>
        `select min(webhook_id) from deliveries where site_id = $1 and webhook_id > ${after} and due_at is not null`;
      const found = await rows.all(
        `with recursive waiting (id) as (
           ${next("''")} union all select (${next('waiting.id')}) from waiting where id is not null)
         select ${COLUMNS}, (select count(*) from (
             select 1 from deliveries where site_id = $1 and webhook_id = webhooks.id and due_at <= $2
               and coalesce(leased_until, 0) <= ${db.now} limit $3) as due)
         from webhooks where site_id = $1 and id in (select id from waiting where id is not null)`,
        ...[now, most],
      );
      return found.map((row) => ({ hook: fromRow(row), count: Number(row.at(-1)) }));
    },

    /** Claims the right to make the next attempt that is due for a webhook. */
    async claim(webhookId: string, now: number): Promise<ClaimedDelivery | undefined> {
      const holder = randomUUID();
      const written = await db.write([
        `update deliveries set holder = $3, leased_until = ${db.now} + $4
         where site_id = $1 and webhook_id = $2 and due_at <= $5 and coalesce(leased_until, 0) <= ${db.now}
           and place = (
             select place from deliveries where site_id = $1 and webhook_id = $2 and due_at <= $5
               and coalesce(leased_until, 0) <= ${db.now} order by due_at, place limit 1)
         returning place, registry_id, number, part, attempts`,
        [siteId, webhookId, holder, LEASE_MS, now],
      ]);
      const [row] = written.rows;
      if (!row) return undefined;
      const [place, registryId, number, part, attempts] = row;
      return { webhookId, place, registryId, number, part, attempts, holder } as ClaimedDelivery;
    },

    async attempted(delivery: ClaimedDelivery, { attempts, status, dueAt }: Attempt): Promise<void> {
      const { webhookId, place, holder } = delivery;
      const isReceived = status !== null && status >= 200 && status < 300;
      const noLongerFailing: Statement = [
        'update webhooks set failing_since = null where site_id = $1 and id = $2 and failing_since is not null',
        [siteId, webhookId],
      ];
      await db.write(
        [
          `update deliveries set attempts = $5, status = $6, due_at = $7, holder = null, leased_until = null
           where site_id = $1 and webhook_id = $2 and place = $3 and holder = $4`,
          [siteId, webhookId, place, holder, attempts, status, dueAt],
        ],
        // Another attempt may have ended the webhook in the meantime.
        ...(isReceived ? [noLongerFailing] : [givenUp(siteId, webhookId)]),
      );
    },

    /** There was no attempt: anyone may make it, at `dueAt` or else when it was due before. */
    release: ({ webhookId, place, holder }: ClaimedDelivery, dueAt: number | null = null) =>
      rows.change(
        `update deliveries set due_at = coalesce($5, due_at), holder = null, leased_until = null
         where site_id = $1 and webhook_id = $2 and place = $3 and holder = $4`,
        ...[webhookId, place, holder, dueAt],
      ),

    /** Makes deliveries due that waited for the host's answer, once that has come. */
    async makeDecidedDue(now: number): Promise<void> {
      const decided = `due_at = ${WHEN_DECIDED}
        and not exists (select 1 from registry_states as state where state.site_id = $1
          and state.registry_id = deliveries.registry_id and state.owner_id = ${UNKNOWN_OWNER})
        and not exists (select 1 from events where events.site_id = $1
          and events.registry_id = deliveries.registry_id and claim_id is not null and concealed is null
          and (events.number, events.part) <= (deliveries.number, deliveries.part))`;
      if (await rows.has('deliveries', decided))
        await rows.change(`update deliveries set due_at = $2 where site_id = $1 and ${decided}`, now);
    },

    /** Some registries with events that wait for a look at the host, at random: one that waits in vain holds up no other. */
    awaitedRegistries: (limit: number): Promise<number[]> =>
      rows.column(
        `select registry_id from deliveries where site_id = $1 and due_at = ${WHEN_DECIDED}
         group by registry_id order by random() limit $2`,
        limit,
      ),

    /** Some registries, or only this one, with webhooks of their own and events that will have to wait for a look at the host. */
    async willAwait(registryId: number | undefined, limit: number): Promise<number[]> {
      const these = `registry_id ${registryId === undefined ? '> $2' : '= $2'} and disabled_at is null`;
      const values = [registryId ?? WHOLE_SITE, limit];
      // Most registries have none, and SQLite begins with the events, which may be many.
      if (!(await rows.has('webhooks', these, values[0]!))) return [];
      return rows.column(
        `select distinct registry_id from webhooks
         where site_id = $1 and ${these}
           and exists (select 1 from events where events.site_id = $1 and events.registry_id = webhooks.registry_id
             and claim_id is not null and concealed is null)
         order by registry_id limit $3`,
        ...values,
      );
    },

    /** The webhook is not to get this event after all. */
    drop: ({ webhookId, place }: ClaimedDelivery) =>
      rows.change(
        'delete from deliveries where site_id = $1 and webhook_id = $2 and place = $3',
        ...[webhookId, place],
      ),

    /** Gives up deliveries that were added for a webhook while it was being disabled. */
    giveUp: (webhookId: string) => db.write(givenUp(siteId, webhookId)),

    /** Events for a webhook before a place, newest first, as far as a reader sees them. */
    async deliveries(
      webhookId: string,
      before: number,
      sight: EventSight,
      limit: number,
    ): Promise<ListedDelivery[]> {
      const found = await rows.all(
        `select deliveries.place, deliveries.registry_id, deliveries.number, deliveries.part, deliveries.at, attempts,
           status, due_at, events.item_id, events.claim_id, events.concealed
         from deliveries join events on events.site_id = deliveries.site_id
           and events.registry_id = deliveries.registry_id and events.number = deliveries.number
           and events.part = deliveries.part
         where deliveries.site_id = $1 and webhook_id = $2 and deliveries.place < $3 ${SEEN[sight]}
         order by deliveries.place desc limit $4`,
        ...[webhookId, before, limit],
      );
      return found.map((row) => {
        const [place, registryId, number, part, at, attempts, status, dueAt, itemId, claimId, concealed] =
          row;
        return {
          ...{ place, registryId, number, part, at, attempts, status, dueAt, itemId, claimId },
          isConcealed: isConcealedIn(concealed!),
        } as ListedDelivery;
      });
    },

    /** Deletes up to `limit` deliveries of events from before a time, and returns how many there were. */
    deleteBefore: (time: number, limit: number): Promise<number> =>
      rows.change(
        `delete from deliveries where site_id = $1 and (webhook_id, place) in (
           select webhook_id, place from deliveries where site_id = $1 and at < $2 order by at limit $3)`,
        ...[time, limit],
      ),
  };
}

/** The secret of any webhook in the store, to see whether the key is right. */
export async function someSecret({ read }: Database) {
  const [row] = await read('select site_id, id, secret from webhooks order by site_id desc, id limit 1');
  return row as [siteId: number, id: string, secret: string] | undefined;
}

/** Deliveries that wait for an attempt, over all sites: how many, and for how long the oldest event has waited. */
export async function waitingDeliveries(db: Database, now: number): Promise<{ count: number; age: number }> {
  const [row] = await db.read(
    // Those of a webhook that was deleted in the meantime are sent to nobody.
    `select count(*), min(at) from deliveries where due_at is not null and exists (
       select 1 from webhooks where webhooks.site_id = deliveries.site_id and webhooks.id = webhook_id)`,
  );
  const [count, since] = row!;
  return { count: Number(count), age: Math.max(0, now - Number(since ?? now)) };
}
