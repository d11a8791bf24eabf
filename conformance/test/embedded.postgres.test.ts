// @slow
import { freshPostgres, withoutPostgres } from '../../api/test/postgres.ts';
import { passes, sampleAccounts } from './deployments.ts';

const accounts = await sampleAccounts();

// Sections that are only about HTTP don't depend on the store.
passes('the embedded host on PostgreSQL', await withoutPostgres(), () => ({
  accounts,
  only: [
    ...['items.md', 'registries.md', 'claims.md', 'owners-and-group-gifts.md', 'events.md'],
    ...['errors-and-limits.md#status-codes', 'errors-and-limits.md#repeating-a-request'],
  ],
  store: freshPostgres,
  env: { ITEM_ACCESS: 'registry' },
}));
