import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startFakeHost } from './fake-host.ts';
import { keyOf, startManySitesHere, stores } from './many-sites.ts';

const PAN = { registry_id: 7, name: 'Pan', url: 'https://shop.example/pan' };

for (const { name, open, skip } of stores) {
  describe(`many sites on ${name}`, { skip }, () => {
    it('are strangers to each other, though users, numbers and keys are the same', async () => {
      await using store = await open();
      await using many = await startManySitesHere(store, {});
      await using hostA = await startFakeHost();
      await using hostB = await startFakeHost();
      const [a, b] = [many.at(await many.add(hostA.url)), many.at(await many.add(hostB.url))];

      const create = { method: 'POST', as: 'ann', headers: { 'idempotency-key': 'same' } };
      const inA = await a('/items', { ...create, json: PAN });
      assert.equal(inA.status, 201);
      assert.deepEqual((await b('/registries/7/items', { as: 'ann' })).body, []);
      assert.equal((await b(`/items/${inA.body.data.id}`, { as: 'ann' })).status, 404);

      const inB = await b('/items', { ...create, json: { ...PAN, name: 'Pot' } });
      assert.deepEqual([inB.status, inB.body.data.name, inB.body.data.id], [201, 'Pot', inA.body.data.id]);
      const again = await a('/items', { ...create, json: PAN });
      assert.deepEqual([again.status, again.body.data.name], [201, 'Pan']);

      const claim = (at: typeof a) =>
        at(`/registries/7/items/${inA.body.data.id}/claims`, { method: 'POST', as: 'ann', json: {} });
      const claimed = await claim(a);
      assert.equal(claimed.status, 201);
      assert.equal((await b(`/claims/${claimed.body.id}`, { as: 'ann' })).status, 404);
      assert.equal((await b('/registries/7/items', { as: 'ann' })).body[0].quantity_purchased, 0);
      assert.equal((await claim(b)).status, 201);
      assert.equal((await a('/claims', { as: 'ann' })).body.length, 1);

      const change = { method: 'PUT', as: 'ann', json: { name: 'Changed' } };
      assert.equal((await b(`/items/${inA.body.data.id}`, change)).status, 200);
      assert.equal((await a(`/items/${inA.body.data.id}`, { as: 'ann' })).body.data.name, 'Pan');
      assert.equal((await b(`/items/${inA.body.data.id}`, { method: 'DELETE', as: 'ann' })).status, 200);
      assert.equal((await a('/registries/7/items', { as: 'ann' })).body.length, 1);
    });

    it('answer under their keys alone; without one only the service itself answers', async () => {
      await using store = await open();
      await using many = await startManySitesHere(store, {});
      await using host = await startFakeHost();
      const base = await many.add(host.url);
      const [root, site] = [many.at(many.url), many.at(base)];
      const unknown = many.at(base.replace(keyOf(base), 'x'.repeat(22)));

      for (const path of ['/', '/health', '/openapi.json'])
        assert.equal((await root(path)).status, 200, path);
      for (const path of ['/status', '/items', '/registries/7', '/sites', '/sites/', '/nothing'])
        assert.equal((await root(path, { as: 'ann' })).status, 404, path);
      assert.equal((await root('/items', { method: 'PUT', as: 'ann' })).status, 404);
      assert.equal((await root('/health', { method: 'PUT' })).status, 405);

      for (const path of ['', '/', '/health']) assert.equal((await site(path)).status, 200, path);
      assert.equal((await site('/status', { as: 'ann' })).body.item_access, 'registry');
      assert.equal((await site('/items')).status, 401);
      const put = await site('/items', { method: 'PUT', as: 'ann' });
      assert.deepEqual([put.status, put.headers.get('allow')], [405, 'GET, HEAD, POST']);
      for (const path of ['/docs', '/openapi.json', '/nothing', `/sites/${keyOf(base)}/items`])
        assert.equal((await site(path, { as: 'ann' })).status, 404, path);
      assert.equal((await site('?x=1')).status, 200);

      for (const path of ['', '/', '/health', '/items', '/nothing'])
        for (const method of ['GET', 'PUT']) {
          const { status, body, headers } = await unknown(path, { method, as: 'ann' });
          assert.deepEqual([status, body], [404, { detail: 'Not found' }], `${method} ${path}`);
          assert.ok(headers.get('x-request-id'));
        }
      assert.equal((await many.at(`${many.url}/sites/short`)('/items', { as: 'ann' })).status, 404);
    });
  });
}
