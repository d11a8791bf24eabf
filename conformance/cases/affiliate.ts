import assert from 'node:assert/strict';
import { section } from '../case.ts';
import { ok, type World } from '../world.ts';

async function affiliateOf(world: World, fields: object = {}) {
  const registry = await world.registry();
  const item = await world.item(registry, fields);
  return { item, path: `/registries/${registry.id}/items/${item.id}/affiliate` };
}

const none = { affiliate_url: null, affiliate_status: null };
const link = { affiliate_url: 'https://partner.example/pan', affiliate_status: 'paused' };

export const affiliate = [
  ...section('items.md#affiliate-links', {
    'affiliate-link-is-set-read-and-cleared': async (world) => {
      const { path } = await affiliateOf(world);
      const { call } = world;
      assert.deepEqual(ok(200, await call('guest', `GET ${path}`)), none);
      assert.deepEqual(ok(200, await call('owner', `PUT ${path}`, link)), link);
      for (const as of ['owner', 'administrator', 'guest'] as const)
        assert.deepEqual(ok(200, await call(as, `GET ${path}`)), link, as);
      const cleared = await call('owner', `DELETE ${path}`);
      assert.deepEqual([cleared.status, cleared.text], [204, '']);
      assert.deepEqual(ok(200, await call('owner', `GET ${path}`)), none);
      ok(204, await call('owner', `DELETE ${path}`));
    },

    'affiliate-link-is-the-one-of-the-item': async (world) => {
      const sent = { affiliate_url: 'https://partner.example/first', affiliate_status: 'inactive' };
      const { item, path } = await affiliateOf(world, sent);
      const { call } = world;
      assert.deepEqual(ok(200, await call('owner', `GET ${path}`)), sent);
      ok(200, await call('owner', `PUT ${path}`, link));
      const { data } = ok(200, await call('administrator', `GET /items/${item.id}`));
      assert.deepEqual([data.affiliate_url, data.affiliate_status], Object.values(link));
    },
  }),

  ...section('errors-and-limits.md#status-codes', {
    'an-item-of-another-registry-is-404': async (world) => {
      const { call } = world;
      const [one, other] = [await world.registry(), await world.registry()];
      const item = await world.item(other, { affiliate_url: link.affiliate_url });
      const strange = `/registries/${one.id}/items/${item.id}`;
      for (const as of ['owner', 'administrator'] as const) {
        for (const [target, body] of [
          ...[[`DELETE ${strange}`], [`GET ${strange}/affiliate`], [`PUT ${strange}/affiliate`, link]],
          ...[[`DELETE ${strange}/affiliate`], [`POST ${strange}/claims`, {}]],
        ] as const)
          assert.deepEqual(ok(404, await call(as, target, body)), { detail: 'Item not found' }, target);
      }
      assert.deepEqual(await world.listed(other.id, 'administrator'), [item]);
    },
  }),
];
