// Each of these services breaks the contract in one way, which the named cases must detect.
// @slow
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { startTestService } from '../../api/test/support.ts';
import type { Accounts, Role } from '../accounts.ts';
import { authorizationOf } from '../caller.ts';
import { runSuite } from '../suite.ts';
import { sampleAccounts } from './deployments.ts';
import { type Exchange, type Fault, startWrongService } from './wrong-service.ts';

const CONTROL = 'errors-and-limits.md#health welcome-and-health-are-for-anybody-whatever-they-send';

const accounts: Accounts = await sampleAccounts();
const is = ({ headers }: Exchange, role: Role) =>
  headers.get('authorization') === authorizationOf(accounts[role]);
const become = ({ headers }: Exchange, role: Role) =>
  headers.set('authorization', authorizationOf(accounts[role]));

const FAULTS: [what: string, fault: Fault, found: string[]][] = [
  [
    'a creation is answered with 200',
    {
      answer: (reply, { target }) => {
        if (reply.status === 201 && target.endsWith('/items')) reply.status = 200;
      },
    },
    ['items.md#items-of-a-registry who-may-add-an-item-to-a-registry'],
  ],
  [
    'failures have another envelope',
    {
      answer: (reply) => {
        if (reply.status >= 400) reply.json = { error: reply.json.detail };
      },
    },
    [
      'errors-and-limits.md#status-codes a-registry-that-is-missing-is-an-error-with-detail',
      'errors-and-limits.md#signing-in everything-but-the-health-endpoints-asks-for-credentials',
    ],
  ],
  [
    'a refusal names no field',
    {
      answer: (reply) => {
        if (reply.status === 422) reply.json = { detail: 'Something is wrong' };
      },
    },
    [
      'errors-and-limits.md#status-codes validation-names-every-field-at-fault',
      'items.md#item-endpoints items-list-refuses-other-pages-and-names-the-fault',
    ],
  ],
  [
    'guests are told who else gives',
    {
      request: (exchange) => {
        if (is(exchange, 'guest') && /^GET \/registries\/\d+\/claims$/.test(exchange.target))
          become(exchange, 'administrator');
      },
    },
    [
      'claims.md#numbers no-givers-name-or-address-in-any-answer-but-to-whom-it-belongs',
      'claims.md#claim-endpoints claims-of-a-registry-are-all-for-its-owner-and-their-own-for-a-guest',
    ],
  ],
  [
    'an answer holds more than is documented',
    {
      answer: ({ json }) => {
        if (json?.giver) json.giver.ip = '192.0.2.1';
      },
    },
    ['claims.md#a-claim claim-bears-a-message-and-a-quantity'],
  ],
  [
    'a deleted registry is still there',
    {
      request: (exchange) => {
        exchange.target = exchange.target.replace(/^DELETE (\/registries\/\d+)$/, 'GET $1');
      },
    },
    [
      'registries.md#endpoints registry-delete-is-for-good-and-takes-its-items-with-it',
      'claims.md#after-an-item-or-registry-is-deleted registry-that-is-gone-releases-its-claims',
    ],
  ],
];

describe('a service that is wrong is found out', async () => {
  const service = await startTestService();
  after(() => service.close());

  const failing = async (url: string, found: string[]) => {
    const run = await runSuite({ url, accounts, slow: false, only: [...found, CONTROL] });
    const failed = run.outcomes.filter(({ result }) => result === 'failed');
    for (const { why } of failed) assert.match(why!, /last request: \w+ \//);
    return failed.map(({ id }) => id).sort();
  };

  for (const [what, fault, found] of FAULTS) {
    it(what, async () => {
      await using wrong = await startWrongService(service.url, fault);
      assert.deepEqual(await failing(wrong.url, found), found.toSorted());
    });
  }

  it('and one without a fault is not, by the same cases', async () => {
    await using right = await startWrongService(service.url, {});
    const all = new Set(FAULTS.flatMap(([, , found]) => found));
    assert.deepEqual(await failing(right.url, [...all]), []);
  });
});
