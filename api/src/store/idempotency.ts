import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../lib/clock.ts';
import type { Database } from './database.ts';
import { siteRows } from './site-rows.ts';

export type StoredResponse = { status: number; json: string; etag?: string | undefined };

/** The right to carry out the request with this key, which first came at `firstSeen`; `isFirst`: nobody has tried before. */
export type KeyHolder = { key: string; holder: string; firstSeen: number; isFirst: boolean };

/** A request that came before under the same key, with its response if it has one. */
export type EarlierRequest = {
  fingerprint: string;
  response: StoredResponse | undefined;
  /** Another request carries it out at the moment. */
  running: boolean;
};

/** Requests to a site that may arrive again and the responses they were given, kept for a day. */
export type IdempotencyKeys = ReturnType<typeof idempotencyKeys>;

// For this long a process that died in the middle keeps others from carrying the request out.
const ATTEMPT_MS = 15_000;
const IS_HELD = 'where site_id = $1 and name = $2 and holder = $3';

export function idempotencyKeys(db: Database, siteId: number, clock: () => number) {
  const rows = siteRows(db, siteId);
  return {
    async find(key: string): Promise<EarlierRequest | undefined> {
      const row = await rows.first(
        `select fingerprint, status, json, etag, case when expires_at > ${db.now} then 1 else 0 end
         from idempotency_keys where site_id = $1 and name = $2 and created_at > $3`,
        ...[key, clock() - DAY_MS],
      );
      if (!row) return undefined;
      type Columns = [string, number | null, string, string | null, number];
      const [fingerprint, status, json, etag, running] = row as Columns;
      const response = status === null ? undefined : { status, json, etag: etag ?? undefined };
      return { fingerprint, response, running: response === undefined && running === 1 };
    },

    /** Claims a key that is new or a day old, or whose holder ended without a response. */
    async begin(key: string, fingerprint: string): Promise<KeyHolder | undefined> {
      const holder = randomUUID();
      const now = clock();
      const written = await db.write([
        `insert into idempotency_keys (site_id, name, fingerprint, holder, expires_at, created_at)
         values ($1, $2, $3, $4, ${db.now} + $5, $6)
         on conflict (site_id, name) do update set
           created_at = case when idempotency_keys.created_at <= $7 then excluded.created_at
             else idempotency_keys.created_at end,
           fingerprint = excluded.fingerprint, holder = excluded.holder, expires_at = excluded.expires_at,
           status = null, json = null, etag = null
         where idempotency_keys.created_at <= $7
           or (idempotency_keys.status is null and idempotency_keys.expires_at <= ${db.now}
             and idempotency_keys.fingerprint = excluded.fingerprint)
         returning created_at`,
        [siteId, key, fingerprint, holder, ATTEMPT_MS, now, now - DAY_MS],
      ]);
      const [row] = written.rows;
      return row && { key, holder, firstSeen: row[0] as number, isFirst: row[0] === now };
    },

    /** Renews the right until what this returns is disposed of. */
    renewUntilDone({ key, holder }: KeyHolder): Disposable {
      const renew = `update idempotency_keys set expires_at = ${db.now} + $4 ${IS_HELD}`;
      return setInterval(
        () => void rows.change(renew, key, holder, ATTEMPT_MS).catch(() => {}),
        ATTEMPT_MS / 3,
      ).unref();
    },

    storeResponse: ({ key, holder }: KeyHolder, { status, json, etag }: StoredResponse) =>
      rows.change(
        `update idempotency_keys set status = $4, json = $5, etag = $6 ${IS_HELD}`,
        ...[key, holder, status, json, etag ?? null],
      ),

    /** For an unknown outcome: the next request with this key repeats the work with the same creation key. */
    expireAttempt: ({ key, holder }: KeyHolder) =>
      rows.change(`update idempotency_keys set expires_at = 0 ${IS_HELD}`, key, holder),

    /** For a request that had no effect: it may be tried again. */
    deleteAttempt: ({ key, holder }: KeyHolder) =>
      rows.change(`delete from idempotency_keys ${IS_HELD}`, key, holder),

    /** Deletes up to `limit` that are older than a day, and returns how many there were. */
    deleteOld: (limit: number): Promise<number> =>
      rows.change(
        `delete from idempotency_keys where site_id = $1 and name in (
           select name from idempotency_keys where site_id = $1 and created_at <= $2 order by created_at limit $3)`,
        ...[clock() - DAY_MS, limit],
      ),
  };
}
