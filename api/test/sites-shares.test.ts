import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import { until } from '../../dev/until.ts';
import type { Options } from '../src/app/service.ts';
import { basic, type FakeHost, startFakeHost } from './fake-host.ts';
import { listen } from './listen.ts';
import { keyOf, type SiteCall, startManySitesHere } from './many-sites.ts';
import { freshSqlite, manualClock, PAN, partsOf } from './support.ts';

const statuses = async (answers: Promise<{ status: number }>[]): Promise<Record<number, number>> => {
  const counts: Record<number, number> = {};
  for (const { status } of await Promise.all(answers)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

async function start(t: TestContext, count: number, options: Options = {}, env: Record<string, string> = {}) {
  const parts = partsOf(t);
  const store = parts.use(await freshSqlite());
  const many = parts.use(await startManySitesHere(store, options, env));
  const add = async (count: number) => {
    const hosts = await Promise.all(times(count, async () => parts.use(await startFakeHost())));
    const bases: string[] = [];
    for (const { url } of hosts) bases.push(await many.add(url));
    return { hosts, bases, sites: bases.map((base) => many.at(base)) };
  };
  const { hosts, bases, sites } = await add(count);
  const [a, b, c] = sites as [SiteCall, SiteCall, SiteCall];
  return { many, add, hosts, bases, sites, a, b, c };
}

/** Pauses after a failure pass twenty times as fast. */
const runningFast = () => ({ steady: () => 20 * performance.now() });

const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));

describe("a site's share", () => {
  it('in requests in progress is its own: a site whose host hangs is refused alone', async (t) => {
    const { hosts, a, b } = await start(t, 2);
    assert.equal((await b('ann', 'GET /registries/7')).status, 200);
    const answer = hosts[0]!.hang();
    const ofA = times(150, () => a('ann', 'GET /registries/7'));
    const refused = await Promise.race(ofA);
    const found = [refused.status, refused.body, refused.headers.get('retry-after')];
    assert.deepEqual(found, [503, { detail: 'Too many requests at once for this site' }, '1']);
    // While all that A may have still wait for its host.
    assert.deepEqual(await statuses(times(60, () => b('ann', 'GET /registries/7'))), { 200: 60 });
    assert.equal((await a(undefined, 'GET /health')).status, 200);
    answer();
    assert.deepEqual(await statuses(ofA), { 200: 100, 503: 50 });
    assert.equal((await a('ann', 'GET /registries/7')).status, 200);
  });

  it('in the process is a turn: a request waits for a few of a loud site, not for all', async (t) => {
    const { a: loud, b: quiet } = await start(t, 2);
    const places: number[] = [];
    for (let n = 0; n < 5; n++) {
      const answered: SiteCall[] = [];
      const ask = (site: SiteCall) =>
        site('ann', 'GET /registries/7/items').then(({ status }) => {
          assert.equal(status, 200);
          answered.push(site);
        });
      await Promise.all([...times(90, () => ask(loud)), ask(quiet)]);
      places.push(answered.indexOf(quiet));
    }
    assert.ok(Math.min(...places) < 60, `answered after ${places} of 90`);
  });

  it('is twenty requests at once, however many other sites are in progress', async (t) => {
    const { hosts, a, b, c } = await start(t, 3, { limits: { http: { pressure: { running: 50 } } } });
    const answers = hosts.map((host) => host.hang());
    const loud = [a, b].flatMap((site) => times(40, () => site('ann', 'GET /registries/7')));
    assert.equal((await Promise.race(loud)).status, 503);
    const quiet = times(20, () => c('ann', 'GET /registries/7'));
    await until('all of the quiet site wait for its host', () => hosts[2]!.seen.length > 0);
    for (const answer of answers) answer();
    assert.deepEqual(await statuses(quiet), { 200: 20 });
    const refused = (await statuses(loud))[503]!;
    assert.ok(refused >= 20 && refused <= 30, `${refused}: fifty in all, or twenty of each`);
  });

  it('in lookups is its own: shops that hang for one site keep none from another', async (t) => {
    const pages: ((page: string) => void)[] = [];
    const shop = createServer((request, response) => {
      const answer = (page: string) => void response.setHeader('content-type', 'text/html').end(page);
      if (request.url === '/quick') answer('<title>A pan</title><h1>A pan</h1>');
      else pages.push(answer);
    });
    const { port } = partsOf(t).use(await listen(shop, '0.0.0.0'));
    const shops = times(20, (n) => `127.0.0.${n + 1}:${port}`);
    const { limit, advance } = manualClock();
    const { a, b } = await start(t, 2, { clock: { limit } }, { LOOKUP_ALLOW: shops.join() });
    const look = (site: SiteCall, as: string, url: string) => site(as, 'POST /lookups', { url });
    // Each for somebody else and at a shop of its own.
    let isGivenUp = false;
    const loud = shops.map((at, n) => look(a, `user${n % 10}`, `http://${at}/slow-page`));
    void Promise.allSettled(loud).then(() => (isGivenUp = true));
    await until('as many as one site may have are asked for', () => pages.length === 8);
    const { status, body } = await look(b, 'ann', `http://127.0.0.1:${port}/quick`);
    assert.deepEqual([status, body.problem, body.name], [200, null, 'A pan']);
    assert.equal(pages.length, 8);
    await until('all of the loud site are given up', () => {
      advance(80_000);
      return isGivenUp;
    });
  });

  it('in background work is its own: a host that hangs keeps no notice from another', async (t) => {
    const { hosts, sites } = await start(t, 3, { clock: runningFast(), limits: { jobsEveryMs: 20 } });
    // A host that cannot take the notice of a change gets it later, from the job.
    const isNotice = ({ route }: { route: string | undefined }) => /\/changed$/.test(route ?? '');
    for (const host of hosts)
      host.misbehave = (request, response, usual) => (isNotice(request) ? response.destroy() : usual());
    for (const site of sites) assert.equal((await site('ann', 'POST /registries/7/items', PAN)).status, 201);
    for (const host of hosts) await until('the first notice has failed', () => host.count(isNotice) > 0);
    const answer = hosts[0]!.hang();
    for (const host of hosts.slice(1)) {
      const before = host.count(isNotice);
      host.misbehave = undefined;
      await until('the notice is sent again', () => host.count(isNotice) > before);
    }
    answer();
  });

  it('in questions about admins is asked of each host whose admins have webhooks, events or not', async (t) => {
    const { hosts, sites } = await start(t, 2, { clock: runningFast(), limits: { jobsEveryMs: 20 } });
    const asked = (host: FakeHost) => host.count(({ route }) => route === '/wp/v2/users/1');
    for (const [n, host] of hosts.entries()) {
      host.misbehave = ({ route }, response, usual) =>
        route === '/wp/v2/users/1' ? void response.writeHead(401).end('{"code":"no"}') : usual();
      const json = { url: 'https://books.example/hook' };
      assert.equal((await sites[n]!('admin', 'POST /webhooks', json)).status, 201);
    }
    await until('each host was asked again and again', () => hosts.every((host) => asked(host) > 2));
  });
});

