// @again postgres
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { callsOf } from './answers.ts';
import { agrees, expected, key, openClaimService } from './claim-service.ts';
import { startTestService } from './support.ts';

describe('a store of version 0.1.0', () => {
  it('opens, takes claims and goes on', async () => {
    await using service = await openClaimService({}, {}, '0.1.0');
    const { call, store } = service;
    // Its items are of registry 1, which the new host makes first.
    assert.equal(await service.registry(), 1);
    const items = expected(200, await call('admin', 'GET /registries/1/items'));
    assert.deepEqual(
      items.map(({ id }: { id: number }) => id),
      [1, 2],
    );
    const [pan, full] = items;
    assert.deepEqual([pan.quantity_needed, pan.quantity_purchased], [2, 1]);
    assert.equal(full.quantity_purchased, 2_147_483_647);

    const path = 'POST /registries/1/items/1/claims';
    const claim = await service.claim('bob', 1, 1, { message: 'Soup' });
    const { detail } = expected(409, await call('carol', path, {}));
    assert.equal(detail, '0 left of this item: 1 cannot be taken');
    expected(409, await call('carol', 'POST /registries/1/items/2/claims', {}));
    const { data } = expected(200, await call('admin', 'GET /items/1'));
    assert.deepEqual(data, { ...pan, quantity_purchased: 2 }, 'all else is as it was');

    expected(200, await call('bob', `PATCH /claims/${claim.id}`, { state: 'purchased' }));
    expected(200, await call('alice', 'PUT /items/1', { quantity_needed: 4 }));
    const added = await service.item(1);
    assert.equal(added, 6);
    const second = await call('carol', path, { quantity: 2 }, key('carol'));
    expected(201, second);
    expected(204, await call('bob', `DELETE /claims/${claim.id}`));
    assert.equal(await service.purchased(1), 3);
    await agrees(store);

    // And once more, by the version that is here, on what it has written itself.
    await using again = await startTestService({
      ...{ DATABASE_URL: store.url, HOST_URL: service.host.url, ITEM_ACCESS: 'registry' },
    });
    const anew = await callsOf(again);
    assert.equal(expected(200, await anew('admin', 'GET /items/1')).data.quantity_purchased, 3);
    assert.equal((await anew('carol', `GET /claims/${second.body.id}`)).text, second.text);
    await agrees(store);
  });
});
