// @slow
import { freshPostgres, withoutPostgres } from '../../api/test/postgres.ts';
import { isNight } from '../../dev/night.ts';
import { passes, sampleAccounts } from './deployments.ts';

const accounts = await sampleAccounts();

// The service runs as `npm start` starts it. Only here, and only at night, do the cases run that wait for a minute.
passes('the embedded host on SQLite', false, () => ({ accounts, slow: isNight }));

// Chapters about HTTP alone, or about what the host keeps, say the same on another store.
passes('the embedded host on PostgreSQL', await withoutPostgres(), () => ({
  accounts,
  only: [
    'SPEC 1 ',
    'SPEC 2.',
    'SPEC 3 ',
    'SPEC 4.',
    'SPEC 7 ',
    'SPEC 8 ',
    'DECISIONS 3 ',
    'DECISIONS 6 ',
    'CLAIMS ',
    'TOGETHER ',
    'EVENTS ',
  ],
  store: freshPostgres,
  env: { ITEM_ACCESS: 'registry' },
}));
