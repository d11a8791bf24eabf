import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import fc from 'fast-check';
import { until } from '../../dev/until.ts';
import { MAX_ACTIVE_ITEMS } from '../src/contract/index.ts';
import type { Problem } from '../src/contract/problem.ts';
import { claimStore } from '../src/store/claims.ts';
import type { Database, Statement } from '../src/store/database.ts';
import { eventStore } from '../src/store/events.ts';
import { takeIds } from '../src/store/item-ids.ts';
import { type ItemFields, itemStore, type StoredItem } from '../src/store/items.ts';
import { leaseStore } from '../src/store/leases.ts';
import { SCHEMA_VERSION } from '../src/store/migrations.ts';
import { ONLY_SITE } from '../src/store/sites.ts';
import { type NewWebhook, webhookStore } from '../src/store/webhooks.ts';
import type { EmptyStore } from './postgres.ts';
import { openedDatabase } from './support.ts';

const TIME = '2026-11-20T07:09:36.123Z';

export const sample = (fields: Partial<ItemFields> = {}): ItemFields => ({
  ...{ registry_id: 1, name: 'Copper kettle', description: null, url: 'https://shop.example/kettle' },
  ...{ retailer: null, affiliate_url: null, affiliate_status: null, image_url: null, price: null },
  ...{ quantity_needed: 1, quantity_purchased: 0, is_active: true, currency: null },
  ...{ created_at: TIME, updated_at: TIME, ...fields },
});

const aWebhook = (registryId: number, ...types: NewWebhook['types']): NewWebhook => ({
  ...{ registryId, types, url: 'https://hooks.example/', secret: '', makerId: 1, makerMarks: ['a', 'b'] },
  ...{ makerIsAdmin: true, makerSeenAt: 1, isByOwner: false, createdAt: 1 },
});

