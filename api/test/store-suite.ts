import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Item } from '../src/contract/index.ts';
import type { Database } from '../src/store/database.ts';
import { BETWEEN, type ItemFields, type Items, items as storedItems } from '../src/store/items.ts';
import { leases as storedLeases } from '../src/store/leases.ts';
import { SCHEMA_VERSION } from '../src/store/migrations.ts';
import { openDatabase } from '../src/store/open.ts';
import type { EmptyStore } from './postgres.ts';

export const TIME = '2026-11-20T07:09:36.123Z';

/** An item as it is inserted, with these fields different. */
export const sample = (fields: Partial<ItemFields> = {}): ItemFields => ({
  registry_id: 1,
  name: 'Copper kettle',
  description: null,
  url: 'https://shop.example/kettle',
  retailer: null,
  affiliate_url: null,
  affiliate_status: null,
  image_url: null,
  price: null,
  quantity_needed: 1,
  quantity_purchased: 0,
  is_active: true,
  created_at: TIME,
  updated_at: TIME,
  ...fields,
});

const full = sample({
  registry_id: Number.MAX_SAFE_INTEGER,
  name: `O'Brien's "kettle" \\ 水 👩‍👩‍👧 $1 ? :x ; drop table items --`,
  description: 'two\nlines\tand a tab',
  retailer: '',
  affiliate_url: 'https://shop.example/kettle?tag=secret',
  affiliate_status: 'active',
  image_url: 'https://shop.example/kettle.png',
  price: 0.1 + 0.2,
  quantity_needed: 2_147_483_647,
  quantity_purchased: 2_147_483_647,
});

