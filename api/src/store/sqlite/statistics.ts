// As in sqlite_stat1: a usual table's rows, then how many share the first one, two and three columns of the index.
const ROWS_IN_COMMON: [table: string, index: string, rows: string][] = [
  ['items', 'items', '1000000 1000000 1'],
  ['items', 'items_newest', '1000000 1000000 1'],
  ['items', 'items_of_registry', '1000000 1000000 30 1'],
  ['items', 'items_by_creation', '100000 100000 1'],
  ['registries', 'registries', '30000 30000 1'],
  ['claims', 'claims', '300000 300000 1'],
  ['claims', 'claims_of_registry', '300000 300000 10 1'],
  ['claims', 'claims_by_creation', '300000 300000 1'],
  ['claims', 'claims_of_user', '300000 300000 5'],
  ['claims', 'claims_of_address', '300000 300000 5'],
  ['claims', 'claims_by_end', '100000 100000 1'],
  ['claims', 'claims_unconfirmed', '10000 10000 2'],
  ['claim_events', 'claim_events', '600000 600000 2 1'],
  ['deliveries', 'deliveries', '1000000 1000000 10000 1'],
  ['deliveries', 'deliveries_due', '1000 1000 10'],
  ['deliveries', 'deliveries_of_webhook_due', '1000 1000 10 1'],
  ['deliveries', 'deliveries_by_age', '1000000 1000000 1'],
  ['idempotency_keys', 'sqlite_autoindex_idempotency_keys_1', '100000 100000 1'],
  ['idempotency_keys', 'idempotency_keys_by_age', '100000 100000 1'],
];

/** Without them SQLite expects a handful of rows per site, and scans them all. `analyze` first makes, then loads their table. */
export const STATISTICS = [
  'analyze sqlite_schema',
  ...ROWS_IN_COMMON.map((row) => `insert into sqlite_stat1 values ('${row.join("', '")}')`),
  'analyze sqlite_schema',
];
