import { releaseOfRegistry } from './claims.ts';
import type { Database } from './database.ts';
import { deactivation } from './items.ts';

/** Registries whose deletion was begun on the host and is not finished here. */
export type Deletions = ReturnType<typeof deletionStore>;

export function deletionStore(db: Database) {
  return {
    /** Stored before the request to the host: if its answer never arrives, a job asks about the registry. */
    async begin(registryId: number): Promise<void> {
      await db.write([
        'insert into deletions (registry_id) values ($1) on conflict do nothing',
        [registryId],
      ]);
    },

    /** The registry is gone: its items go with it, and its claims are released. */
    async finish(registryId: number, updatedAt: string): Promise<void> {
      await db.write(
        [
          `insert into deletions (registry_id) values ($1)
           on conflict (registry_id) do update set registry_id = excluded.registry_id`,
          [registryId],
        ],
        // Items first: a new claim waits for its item, so none is inserted after the release.
        deactivation(registryId, updatedAt),
        ...releaseOfRegistry(registryId, Date.parse(updatedAt)),
        ['delete from deletions where registry_id = $1', [registryId]],
      );
    },

    /** The registry stays. */
    async cancel(registryId: number): Promise<void> {
      await db.write(['delete from deletions where registry_id = $1', [registryId]]);
    },

    /** Some unfinished deletions, oldest registries first. */
    async unfinished(limit: number): Promise<number[]> {
      const rows = await db.read('select registry_id from deletions order by registry_id limit $1', [limit]);
      return rows.map(([id]) => id as number);
    },
  };
}
