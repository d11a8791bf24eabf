import type { Database, Statement } from './database.ts';
import { siteRows } from './site-rows.ts';

/** Its parameters: site, registry, and the numbers that are added. */
export const COUNT_IN_REGISTRY = `insert into registries (site_id, registry_id, active, version, claim_changes) values ($1, $2, $3, $4, $5)
  on conflict (site_id, registry_id) do update set active = registries.active + excluded.active,
    version = registries.version + excluded.version, claim_changes = registries.claim_changes + excluded.claim_changes`;

/** Counts a change of a registry's items, and `more` active ones, as part of the unit that makes it. */
export const countChange = (siteId: number, registryId: number, more: number): Statement => [
  COUNT_IN_REGISTRY,
  [siteId, registryId, more, 1, 0],
];

/** Counts more active items of a site that has a limit; the store refuses the statement if that would pass the limit. */
export const COUNT_IN_SITE = 'update item_limits set active = active + $2 where site_id = $1';

const ACTIVE = '(select count(*) from items where site_id = $1 and registry_id = $2 and is_active = 1)';

/** Takes a registry's active items off its count and off the site's, where there is one, before they are deactivated. */
export const countOff = (siteId: number, registryId: number): Statement[] => [
  // From here on other units wait for the registry. A statement that had waited itself would count what it saw before.
  [
    'update registries set version = version + 1 where site_id = $1 and registry_id = $2',
    [siteId, registryId],
  ],
  [
    `update registries set active = active - ${ACTIVE} where site_id = $1 and registry_id = $2`,
    [siteId, registryId],
  ],
  [`update item_limits set active = active - ${ACTIVE} where site_id = $1`, [siteId, registryId]],
];

/** Counts a change of what is claimed of a registry's items. Until the unit is stored, others on that registry wait. */
export const countClaimChange = (siteId: number, registryId: number): Statement => [
  COUNT_IN_REGISTRY,
  [siteId, registryId, 0, 0, 1],
];

export type RegistryStore = ReturnType<typeof registryStore>;

export function registryStore(db: Database, siteId: number, postType: string) {
  const rows = siteRows(db, siteId);
  return {
    /** Names one state of a registry's items, and of the claims on them. */
    async version(id: number) {
      const sql = 'select version, claim_changes from registries where site_id = $1 and registry_id = $2';
      const [version, claimChanges] = ((await rows.first(sql, id)) ?? [0, 0]) as [number, number];
      return { version, claimChanges };
    },

    /** Remembers that the number was a registry on the host: items may stand under any number, even one that never was. */
    setKnown: (id: number) =>
      rows.change(
        `insert into known_registries (site_id, registry_id, post_type) values ($1, $2, $3)
         on conflict do nothing`,
        ...[id, postType],
      ),

    isKnown: (id: number): Promise<boolean> =>
      rows.has('known_registries', 'registry_id = $2 and post_type = $3', id, postType),
  };
}
