// Several owners of one registry: permissions, lists, and a surprise for all of them.
// @again postgres workers
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ClaimService, etagOf, expected, key, openClaimService } from './claim-service.ts';
import { startHostProxy } from './host-proxy.ts';
import { authorization, type Name } from './support.ts';

const NO_WAIT = { prefer: 'wait=0' };
const VOUCHES = { ...NO_WAIT, 'trousseau-owner': '999999999' };

describe('a registry with co-owners', () => {
  let service: ClaimService;
  let call: ClaimService['call'];

  before(async () => {
    service = await openClaimService();
    call = service.call;
  });
  after(() => service.close());

  const owned = (registry_owners: string[], meta: object = {}, as: Name = 'alice') =>
    service.registry({ registry_owners, ...meta }, as);
  const ownersOf = async (id: number, as: Name = 'alice'): Promise<string[]> =>
    expected(200, await call(as, `GET /registries/${id}`)).meta.registry_owners;
  const setOwners = (id: number, registry_owners: unknown, as: Name = 'alice') =>
    call(as, `PATCH /registries/${id}`, { meta: { registry_owners } });

  it('keeps them once each, in order, trimmed, and no more than five', async () => {
    const id = await owned([' Bob ', 'carol@example.test', 'BOB']);
    assert.deepEqual(await ownersOf(id), ['Bob', 'carol@example.test']);
    const five = ['a', 'b', 'c', 'd', 'e'];
    expected(200, await setOwners(id, [...five, ' A ', 'E']));
    assert.deepEqual(await ownersOf(id), five);
    for (const bad of [[...five, 'f'], [' '], ['x'.repeat(255)], 'bob', [1], { 0: 'bob' }])
      assert.match(expected(422, await setOwners(id, bad)).detail, /^meta\.registry_owners/);
    assert.deepEqual(await ownersOf(id), five);
    expected(200, await setOwners(id, []));
    assert.deepEqual(await ownersOf(id), []);
  });

  it('lets them do what the owner does', async () => {
    const id = await owned(['BOB'], { registry_invitees: [] });
    const pan = await service.item(id);
    const pot = { name: 'Pot', url: 'https://shop.example/pot' };
    for (const [status, target, body] of [
      [200, `GET /registries/${id}`],
      [200, `GET /registries/${id}/items`],
      [201, `POST /registries/${id}/items`, pot],
      [201, 'POST /items', { registry_id: id, ...pot }],
      [200, `GET /items/${pan}`],
      [200, `PUT /items/${pan}`, { price: 9 }],
      [200, `GET /registries/${id}/invitees`],
      [200, `POST /registries/${id}/invitees`, { invitees: ['carol'] }],
      [200, `DELETE /registries/${id}/invitees/carol`],
      [200, `PATCH /registries/${id}`, { title: 'Us', status: 'publish', story: 'We met.' }],
      [200, `PATCH /registries/${id}`, { meta: { registry_event_date: '2030-06-12' } }],
      [200, `PATCH /registries/${id}`, { meta: { registry_currency: 'EUR' } }],
      [200, `PATCH /registries/${id}`, { meta: { registry_surprise_until: 'always' } }],
      [200, `PATCH /registries/${id}`, { meta: { registry_surprise_until: '' } }],
      [200, `GET /registries/${id}/claims`],
      [200, `GET /registries/${id}/items/${pan}/affiliate`],
      [204, `DELETE /registries/${id}/items/${pan}`],
    ] as const)
      assert.equal((await call('bob', target, body)).status, status, target);
  });

  it('lets them read and thank claims', async () => {
    const id = await owned(['bob'], { registry_invitees: ['carol'] });
    const item = await service.item(id);
    const claim = await service.claim('carol', id, item);
    const { claims } = expected(200, await call('bob', `GET /registries/${id}/claims`));
    assert.deepEqual(claims, [claim]);
    assert.deepEqual(await service.read('bob', claim.id), claim);
    assert.ok(expected(200, await call('bob', `PATCH /claims/${claim.id}`, { thanked: true })).thanked_at);
    expected(403, await call('bob', `PATCH /claims/${claim.id}`, { state: 'released' }));
  });

  it('leaves deleting and the list of owners to the owner', async () => {
    const id = await owned(['bob', 'carol@example.test']);
    expected(403, await call('bob', `DELETE /registries/${id}`));
    for (const owners of [[], ['bob'], ['carol@example.test', 'bob'], ['bob', 'carol@example.test', 'admin']])
      expected(403, await setOwners(id, owners, 'bob'));
    expected(403, await setOwners(id, ['carol@example.test'], 'carol'));
    assert.deepEqual(await ownersOf(id), ['bob', 'carol@example.test']);
    expected(200, await setOwners(id, ['BOB', 'carol@example.test'], 'bob'));
    expected(200, await setOwners(id, ['carol@example.test'], 'bob'));
    expected(403, await call('bob', `PATCH /registries/${id}`, { title: 'Mine' }));
    assert.deepEqual(await ownersOf(id), ['carol@example.test']);
    expected(200, await setOwners(id, ['bob'], 'admin'));
    expected(204, await call('alice', `DELETE /registries/${id}`));
  });

  it('is among the registries of each of them, newest first', async () => {
    const own = await service.registry({}, 'carol');
    const theirs = await owned(['carol'], {}, 'bob');
    await owned([], {}, 'bob');
    const mail = await owned(['CAROL@example.test'], {}, 'admin');
    const list = expected(200, await call('carol', 'GET /registries?limit=3'));
    assert.deepEqual(
      list.map(({ id, user_id }: { id: number; user_id: number }) => [id, user_id]),
      [mail, theirs, own].map((id, n) => [id, [1, 3, 4][n]]),
    );
  });

  it('matches an entry with an “@” by the address alone, any other by the user name', async () => {
    for (const [entry, status] of [
      ['bob@example.test', 200],
      ['bob', 200],
      ['bob@example', 403],
      ['Bob Example', 403],
      ['3', 403],
    ] as const) {
      const id = await owned([entry], { registry_invitees: [] });
      assert.equal((await call('bob', `GET /registries/${id}`)).status, status, entry);
    }
  });

  it('takes every right from somebody who is taken off, at once', async () => {
    const id = await owned(['bob'], { registry_invitees: [] });
    const item = await service.item(id);
    const pot = { name: 'Pot', url: 'https://shop.example/pot' };
    const made = await call('bob', `POST /registries/${id}/items`, pot, key(`owners-${id}`));
    expected(201, made);
    expected(200, await call('bob', `GET /registries/${id}/items`));
    expected(200, await setOwners(id, []));
    for (const [target, body] of [
      [`GET /registries/${id}`],
      [`GET /registries/${id}/items`],
      [`GET /registries/${id}/claims`],
      [`GET /registries/${id}/invitees`],
      [`POST /registries/${id}/items`, pot],
      [`GET /items/${item}`],
      [`PUT /items/${item}`, { price: 1 }],
      [`DELETE /items/${item}`],
      [`PATCH /registries/${id}`, { title: 'Mine' }],
      [`PATCH /registries/${id}`, { meta: { registry_owners: ['bob'] } }],
      [`DELETE /registries/${id}`],
    ] as const)
      assert.equal((await call('bob', target, body)).status, 403, target);
    const again = await call('bob', `POST /registries/${id}/items`, pot, key(`owners-${id}`));
    assert.deepEqual(expected(201, again), made.body);
    const list = expected(200, await call('bob', 'GET /registries'));
    assert.ok(list.every((registry: { id: number }) => registry.id !== id));
  });

  it('gives owner and co-owner the same bytes', async () => {
    const id = await owned(['bob'], { registry_invitees: ['carol'] });
    const items = [await service.item(id, { quantity_needed: 5 }), await service.item(id)];
    const claim = await service.claim('carol', id, items[0]!, { quantity: 2 });
    const targets = [`/registries/${id}`, `/registries/${id}/items`, `/registries/${id}/claims`];
    targets.push(`/items/${items[0]}`, `/claims/${claim.id}`, `/registries/${id}/invitees`);
    for (const meta of [
      {},
      { registry_surprise_until: 'always' },
      { registry_surprise_keeps: 'names' },
      { registry_surprise_until: null },
    ]) {
      expected(200, await call('alice', `PATCH /registries/${id}`, { meta }));
      for (const target of targets) {
        const [one, other] = [await call('alice', `GET ${target}`), await call('bob', `GET ${target}`)];
        const bytes = ({ status, headers, text }: typeof one) => [status, headers.get('etag'), text];
        assert.deepEqual(bytes(one), bytes(other), `${target} ${JSON.stringify(meta)}`);
      }
    }
  });

  it('conceals from a co-owning administrator who vouches for the owner', async () => {
    const id = await owned(['admin'], { registry_surprise_until: 'always' });
    const item = await service.item(id, { quantity_needed: 9 });
    const claim = await service.claim('bob', id, item, { quantity: 3 });
    for (const headers of [{}, NO_WAIT, VOUCHES]) {
      const get = (target: string) => call('admin', `GET ${target}`, undefined, headers);
      assert.equal(expected(200, await get(`/items/${item}`)).data.quantity_purchased, 0);
      const [listed] = expected(200, await get(`/registries/${id}/items`));
      assert.equal(listed.quantity_purchased, 0);
      assert.deepEqual(expected(200, await get(`/registries/${id}/claims`)).claims, []);
      expected(404, await get(`/claims/${claim.id}`));
      assert.deepEqual(expected(200, await get('/claims?email=bob@example.test&limit=1')).length, 0);
      assert.deepEqual(expected(200, await get(`/claims?ids=${claim.id}`)), []);
      const everywhere = expected(200, await get('/items?limit=1'));
      assert.deepEqual([everywhere[0].id, everywhere[0].quantity_purchased], [item, 0]);
    }
    expected(403, await call('admin', `POST /registries/${id}/items/${item}/claims`, {}, VOUCHES));
  });

  it('doesn’t count concealed unconfirmed claims against a co-owner', async () => {
    const secret = await owned(['admin'], { registry_surprise_until: 'always' });
    const [hidden, free] = [await service.item(secret, { quantity_needed: 99 }), await service.registry()];
    const there = await service.item(free, { quantity_needed: 99 });
    for (let n = 0; n < 10; n++) await service.claim('bob', secret, hidden, { state: 'pending' });
    const giver = { name: 'Bob', user_id: 3 };
    const to = `POST /registries/${free}/items/${there}/claims`;
    expected(201, await call('admin', to, { state: 'pending', giver }));
    expected(429, await call('bob', to, { state: 'pending' }));
  });
});

