// Items that several pay for: shares, the one who buys, and where shares are sent.
// @again postgres workers
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { agrees, type ClaimService, DAY, etagOf, expected, key, openClaimService } from './claim-service.ts';
import type { Name } from './support.ts';

const PAY_TO = 'DE89 3704 0044 0532 0130 00, Ann & Bob <3';

describe('an item that several pay for', () => {
  let service: ClaimService;
  let call: ClaimService['call'];

  before(async () => {
    service = await openClaimService();
    call = service.call;
  });
  after(async () => {
    try {
      await agrees(service.store);
    } finally {
      await service.close();
    }
  });

  const bike = { name: 'Bicycle', url: 'https://shop.example/bike', unit: 'money', quantity_needed: 40_000 };
  const list = (meta: object = {}, as: Name = 'alice') =>
    service.registry({ registry_currency: 'EUR', registry_pay_to: PAY_TO, ...meta }, as);
  async function aGoal(meta: object = {}, fields: object = {}) {
    const registry = await list({ registry_invitees: ['bob', 'carol'], ...meta });
    const made = expected(
      201,
      await call('alice', `POST /registries/${registry}/items`, { ...bike, ...fields }),
    );
    return { registry, item: made.data.id as number };
  }
  const share = (as: Name, { registry, item }: { registry: number; item: number }, body: object) =>
    service.claim(as, registry, item, body);
  const patch = (as: Name, id: string, body: object) => call(as, `PATCH /claims/${id}`, body);
  const payTo = async (as: Name, id: string) => (await service.read(as, id)).pay_to;

  it('is made with a goal in minor units, at both item endpoints', async () => {
    const registry = await list();
    for (const [target, body] of [
      [`POST /registries/${registry}/items`, bike],
      ['POST /items', { registry_id: registry, ...bike }],
    ] as const) {
      const { data } = expected(201, await call('alice', target, body));
      assert.deepEqual([data.unit, data.price, data.quantity_needed], ['money', null, 40_000]);
      assert.equal(expected(200, await call('bob', `GET /items/${data.id}`)).data.unit, 'money');
    }
    const listed = expected(200, await call('bob', `GET /registries/${registry}/items`));
    assert.deepEqual(
      listed.map(({ unit }: { unit: string }) => unit),
      ['money', 'money'],
    );
    const piece = await service.item(registry, { unit: null });
    assert.ok(!('unit' in expected(200, await call('bob', `GET /items/${piece}`)).data));
  });

  it('needs a registry with a currency, and has no price and no other unit', async () => {
    const plain = await service.registry();
    expected(409, await call('alice', `POST /registries/${plain}/items`, bike));
    const registry = await list();
    const to = `POST /registries/${registry}/items`;
    assert.match(expected(422, await call('alice', to, { ...bike, price: 400 })).detail, /^price/);
    for (const unit of ['piece', 'Money', '', 1, true])
      assert.match(expected(422, await call('alice', to, { ...bike, unit })).detail, /^unit/);
    expected(403, await call('bob', to, bike));
    const { data } = expected(201, await call('alice', to, bike));
    const put = (body: object) => call('alice', `PUT /items/${data.id}`, body);
    expected(200, await put({ unit: 'money', name: 'Tandem', price: null }));
    expected(422, await put({ unit: null }));
    expected(422, await put({ price: 400 }));
    const piece = await service.item(registry);
    expected(200, await call('alice', `PUT /items/${piece}`, { unit: null }));
    expected(422, await call('alice', `PUT /items/${piece}`, { unit: 'money' }));
  });

  it('keeps its currency', async () => {
    const { registry, item } = await aGoal();
    const setCurrency = (registry_currency: string | null) =>
      call('alice', `PATCH /registries/${registry}`, { meta: { registry_currency } });
    expected(409, await setCurrency('CHF'));
    expected(409, await setCurrency(null));
    expected(200, await setCurrency('EUR'));
    expected(200, await call('alice', `DELETE /items/${item}`));
    const restore = () => call('alice', `PUT /items/${item}`, { is_active: true });
    expected(200, await setCurrency('CHF'));
    expected(409, await restore());
    expected(200, await setCurrency(null));
    expected(409, await restore());
    expected(200, await setCurrency('EUR'));
    expected(200, await restore());
    expected(409, await setCurrency('CHF'));
  });

  it('refuses more than is left, in words with amounts', async () => {
    const goal = await aGoal();
    await share('bob', goal, { quantity: 28_000 });
    const to = `POST /registries/${goal.registry}/items/${goal.item}/claims`;
    const { detail } = expected(409, await call('carol', to, { quantity: 12_001 }));
    assert.equal(detail, '120.00 EUR are left: 120.01 EUR cannot be pledged');
    const rest = await share('carol', goal, { quantity: 12_000 });
    expected(409, await patch('carol', rest.id, { quantity: 12_001 }));
    const put = (quantity_needed: number) => call('alice', `PUT /items/${goal.item}`, { quantity_needed });
    assert.match(expected(409, await put(39_999)).detail, /400\.00 EUR are pledged, more than 399\.99 EUR/);
    expected(200, await put(40_000));
    // The site writes for an owner who must not learn of this; nobody else says so.
    const unknowing = (as: 'alice' | 'admin') =>
      call(as, `PUT /items/${goal.item}`, { quantity_needed: 39_999 }, { prefer: 'claims=hidden' });
    expected(409, await unknowing('alice'));
    expected(200, await unknowing('admin'));
    for (const [currency, words] of [
      ['JPY', '400 JPY'],
      ['KWD', '0.400 KWD'],
      ['HUF', '4.00 HUF'],
    ] as const) {
      const other = await aGoal({ registry_currency: currency }, { quantity_needed: 400 });
      const path = `POST /registries/${other.registry}/items/${other.item}/claims`;
      const said = expected(409, await call('bob', path, { quantity: 401 })).detail;
      assert.ok(said.startsWith(`${words} are left`), said);
    }
  });

  it('ends at its goal when many pledge at once', async () => {
    const goal = await aGoal();
    const to = `POST /registries/${goal.registry}/items/${goal.item}/claims`;
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        call(n % 2 ? 'bob' : 'carol', to, { quantity: 700 + (n % 3) * 100 }),
      ),
    );
    assert.ok(answers.every(({ status }) => status === 201 || status === 409));
    const given = answers
      .filter(({ status }) => status === 201)
      .reduce((sum, { body }) => sum + body.quantity, 0);
    assert.equal(await service.purchased(goal.item), given);
    assert.ok(given <= 40_000 && given > 39_000, `${given}`);
  });

  it('tells where to send a share to its confirmed giver alone', async () => {
    const goal = await aGoal();
    const mine = await share('bob', goal, { quantity: 100, state: 'pending' });
    assert.deepEqual([mine.buys, mine.pay_to], [false, null]);
    assert.equal(await payTo('bob', mine.id), null, 'not confirmed');
    const confirmed = expected(200, await patch('bob', mine.id, { state: 'reserved' }));
    assert.equal(confirmed.pay_to, PAY_TO);
    for (const [as, expectedPlace] of [
      ['bob', PAY_TO],
      ['admin', PAY_TO],
      ['alice', null],
    ] as const) {
      assert.equal(await payTo(as, mine.id), expectedPlace, as);
      const { claims } = expected(200, await call(as, `GET /registries/${goal.registry}/claims`));
      assert.equal(claims[0].pay_to, expectedPlace, as);
    }
    const own = expected(200, await call('bob', 'GET /claims?limit=1'));
    assert.equal(own[0].pay_to, PAY_TO);
    const meta = async (as: Name) =>
      expected(200, await call(as, `GET /registries/${goal.registry}`)).meta.registry_pay_to;
    assert.deepEqual([await meta('alice'), await meta('admin'), await meta('bob')], [PAY_TO, PAY_TO, null]);
    const uninvited = { meta: { registry_invitees: ['carol'] } };
    expected(200, await call('alice', `PATCH /registries/${goal.registry}`, uninvited));
    assert.equal(await payTo('bob', mine.id), null);
    const piece = await service.item(goal.registry);
    assert.ok(!('pay_to' in (await share('carol', { registry: goal.registry, item: piece }, {}))));
  });

  it('has one giver who buys it, to whom the others send', async () => {
    const goal = await aGoal();
    const [bobs, carols] = [
      await share('bob', goal, { quantity: 100, state: 'pending' }),
      await share('carol', goal, { quantity: 100 }),
    ];
    expected(409, await patch('bob', bobs.id, { buys: true }));
    const confirmed = { state: 'reserved', buys: true, pay_to: 'Bob' };
    assert.deepEqual(
      (({ buys, pay_to }) => [buys, pay_to])(expected(200, await patch('bob', bobs.id, confirmed))),
      [true, 'Bob'],
    );
    const before = etagOf(await call('carol', `GET /claims/${carols.id}`));
    assert.equal(await payTo('carol', carols.id), 'Bob');
    expected(409, await patch('carol', carols.id, { buys: true, pay_to: 'Carol' }));
    expected(409, await patch('carol', carols.id, { pay_to: 'Carol' }));
    const second = await share('bob', goal, { quantity: 5 });
    expected(409, await patch('bob', second.id, { buys: true }));
    expected(200, await patch('bob', bobs.id, { pay_to: 'Bob, at home' }));
    assert.equal(await payTo('carol', carols.id), 'Bob, at home');
    assert.notEqual(etagOf(await call('carol', `GET /claims/${carols.id}`)), before);
    expected(200, await patch('bob', bobs.id, { pay_to: null }));
    assert.equal(await payTo('carol', carols.id), null);
    expected(403, await patch('alice', carols.id, { buys: true }));
    expected(200, await patch('bob', bobs.id, { buys: false }));
    assert.equal(await payTo('carol', carols.id), PAY_TO);
    expected(200, await patch('carol', carols.id, { buys: true, pay_to: 'x'.repeat(300), quantity: 200 }));
    expected(422, await patch('carol', carols.id, { pay_to: 'x'.repeat(301) }));
    assert.equal(await payTo('bob', bobs.id), 'x'.repeat(300));
    expected(200, await patch('carol', carols.id, { state: 'released' }));
    assert.equal(await payTo('bob', bobs.id), PAY_TO);
    expected(200, await patch('admin', bobs.id, { buys: true, pay_to: 'By the site' }));
    service.advance(15 * DAY);
    const late = await share('carol', goal, { quantity: 1 });
    assert.equal(late.pay_to, PAY_TO, 'the buyer’s time is over');
    expected(200, await patch('carol', late.id, { buys: true }));
    const piece = await share('bob', { ...goal, item: await service.item(goal.registry) }, {});
    for (const body of [{ buys: true }, { buys: false }, { pay_to: 'x' }])
      expected(422, await patch('bob', piece.id, body));
  });

  it('never has two who buy it', async () => {
    const goal = await aGoal();
    const shares = [];
    for (let n = 0; n < 8; n++) shares.push(await share(n % 2 ? 'bob' : 'carol', goal, { quantity: 10 + n }));
    const answers = await Promise.all(
      shares.map(({ id }, n) =>
        patch('admin', id, { buys: true, pay_to: `${n}`, ...(n % 3 === 0 && { quantity: 100 }) }),
      ),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(7).fill(409)]);
    const all = expected(200, await call('admin', `GET /registries/${goal.registry}/claims`)).claims;
    assert.equal(all.filter(({ buys }: { buys: boolean }) => buys).length, 1);
    assert.equal(new Set(all.map(({ pay_to }: { pay_to: string }) => pay_to)).size, 1);
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
    const rows = await service.store.query<{ pay_to: string | null }>(
      `select pay_to from claims where id = '${bobs.id}'`,
    );
    assert.equal(rows[0]!.pay_to, null);
  });

  it('shows surprised owners the goal and nothing else', async () => {
    const goal = await aGoal();
    const own = await share('alice', goal, { quantity: 10 });
    expected(
      200,
      await call('alice', `PATCH /registries/${goal.registry}`, {
        meta: { registry_surprise_until: 'always' },
      }),
    );
    const bobs = await share('bob', goal, { quantity: 39_000 });
    expected(200, await patch('bob', bobs.id, { buys: true, pay_to: 'Bob' }));
    assert.equal(await payTo('alice', own.id), null);
    expected(403, await patch('alice', own.id, { buys: true }));
    assert.equal(await service.purchased(goal.item, 'alice'), 0);
    expected(200, await call('alice', `PUT /items/${goal.item}`, { quantity_needed: 1_000 }));
    assert.equal(await service.purchased(goal.item, 'bob'), 39_010);
    const to = `POST /registries/${goal.registry}/items/${goal.item}/claims`;
    assert.match(expected(409, await call('carol', to, {})).detail, /^0\.00 EUR are left/);
  });
});

describe('a money item where everybody may change items', () => {
  it('is still for owners and admins', async () => {
    await using service = await openClaimService({ ITEM_ACCESS: 'authenticated' });
    const registry = await service.registry({ registry_currency: 'EUR' });
    const fund = { registry_id: registry, name: 'Fund', url: 'https://shop.example', unit: 'money' };
    expected(403, await service.call('bob', 'POST /items', fund));
    expected(201, await service.call('alice', 'POST /items', fund));
    expected(201, await service.call('admin', 'POST /items', fund));
  });
});