describe('a site that nobody asks for', () => {
  it('is given up, and answers again when somebody does', async (t) => {
    let now = 0;
    const pool = { idleMs: 60_000, sweepMs: 10, resident: 2 };
    const started = await start(t, 1, { clock: { steady: () => now }, limits: { pool } });
    const { many, bases, hosts, a: site } = started;
    const asked = (host = hosts[0]!) => host.count(({ route }) => route === '/wp/v2/users/me');
    assert.equal((await site('ann', 'GET /registries/7')).status, 200);
    assert.equal((await site('ann', 'GET /registries/7')).status, 200);
    assert.equal(asked(), 1, 'the user is remembered');
    await until('the user is forgotten with the site', async () => {
      now += 60_001;
      assert.equal((await site('ann', 'GET /registries/7')).status, 200);
      return asked() > 1;
    });
    // More sites than are kept.
    const { hosts: others, sites: all } = await started.add(6);
    for (let round = 0; round < 3; round++)
      assert.deepEqual(await statuses(all.map((each) => each('ann', 'GET /registries/7'))), { 200: 6 });
    const asking = () => others.map(asked);
    const before = asking();
    const end = now + 100_000;
    await until('all but two have forgotten the user', async () => {
      now += 2_000;
      assert.ok(now < end, 'long before they forget one who is remembered');
      await statuses(all.map((each) => each('ann', 'GET /registries/7')));
      return asking().filter((count, n) => count > before[n]!).length >= 4;
    });
    const unknown = many.at(bases[0]!.replace(keyOf(bases[0]!), 'y'.repeat(22)));
    assert.equal((await unknown(undefined, 'GET /health')).status, 404);
  });

  it('is given up, and made ready anew, during a change: nobody who was uninvited is remembered', async (t) => {
    const { hosts, a, b } = await start(t, 2, { limits: { pool: { resident: 1 } } });
    const host = hosts[0]!;
    assert.equal((await a('ann', 'GET /registries/7')).status, 200);
    host.posts.get(7).meta.registry_invitees = '["bob"]';
    const held = Promise.withResolvers<() => void>();
    host.misbehave = ({ method, route }, _response, usual) =>
      method === 'POST' && route === '/wp/v2/registry/7' ? held.resolve(usual) : usual();
    const removal = a('ann', 'DELETE /registries/7/invitees/bob');
    const update = await held.promise;
    assert.equal((await b('ann', 'GET /registries/7')).status, 200, 'the other site takes its place');
    assert.equal((await a('bob', 'GET /registries/7/items')).status, 200);
    update();
    assert.equal((await removal).status, 200);
    assert.equal((await a('bob', 'GET /registries/7/items')).status, 403);
  });

  it('is given up, and remembers failed sign-ins', async (t) => {
    let now = 0;
    const pool = { idleMs: 1, sweepMs: 5 };
    const { hosts, a: site } = await start(t, 1, { clock: { steady: () => now }, limits: { pool } });
    const headers = { authorization: basic('ann', 'a guess') };
    const guess = async () => (await site(undefined, 'GET /registries/7', undefined, headers)).status;
    const guesses: number[] = [];
    for (let n = 0; n < 6; n++) guesses.push(await guess());
    assert.deepEqual(guesses, [401, 401, 401, 401, 401, 429]);
    // A site that is made ready again asks its host for the place of its API anew.
    const found = () => hosts[0]!.count(({ route }) => route === '/');
    const before = found();
    await until('the site was given up', async () => {
      now += 2;
      assert.equal((await site('ben', 'GET /registries/7')).status, 200);
      return found() > before;
    });
    assert.equal(await guess(), 429);
  });
});
