// @slow
import { test } from 'node:test';
import { noteStatements, refuseWalks } from '../../api/test/plans.ts';
import { freshPostgres, withoutPostgres } from '../../api/test/postgres.ts';
import { isNight } from '../../dev/night.ts';
import { passes, sampleAccounts } from './deployments.ts';

const accounts = await sampleAccounts();

// The service runs as `npm start` starts it. Only here, and only at night, do the cases run that wait for a minute.
let statements: ReadonlySet<string>;
passes('the embedded host on SQLite', false, () => ({
  accounts,
  slow: isNight,
  join: async () => {
    statements = noteStatements();
  },
}));

test(
  'SQLite finds the rows of all these cases by an index',
  { skip: process.env.TEST_CASES !== undefined },
  () => refuseWalks(statements),
);

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
