import { releaseOfRegistry } from './claims.ts';
import type { Database } from './database.ts';
import { concealUndecided, registryDeleted } from './events.ts';
import { deactivation } from './items.ts';

/** Registries of a site whose deletion has begun on the host and isn't finished here. */
export type Deletions = ReturnType<typeof deletionStore>;

export function deletionStore(db: Database, siteId: number) {
  return {
    /** Stored before the request to the host: if its answer never arrives, a job asks about the registry. */
    async begin(registryId: number): Promise<void> {
      await db.write([
        'insert into deletions (site_id, registry_id) values ($1, $2) on conflict do nothing',
        [siteId, registryId],
      ]);
    },

    /** Removes the items of a deleted registry and releases its claims. */
    async finish(registryId: number, updatedAt: string): Promise<void> {
      await db.write(
        [
          `insert into deletions (site_id, registry_id) values ($1, $2)
           on conflict (site_id, registry_id) do update set registry_id = excluded.registry_id`,
          [siteId, registryId],
        ],
        // Items first: a new claim waits for its item, so none is inserted after the release.
        ...deactivation(siteId, registryId, updatedAt),
        concealUndecided(siteId, registryId),
        ...releaseOfRegistry(siteId, registryId, Date.parse(updatedAt)),
        ...registryDeleted(siteId, registryId, Date.parse(updatedAt)),
        ['delete from deletions where site_id = $1 and registry_id = $2', [siteId, registryId]],
      );
    },

    async cancel(registryId: number): Promise<void> {
      await db.write(['delete from deletions where site_id = $1 and registry_id = $2', [siteId, registryId]]);
    },

    async unfinished(limit: number): Promise<number[]> {
      const rows = await db.read(
        'select registry_id from deletions where site_id = $1 order by registry_id limit $2',
        [siteId, limit],
      );
      return rows.map(([id]) => id as number);
    },
  };
}
