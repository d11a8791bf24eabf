import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { until } from '../../../dev/until.ts';
import { authorization } from '../support.ts';
import { type HostileShop, hostileShops } from './hostile-shops.ts';
import { lookUp, type Observed, observe, watch } from './observe.ts';

const MOST_MB = 32;
const COMPILED = fileURLToPath(new URL('../../../node_modules/.cache/tests', import.meta.url));
// Longer than a lookup may take.
const LATER_MS = 80_000;
// The most CPU time of the thread that answers everybody.
const MOST_MAIN_MS = 1_000;

async function start(allowed: string): Promise<{ child: ChildProcess; url: string }> {
  const child = fork(fileURLToPath(new URL('./watched-service.ts', import.meta.url)), {
    env: { NODE_COMPILE_CACHE: COMPILED, ...process.env, LOOKUP_ALLOW: allowed },
    execArgv: [],
  });
  const [url] = await once(child, 'message');
  return { child, url };
}

async function end(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.disconnect();
  await exit;
}

const shops: { shop: HostileShop; started: Awaited<ReturnType<HostileShop['start']>> }[] = [];
for (const shop of await hostileShops()) shops.push({ shop, started: await shop.start() });
const plainPage = `${shops.find(({ shop }) => shop.problem === null)!.started.url}/b`;
const allowed = shops.map(({ started }) => started.host).join(',');
// To compile takes memory, which the first process does for the second.
const first = await start(allowed);
await lookUp({ url: first.url, authorization: authorization('admin') }, plainPage);
await end(first.child);
const { child: service, url } = await start(allowed);
const watched = await watch(url, service.pid!, authorization('admin'));
after(async () => {
  await end(service);
  for (const { started } of shops) await started[Symbol.asyncDispose]();
});

describe('hostile shops', () => {
  const check = (what: string, problem: string | null, { answer, megabytes, mainMs }: Observed) => {
    assert.equal(answer.problem?.code ?? null, problem, what);
    if (megabytes !== undefined) assert.ok(megabytes <= MOST_MB, `${what}: ${megabytes} MB more`);
    if (mainMs !== undefined)
      assert.ok(mainMs < MOST_MAIN_MS, `${what}: ${mainMs} ms in the thread that answers`);
  };

  it('the thread that reads pages needs little memory', async () => {
    check('a plain page', null, await observe(watched, plainPage));
  });

  it('each gets its problem before its time is over, and delays nobody', async () => {
    for (const { shop, started } of shops.filter(({ shop }) => !shop.slow))
      check(shop.what, shop.problem, await observe(watched, `${started.url}/a`));
  });

  it('the slow ones, too, which hang until their time is over', async () => {
    for (const { shop, started } of shops.filter(({ shop }) => shop.slow)) {
      let isAnswered = false;
      const observing = observe(watched, `${started.url}/a`).finally(() => (isAnswered = true));
      await until(`${shop.what} is asked for`, () => started.connections > 0);
      assert.equal((await lookUp(watched, `${plainPage}/${shop.what}`)).problem, null);
      assert.ok(!isAnswered, shop.what);
      service.send(LATER_MS);
      check(shop.what, shop.problem, await observing);
    }
  });
});
