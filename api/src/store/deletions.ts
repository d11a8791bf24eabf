import { releaseOfRegistry } from './claims.ts';
import type { Database } from './database.ts';
import { deactivation } from './items.ts';

/** Registries whose deletion was begun on the host and is not finished here. */
export type Deletions = ReturnType<typeof deletionStore>;

export function deletionStore(db: Database) {
  return {
    /** Noted before the host is asked: if its answer never arrives, a job finds out what became of the registry. */
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
        // The items first: a claim waits for its item, so that none is taken behind what is released here.
        deactivation(registryId, updatedAt),
        ...releaseOfRegistry(registryId, Date.parse(updatedAt)),
        ['delete from deletions where registry_id = $1', [registryId]],
      );
    },

    /** The registry stays. */
    async cancel(registryId: number): Promise<void> {
      await db.write(['delete from deletions where registry_id = $1', [registryId]]);
    },

    /** Some of those that were begun, oldest registries first. */
    async unfinished(limit: number): Promise<number[]> {
      const rows = await db.read('select registry_id from deletions order by registry_id limit $1', [limit]);
      return rows.map(([id]) => id as number);
    },
  };
}
