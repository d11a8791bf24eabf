// Runs the suite against deployments as they ship, each started for this purpose.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../api/test/free-port.ts';
import type { EmptyStore } from '../../api/test/postgres.ts';
import { startTestService } from '../../api/test/support.ts';
import { type Accounts, readAccounts } from '../accounts.ts';
import { lineOf, summaryOf } from '../report.ts';
import { chosen, runSuite } from '../suite.ts';

export const sampleAccounts = () =>
  readAccounts(fileURLToPath(new URL('../users.example.json', import.meta.url)));

type Deployment = {
  /** The service's settings; its store is in memory by default. */
  env?: Record<string, string>;
  store?: () => Promise<EmptyStore>;
  accounts: Accounts;
  slow?: boolean;
  parallel?: number;
  /** A selection of cases, if another deployment covers the rest. TEST_CASES replaces the selection. */
  only?: string[];
  join?: (url: string) => Promise<unknown>;
};

/** Runs the suite against a service. No case may fail, no data may be left behind, and the log may contain no errors. */
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
