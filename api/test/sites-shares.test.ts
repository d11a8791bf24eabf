import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, it } from 'node:test';
import { until } from '../../dev/until.ts';
import { basic, type FakeHost, startFakeHost } from './fake-host.ts';
import { listen } from './listen.ts';
import { keyOf, type SiteCall, startManySitesHere } from './many-sites.ts';
import { freshSqlite, manualClock, PAN } from './support.ts';

/** Requests to this host stay without an answer until the function is called. */
function hang(host: FakeHost): () => void {
  const waiting: (() => void)[] = [];
  host.misbehave = (_request, _response, usual) => void waiting.push(usual);
  return () => {
    host.misbehave = undefined;
    for (const answer of waiting) answer();
  };
}

const statuses = async (answers: Promise<{ status: number }>[]): Promise<Record<number, number>> => {
  const counts: Record<number, number> = {};
  for (const { status } of await Promise.all(answers)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

/** Several hosts, which end together. */
async function startHosts(n: number): Promise<FakeHost[] & AsyncDisposable> {
  const hosts = await Promise.all(times(n, () => startFakeHost()));
  return Object.assign(hosts, {
    [Symbol.asyncDispose]: async () => void (await Promise.all(hosts.map((host) => host.close()))),
  });
}

/** A site of the service for each host. */
async function addAll(many: Awaited<ReturnType<typeof startManySitesHere>>, hosts: FakeHost[]) {
  const sites: SiteCall[] = [];
  for (const { url } of hosts) sites.push(many.at(await many.add(url)));
  return sites;
}

/** Pauses after a failure pass twenty times as fast. */
const runningFast = () => ({ steady: () => 20 * performance.now() });

const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));

