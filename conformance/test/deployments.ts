// The suite against deployments that ship, started for it alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../api/test/free-port.ts';
import type { EmptyStore } from '../../api/test/postgres.ts';
import { startTestService } from '../../api/test/support.ts';
import { type Accounts, readAccounts } from '../accounts.ts';
import { lineOf, summaryOf } from '../report.ts';
import { chosen, runSuite } from '../suite.ts';

/** The embedded host's. */
export const sampleAccounts = () =>
  readAccounts(fileURLToPath(new URL('../users.example.json', import.meta.url)));

type Deployment = {
  /** The service's settings; its store is in memory unless one is named here. */
  env?: Record<string, string>;
  store?: () => Promise<EmptyStore>;
  accounts: Accounts;
  slow?: boolean;
  /** How many cases run at once. */
  parallel?: number;
  /** Some of the cases, where another deployment covers the rest. TEST_CASES names others in their place. */
  only?: string[];
  /** Called once the service listens. */
  join?: (url: string) => Promise<unknown>;
};

/** Runs the whole suite against a service. Nothing may fail, be left behind, or be a fault in the log. */
export function passes(what: string, skip: string | false, deployment: () => Deployment): void {
  test(`${what}: every case`, { skip }, async (t) => {
    const { env, store: open, accounts, slow = false, parallel = 8, join, ...of } = deployment();
    const only = process.env.TEST_CASES?.split(',') ?? of.only ?? [];
    await using store = await open?.();
    const receiver = `127.0.0.1:${await freePort()}`;
    await using service = await startTestService({
      ...{ LOOKUP_ALLOW: receiver, ...env },
      ...(store && { DATABASE_URL: store.url }),
    });
    await join?.(service.url);
    const since = performance.now();
    const run = await runSuite({ url: service.url, accounts, slow, only, parallel, receiver });
    t.diagnostic(summaryOf(run, (performance.now() - since) / 1000));
    const failed = run.outcomes.filter(({ result }) => result === 'failed');
    assert.equal(failed.map(lineOf).join('\n'), '');
    assert.deepEqual(run.left, []);
    assert.equal(run.outcomes.length, chosen({ slow, only }).length);
    const faults = service.log.filter((line) => /"level":(50|60)/.test(line));
    assert.deepEqual(faults, [], 'the log tells of internal errors');
  });
}
