// Sites that move from one service to another by requests of their WordPress.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { until } from '../../dev/until.ts';
import { basic, type FakeHost, sendJson, startFakeHost } from './fake-host.ts';
import { type Answer, keyOf, startManySitesHere, stores } from './many-sites.ts';
import type { EmptyStore } from './postgres.ts';

const PLACE = '/trousseau/v1/joining';
const DAY = 24 * 60 * 60_000;
const newToken = () => randomBytes(32).toString('base64url');

/** Shows a new token at the site's address; gives it. */
function show(host: FakeHost): string {
  const token = newToken();
  host.misbehave = ({ route }, response, usual) =>
    route === PLACE ? sendJson(response, 200, { token }) : usual();
  return token;
}

const startMany = (store: EmptyStore, hosts: FakeHost[], moves: object = { noticedMs: 0 }) =>
  startManySitesHere(
    store,
    { limits: { jobsEveryMs: DAY, moves } },
    { REGISTRY_CACHE_TTL: '0', LOOKUP_ALLOW: hosts.map(({ url }) => new URL(url).host).join() },
  );
type Many = Awaited<ReturnType<typeof startMany>>;

/** A site of a service as its WordPress sees it. */
function siteOf(many: Many, base: string) {
  const call = many.at(base);
  return {
    call,
    key: keyOf(base),
    base,
    async export(json: object, as = 'admin'): Promise<Answer & { file: Buffer }> {
      const response = await fetch(`${base}/export`, {
        method: 'POST',
        headers: { authorization: basic(as), 'content-type': 'application/json' },
        body: JSON.stringify(json),
      });
      const file = Buffer.from(await response.arrayBuffer());
      const body = response.ok ? undefined : JSON.parse(file.toString());
      return { status: response.status, headers: response.headers, body, file };
    },
    end: (state: unknown, as = 'admin') => call('/export', { method: 'PUT', as, json: { state } }),
    import: (file: Buffer, as = 'admin', type = 'application/gzip') =>
      call('/import', { method: 'POST', as, body: new Uint8Array(file), headers: { 'content-type': type } }),
  };
}

for (const { name, open, skip } of stores) {
  describe(`a site that moves by a press, on ${name}`, { skip }, () => {
    it('is closed and exported, filled at the other service, and gone for good', async () => {
      await using from = await open();
      await using to = await open();
      await using host = await startFakeHost();
      await using old = await startMany(from, [host]);
      await using other = await startMany(to, [host]);
      const here = siteOf(old, await old.add(host.url));
      const there = siteOf(other, await other.add(host.url));
      const item = { registry_id: 7, name: 'Pan', url: 'https://shop.example/pan', quantity_needed: 3 };
      for (let n = 0; n < 3; n++)
        assert.equal((await here.call('/items', { method: 'POST', as: 'ann', json: item })).status, 201);
      const claim = { method: 'POST', as: 'ann', json: { quantity: 2 } };
      assert.equal((await here.call('/registries/7/items/1/claims', claim)).status, 201);
      await until('the host has the order', async () => {
        await here.call('/registries/7/items', { as: 'ann' });
        return host.posts.get(7).meta.registry_item_ids === '[1,2,3]';
      });
      const before = await here.call('/registries/7/items', { as: 'ann' });

      const exported = await here.export({ token: show(host) });
      assert.equal(exported.status, 200, JSON.stringify(exported.body));
      assert.equal(exported.headers.get('content-type'), 'application/gzip');
      const closed = await here.call('/registries/7/items', { as: 'ann' });
      assert.deepEqual(
        [closed.status, closed.body],
        [503, { detail: 'This site is moving to another service' }],
      );
      assert.equal(closed.headers.get('retry-after'), '30');
      assert.equal((await here.call('/health')).status, 200);
      assert.match((await old.command('list')).out, / moving$/m);

      const filled = await there.import(exported.file);
      assert.deepEqual([filled.status, filled.body], [200, { items: 3, claims: 1 }]);
      const after = await there.call('/registries/7/items', { as: 'ann' });
      assert.deepEqual([after.body, after.headers.get('etag')], [before.body, before.headers.get('etag')]);
      const added = await there.call('/items', { method: 'POST', as: 'ann', json: item });
      assert.equal(added.body.data?.id, 4);

      assert.equal((await here.end('moved')).status, 204);
      assert.equal((await here.end('moved')).status, 204);
      const gone = await here.call('/registries/7/items', { as: 'ann' });
      assert.deepEqual([gone.status, gone.body], [410, { detail: 'This site has moved to another service' }]);
      assert.match((await old.command('show', here.key)).out, /^state +moved$/m);
    });
  });
}
