// Items that several pay for: shares, the one who buys, and where shares are sent.
// @again postgres workers
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { agrees, DAY, expected, key, openClaimService } from './claim-service.ts';
import type { Name } from './support.ts';

const PAY_TO = 'DE89 3704 0044 0532 0130 00, Ann & Bob <3';

const service = await openClaimService();
const { call } = service;
after(() => agrees(service.store).finally(() => service.close()));

describe('an item that several pay for', () => {
  const bike = { name: 'Bicycle', url: 'https://shop.example/bike', unit: 'money', quantity_needed: 40_000 };
  const list = (meta: object = {}, as: Name = 'alice') =>
    service.registry({ registry_currency: 'EUR', registry_pay_to: PAY_TO, ...meta }, as);
  async function aGoal(meta: object = {}, fields: object = {}) {
    const registry = await list({ registry_invitees: ['bob', 'carol'], ...meta });
    const path = `POST /registries/${registry}/items`;
    const made = expected(201, await call('alice', path, { ...bike, ...fields }));
    return { registry, item: made.data.id as number };
  }
  const share = (as: Name, { registry, item }: { registry: number; item: number }, body: object) =>
    service.claim(as, registry, item, body);
  const patch = (as: Name, id: string, body: object) => call(as, `PATCH /claims/${id}`, body);
  const payTo = async (as: Name, id: string) => (await service.read(as, id)).pay_to;

  it('may have a goal below its shares for an owner who must not learn of them, says the site alone', async () => {
    const goal = await aGoal();
    await share('bob', goal, { quantity: 40_000 });
    const unknowing = (as: 'alice' | 'admin') =>
      call(as, `PUT /items/${goal.item}`, { quantity_needed: 39_999 }, { prefer: 'claims=hidden' });
    const found = expected(409, await unknowing('alice')).detail;
    assert.match(found, /400\.00 EUR has been pledged, more than 399\.99 EUR/);
    expected(200, await unknowing('admin'));
  });

  it('may be above its goal, which stays or rises then, but is not lowered', async () => {
    const { item } = await aGoal();
    for (const body of [
      { quantity_purchased: 50_000 },
      { quantity_needed: 40_000 },
      { quantity_needed: 40_001 },
      { quantity_needed: 45_000, quantity_purchased: 60_000 },
    ])
      expected(200, await call('alice', `PUT /items/${item}`, body));
    expected(409, await call('alice', `PUT /items/${item}`, { quantity_needed: 44_999 }));
  });

  it('is bought by one giver until they step back or their time is over', async () => {
    const goal = await aGoal();
    const bobs = await share('bob', goal, { quantity: 100 });
    const carols = await share('carol', goal, { quantity: 100 });
    for (const buys of [true, false, true]) {
      expected(200, await patch('bob', bobs.id, { buys, ...(buys && { pay_to: 'Bob' }) }));
      assert.equal(await payTo('carol', carols.id), buys ? 'Bob' : PAY_TO);
    }
    service.advance(15 * DAY);
    const late = await share('carol', goal, { quantity: 1 });
    assert.equal(late.pay_to, PAY_TO, 'the buyer’s time is over');
    assert.equal(expected(200, await call('carol', 'GET /claims?limit=1'))[0].pay_to, PAY_TO);
    expected(200, await patch('carol', late.id, { buys: true }));
  });

  it('answers a repeated pledge with the place as it is now', async () => {
    const goal = await aGoal();
    const to = `POST /registries/${goal.registry}/items/${goal.item}/claims`;
    const give = () => call('carol', to, { quantity: 100 }, key(`money-${goal.item}`));
    const first = expected(201, await give());
    assert.equal(first.pay_to, PAY_TO);
    const bobs = await share('bob', goal, { quantity: 100 });
    expected(200, await patch('bob', bobs.id, { buys: true, pay_to: 'Bob' }));
    assert.deepEqual(expected(201, await give()), { ...first, pay_to: 'Bob' });
    expected(200, await call('admin', 'DELETE /claims?email=bob@example.test'));
    assert.equal(await payTo('carol', first.id), null);
    const kept = `select id from claims where id = '${bobs.id}' and pay_to is not null`;
    assert.deepEqual(await service.store.query(kept), []);
  });

  it('tells surprised owners no buyer’s place, in a share of their own either', async () => {
    const goal = await aGoal();
    const own = await share('alice', goal, { quantity: 10 });
    const meta = { registry_surprise_until: 'always' };
    expected(200, await call('alice', `PATCH /registries/${goal.registry}`, { meta }));
    const bobs = await share('bob', goal, { quantity: 39_000 });
    expected(200, await patch('bob', bobs.id, { buys: true, pay_to: 'Bob' }));
    assert.equal(await payTo('alice', own.id), null);
    expected(403, await patch('alice', own.id, { buys: true }));
  });
});

it('a money item where everybody may change items is still for owners and admins', async () => {
  await using service = await openClaimService({ ITEM_ACCESS: 'authenticated' });
  const registry = await service.registry({ registry_currency: 'EUR' });
  const fund = { registry_id: registry, name: 'Fund', url: 'https://shop.example', unit: 'money' };
  expected(403, await service.call('bob', 'POST /items', fund));
  expected(201, await service.call('alice', 'POST /items', fund));
  expected(201, await service.call('admin', 'POST /items', fund));
});
