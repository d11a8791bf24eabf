// @slow
import { refuseWalks } from '../../api/test/plans.ts';
import { isNight } from '../../dev/night.ts';
import { passes, sampleAccounts } from './deployments.ts';

refuseWalks();

const accounts = await sampleAccounts();

// The service runs as `npm start` starts it. Only here, and only at night, do the cases run that wait for a minute.
passes('the embedded host on SQLite', false, () => ({ accounts, slow: isNight }));
