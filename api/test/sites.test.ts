import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startFakeHost } from './fake-host.ts';
import { keyOf, startManySitesHere, stores } from './many-sites.ts';

for (const { name, open, skip } of stores) {
  describe(`many sites on ${name}`, { skip }, () => {
    it('don’t have each other’s claims, though users and numbers are the same', async () => {
      await using store = await open();
      await using many = await startManySitesHere(store, {});
      await using hostA = await startFakeHost();
      await using hostB = await startFakeHost();
      const [a, b] = [many.at(await many.add(hostA.url)), many.at(await many.add(hostB.url))];
      const pan = { registry_id: 7, name: 'Pan', url: 'https://shop.example/pan' };
      for (const site of [a, b]) await site('ann', 'POST /items', pan);
      const claimed = await a('ann', 'POST /registries/7/items/1/claims', {});
      assert.equal(claimed.status, 201);
      const path = `/claims/${claimed.body.id}`;
      for (const [method, json] of [['GET'], ['PATCH', {}], ['DELETE']] as const)
        assert.equal((await b('ann', `${method} ${path}`, json)).status, 404, method);
      assert.equal((await b('ann', 'GET /registries/7/items')).body[0].quantity_purchased, 0);
    });

    it('answer under their keys alone; without one only the service itself answers', async () => {
      await using store = await open();
      await using many = await startManySitesHere(store, {});
      await using host = await startFakeHost();
      const base = await many.add(host.url);
      const [root, site] = [many.at(many.url), many.at(base)];
      const unknown = many.at(base.replace(keyOf(base), 'x'.repeat(22)));

      for (const path of ['/', '/health', '/openapi.json'])
        assert.equal((await root(undefined, `GET ${path}`)).status, 200, path);
      for (const path of ['/status', '/items', '/registries/7', '/sites', '/sites/', '/nothing'])
        assert.equal((await root('ann', `GET ${path}`)).status, 404, path);
      assert.equal((await root('ann', 'PUT /items')).status, 404);
      assert.equal((await root(undefined, 'PUT /health')).status, 405);

      for (const path of ['', '/', '/health'])
        assert.equal((await site(undefined, `GET ${path}`)).status, 200, path);
      assert.equal((await site('ann', 'GET /status')).body.item_access, 'registry');
      assert.equal((await site(undefined, 'GET /items')).status, 401);
      const put = await site('ann', 'PUT /items');
      assert.deepEqual([put.status, put.headers.get('allow')], [405, 'GET, HEAD, POST']);
      for (const path of ['/docs', '/openapi.json', '/nothing', `/sites/${keyOf(base)}/items`])
        assert.equal((await site('ann', `GET ${path}`)).status, 404, path);
      assert.equal((await site(undefined, 'GET ?x=1')).status, 200);

      for (const path of ['', '/', '/health', '/items', '/nothing'])
        for (const method of ['GET', 'PUT']) {
          const { status, body, headers } = await unknown('ann', `${method} ${path}`);
          assert.deepEqual([status, body], [404, { detail: 'Not found' }], `${method} ${path}`);
          assert.ok(headers.get('x-request-id'));
        }
      assert.equal((await many.at(`${many.url}/sites/short`)('ann', 'GET /items')).status, 404);
    });
  });
}
