// Units about one item that are stored in one transaction, in every order of two.
// @again postgres
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { claimStore } from '../src/store/claims.ts';
import type { Database } from '../src/store/database.ts';
import { deletionStore } from '../src/store/deletions.ts';
import { itemStore } from '../src/store/items.ts';
import { ONLY_SITE } from '../src/store/sites.ts';
import { agrees, MINUTE, openStore } from './claim-service.ts';
import { sample } from './store-suite.ts';
import { openedDatabase } from './support.ts';

const NOW = Date.parse('2027-03-01T12:00:00Z');

it('claims that are stored together keep ledger and numbers consistent in every combination', {
  timeout: 120_000,
}, async () => {
  await using store = await openStore();
  await using opened = await openedDatabase(store.url);
  // Whatever stores events says so, or nobody wakes the sender of webhooks.
  const unmarked = new Set<string>();
  const db: Database = {
    ...opened,
    write(...unit) {
      for (const [sql, , mark] of unit)
        if (sql.startsWith('insert into events') && mark !== 'events') unmarked.add(sql);
      return opened.write(...unit);
    },
  };
  const [claims, items] = [claimStore(db, ONLY_SITE), itemStore(db, ONLY_SITE)];
  const deletions = deletionStore(db, ONLY_SITE);
  let registryId = 0;

  const scene = async () => {
    registryId++;
    const item = await items.insert(sample({ registry_id: registryId, quantity_needed: 9 }));
    const email = `person-${registryId}@example.test`;
    const bob = { recordedBy: 2, recorder: { username: 'bob', email: '' }, actor: 'giver' as const };
    const claim = (quantity: number, key: string | null = null) => ({
      ...{ registryId, itemId: item.id, ownerId: 1, quantity, ...bob },
      ...{ state: 'reserved' as const, giver: { user_id: 2, name: 'Person', email }, message: email },
      ...{ createdAt: NOW, expiresAt: NOW + MINUTE, creationKey: key },
    });
    await claims.insert(claim(3), NOW);
    const [first] = await claims.ofRegistry(registryId, NOW);
    assert.ok(first);
    const giver = { as: 'giver', userId: 2 } as const;
    const change = (fields: object) => claims.replace(first, { ...first, ...fields }, giver);
    const at = new Date(NOW).toISOString();
    return {
      take: () => claims.insert(claim(2), NOW),
      takeUnderKey: () => claims.insert(claim(2, `key ${registryId}`), NOW),
      grow: () => change({ quantity: 5 }),
      shrink: () => change({ quantity: 1 }),
      release: () => change({ state: 'released', expiresAt: null }),
      buy: () => change({ state: 'purchased', expiresAt: null }),
      say: () => change({ message: email }),
      expire: () => claims.expire(NOW + MINUTE, 10, item.id),
      erase: () => claims.erase({ userId: null, email }, 1, NOW),
      forget: () => claims.erase({ registryId, unchangedSince: NOW }, 1, NOW),
      end: () => deletions.finish(registryId, at),
      remove: () => items.replace(item, { ...item, is_active: false }),
    };
  };

  for (const one of Object.keys(await scene()) as (keyof Awaited<ReturnType<typeof scene>>)[]) {
    for (const other of Object.keys(await scene()) as (typeof one)[]) {
      const both = `${one}, ${other}`;
      const work = await scene();
      const outcomes = await Promise.allSettled([work[one](), work[other]()]);
      for (const outcome of outcomes)
        assert.equal(outcome.status, 'fulfilled', `${both}: ${JSON.stringify(outcome)}`);
      await assert.doesNotReject(agrees(store), both);
      const over = await store.query(
        `select id from items where claimed > quantity_needed - quantity_purchased or claimed < 0`,
      );
      assert.deepEqual(over, [], both);
      // Claims after the registry's end were refused; claims before it ended with it.
      if (one !== 'end' && other !== 'end') continue;
      const live = await store.query(
        `select id from claims where registry_id = ${registryId} and state in ('reserved', 'purchased')`,
      );
      assert.deepEqual(live, [], both);
    }
  }
  assert.deepEqual([...unmarked], []);
});
