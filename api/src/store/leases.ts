import { randomUUID } from 'node:crypto';
import type { Database } from './database.ts';
import { siteRows } from './site-rows.ts';

/** Exclusive rights to something outside the store, such as a registry on the host, among all processes that share the store. */
export type Leases = ReturnType<typeof leaseStore>;

export type Lease = { release(): Promise<void> };

export function leaseStore(db: Database, siteId: number) {
  // Leases end by the store's clock, because the machines' own clocks differ.
  const acquire = `insert into leases (site_id, name, holder, expires_at) values ($1, $2, $3, ${db.now} + $4)
    on conflict (site_id, name) do update set holder = excluded.holder, expires_at = excluded.expires_at
    where leases.expires_at <= ${db.now}`;
  const renew = `update leases set expires_at = ${db.now} + $4
    where site_id = $1 and name = $2 and holder = $3 and expires_at > ${db.now}`;

  const rows = siteRows(db, siteId);

  return {
    /** Returns a lease that renews itself until it is released; undefined while another holder, even in this process, has it. */
    async acquire(name: string, milliseconds: number): Promise<Lease | undefined> {
      const holder = randomUUID();
      if ((await rows.change(acquire, name, holder, milliseconds)) === 0) return undefined;
      const renewal = setInterval(async () => {
        const renewed = await rows.change(renew, name, holder, milliseconds).catch(() => undefined);
        if (renewed === 0) clearInterval(renewal);
      }, milliseconds / 3).unref();
      return {
        async release() {
          clearInterval(renewal);
          const end = 'delete from leases where site_id = $1 and name = $2 and holder = $3';
          await rows.change(end, name, holder);
        },
      };
    },
  };
}
