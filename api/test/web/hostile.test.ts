import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startServiceProcess } from '../service-process.ts';
import { authorization } from '../support.ts';
import { type HostileShop, hostileShops } from './hostile-shops.ts';
import { lookUp, type Observed, observe, type Watched, watch } from './observe.ts';

const MOST_MS = 8_000;
const MOST_MB = 32;

describe('hostile shops', { timeout: 120_000 }, () => {
  let shops: { shop: HostileShop; started: Awaited<ReturnType<HostileShop['start']>> }[];
  let service: ReturnType<typeof startServiceProcess>;
  let watched: Watched;
  const plainPage = () => `${shops.find(({ shop }) => shop.problem === null)!.started.url}/b`;

  before(async () => {
    shops = [];
    for (const shop of await hostileShops()) shops.push({ shop, started: await shop.start() });
    const allowed = shops.map(({ started }) => started.host).join(',');
    const start = () =>
      startServiceProcess({ DATABASE_URL: 'sqlite::memory:', LOOKUP_ALLOW: allowed }, [], 120_000);
    // The first page may also wait for the compiler.
    const first = start();
    await lookUp({ url: await first.url, authorization: authorization('admin') }, plainPage());
    first.child.kill('SIGTERM');
    await first.exit;
    service = start();
    watched = await watch(await service.url, service.child.pid!, authorization('admin'));
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    for (const { started } of shops) await started[Symbol.asyncDispose]();
  });

  const check = (what: string, problem: string | null, { answer, ms, megabytes, waitedMs }: Observed) => {
    assert.equal(answer.problem?.code ?? null, problem, what);
    // The answer itself takes time on top of the shop's.
    assert.ok(ms < MOST_MS + 500, `${what}: ${ms} ms`);
    if (megabytes !== undefined) assert.ok(megabytes <= MOST_MB, `${what}: ${megabytes} MB more`);
    assert.ok(waitedMs < 1_000, `${what}: others waited ${waitedMs} ms`);
  };

  it('the thread that reads pages needs little memory', async () => {
    check('a plain page', null, await observe(watched, plainPage()));
  });

  it('each gets its problem soon, and delays nobody', async () => {
    for (const { shop, started } of shops.filter(({ shop }) => !shop.slow))
      check(shop.what, shop.problem, await observe(watched, `${started.url}/a`));
  });

  it('all slow ones together, too', async () => {
    const slow = shops.filter(({ shop }) => shop.slow);
    const observed = await Promise.all(slow.map(({ started }) => observe(watched, `${started.url}/a`)));
    for (const [at, { shop }] of slow.entries()) check(shop.what, shop.problem, observed[at]!);
  });
});
