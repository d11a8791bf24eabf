// Each of these services has one fault, which the named cases must find.
// @slow
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestService, type TestService } from '../../api/test/support.ts';
import type { Accounts, Role } from '../accounts.ts';
import { authorizationOf } from '../caller.ts';
import { runSuite } from '../suite.ts';
import { sampleAccounts } from './deployments.ts';
import { type Exchange, type Fault, startWrongService } from './wrong-service.ts';

const CONTROL = 'SPEC 4.1 welcome-and-health-are-for-anybody-whatever-they-send';

const accounts: Accounts = await sampleAccounts();
const is = ({ headers }: Exchange, role: Role) =>
  headers.get('authorization') === authorizationOf(accounts[role]);
const become = ({ headers }: Exchange, role: Role) =>
  headers.set('authorization', authorizationOf(accounts[role]));
const without = (header: string): Fault => ({ request: ({ headers }) => headers.delete(header) });
const answersWithout = (header: string): Fault => ({ answer: ({ headers }) => headers.delete(header) });
const instead = (right: number, wrong: number, of = /./): Fault => ({
  answer: (reply, { target }) => {
    if (reply.status === right && of.test(target)) reply.status = wrong;
  },
});

const FAULTS: [what: string, fault: Fault, found: string[]][] = [
  [
    'a creation is answered with 200',
    instead(201, 200, /\/items$/),
    ['SPEC 4.4 who-may-add-an-item-to-a-registry'],
  ],
  ['who is not allowed is told 404', instead(403, 404), ['SPEC 1 public-registry-is-no-open-door']],
  [
    'a stale change is a conflict',
    instead(412, 409),
    ['DECISIONS 3 item-if-match-refuses-every-change-of-another-state'],
  ],
  ['a body of another kind is a bad one', instead(415, 400), ['DECISIONS 2 a-body-of-another-kind-is-415']],
  [
    'faults in fields are bad requests',
    instead(422, 400),
    ['SPEC 2.1 item-field-price-both-edges', 'CLAIMS 3 new-claim-limits-of-each-field'],
  ],
  [
    'failures have another envelope',
    {
      answer: (reply) => {
        if (reply.status >= 400) reply.json = { error: reply.json.detail };
      },
    },
    [
      'SPEC 7 a-registry-that-is-missing-is-an-error-with-detail',
      'SPEC 5 everything-but-the-health-endpoints-asks-for-credentials',
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
      'DECISIONS 2 validation-names-every-field-at-fault',
      'DECISIONS 3 items-list-refuses-other-pages-and-names-the-fault',
    ],
  ],
  [
    '401 comes without a challenge',
    answersWithout('www-authenticate'),
    ['SPEC 5 everything-but-the-health-endpoints-asks-for-credentials'],
  ],
  ['405 comes without Allow', answersWithout('allow'), ['DECISIONS 2 another-method-is-405-with-allow']],
  [
    '429 comes without Retry-After',
    answersWithout('retry-after'),
    ['CLAIMS 3 unconfirmed-claims-of-a-registry-are-at-most-fifty'],
  ],
  [
    'lists come without totals',
    answersWithout('x-host-total'),
    ['SPEC 4.3 registries-list-is-newest-first-in-pages-with-the-hosts-totals'],
  ],
  [
    'items lose their ETag',
    answersWithout('etag'),
    [
      'DECISIONS 3 item-etag-comes-with-every-answer-that-holds-one',
      'DECISIONS 3 items-list-etag-is-304-for-what-is-known',
    ],
  ],
  [
    'If-Match is not looked at',
    without('if-match'),
    [
      'DECISIONS 3 item-if-match-lets-one-of-many-through',
      'CLAIMS 3 claim-if-match-lets-one-of-many-through',
    ],
  ],
  [
    'If-None-Match is not looked at',
    without('if-none-match'),
    [
      'DECISIONS 3 item-if-none-match-is-304-for-what-is-known',
      'DECISIONS 3 items-list-of-all-honours-if-none-match',
    ],
  ],
  [
    'Idempotency-Key is not looked at',
    without('idempotency-key'),
    ['CLAIMS 3 idempotency-key-makes-a-repeated-request-happen-once'],
  ],
  [
    'guests are shown affiliate links',
    {
      answer: (reply, exchange) => {
        if (is(exchange, 'guest') && Array.isArray(reply.json))
          for (const item of reply.json) item.affiliate_url = 'https://partner.example';
      },
    },
    ['SPEC 2.3 item-public-leaves-out-the-affiliate-link', 'SPEC 4.4 who-may-list-items-of-a-registry'],
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
      'CLAIMS 5 no-givers-name-or-address-in-any-answer-but-to-whom-it-belongs',
      'CLAIMS 3 claims-of-a-registry-are-all-for-its-owner-and-their-own-for-a-guest',
    ],
  ],
  [
    'an owner who is to be surprised sees the numbers',
    {
      request: (exchange) => {
        if (is(exchange, 'owner') && /^GET \/registries\/\d+\/items$/.test(exchange.target))
          become(exchange, 'guest');
      },
    },
    [
      'CLAIMS 4 surprise-conceals-from-its-owner-whatever-others-claim',
      'CLAIMS 4 surprise-lasts-until-its-day-begins',
    ],
  ],
  [
    'anybody changes a claim',
    {
      request: (exchange) => {
        if (exchange.target.startsWith('PATCH /claims/')) become(exchange, 'administrator');
      },
    },
    [
      'CLAIMS 3 owner-reads-and-thanks-and-changes-nothing-else',
      'CLAIMS 3 claim-of-somebody-else-is-not-there',
    ],
  ],
  [
    'more is claimed than there is',
    {
      answer: (reply, { target }) => {
        if (reply.status === 409 && target.endsWith('/claims')) reply.status = 201;
      },
    },
    [
      'CLAIMS 5 two-for-the-last-piece-are-one',
      'CLAIMS 2 claim-takes-no-more-than-is-left-and-says-how-much-that-is',
    ],
  ],
  [
    'the order of a list is lost',
    {
      answer: ({ json }, { target }) => {
        if (/\/registries\/\d+\/items$/.test(target) && Array.isArray(json)) json.reverse();
      },
    },
    ['DECISIONS 4 sending-item-ids-reorders-and-what-is-left-out-follows'],
  ],
  [
    'pages are of any length',
    {
      request: (exchange) => {
        exchange.target = exchange.target.replace(/limit=[26]\b/, 'limit=5');
      },
    },
    [
      'SPEC 4.2 items-list-is-in-pages',
      'SPEC 4.3 registries-list-is-newest-first-in-pages-with-the-hosts-totals',
    ],
  ],
  [
    'texts come with entities',
    {
      answer: ({ json }) => {
        if (typeof json?.story === 'string') json.story = json.story.replaceAll('&', '&amp;');
      },
    },
    [
      'DECISIONS 4 registry-title-and-story-are-read-as-they-were-sent',
      'DECISIONS 4 registry-story-that-is-changed-is-read-as-it-was-sent',
    ],
  ],
  [
    'times are without milliseconds',
    {
      answer: ({ json }) => {
        if (json?.data?.created_at) json.data.created_at = json.data.created_at.replace(/\.\d+Z/, 'Z');
      },
    },
    ['SPEC 2.2 item-create-needs-name-and-url-and-fills-in-the-rest'],
  ],
  [
    'null clears nothing',
    {
      request: (exchange) => {
        if (!exchange.target.startsWith('PUT /items/') || !exchange.body) return;
        const fields = Object.entries(JSON.parse(exchange.body.toString())).filter(
          ([, value]) => value !== null,
        );
        exchange.body = Buffer.from(JSON.stringify(Object.fromEntries(fields)));
      },
    },
    ['DECISIONS 3 items-update-with-null-clears-what-is-optional'],
  ],
  [
    'a lookup reaches every address',
    {
      answer: ({ json }, { target }) => {
        if (target === 'POST /lookups' && json.problem) json.problem = null;
      },
    },
    ['DECISIONS 7 lookup-of-an-address-that-is-not-public-is-not-allowed'],
  ],
  [
    'an answer holds more than is documented',
    {
      answer: ({ json }) => {
        if (json?.giver) json.giver.ip = '192.0.2.1';
      },
    },
    ['CLAIMS 1 claim-bears-a-message-and-a-quantity'],
  ],
  [
    'a share that is too large is a bad request',
    {
      answer: (reply, { target }) => {
        if (reply.status === 409 && /^POST .*\/claims$/.test(target)) reply.status = 400;
      },
    },
    ['TOGETHER 3 refusals-name-amounts-with-the-decimals-of-the-currency'],
  ],
  [
    'two may buy the same gift',
    {
      request: (exchange) => {
        if (!exchange.target.startsWith('PATCH /claims/') || !exchange.body) return;
        const { buys, ...others } = JSON.parse(exchange.body.toString());
        if (buys) exchange.body = Buffer.from(JSON.stringify(others.pay_to ? {} : others));
      },
    },
    ['TOGETHER 3 never-two-buy', 'TOGETHER 3 one-giver-buys-steps-back-and-another-takes-over'],
  ],
  ['answers have no request id', answersWithout('x-request-id'), [CONTROL]],
  [
    'a deleted registry is still there',
    {
      request: (exchange) => {
        exchange.target = exchange.target.replace(/^DELETE (\/registries\/\d+)$/, 'GET $1');
      },
    },
    [
      'SPEC 4.3 registry-delete-is-for-good-and-takes-its-items-with-it',
      'CLAIMS 3 registry-that-is-gone-releases-its-claims',
    ],
  ],
];

describe('a service that is wrong is found out', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
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