/** What the service relies on a store for: one suite for every engine. */
export function describeStore(name: string, create: () => Promise<EmptyStore>): void {
  describe(name, () => {
    let empty: EmptyStore;
    let db: Database;
    let items: Items;
    let lastRegistry = 1000;
    const registry = () => ++lastRegistry;

    before(async () => {
      empty = await create();
      db = await openDatabase(empty.url);
      items = storedItems(db);
    });
    after(async () => {
      await db?.close();
      await empty?.[Symbol.asyncDispose]();
    });

    const insertMany = async (count: number, fields: Partial<ItemFields>) => {
      const ids: number[] = [];
      for (let i = 0; i < count; i++) ids.push((await items.insert(sample(fields))).id);
      return ids;
    };
    const idsIn = (json: string) => (JSON.parse(json) as { id: number }[]).map(({ id }) => id);
    const find = async (id: number) => {
      const found = await items.find(id);
      assert.ok(found, `item ${id} is stored`);
      return found;
    };

    describe('one item', () => {
      it('comes back as it was inserted, in every form', async () => {
        for (const fields of [sample(), full, sample({ is_active: false })]) {
          const inserted = await items.insert(fields);
          assert.deepEqual(inserted, { ...fields, id: inserted.id, version: 1 });
          assert.ok(Number.isSafeInteger(inserted.id) && inserted.id > 0);
          assert.deepEqual(await items.find(inserted.id), inserted);

          const { id, version, ...rest } = inserted;
          const { affiliate_url, affiliate_status, ...open } = rest;
          for (const [admin, expected] of [
            [true, { id, ...rest }],
            [false, { id, ...open }],
          ] as const) {
            const rendered = items.render(inserted, admin);
            assert.deepEqual([JSON.parse(rendered.json), rendered.version], [expected, version]);
            assert.deepEqual(await items.rendered(id, admin), fields.is_active ? rendered : undefined);
          }
        }
      });

      it('is found by no other id', async () => {
        for (const id of [0, -1, 987_654_321, Number.MAX_SAFE_INTEGER]) {
          assert.equal(await items.find(id), undefined);
          assert.equal(await items.rendered(id, true), undefined);
        }
      });

      it('has a number above all before it', async () => {
        const ids = (await Promise.all(Array.from({ length: 50 }, () => items.insert(sample())))).map(
          ({ id }) => id,
        );
        assert.equal(new Set(ids).size, 50);
        assert.ok((await items.insert(sample())).id > Math.max(...ids));
      });
    });

    describe('replacing', () => {
      it('changes what is read, and counts the version up', async () => {
        const inserted = await items.insert(sample());
        const { registry_id } = inserted;
        const wanted = { ...inserted, ...full, registry_id, updated_at: '2027-01-01T00:00:00.000Z' };
        const replaced = await items.replace(inserted, wanted);
        assert.deepEqual(replaced, { ...wanted, version: 2 });
        assert.deepEqual(await items.find(inserted.id), replaced);
        for (const admin of [true, false])
          assert.deepEqual(await items.rendered(inserted.id, admin), items.render(replaced, admin));
      });

      it('refuses a state that has passed, and leaves the item as it is', async () => {
        const inserted = await items.insert(sample());
        const now = await items.replace(inserted, { ...inserted, name: 'First' });
        assert.equal(await items.replace(inserted, { ...inserted, name: 'Late' }), undefined);
        assert.equal(await items.replace({ ...inserted, version: 3 }, inserted), undefined);
        assert.equal(await items.replace({ ...inserted, id: 987_654_321 }, inserted), undefined);
        assert.deepEqual(await items.find(inserted.id), now);
      });

      it('loses none of 50 changes at once', async () => {
        const { id } = await items.insert(sample());
        const change = async () => {
          for (;;) {
            const item = await find(id);
            if (await items.replace(item, { ...item, quantity_purchased: item.quantity_purchased + 1 }))
              return;
          }
        };
        await Promise.all(Array.from({ length: 50 }, change));
        const { quantity_purchased, version } = await find(id);
        assert.deepEqual([quantity_purchased, version], [50, 51]);
      });

      it('takes an item off the lists and puts it back', async () => {
        const registry_id = registry();
        const inserted = await items.insert(sample({ registry_id }));
        const off = await items.replace(inserted, { ...inserted, is_active: false });
        assert.deepEqual(await items.ofRegistry(registry_id, true), { ids: '', json: '' });
        assert.deepEqual((await items.activeIds([registry_id])).get(registry_id), []);
        assert.ok(!idsIn(await items.page(0, 1000, true)).includes(inserted.id));
        await items.replace(off!, { ...off!, is_active: true });
        assert.deepEqual((await items.activeIds([registry_id])).get(registry_id), [inserted.id]);
        assert.ok(idsIn(await items.page(0, 1000, true)).includes(inserted.id));
      });
    });

    describe('lists', () => {
      it('pages through all active items, newest first', async () => {
        const registry_id = registry();
        const ids = await insertMany(7, { registry_id, affiliate_url: 'https://shop.example/secret' });
        const gone = await find(ids[3]!);
        await items.replace(gone, { ...gone, is_active: false });
        const newest = ids.toReversed().filter((id) => id !== gone.id);
        assert.deepEqual(idsIn(await items.page(0, 6, false)), newest);
        assert.deepEqual(idsIn(await items.page(2, 2, false)), newest.slice(2, 4));
        assert.equal(await items.page(1_000_000, 10, true), '[]');
        assert.doesNotMatch(await items.page(0, 6, false), /affiliate|secret/);
        const [first] = JSON.parse(await items.page(0, 1, true));
        assert.equal(JSON.stringify(first), items.render(await find(first.id), true).json);
      });

      it('pages past any number of deleted items', async () => {
        const registry_id = registry();
        const ids = await insertMany(40, { registry_id });
        const [oldest, second, ...others] = ids;
        for (const id of others.slice(0, -1)) {
          const item = await find(id);
          await items.replace(item, { ...item, is_active: false });
        }
        const left = [others.at(-1), second, oldest];
        for (const admin of [true, false]) {
          assert.deepEqual(idsIn(await items.page(0, 3, admin)), left);
          assert.deepEqual(idsIn(await items.page(1, 2, admin)), left.slice(1));
          assert.deepEqual(idsIn(await items.page(0, 1, admin)), left.slice(0, 1));
        }
      });

      it('gives a registry its own active items, oldest first', async () => {
        const [mine, other, none] = [registry(), registry(), registry()];
        const ids = await insertMany(3, { registry_id: mine, affiliate_url: 'https://shop.example/secret' });
        await insertMany(1, { registry_id: mine, is_active: false });
        const others = await insertMany(2, { registry_id: other });
        for (const admin of [true, false]) {
          const each = await Promise.all(ids.map(async (id) => items.render(await find(id), admin).json));
          const expected = { ids: ids.join(','), json: each.join(BETWEEN) };
          assert.deepEqual(await items.ofRegistry(mine, admin), expected);
        }
        const active = await items.activeIds([none, other, mine]);
        assert.deepEqual(Object.fromEntries(active), { [none]: [], [other]: others, [mine]: ids });
        assert.equal((await items.activeIds([])).size, 0);
      });
    });

    it('deactivates the items of one registry, which can be restored one by one', async () => {
      const [gone, kept] = [registry(), registry()];
      const [first, second] = await insertMany(2, { registry_id: gone, price: 5 });
      const off = await items.insert(sample({ registry_id: gone, is_active: false }));
      const [other] = await insertMany(1, { registry_id: kept });
      const stale = await find(first!);
      const later = '2027-01-01T00:00:00.000Z';
      await items.deactivateRegistry(gone, later);

      for (const id of [first!, second!]) {
        const { is_active, version, updated_at } = await find(id);
        assert.deepEqual([is_active, version, updated_at], [false, 2, later]);
        assert.equal(await items.rendered(id, true), undefined);
      }
      assert.deepEqual(await items.find(off.id), off);
      assert.equal((await find(other!)).is_active, true);
      assert.equal(await items.replace(stale, { ...stale, name: 'Late' }), undefined, 'versions moved on');

      const found = await find(first!);
      const restored = await items.replace(found, { ...found, is_active: true });
      assert.deepEqual(await items.rendered(first!, true), items.render(restored!, true));
    });

    describe('writes at the same time', () => {
      it('keep what is good when one of them is refused', async () => {
        const registry_id = registry();
        const fields = [{}, { price: -1 }, {}, { quantity_needed: 0 }, { quantity_purchased: -1 }, {}];
        const results = await Promise.allSettled(
          fields.map((one) => items.insert(sample({ registry_id, ...one }))),
        );
        assert.deepEqual(
          results.map(({ status }) => status),
          ['fulfilled', 'rejected', 'fulfilled', 'rejected', 'rejected', 'fulfilled'],
        );
        const stored = results.flatMap((result) => (result.status === 'fulfilled' ? result.value.id : []));
        // A pool of connections gives ids in no order.
        assert.deepEqual(
          (await items.activeIds([registry_id])).get(registry_id),
          stored.sort((a, b) => a - b),
        );
      });

      it('are all there, each once', async () => {
        const registry_id = registry();
        const names = Array.from({ length: 300 }, (_, i) => `Gift ${i}`);
        const inserted = await Promise.all(names.map((name) => items.insert(sample({ registry_id, name }))));
        const { ids, json } = await items.ofRegistry(registry_id, false);
        const stored: Item[] = JSON.parse(`[${json}]`);
        const expected = inserted.map(({ id, name }) => [id, name] as const).sort(([a], [b]) => a - b);
        assert.equal(ids, expected.map(([id]) => id).join(','));
        assert.deepEqual(
          stored.map(({ id, name }) => [id, name]),
          expected,
        );
      });
    });

    describe('leases', () => {
      let now = 1_800_000_000_000;
      let leases: ReturnType<typeof storedLeases>;
      before(() => {
        leases = storedLeases(db, () => now);
      });

      it('go to one holder until it gives them back', async () => {
        const holder = await leases.acquire('one', 1000);
        assert.ok(holder);
        assert.equal(await leases.acquire('one', 1000), undefined);
        assert.ok(await leases.acquire('another', 1000));
        await leases.release('one', 'a stranger');
        assert.equal(await leases.acquire('one', 1000), undefined);
        await leases.release('one', holder);
        assert.ok(await leases.acquire('one', 1000));
      });

      it('expire on the millisecond, and the old holder cannot give back what another one holds', async () => {
        const dead = await leases.acquire('left', 1000);
        now += 999;
        assert.equal(await leases.acquire('left', 1000), undefined);
        now += 1;
        assert.ok(await leases.acquire('left', 1000));
        await leases.release('left', dead!);
        assert.equal(await leases.acquire('left', 1000), undefined);
      });

      it('go to one of twenty who ask at once', async () => {
        const asked = await Promise.all(Array.from({ length: 20 }, () => leases.acquire('wanted', 1000)));
        assert.equal(asked.filter(Boolean).length, 1);
      });
    });

    it('does all statements of a transaction or none', async () => {
      const insert = "insert into leases (name, holder, expires_at) values ('half', 'x', 1)";
      const giveUp = db.transaction(async (run) => {
        await run(insert);
        assert.equal((await run("select 1 from leases where name = 'half'")).length, 1);
        throw new Error('given up');
      });
      await assert.rejects(giveUp, /given up/);
      assert.equal((await db.read("select 1 from leases where name = 'half'")).length, 0);
      assert.equal(await db.transaction(async (run) => (await run(insert)).length), 0);
      assert.equal((await db.read("select 1 from leases where name = 'half'")).length, 1);
    });

    describe('migrations', () => {
      const versions = async (database: Database) =>
        (await database.read('select version from schema_versions order by version')).map(([v]) => v);
      const all = Array.from({ length: SCHEMA_VERSION }, (_, i) => i + 1);

      it('have brought the empty store to the version that the code knows', async () => {
        assert.deepEqual(await versions(db), all);
      });

      it('do nothing the second time', async () => {
        const { id } = await items.insert(sample());
        const again = await openDatabase(empty.url);
        try {
          assert.deepEqual(await versions(again), all);
          assert.ok(await storedItems(again).find(id));
        } finally {
          await again.close();
        }
      });

      it('happen once when twenty start at once', async () => {
        await using other = await create();
        const opened = await Promise.all(Array.from({ length: 20 }, () => openDatabase(other.url)));
        try {
          assert.deepEqual(await versions(opened[0]!), all);
          const inserted = await Promise.all(opened.map((each) => storedItems(each).insert(sample())));
          assert.equal(new Set(inserted.map(({ id }) => id)).size, 20);
        } finally {
          await Promise.all(opened.map((each) => each.close()));
        }
      });

      it('refuse a newer schema, say so, and leave it alone', async () => {
        await using other = await create();
        const newer = await openDatabase(other.url);
        await newer.write('insert into schema_versions (version, applied_at) values ($1, $2)', [99, TIME]);
        try {
          await assert.rejects(openDatabase(other.url), (error: Error) => {
            assert.match(error.message, new RegExp(`schema version 99\\b.*\\b${SCHEMA_VERSION}\\b`));
            return true;
          });
          assert.deepEqual(await versions(newer), [...all, 99]);
        } finally {
          await newer.close();
        }
      });
    });
  });
}
