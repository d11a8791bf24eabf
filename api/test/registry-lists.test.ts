import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Call, callsOf, type RegistryCalls, registryCalls } from './answers.ts';
import { startTestService, type TestService } from './support.ts';

const item = { name: 'Pan', url: 'https://shop.example/pan' };

describe('registries in lists', () => {
  let service: TestService;
  let call: Call;
  let { create, get, update, add } = {} as RegistryCalls;

  before(async () => {
    service = await startTestService();
    call = await callsOf(service);
    ({ create, get, update, add } = registryCalls(call));
  });
  after(() => service.close());

  const listed = async (id: number): Promise<number[]> => {
    const { body } = await call('alice', `GET /registries/${id}/items`);
    return body.map((entry: { id: number }) => entry.id);
  };
  const order = async (id: number) => {
    const ids = await listed(id);
    assert.deepEqual((await get(id)).meta.registry_item_ids, ids, 'list and meta tell one order');
    return ids;
  };

  describe('the list', () => {
    let ids: number[];
    const page = async (query: string) => {
      const { status, headers, body } = await call('bob', `GET /registries${query}`);
      const totals = [headers.get('x-host-total'), headers.get('x-host-totalpages')];
      return [status, body.map(({ id }: { id: number }) => id), ...totals];
    };
    before(async () => {
      assert.deepEqual(await page(''), [200, [], '0', '0']);
      ids = [];
      for (let i = 0; i < 5; i++)
        ids.unshift((await create({ status: i % 2 ? 'publish' : 'private' }, 'bob')).id);
    });

    it('is newest first, public and private, with the host’s totals', async () => {
      assert.deepEqual(await page(''), [200, ids, '5', '1']);
      assert.deepEqual(await page('?limit=100'), [200, ids, '5', '1']);
      assert.deepEqual(await page('?limit=2'), [200, ids.slice(0, 2), '5', '3']);
      assert.deepEqual(await page('?skip=1&limit=2'), [200, ids.slice(1, 3), '5', '3']);
      assert.deepEqual(await page('?skip=4&limit=4'), [200, ids.slice(4), '5', '2']);
      assert.deepEqual((await page('?skip=50')).slice(0, 2), [200, []]);
    });

    it('refuses other pages than these', async () => {
      for (const query of [
        'limit=0',
        'limit=101',
        'skip=-1',
        'limit=x',
        'skip=1.5',
        'limit=1&limit=2',
        'skip=',
      ])
        assert.equal((await call('bob', `GET /registries?${query}`)).status, 422, query);
    });
  });

  describe('their order', () => {
    it('is that of adding, until told otherwise; what is left out follows', async () => {
      const { id } = await create();
      const ids = [await add(id), await add(id), await add(id), await add(id)] as [
        number,
        number,
        number,
        number,
      ];
      const [a, b, c, d] = ids;
      assert.deepEqual(await order(id), [a, b, c, d]);
      for (const [sent, expected] of [
        [
          [d, b],
          [d, b, a, c],
        ],
        [[c], [c, d, b, a]],
        [[], [c, d, b, a]],
        [
          [a, a, c, a],
          [a, c, d, b],
        ],
        [
          [d, c, b, a],
          [d, c, b, a],
        ],
      ] as const) {
        const { status, body } = await update(id, { meta: { registry_item_ids: sent } });
        assert.deepEqual([status, body.meta.registry_item_ids], [200, expected]);
        assert.deepEqual(await order(id), expected);
      }
      assert.equal((await call('alice', `DELETE /registries/${id}/items/${c}`)).status, 204);
      const e = await add(id);
      assert.deepEqual(await order(id), [d, b, a, e]);
    });

    it('names active items of the registry alone', async () => {
      const { id } = await create();
      const [mine, gone] = [await add(id), await add(id)];
      const strange = await add((await create()).id);
      await call('alice', `DELETE /registries/${id}/items/${gone}`);
      for (const other of [gone, strange, 999_999]) {
        const { status, body } = await update(id, {
          title: 'New',
          meta: { registry_item_ids: [mine, other] },
        });
        assert.deepEqual([status, body.detail.includes(String(other))], [422, true], body.detail);
      }
      const { title, meta } = await get(id);
      assert.deepEqual([title, meta.registry_item_ids], ['Ann', [mine]]);
      const { status } = await call('alice', 'POST /registries', {
        title: 'x',
        meta: { registry_item_ids: [mine] },
      });
      assert.equal(status, 422);
    });

    it('follows items that are changed past the registry', async () => {
      const { id } = await create();
      const [a, b] = [await add(id), await add(id)];
      await update(id, { meta: { registry_item_ids: [b, a] } });
      const { body } = await call('alice', 'POST /items', { registry_id: id, ...item });
      assert.deepEqual(await order(id), [b, a, body.data.id]);
      await call('alice', `DELETE /items/${b}`);
      assert.deepEqual(await order(id), [a, body.data.id]);
      await call('alice', `PUT /items/${b}`, { is_active: true });
      // At its old place or at the end: that depends on whether the host has been told in the meantime.
      assert.deepEqual((await listed(id)).toSorted(), [a, b, body.data.id].toSorted());
    });
  });
});
