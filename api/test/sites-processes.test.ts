import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '../../dev/until.ts';
import { startFakeHost } from './fake-host.ts';
import { freePort } from './free-port.ts';
import { keyOf, type SiteCall, startManySites, startManySitesHere, stores } from './many-sites.ts';
import { openedDatabase, PAN } from './support.ts';

async function twoSites(many: { add(url: string): Promise<string> }, ends: AsyncDisposableStack) {
  const hosts = [ends.use(await startFakeHost()), ends.use(await startFakeHost())] as const;
  const bases = [await many.add(hosts[0].url), await many.add(hosts[1].url)] as const;
  return { hosts, bases };
}

for (const { name, open, skip } of stores) {
  describe(`several workers for many sites on ${name}`, { skip }, () => {
    it('serve each site alike, tell each other of changes and notice commands', async () => {
      await using store = await open();
      await using ends = new AsyncDisposableStack();
      const METRICS_PORT = String(await freePort());
      const env = { WORKERS: '2', METRICS_PORT, REGISTRY_CACHE_TTL: '60', AUTH_CACHE_TTL: '60' };
      await using many = await startManySites(store, env);
      await many.service.logged('Server listening at [^"]+', 2);
      const { hosts, bases } = await twoSites(many, ends);
      // Each request on a connection of its own, so that either worker may take it.
      const each =
        (base: string): SiteCall =>
        (as, target, json) =>
          many.at(base)(as, target, json, { connection: 'close' });
      const [a, b] = [each(bases[0]), each(bases[1])];
      for (let n = 0; n < 12; n++) {
        assert.equal((await a('ann', 'POST /registries/7/items', PAN)).status, 201);
        const inA = (await a('ann', 'GET /registries/7/items')).body;
        assert.equal(inA.length, n + 1);
        assert.deepEqual((await b('ann', 'GET /registries/7/items')).body, []);
      }
      for (let n = 0; n < 8; n++) {
        await a('ann', 'PATCH /registries/7', { title: `Title ${n}` });
        assert.equal((await a('ann', 'GET /registries/7')).body.title, `Title ${n}`);
      }
      assert.equal((await b('ann', 'GET /registries/7')).body.title, 'Ann & Bob');

      const text = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text();
      for (const [n, count] of [40, 13].entries()) {
        const counter = `trousseau_site_requests_total{site="${keyOf(bases[n]!)}",outcome="answered"}`;
        assert.match(text, new RegExp(`^${counter} ${count}$`, 'm'));
      }
      const writers = many.service.log().filter(({ msg, method }) => msg === 'request' && method === 'POST');
      assert.ok(writers.every(({ site }) => site === keyOf(bases[0])));
      assert.ok(hosts[1].seen.length > 0);

      await many.command('suspend', keyOf(bases[0]));
      await until('both workers refuse', async () => {
        const answers = await Promise.all(Array.from({ length: 10 }, () => a(undefined, 'GET /health')));
        return answers.every(({ status }) => status === 503);
      });
    });

    it('end what is over on each site, and record it once', async () => {
      await using store = await open();
      await using ends = new AsyncDisposableStack();
      await using many = await startManySitesHere(store, { limits: { jobsEveryMs: 20 } });
      const { bases } = await twoSites(many, ends);
      const sites = bases.map((base) => many.at(base));
      const claims: string[] = [];
      for (const site of sites) {
        const item = (await site('ann', 'POST /registries/7/items', PAN)).body.data.id;
        const claim = await site('ann', `POST /registries/7/items/${item}/claims`, {});
        claims.push(claim.body.id);
      }
      await using database = await openedDatabase(store.url);
      await database.write(['update claims set expires_at = 1000 where site_id > 0']);
      const endedBy = async () =>
        (await database.read("select actor from claim_events where site_id > 0 and actor = 'clock'")).length;
      await until('the job has ended both', async () => (await endedBy()) === 2);
      for (const [n, site] of sites.entries())
        assert.equal((await site('ann', `GET /claims/${claims[n]}`)).body.state, 'expired');
    });
  });
}
