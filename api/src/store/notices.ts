import type { Database, Statement } from './database.ts';

/** Queues a notice for the host, in the unit that changes the registry. */
export const queueNotice = (registryId: number): Statement => [
  `insert into notices (registry_id) values ($1)
   on conflict (registry_id) do update set times = notices.times + 1`,
  [registryId],
];

export type QueuedNotice = { registryId: number; times: number };

/** Notices that the host has not received yet. */
export type QueuedNotices = ReturnType<typeof queuedNotices>;

export function queuedNotices(db: Database) {
  return {
    async queue(registryId: number): Promise<void> {
      await db.write(queueNotice(registryId));
    },

    async some(limit: number): Promise<QueuedNotice[]> {
      const rows = await db.read('select registry_id, times from notices order by registry_id limit $1', [
        limit,
      ]);
      return rows.map(([registryId, times]) => ({ registryId, times }) as QueuedNotice);
    },

    /** Deletes a notice that was sent, unless the registry has changed since. */
    async remove({ registryId, times }: QueuedNotice): Promise<void> {
      await db.write(['delete from notices where registry_id = $1 and times = $2', [registryId, times]]);
    },
  };
}
