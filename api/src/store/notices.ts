import type { Database, Statement } from './database.ts';
import { siteRows } from './site-rows.ts';

/** A request that changes a registry has this long to notify the host itself. */
export const REQUEST_NOTIFIES_MS = 5_000;

/** Queues a notice for the host, in the unit that changes the registry; a job sends it if it is still there when it is due. */
export const queueNotice = (siteId: number, registryId: number, dueAt: number): Statement => [
  `insert into notices (site_id, registry_id, due_at) values ($1, $2, $3)
   on conflict (site_id, registry_id) do update set times = notices.times + 1,
     due_at = case when notices.due_at > excluded.due_at then notices.due_at else excluded.due_at end`,
  [siteId, registryId, dueAt],
];

export type QueuedNotice = { registryId: number; times: number; dueAt: number };

export type QueuedNotices = ReturnType<typeof queuedNotices>;

export function queuedNotices(db: Database, siteId: number) {
  const rows = siteRows(db, siteId);
  const find = async (condition: string, ...values: number[]): Promise<QueuedNotice[]> => {
    const select = 'select registry_id, times, due_at from notices where site_id = $1 and';
    const found = await rows.all(`${select} ${condition}`, ...values);
    return found.map(([registryId, times, dueAt]) => ({ registryId, times, dueAt }) as QueuedNotice);
  };

  return {
    // In any order, so that registries that change all the time don't keep others waiting.
    due: (now: number, limit: number) => find('due_at <= $2 order by random() limit $3', now, limit),

    of: async (registryId: number): Promise<QueuedNotice | undefined> =>
      (await find('registry_id = $2', registryId))[0],

    /** Deletes a notice that was sent, unless the registry has changed since. */
    remove: ({ registryId, times, dueAt }: QueuedNotice) =>
      rows.change(
        'delete from notices where site_id = $1 and registry_id = $2 and times = $3 and due_at = $4',
        ...[registryId, times, dueAt],
      ),
  };
}
