import { releaseOfRegistry } from './claims.ts';
import type { Database } from './database.ts';
import { concealUndecided, registryDeleted } from './events.ts';
import { deactivation } from './items.ts';
import { siteRows } from './site-rows.ts';

const END = 'delete from deletions where site_id = $1 and registry_id = $2';
// An upsert that always changes a row, so that `finish` may use it as its guard.
const BEGIN = `insert into deletions (site_id, registry_id) values ($1, $2)
  on conflict (site_id, registry_id) do update set registry_id = excluded.registry_id`;

/** Registries of a site whose deletion has begun on the host and isn't finished here. */
export type Deletions = ReturnType<typeof deletionStore>;

export function deletionStore(db: Database, siteId: number) {
  const rows = siteRows(db, siteId);
  return {
    /** Stored before the request to the host: if its answer never arrives, a job asks about the registry. */
    begin: (registryId: number) => rows.change(BEGIN, registryId),

    /** Removes the items of a deleted registry and releases its claims. */
    async finish(registryId: number, updatedAt: string): Promise<void> {
      await db.write(
        [BEGIN, [siteId, registryId]],
        // Items first: a new claim waits for its item, so none is inserted after the release.
        ...deactivation(siteId, registryId, updatedAt),
        concealUndecided(siteId, registryId),
        ...releaseOfRegistry(siteId, registryId, Date.parse(updatedAt)),
        ...registryDeleted(siteId, registryId, Date.parse(updatedAt)),
        [END, [siteId, registryId]],
      );
    },

    cancel: (registryId: number) => rows.change(END, registryId),

    unfinished: (limit: number): Promise<number[]> =>
      rows.column(
        'select registry_id from deletions where site_id = $1 order by registry_id limit $2',
        limit,
      ),
  };
}