describe('a surprise that keeps names only', () => {
  it('shows its owners numbers, and nothing else of what is claimed', async () => {
    await using service = await openClaimService();
    const { call } = service;
    const meta = { registry_surprise_until: 'always', registry_surprise_keeps: 'names' };
    const id = await service.registry({ ...meta, registry_owners: ['carol'], registry_invitees: ['bob'] });
    const item = await service.item(id, { quantity_needed: 9 });
    const tag = async (as: Name) => [
      etagOf(await call(as, `GET /items/${item}`)),
      etagOf(await call(as, `GET /registries/${id}/items`)),
    ];
    const tags = [await tag('alice')];
    const claim = await service.claim('bob', id, item, { quantity: 3, message: 'For soups' });
    tags.push(await tag('alice'));
    for (const [quantity, as] of [
      [2, 'bob'],
      [3, 'bob'],
    ] as const) {
      expected(200, await call(as, `PATCH /claims/${claim.id}`, { quantity }));
      tags.push(await tag('alice'));
    }
    assert.notDeepEqual(tags[0], tags[1]);
    assert.notDeepEqual(tags[1], tags[2]);
    assert.deepEqual(tags[1], tags[3], 'the same number has the same tag');
    expected(200, await call('bob', `PATCH /claims/${claim.id}`, { state: 'purchased' }));
    assert.deepEqual(await tag('alice'), tags[1], 'a state is no number');
    assert.deepEqual(await tag('carol'), tags[1]);
    for (const as of ['alice', 'carol'] as const) {
      assert.equal(await service.purchased(item, as), 3);
      assert.equal(await service.purchased(item, as, id), 3);
      expected(404, await call(as, `GET /claims/${claim.id}`));
      expected(403, await call(as, `POST /registries/${id}/items/${item}/claims`, {}));
      expected(409, await call(as, `PUT /items/${item}`, { quantity_purchased: 2 }));
      assert.deepEqual(expected(200, await call(as, `GET /registries/${id}/claims`)), {
        claims: [],
        concealed_until: 'always',
      });
    }
    const match = { 'if-match': tags[1]![0]! };
    assert.equal(
      expected(200, await call('carol', `PUT /items/${item}`, { quantity_purchased: 5 }, match)).data
        .quantity_purchased,
      5,
    );
    expected(412, await call('alice', `PUT /items/${item}`, { price: 1 }, match));
  });

  it('is read as a whole one where it is absent, null or not understood', async () => {
    await using service = await openClaimService();
    const id = await service.registry({ registry_surprise_until: 'always' });
    const keeps = async () =>
      expected(200, await service.call('alice', `GET /registries/${id}`)).meta.registry_surprise_keeps;
    const set = (registry_surprise_keeps: unknown) =>
      service.call('alice', `PATCH /registries/${id}`, { meta: { registry_surprise_keeps } });
    assert.equal(await keeps(), 'all');
    expected(200, await set('names'));
    assert.equal(await keeps(), 'names');
    for (const bad of ['Names', '', 'none', 1, ['names']]) expected(422, await set(bad));
    assert.equal(await keeps(), 'names');
    expected(200, await set(null));
    assert.equal(await keeps(), 'all');
  });
});

