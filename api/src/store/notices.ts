import type { Database, Statement } from './database.ts';

/** Notes, in the unit that changes a registry, that the host is to be told. */
export const owe = (registryId: number): Statement => [
  `insert into notices (registry_id) values ($1)
   on conflict (registry_id) do update set times = notices.times + 1`,
  [registryId],
];

export type OwedNotice = { registryId: number; times: number };

/** Notices that the host has not been given yet. */
export type OwedNotices = ReturnType<typeof owedNotices>;

export function owedNotices(db: Database) {
  return {
    async owe(registryId: number): Promise<void> {
      await db.write(owe(registryId));
    },

    async some(most: number): Promise<OwedNotice[]> {
      const rows = await db.read('select registry_id, times from notices order by registry_id limit $1', [
        most,
      ]);
      return rows.map(([registryId, times]) => ({ registryId, times }) as OwedNotice);
    },

    /** Deletes a notice that was given, unless something has changed since. */
    async given({ registryId, times }: OwedNotice): Promise<void> {
      await db.write(['delete from notices where registry_id = $1 and times = $2', [registryId, times]]);
    },
  };
}