describe("a site's share", () => {
  it('in requests in progress is its own: a site whose host hangs is refused alone', async () => {
    await using store = await freshSqlite();
    await using many = await startManySitesHere(store, {});
    await using slow = await startFakeHost();
    await using quick = await startFakeHost();
    const [a, b] = [many.at(await many.add(slow.url)), many.at(await many.add(quick.url))];
    assert.equal((await b('ann', 'GET /registries/7')).status, 200);
    const answer = hang(slow);
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

  it('in the process is a turn: a request waits for a few of a loud site, not for all', async () => {
    await using store = await freshSqlite();
    await using many = await startManySitesHere(store, {});
    await using hosts = await startHosts(2);
    const [loud, quiet] = (await addAll(many, hosts)) as [SiteCall, SiteCall];
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

  it('is twenty requests at once, however many other sites are in progress', async () => {
    await using store = await freshSqlite();
    const pressure = { running: 50 };
    await using many = await startManySitesHere(store, { limits: { http: { pressure } } });
    await using hosts = await startHosts(3);
    const [a, b, c] = (await addAll(many, hosts)) as [SiteCall, SiteCall, SiteCall];
    const answers = hosts.map(hang);
    const loud = [a, b].flatMap((site) => times(40, () => site('ann', 'GET /registries/7')));
    assert.equal((await Promise.race(loud)).status, 503);
    const quiet = times(20, () => c('ann', 'GET /registries/7'));
    await until('all of the quiet site wait for its host', () => hosts[2]!.seen.length > 0);
    for (const answer of answers) answer();
    assert.deepEqual(await statuses(quiet), { 200: 20 });
    const refused = (await statuses(loud))[503]!;
    assert.ok(refused >= 20 && refused <= 30, `${refused}: fifty in all, or twenty of each`);
  });

  it('in lookups is its own: shops that hang for one site keep none from another', async () => {
    await using store = await freshSqlite();
    const pages: ((page: string) => void)[] = [];
    const shop = createServer((request, response) => {
      const answer = (page: string) => void response.setHeader('content-type', 'text/html').end(page);
      if (request.url === '/quick') answer('<title>A pan</title><h1>A pan</h1>');
      else pages.push(answer);
    });
    await using listening = await listen(shop, '0.0.0.0');
    const { port } = listening;
    const shops = times(20, (n) => `127.0.0.${n + 1}:${port}`);
    const settings = { LOOKUP_ALLOW: shops.join() };
    const { limit, advance } = manualClock();
    await using many = await startManySitesHere(store, { clock: { limit } }, settings);
    await using hosts = await startHosts(2);
    const [a, b] = (await addAll(many, hosts)) as [SiteCall, SiteCall];
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

  it('in background work is its own: a host that hangs keeps no notice from another', async () => {
    await using store = await freshSqlite();
    const clock = runningFast();
    await using many = await startManySitesHere(store, { clock, limits: { jobsEveryMs: 20 } });
    await using hosts = await startHosts(3);
    const sites = await addAll(many, hosts);
    // A host that cannot take the notice of a change gets it later, from the job.
    const isNotice = ({ route }: { route: string | undefined }) => /\/changed$/.test(route ?? '');
    for (const host of hosts)
      host.misbehave = (request, response, usual) => (isNotice(request) ? response.destroy() : usual());
    for (const site of sites) assert.equal((await site('ann', 'POST /registries/7/items', PAN)).status, 201);
    for (const host of hosts) await until('the first notice has failed', () => host.count(isNotice) > 0);
    const answer = hang(hosts[0]!);
    for (const host of hosts.slice(1)) {
      const before = host.count(isNotice);
      host.misbehave = undefined;
      await until('the notice is sent again', () => host.count(isNotice) > before);
    }
    answer();
  });

  it('in questions about admins is asked of each host whose admins have webhooks, events or not', async () => {
    await using store = await freshSqlite();
    const clock = runningFast();
    await using many = await startManySitesHere(store, { clock, limits: { jobsEveryMs: 20 } });
    await using hosts = await startHosts(2);
    const asked = (host: FakeHost) => host.count(({ route }) => route === '/wp/v2/users/1');
    for (const host of hosts) {
      host.misbehave = ({ route }, response, usual) =>
        route === '/wp/v2/users/1' ? void response.writeHead(401).end('{"code":"no"}') : usual();
      const site = many.at(await many.add(host.url));
      const json = { url: 'https://books.example/hook' };
      assert.equal((await site('admin', 'POST /webhooks', json)).status, 201);
    }
    await until('each host was asked again and again', () => hosts.every((host) => asked(host) > 2));
  });
});

describe('a site that nobody asks for', () => {
  it('is given up, and answers again when somebody does', async () => {
    await using store = await freshSqlite();
    let now = 0;
    const pool = { idleMs: 60_000, sweepMs: 10, resident: 2 };
    await using many = await startManySitesHere(store, { clock: { steady: () => now }, limits: { pool } });
    await using host = await startFakeHost();
    const base = await many.add(host.url);
    const site = many.at(base);
    const asked = () => host.count(({ route }) => route === '/wp/v2/users/me');
    assert.equal((await site('ann', 'GET /registries/7')).status, 200);
    assert.equal((await site('ann', 'GET /registries/7')).status, 200);
    assert.equal(asked(), 1, 'the user is remembered');
    await until('the user is forgotten with the site', async () => {
      now += 60_001;
      assert.equal((await site('ann', 'GET /registries/7')).status, 200);
      return asked() > 1;
    });
    // More sites than are kept.
    await using others = await startHosts(6);
    const all = await addAll(many, others);
    for (let round = 0; round < 3; round++)
      assert.deepEqual(await statuses(all.map((each) => each('ann', 'GET /registries/7'))), { 200: 6 });
    const asking = () => others.map((each) => each.count(({ route }) => route === '/wp/v2/users/me'));
    const before = asking();
    const end = now + 100_000;
    await until('all but two have forgotten the user', async () => {
      now += 2_000;
      assert.ok(now < end, 'long before they forget one who is remembered');
      await statuses(all.map((each) => each('ann', 'GET /registries/7')));
      return asking().filter((count, n) => count > before[n]!).length >= 4;
    });
    const found = (await many.at(base.replace(keyOf(base), 'y'.repeat(22)))(undefined, 'GET /health')).status;
    assert.equal(found, 404);
  });

  it('is given up, and remembers failed sign-ins', async () => {
    await using store = await freshSqlite();
    let now = 0;
    const pool = { idleMs: 1, sweepMs: 5 };
    await using many = await startManySitesHere(store, { clock: { steady: () => now }, limits: { pool } });
    await using host = await startFakeHost();
    const site = many.at(await many.add(host.url));
    const headers = { authorization: basic('ann', 'a guess') };
    const guess = async () => (await site(undefined, 'GET /registries/7', undefined, headers)).status;
    const guesses: number[] = [];
    for (let n = 0; n < 6; n++) guesses.push(await guess());
    assert.deepEqual(guesses, [401, 401, 401, 401, 401, 429]);
    // A site that is made ready again asks its host for the place of its API anew.
    const found = () => host.count(({ route }) => route === '/');
    const before = found();
    await until('the site was given up', async () => {
      now += 2;
      assert.equal((await site('ben', 'GET /registries/7')).status, 200);
      return found() > before;
    });
    assert.equal(await guess(), 429);
  });
});
