// @slow
import { refuseWalks } from '../../api/test/plans.ts';
import { freshPostgres, withoutPostgres } from '../../api/test/postgres.ts';
import { isNight } from '../../dev/night.ts';
import { passes, sampleAccounts } from './deployments.ts';

refuseWalks();

const accounts = await sampleAccounts();

// The service runs as `npm start` starts it. Only here, and only at night, do the cases run that wait for a minute.
passes('the embedded host on SQLite', false, () => ({ accounts, slow: isNight }));

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