describe('a host that does not know who co-owns', () => {
  it('lets no list tell a co-owner what is concealed', async () => {
    await using parts = new AsyncDisposableStack();
    const real = parts.use(await openClaimService());
    const proxy = await startHostProxy(real.host.url, (path) => path.replace(/&co_owned=1/, ''));
    parts.defer(() => proxy.close());
    const service = parts.use(await openClaimService({ HOST_URL: proxy.url }));
    const asked = await fetch(`${real.host.url}/wp-json/wp/v2/registry`, {
      method: 'POST',
      headers: { authorization: authorization('alice'), 'content-type': 'application/json' },
      body: JSON.stringify({
        title: 'Ann',
        meta: {
          registry_surprise_until: 'always',
          registry_owners: '["admin"]',
          registry_invitees: '["bob"]',
        },
      }),
    });
    const { id } = (await asked.json()) as { id: number };
    // Made by its owner: the service has not met the co-owner when the administrator asks.
    const { data } = expected(
      201,
      await service.call('alice', `POST /registries/${id}/items`, {
        name: 'Pan',
        url: 'https://shop.example/pan',
        quantity_needed: 9,
      }),
    );
    const claim = await service.claim('bob', id, data.id, { quantity: 3 });
    const get = (target: string) => service.call('admin', `GET ${target}`);
    const [listed] = expected(200, await get('/items?limit=1'));
    assert.equal(listed.quantity_purchased, 0);
    assert.deepEqual(expected(200, await get('/claims?email=bob@example.test')), []);
    assert.deepEqual(expected(200, await get(`/claims?ids=${claim.id}`)), []);
    assert.deepEqual(
      expected(200, await get('/registries')).map((registry: { id: number }) => registry.id),
      [],
    );
  });
});
