import { freshPostgres, withoutPostgres } from '../../api/test/postgres.ts';
import { passes, sampleAccounts } from './deployments.ts';

const accounts = await sampleAccounts();

// As `npm start` starts it. Cases that wait for a minute run here only.
passes('the embedded host on SQLite', false, () => ({ accounts, slow: process.env.CI === 'true' }));

passes('the embedded host on PostgreSQL', await withoutPostgres(), () => ({
  accounts,
  store: freshPostgres,
  env: { ITEM_ACCESS: 'registry' },
}));