/** The contract between service and store: one suite for every engine. `alone`: the reason why a second process can't open the store. */
export async function describeStore(
  name: string,
  create: () => Promise<EmptyStore>,
  alone: string | false = false,
): Promise<void> {
  const empty = await create();
  const db = await openedDatabase(empty.url);
  after(() => db.close());
  after(() => empty[Symbol.asyncDispose]());

  describe(name, () => {
    const [items, leases] = [itemStore(db, ONLY_SITE), leaseStore(db, ONLY_SITE)];
    let lastRegistry = 1000;
    const registry = () => ++lastRegistry;

    it('has few statements, whatever it is asked about', async () => {
      const texts = new Set<string>();
      const recording: Database = {
        ...db,
        read: (text, params) => {
          texts.add(text);
          return db.read(text, params);
        },
        write: (...unit) => {
          for (const [text] of unit) texts.add(text);
          return db.write(...unit);
        },
      };
      const site = 77;
      const [items, claims] = [itemStore(recording, site), claimStore(recording, site)];
      const giver = { userId: 1, email: null };
      const lists = fc.array(fc.integer({ min: 1, max: 1e6 }), { maxLength: 120, size: 'max' });
      const rounds: number[] = [];
      for (const ids of fc.sample(lists, 200)) {
        const others = ids.map((id) => id + 1);
        await items.some([...ids].sort((a, b) => b - a));
        await items.activeIds(ids);
        await claims.some(ids.map(String));
        await claims.buyersOf(ids);
        await claims.ofGiver(giver, { userId: 1, email: '', concealed: ids, open: others }, 0, 0, 10);
        rounds.push(texts.size);
      }
      assert.ok(texts.size < 25, `${rounds[9]} statements after ten rounds, ${texts.size} after all`);
    });

    it('an item has a number that no other has, although two processes store items and the newest is removed', {
      skip: alone,
    }, async () => {
      await using other = await openedDatabase(empty.url);
      const writers = [items, itemStore(other, ONLY_SITE)];
      const stored = await Promise.all(
        Array.from({ length: 100 }, (_, i) => writers[i % 2]!.insert(sample())),
      );
      const ids = stored.map(({ id }) => id);
      assert.equal(new Set(ids).size, 100);
      const newest = Math.max(...ids);
      await db.write(['delete from items where site_id = 1 and id = $1', [newest]]);
      assert.ok((await items.insert(sample())).id > newest);
    });

    it('events have each a place of its own and reach each webhook once, whichever process assigns places', {
      skip: alone,
    }, async () => {
      await using other = await openedDatabase(empty.url);
      const site = 78;
      const hooks = webhookStore(db, site);
      await hooks.add('family', aWebhook(0, 'item.*'), null, 9);
      await hooks.add('type', aWebhook(0, 'claim.*', 'item.created'), null, 9);
      await hooks.add('others', aWebhook(0, 'items.*', 'claim.created'), null, 9);
      await hooks.add('registry', aWebhook(2), null, 9);
      const processes = [db, other].map((each) => ({
        items: itemStore(each, site),
        events: eventStore(each, site),
      }));
      await Promise.all(
        processes.map(async ({ items, events }, p) => {
          for (let i = 0; i < 40; i++) {
            const stored = items.insert(sample({ registry_id: 1 + ((i + p) % 3) }));
            await Promise.all([stored, events.assignPlaces(i), events.assignPlaces(i)]);
          }
          while (await events.assignPlaces(99));
        }),
      );
      const rows = 'select place, registry_id from events where site_id = $1 order by registry_id, number';
      const placed = await db.read(rows, [site]);
      const isBefore = (one: number, other: number) => one - other;
      const all = placed.map(([place]) => Number(place)).sort(isBefore);
      assert.deepEqual([all.length, new Set(all).size, all[0], all[79]], [80, 80, 1, 80]);
      for (const id of [1, 2, 3]) {
        const places = placed.filter(([, registry]) => registry === id).map(([place]) => Number(place));
        assert.deepEqual(places, places.toSorted(isBefore), 'in the order of the registry');
      }
      const each = 'from deliveries where site_id = $1 group by webhook_id order by webhook_id';
      const given = await db.read(`select webhook_id, count(*) ${each}`, [site]);
      const ofTwo = placed.filter(([, registry]) => registry === 2).length;
      const counts = given.map(([id, count]) => `${id} ${count}`);
      assert.deepEqual(counts, ['family 80', `registry ${ofTwo}`, 'type 80']);
    });

    it('a webhook is stored once under a key, also when the first answer was lost', async () => {
      const hooks = webhookStore(db, 79);
      const added = async (id: string, key: string) => (await hooks.add(id, aWebhook(3), key, 1))?.id;
      assert.deepEqual([await added('first', 'key'), await added('repeated', 'key')], ['first', 'first']);
      assert.equal(await added('second', 'other'), undefined, 'there is no slot for another');
      const ids = (await hooks.of(3)).map(({ id }) => id);
      assert.deepEqual(ids, ['first']);
    });

    it('pages through all active items, newest first', async () => {
      const registry_id = registry();
      const stored: StoredItem[] = [];
      for (let n = 0; n < 7; n++) stored.unshift(await items.insert(sample({ registry_id })));
      const ids = stored.map(({ id }) => id);
      const gone = stored[3]!;
      await items.replace(gone, { ...gone, is_active: false });
      const newest = ids.filter((id) => id !== gone.id);
      const pageOf = async (skip: number, limit: number) =>
        (await items.pageOfStates(skip, limit)).map(({ id }) => id);
      assert.deepEqual(await pageOf(0, 6), newest);
      assert.deepEqual(await pageOf(2, 2), newest.slice(2, 4));
      assert.deepEqual(await pageOf(1_000_000, 10), []);
      const found = stored.filter(({ id }) => id !== gone.id);
      assert.deepEqual(await items.some(newest), found);
      assert.deepEqual(await items.some([...newest, 0]), found, 'also far from each other');
      assert.deepEqual(await items.some(ids), found, 'without the deleted one');
      assert.deepEqual(await items.pageOfStates(0, 1), [
        { id: newest[0], registryId: registry_id, version: 1, claimed: 0, claimChanges: 0 },
      ]);
    });

    const fill = async (registry_id: number, count: number) => {
      await db.write([
        `insert into items (site_id, id, registry_id, is_active, quantity_needed, quantity_purchased, name, url,
             created_at, updated_at)
           with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < $2)
           select 1, (select last from item_ids where site_id = 1) + n, $1, 1, 1, 0, 'Pan', 'https://shop.example/pan', $3, $3 from numbers`,
        [registry_id, count, TIME],
      ]);
      await db.write(takeIds(1, count));
      const counted = 'update registries set active = active + $2 where site_id = 1 and registry_id = $1';
      await db.write([counted, [registry_id, count]]);
      return (await items.activeIds([registry_id])).get(registry_id)!;
    };

    it('the number of active items of a registry stays within its limit when two processes fill and restore at once', {
      skip: alone,
    }, async () => {
      await using other = await openedDatabase(empty.url);
      const writers = [items, itemStore(other, ONLY_SITE)];
      const registry_id = registry();
      const gone = await Promise.all(
        Array.from({ length: 10 }, () => items.insert(sample({ registry_id, is_active: false }))),
      );
      await fill(registry_id, MAX_ACTIVE_ITEMS - 5);
      const answers = await Promise.allSettled([
        ...Array.from({ length: 100 }, (_, i) => writers[i % 2]!.insert(sample({ registry_id }))),
        ...gone.map((item, i) => writers[i % 2]!.replace(item, { ...item, is_active: true })),
      ]);
      const rows = 'select count(*) from items where site_id = 1 and registry_id = $1 and is_active = 1';
      const [[active] = []] = await db.read(rows, [registry_id]);
      assert.equal(active, MAX_ACTIVE_ITEMS);
      assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 5);
      for (const answer of answers)
        if (answer.status === 'rejected') assert.equal((answer.reason as Problem).code, 'conflict');
    });

    describe('leases', () => {
      it('go to one holder until it gives them back', async () => {
        const lease = await leases.acquire('one', 60_000);
        assert.ok(lease);
        assert.equal(await leases.acquire('one', 60_000), undefined);
        assert.ok(await leases.acquire('another', 60_000));
        await lease.release();
        assert.ok(await leases.acquire('one', 60_000));
      });

      it('are renewed while they are held, however long that takes', async () => {
        // Two thirds of it may pass before a busy machine gets to a renewal.
        const lease = await leases.acquire('renewed', 2_700);
        const end = async () =>
          (await db.read(`select expires_at, ${db.now} from leases where name = 'renewed'`))[0] as number[];
        const [first] = await end();
        await until('its first end is over', async () => {
          assert.equal(await leases.acquire('renewed', 2_700), undefined);
          const [renewed, now] = await end();
          return now! > first! && renewed! > now!;
        });
        await lease!.release();
        assert.ok(await leases.acquire('renewed', 60_000));
      });

      it('expire by the clock of the store, and are then not given back by who had them', async () => {
        await db.write([
          `insert into leases (site_id, name, holder, expires_at) values (1, 'left', 'dead', ${db.now} + 60000)`,
        ]);
        assert.equal(await leases.acquire('left', 60_000), undefined);
        await db.write([`update leases set expires_at = ${db.now} where name = 'left'`]);
        assert.ok(await leases.acquire('left', 60_000));
        await db.write(["delete from leases where name = 'left' and holder = 'dead'"]);
        assert.equal(await leases.acquire('left', 60_000), undefined);
      });

      it('go to one of twenty who ask at once', async () => {
        const asked = await Promise.all(Array.from({ length: 20 }, () => leases.acquire('wanted', 60_000)));
        assert.equal(asked.filter(Boolean).length, 1);
      });
    });

    describe('a unit', () => {
      const insert = (name: string): Statement => [
        "insert into leases (site_id, name, holder, expires_at) values (1, $1, 'x', 1)",
        [name],
      ];
      const refused: Statement = ['insert into leases (site_id, name) values (1, null)'];
      const update = (name: string): Statement => ["update leases set holder = 'y' where name = $1", [name]];
      const stored = async (...names: string[]) =>
        (await db.read('select name, holder from leases order by name'))
          .filter(([name]) => names.includes(String(name)))
          .map((row) => row.join(' '));

      it('is stored whole or not at all, alone or with others, each with its own answer', async () => {
        const all = Array.from({ length: 30 }, (_, i) => i);
        for (const together of [[0], [1], [2], all]) {
          const names = together.map((i) => `unit ${together.length} ${String(i).padStart(2, '0')}`);
          const unguarded = names.map((name) => `${name} unguarded`);
          const results = await Promise.allSettled(
            together.map((i, n) => {
              const name = names[n]!;
              if (i % 3 === 0) return db.write(insert(name), refused);
              return i % 3 === 1
                ? db.write(update(name), insert(unguarded[n]!))
                : db.write(insert(name), update(name));
            }),
          );
          const counts = results.map((each) => (each.status === 'rejected' ? 'refused' : each.value.count));
          const expected = together.map((i) => ['refused', 0, 1][i % 3]);
          assert.deepEqual(counts, expected);
          const changed = names.filter((_, n) => expected[n] === 1).map((name) => `${name} y`);
          assert.deepEqual(await stored(...names, ...unguarded), changed);
        }
      });

      it('lets nobody see a part of it', async () => {
        let done = false;
        const looks: number[] = [];
        const looking = (async () => {
          while (!done) {
            const [row] = await db.read("select count(*) from leases where name like 'pair%'");
            looks.push(Number(row![0]));
            await nextTick();
          }
        })();
        for (let i = 0; i < 50; i++) await db.write(insert(`pair ${i} a`), insert(`pair ${i} b`));
        done = true;
        await looking;
        assert.ok(looks.length > 10);
        const found = looks.filter((count) => count % 2 === 1);
        assert.deepEqual(found, []);
      });
    });

    const versions = async (database: Database) =>
      (await database.read('select version from schema_versions order by version')).map(([v]) => v);
    const all = Array.from({ length: SCHEMA_VERSION }, (_, i) => i + 1);

    it('migrations happen once when twenty start at once', { skip: alone }, async () => {
      await using other = await create();
      const opened = await Promise.all(Array.from({ length: 20 }, () => openedDatabase(other.url)));
      try {
        assert.deepEqual(await versions(opened[0]!), all);
        const inserted = await Promise.all(opened.map((each) => itemStore(each, ONLY_SITE).insert(sample())));
        assert.equal(new Set(inserted.map(({ id }) => id)).size, 20);
      } finally {
        await Promise.all(opened.map((each) => each.close()));
      }
    });
  });
}
