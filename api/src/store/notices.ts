import type { Database, Statement } from './database.ts';

/** Queues a notice for the host, in the unit that changes the registry. */
export const queueNotice = (siteId: number, registryId: number): Statement => [
  `insert into notices (site_id, registry_id) values ($1, $2)
   on conflict (site_id, registry_id) do update set times = notices.times + 1`,
  [siteId, registryId],
];

export type QueuedNotice = { registryId: number; times: number };

/** Notices that a site's host has not received yet. */
export type QueuedNotices = ReturnType<typeof queuedNotices>;

export function queuedNotices(db: Database, siteId: number) {
  return {
    async queue(registryId: number): Promise<void> {
      await db.write(queueNotice(siteId, registryId));
    },

    async some(limit: number): Promise<QueuedNotice[]> {
      const rows = await db.read(
        'select registry_id, times from notices where site_id = $1 order by registry_id limit $2',
        [siteId, limit],
      );
      return rows.map(([registryId, times]) => ({ registryId, times }) as QueuedNotice);
    },

    /** Deletes a notice that was sent, unless the registry has changed since. */
    async remove({ registryId, times }: QueuedNotice): Promise<void> {
      await db.write([
        'delete from notices where site_id = $1 and registry_id = $2 and times = $3',
        [siteId, registryId, times],
      ]);
    },
  };
}
