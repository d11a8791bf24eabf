import assert from 'node:assert/strict';
import type { Item } from 'trousseau-client';
import { alone, section } from '../case.ts';
import { ok, type World } from '../world.ts';
import { atOnce, idsOf, isNow, pan, saucepan, statusesOf } from './kit.ts';

const put = ({ call }: World, item: { id: number }, body: object) =>
  call('administrator', `PUT /items/${item.id}`, body);

const optional = Object.keys(saucepan).filter((field) => !(field in pan));

/** Returns all items, from all pages; on a live site, other people's items are among them. */
async function allItems({ call }: World, query: string): Promise<Item[]> {
  return ok(200, await call('administrator', `GET /items?${query}`));
}

async function addMany({ call }: World, registry_id: number, count: number): Promise<void> {
  for (let left = count; left > 0; left -= 20)
    for (const answer of await atOnce(Math.min(20, left), () =>
      call('administrator', 'POST /items', { registry_id, ...pan }),
    ))
      ok(201, answer);
}

export const items = [
  ...section('items.md#writing-an-item', {
    'item-create-needs-name-and-url-and-fills-in-the-rest': async (world) => {
      const { id: registry_id } = await world.registry();
      const answer = await world.call('owner', 'POST /items', { registry_id, ...pan });
      const { success, data, message } = ok(201, answer);
      const { id, created_at, updated_at, ...rest } = data;
      assert.deepEqual([success, message], [true, 'Item created successfully']);
      assert.ok(Number.isSafeInteger(id) && id > 0);
      assert.deepEqual(rest, {
        registry_id,
        ...pan,
        ...{ description: null, retailer: null, image_url: null, price: null },
        ...{ quantity_needed: 1, quantity_purchased: 0, is_active: true },
      });
      assert.equal(updated_at, created_at);
      isNow(created_at, answer);
    },

    'item-create-takes-null-as-if-absent': async (world) => {
      const registry = await world.registry();
      const nulls = await world.item(registry, Object.fromEntries(optional.map((field) => [field, null])));
      const { id, created_at, updated_at } = nulls;
      assert.deepEqual(nulls, { ...(await world.item(registry)), id, created_at, updated_at });
    },

    'item-create-ignores-what-it-does-not-know': async (world) => {
      const { id: registry_id } = await world.registry();
      const unknown = { id: 9_007_199_254_740_991, created_at: 'x', updated_at: 'x', version: 9, colour: 1 };
      const answer = await world.call('administrator', 'POST /items', { registry_id, ...pan, ...unknown });
      const item = ok(201, answer).data;
      assert.ok(item.id < unknown.id);
      isNow(item.created_at, answer);
      assert.ok(!('version' in item || 'colour' in item));
      const same = ok(200, await put(world, item, { id: 5, registry_id: registry_id + 1, colour: 1 })).data;
      assert.deepEqual(same, item);
    },

    'item-may-be-inactive-from-the-start': async (world) => {
      const registry = await world.registry();
      for (const is_active of [false, 0]) {
        const item = await world.item(registry, { is_active });
        assert.equal(item.is_active, false);
        ok(404, await world.call('administrator', `GET /items/${item.id}`));
      }
    },

    'item-delete-answers-it-inactive-and-hides-it': async (world) => {
      const { call } = world;
      const registry = await world.registry();
      const item = await world.item(registry, saucepan);
      const deleted = await call('administrator', `DELETE /items/${item.id}`);
      const { updated_at } = ok(200, deleted).data;
      assert.deepEqual(deleted.body, {
        success: true,
        data: { ...item, is_active: false, updated_at },
        message: 'Item deleted successfully',
      });
      const missing = ok(404, await call('administrator', `GET /items/${item.id}`));
      assert.deepEqual(missing, { detail: 'Item not found' });
      assert.deepEqual(await world.listed(registry.id), []);
      ok(404, await call('administrator', `DELETE /items/${item.id}`));
    },

    'item-delete-happens-once-when-many-try': async (world) => {
      const { id } = await world.item(await world.registry());
      const answers = await atOnce(10, () => world.call('owner', `DELETE /items/${id}`));
      assert.deepEqual(statusesOf(answers), [200, ...Array(9).fill(404)]);
    },

    'item-delete-in-its-registry-is-204': async (world) => {
      const registry = await world.registry();
      const item = await world.item(registry);
      const path = `/registries/${registry.id}/items/${item.id}`;
      const deleted = await world.call('owner', `DELETE ${path}`);
      assert.deepEqual([deleted.status, deleted.text], [204, '']);
      ok(404, await world.call('administrator', `GET /items/${item.id}`));
      ok(404, await world.call('owner', `DELETE ${path}`));
    },

    'items-update-with-nothing-answers-the-item-unchanged': async (world) => {
      const item = await world.item(await world.registry(), saucepan);
      assert.deepEqual(ok(200, await put(world, item, {})).data, item);
    },

    'items-update-with-null-clears-what-is-optional': async (world) => {
      const item = await world.item(await world.registry(), saucepan);
      const cleared = {
        ...{ description: null, retailer: null, image_url: null, price: null },
        ...{ affiliate_url: null, affiliate_status: null },
      };
      const { data } = ok(200, await put(world, item, cleared));
      assert.deepEqual(data, { ...item, ...cleared, updated_at: data.updated_at });
      const nulls = { quantity_needed: null, quantity_purchased: null };
      const numbers = ok(200, await put(world, item, nulls)).data;
      assert.deepEqual([numbers.quantity_needed, numbers.quantity_purchased], [1, 0]);
      for (const field of ['name', 'url']) ok(422, await put(world, item, { [field]: null }));
    },

    'items-update-reaches-an-inactive-item-only-to-restore-it': async (world) => {
      for (const is_active of [true, 1]) {
        const item = await world.item(await world.registry(), saucepan);
        ok(200, await world.call('administrator', `DELETE /items/${item.id}`));
        for (const body of [{}, { name: 'New' }, { is_active: false }, { is_active: 0 }, { is_active: null }])
          ok(404, await put(world, item, body));
        const { data } = ok(200, await put(world, item, { is_active, name: 'Back' }));
        assert.deepEqual(data, { ...item, name: 'Back', updated_at: data.updated_at });
        assert.deepEqual(ok(200, await world.call('administrator', `GET /items/${item.id}`)).data, data);
      }
    },

    'items-update-with-is-active-false-deactivates': async (world) => {
      const item = await world.item(await world.registry());
      assert.equal(ok(200, await put(world, item, { is_active: false })).data.is_active, false);
      ok(404, await world.call('administrator', `GET /items/${item.id}`));
    },

    'items-under-an-id-that-is-none-are-404': async (world) => {
      const { id } = await world.item(await world.registry());
      const none = ['0', '-1', '1.5', 'abc', `0${id}`, `+${id}`, '1e3', '%EF%BC%91', `${id}%20`, `${id}%00`];
      for (const one of [...none, 'NaN', '__proto__', '9007199254740993', '9'.repeat(400)]) {
        for (const method of ['GET', 'PUT', 'DELETE']) {
          const body = method === 'PUT' ? {} : undefined;
          const answer = await world.call('administrator', `${method} /items/${one}`, body);
          assert.deepEqual(ok(404, answer), { detail: 'Item not found' }, `${method} ${one}`);
        }
      }
    },

    'a-registry-holds-a-thousand-active-items-and-no-more': async (world) => {
      const registry = await world.registry();
      await addMany(world, registry.id, 1000);
      const [first] = await world.listed(registry.id);
      const more = () => world.call('administrator', `POST /registries/${registry.id}/items`, pan);
      ok(409, await more());
      ok(409, await world.call('administrator', 'POST /items', { registry_id: registry.id, ...pan }));
      ok(200, await world.call('administrator', `DELETE /items/${first!.id}`));
      ok(201, await more());
      ok(409, await put(world, first!, { is_active: true }));
      assert.equal((await world.listed(registry.id)).length, 1000);
    },
  }),

  ...section('items.md#answers', {
    'item-is-given-back-as-it-was-sent-wherever-it-is-read': async (world) => {
      const { call } = world;
      const registry = await world.registry();
      const item = await world.item(registry, saucepan);
      const { id, created_at, updated_at, registry_id, ...sent } = item;
      assert.deepEqual([sent, registry_id], [saucepan, registry.id]);
      const one = ok(200, await call('administrator', `GET /items/${id}`));
      assert.deepEqual(one, { success: true, data: item, message: 'Item retrieved successfully' });
      assert.deepEqual(await world.listed(registry.id, 'administrator'), [item]);
      const all = await allItems(world, 'limit=1000');
      assert.deepEqual(all.find((other) => other.id === id) ?? item, item);
    },

    'item-public-leaves-out-the-affiliate-link': async (world) => {
      const { call } = world;
      const registry = await world.registry();
      const item = await world.item(registry, saucepan);
      const { affiliate_url, affiliate_status, ...shown } = item;
      for (const as of ['owner', 'guest'] as const) {
        assert.deepEqual(ok(200, await call(as, `GET /items/${item.id}`)).data, shown, as);
        assert.deepEqual(await world.listed(registry.id, as), [shown], as);
      }
      const own = { affiliate_url: 'https://partner.example/own' };
      const changed = await call('owner', `PUT /items/${item.id}`, own);
      assert.ok(!ok(200, changed).data.affiliate_url, 'the owner sets it and does not see it');
      const seen = ok(200, await call('administrator', `GET /items/${item.id}`)).data;
      assert.equal(seen.affiliate_url, own.affiliate_url);
      assert.ok(!(await call('owner', `DELETE /items/${item.id}`)).text.includes('partner.example'));
    },
  }),

  ...section('items.md#item-endpoints', {
    'items-list-is-newest-first-and-holds-active-ones-alone': alone(async (world) => {
      const registry = await world.registry();
      const made = idsOf(await atOnce(7, () => world.item(registry))).sort((a, b) => b - a);
      ok(200, await world.call('administrator', `DELETE /items/${made[2]}`));
      const kept = made.toSpliced(2, 1);
      const own = (list: Item[]) => idsOf(list).filter((id) => made.includes(id));
      const list = await allItems(world, 'limit=1000');
      assert.deepEqual(own(list), kept);
      const newestFirst = idsOf(list).toSorted((a, b) => b - a);
      assert.deepEqual(idsOf(list), newestFirst);
      assert.ok(list.every(({ is_active }) => is_active));
    }),

    'items-list-is-in-pages': alone(async (world) => {
      const registry = await world.registry();
      await atOnce(7, () => world.item(registry));
      const first = idsOf(await allItems(world, 'limit=6'));
      assert.equal(first.length, 6);
      // Someone else may add an item at the front between two requests.
      const follows = (page: number[], from: number) =>
        assert.deepEqual(page, first.slice(first.indexOf(page[0]!)).slice(0, page.length), `from ${from}`);
      follows(idsOf(await allItems(world, 'skip=2&limit=3')), 2);
      assert.equal((await allItems(world, 'skip=0&limit=1')).length, 1);
      assert.equal((await allItems(world, 'limit=1&colour=red&__proto__=1')).length, 1);
      for (const skip of [1_000_000_000, Number.MAX_SAFE_INTEGER])
        assert.deepEqual(await allItems(world, `skip=${skip}`), []);
    }),

    'items-list-holds-a-hundred-unless-told': async (world) => {
      const registry = await world.registry();
      await addMany(world, registry.id, 105);
      const { length } = ok(200, await world.call('administrator', 'GET /items'));
      assert.equal(length, 100);
      assert.equal((await allItems(world, 'limit=105')).length, 105);
    },

    'items-update-changes-what-is-supplied-alone': async (world) => {
      const item = await world.item(await world.registry(), saucepan);
      let expected = item;
      const changes = {
        ...{ name: 'Pot', description: 'Another', url: 'https://shop.example/pot', retailer: 'Pots' },
        ...{ price: 1.25, image_url: 'https://shop.example/pot.jpg', quantity_needed: 9 },
        ...{ quantity_purchased: 2, affiliate_url: 'https://partner.example/pot' },
        affiliate_status: 'expired',
      };
      for (const [field, value] of Object.entries(changes)) {
        const answer = await put(world, item, { [field]: value });
        const { data, message } = ok(200, answer);
        isNow(data.updated_at, answer);
        assert.ok(data.updated_at >= expected.updated_at);
        expected = { ...expected, [field]: value, updated_at: data.updated_at };
        assert.deepEqual([data, message], [expected, 'Item updated successfully']);
        assert.deepEqual(ok(200, await world.call('administrator', `GET /items/${item.id}`)).data, expected);
      }
    },

    'items-update-by-many-at-once-loses-nothing': async (world) => {
      const item = await world.item(await world.registry());
      const answers = await Promise.all(
        Object.entries(saucepan).map(([field, value]) => put(world, item, { [field]: value })),
      );
      assert.ok(answers.every(({ status }) => status === 200));
      const { data } = ok(200, await world.call('administrator', `GET /items/${item.id}`));
      for (const [field, value] of Object.entries(saucepan)) assert.deepEqual(data[field], value, field);
    },

    'items-head-is-get-without-the-body': async (world) => {
      const { id } = await world.item(await world.registry(), saucepan);
      const got = await world.call('guest', `GET /items/${id}`);
      const head = await world.call('guest', `HEAD /items/${id}`);
      assert.deepEqual([head.status, head.text], [200, '']);
      for (const name of ['etag', 'content-type'])
        assert.equal(head.headers.get(name), got.headers.get(name), name);
    },

    'items-get-of-one-that-never-was-is-404': async ({ call }) => {
      const answer = await call('administrator', 'GET /items/9007199254740991');
      assert.deepEqual(ok(404, answer), { detail: 'Item not found' });
    },

    'items-list-refuses-other-pages-and-names-the-fault': async ({ call }) => {
      const never = ['-1', '1.5', 'ten', '', '1e2', '0x10', '+1', '%201', 'null', '9007199254740993'];
      const bad = { limit: [...never, '0', '1001', '1&limit=2'], skip: [...never, '1&skip=1'] };
      for (const [field, values] of Object.entries(bad)) {
        for (const value of values) {
          const { detail } = ok(422, await call('administrator', `GET /items?${field}=${value}`));
          assert.match(detail, new RegExp(`^${field}: `), value);
        }
      }
      const { detail } = ok(422, await call('administrator', 'GET /items?skip=-1&limit=0'));
      assert.match(detail, /skip: .*limit: |limit: .*skip: /);
    },
  }),

  ...section('items.md#fields', {
    'items-keep-any-text-as-it-is': async (world) => {
      const registry = await world.registry();
      for (const text of [
        `"quoted" 'single' \\ back\\slash </script> <b>&amp; & %41 $1 \${x}`,
        'line\nbreak\r\n\ttab\u0001\u007f\u0085\u2028\u2029 end ',
        '👩‍👩‍👧 e\u0301 é \u00a0 مرحبا שלום 日本語 \u{10ffff}\ufeff\ufffe',
        "'); drop table items; --",
      ]) {
        const texts = { name: text, description: text, retailer: text, affiliate_url: text };
        const { id } = await world.item(registry, texts);
        const { data } = ok(200, await world.call('administrator', `GET /items/${id}`));
        for (const field of Object.keys(texts)) assert.equal(data[field], text, field);
      }
    },

    'items-are-kept-apart-whatever-is-written-in-them': async (world) => {
      const registry = await world.registry();
      const description = 'A line,\n{"id":1},\r\n{"id":2}';
      const names = ['First,', '{"id":3}', '},{'];
      for (const name of names) await world.item(registry, { name, description });
      for (const order of [names, names.toReversed()]) {
        const list = await world.listed(registry.id);
        assert.deepEqual(
          list.map((item) => [item.name, item.description]),
          order.map((name) => [name, description]),
        );
        const meta = { registry_item_ids: idsOf(list).toReversed() };
        ok(200, await world.call('owner', `PATCH /registries/${registry.id}`, { meta }));
      }
    },
  }),
];
