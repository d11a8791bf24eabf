import { COLUMNS } from './items.ts';

/** A table's key within a site (any column, if it has one row for each site), and its other columns but the site's number. */
const table = (key: string, others = '') => ({
  columns: `${key} ${others}`.trim().split(/\s+/),
  key: key.split(' '),
});

/** The tables whose rows move with their site. */
export const MOVED = {
  items: table('id', `${COLUMNS.join(' ')} version claimed claim_changes creation_key`),
  registries: table('registry_id', 'active version claim_changes'),
  claims: table(
    'id',
    `registry_id place item_id owner_id recorded_by quantity state giver_user_id giver_name giver_email giver_address
     message thanked_at expires_at created_at updated_at version creation_key currency buys pay_to`,
  ),
  claim_events: table('claim_id entry', 'at actor actor_id state quantity message thanked_at expires_at'),
  idempotency_keys: table('name', 'fingerprint holder expires_at created_at status json etag'),
  deletions: table('registry_id'),
  notices: table('registry_id', 'times due_at'),
  known_registries: table('registry_id post_type'),
  item_ids: table('last'),
  item_limits: table('active', 'most'),
  co_owners: table('mark registry_id'),
  events: table(
    'registry_id number part',
    'place at sorted_at type item_id claimed data claim_id entry concealed',
  ),
  registry_states: table('registry_id', 'seen_at form item_order surprise_until owner_id surprise_keeps'),
};

export type Table = keyof typeof MOVED;

/** Every table with rows of sites, and a column of its key: by that a removed site's rows are deleted, some at a time. */
export const SITE_TABLES: Record<string, string> = {
  ...Object.fromEntries(Object.entries(MOVED).map(([table, { key }]) => [table, key[0]!])),
  // These don't move: a service of many keeps its address in `sites`, leases belong to processes, and the secrets of webhooks
  // open with the key of their service alone.
  ...{ bindings: 'name', leases: 'name', webhooks: 'id', deliveries: 'webhook_id' },
};
