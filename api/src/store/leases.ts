import { randomUUID } from 'node:crypto';
import type { Database } from './database.ts';

/** Exclusive rights to something of a site outside of the store, among all processes that share it. */
export type Leases = ReturnType<typeof leaseStore>;

export type Lease = { release(): Promise<void> };

export function leaseStore(db: Database, siteId: number) {
  // Ends are judged by the store's clock: those of the machines around it differ.
  const acquire = `insert into leases (site_id, name, holder, expires_at) values ($1, $2, $3, ${db.now} + $4)
    on conflict (site_id, name) do update set holder = excluded.holder, expires_at = excluded.expires_at
    where leases.expires_at <= ${db.now}`;
  const renew = `update leases set expires_at = ${db.now} + $4
    where site_id = $1 and name = $2 and holder = $3 and expires_at > ${db.now}`;

  return {
    /** A lease that renews itself until it is released; undefined while another process holds it. */
    async acquire(name: string, milliseconds: number): Promise<Lease | undefined> {
      const holder = randomUUID();
      const { count } = await db.write([acquire, [siteId, name, holder, milliseconds]]);
      if (count === 0) return undefined;
      const renewal = setInterval(async () => {
        const renewed = await db.write([renew, [siteId, name, holder, milliseconds]]).catch(() => undefined);
        if (renewed?.count === 0) clearInterval(renewal);
      }, milliseconds / 3).unref();
      return {
        async release() {
          clearInterval(renewal);
          await db.write([
            'delete from leases where site_id = $1 and name = $2 and holder = $3',
            [siteId, name, holder],
          ]);
        },
      };
    },
  };
}
