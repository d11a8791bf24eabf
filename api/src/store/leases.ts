import { randomUUID } from 'node:crypto';
import type { Database } from './database.ts';

/** Turns at something outside of the store, among all processes that share it. */
export type Leases = ReturnType<typeof leases>;

export function leases(db: Database, clock: () => number) {
  return {
    /** Gives the holder's token, or nothing while somebody else holds an unexpired lease of that name. */
    async acquire(name: string, milliseconds: number): Promise<string | undefined> {
      const holder = randomUUID();
      const now = clock();
      const { count } = await db.write(
        `insert into leases (name, holder, expires_at) values ($1, $2, $3)
         on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
         where leases.expires_at <= $4`,
        [name, holder, now + milliseconds, now],
      );
      return count === 1 ? holder : undefined;
    },

    async release(name: string, holder: string): Promise<void> {
      await db.write('delete from leases where name = $1 and holder = $2', [name, holder]);
    },
  };
}
