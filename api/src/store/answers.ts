import { randomUUID } from 'node:crypto';
import type { Database } from './database.ts';

export type StoredAnswer = { status: number; json: string; etag?: string | undefined };

/** A request that was claimed to be carried out: by this holder, first seen at that time. */
export type Claim = { name: string; holder: string; firstSeen: number };

export type Earlier = { fingerprint: string; answer: StoredAnswer | undefined };

/** Answers given to requests that may arrive again, kept for a day. */
export type Answers = ReturnType<typeof answers>;

const DAY_MS = 24 * 60 * 60 * 1000;
// A process that died in the middle keeps others from carrying the request out for this long.
const CLAIM_MS = 15_000;

export function answers(db: Database, clock: () => number) {
  return {
    /**
     * The right to carry the request out: where nobody had it, where who had it is gone without an answer, or where
     * all that is a day ago.
     */
    async claim(name: string, fingerprint: string): Promise<Claim | undefined> {
      const holder = randomUUID();
      const now = clock();
      const { count } = await db.write(
        `insert into answers (name, fingerprint, holder, expires_at, created_at) values ($1, $2, $3, $4, $5)
         on conflict (name) do update set
           created_at = case when answers.created_at <= $6 then excluded.created_at else answers.created_at end,
           fingerprint = excluded.fingerprint, holder = excluded.holder, expires_at = excluded.expires_at,
           status = null, json = null, etag = null
         where answers.created_at <= $6
           or (answers.status is null and answers.expires_at <= $5 and answers.fingerprint = excluded.fingerprint)`,
        [name, fingerprint, holder, now + CLAIM_MS, now, now - DAY_MS],
      );
      if (count === 0) return undefined;
      const [row] = await db.read('select created_at from answers where name = $1 and holder = $2', [
        name,
        holder,
      ]);
      return row && { name, holder, firstSeen: row[0] as number };
    },

    async find(name: string): Promise<Earlier | undefined> {
      const [row] = await db.read('select fingerprint, status, json, etag from answers where name = $1', [
        name,
      ]);
      if (!row) return undefined;
      const [fingerprint, status, json, etag] = row as [string, number | null, string, string | null];
      return { fingerprint, answer: status === null ? undefined : { status, json, etag: etag ?? undefined } };
    },

    async keep({ name, holder }: Claim, { status, json, etag }: StoredAnswer): Promise<void> {
      await db.write('update answers set status = $3, json = $4, etag = $5 where name = $1 and holder = $2', [
        name,
        holder,
        status,
        json,
        etag ?? null,
      ]);
    },

    /** Whether anything came of it is unknown: whoever asks again carries it out again, under the same first sight. */
    async giveUp({ name, holder }: Claim): Promise<void> {
      await db.write('update answers set expires_at = 0 where name = $1 and holder = $2', [name, holder]);
    },

    /** Nothing came of it: the request may be tried anew. */
    async release({ name, holder }: Claim): Promise<void> {
      await db.write('delete from answers where name = $1 and holder = $2', [name, holder]);
    },

    async forgetOld(): Promise<void> {
      await db.write('delete from answers where created_at <= $1', [clock() - DAY_MS]);
    },
  };
}
