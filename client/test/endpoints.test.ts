import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Client, createClient } from 'trousseau-client';
import { json, plain, startRecorder } from './recorder.ts';

const item = { name: 'Copper saucepan', url: 'https://shop.example/saucepan' };
const link = { affiliate_url: 'https://partner.example/?to=saucepan', affiliate_status: 'active' };
const affiliate = '/registries/7/items/3/affiliate';
const claimId = '7Jd0TtMkQh2xVw9sYb3LnA';
const purchased = { state: 'purchased' } as const;
const page = 'https://shop.example/pan';
const guests = ['bob', 'aunt@example.test'];

type Row = [request: string, call: (client: Client) => Promise<unknown>, body?: unknown];
const endpoints: Row[] = [
  ['GET /', (client) => client.welcome()],
  ['GET /health', (client) => client.health()],
  ['GET /items', ({ items }) => items.list()],
  ['GET /items?skip=0&limit=20', ({ items }) => items.list({ skip: 0, limit: 20 })],
  ['GET /items?limit=20', ({ items }) => items.listWithEtag({ limit: 20 })],
  ['GET /items/3', ({ items }) => items.get(3)],
  ['GET /items/3', ({ items }) => items.getWithEtag(3)],
  ['POST /items', ({ items }) => items.create({ registry_id: 7, ...item }), { registry_id: 7, ...item }],
  ['PUT /items/3', ({ items }) => items.update(3, { price: null }), { price: null }],
  ['DELETE /items/3', ({ items }) => items.delete(3)],
  ['POST /items/3/move', ({ items }) => items.move(3, 7), { registry_id: 7 }],
  ['GET /items?limit=20', ({ items }) => items.list({ skip: undefined, limit: 20 } as { limit: number })],
  ['POST /lookups', (client) => client.lookup(page, { language: 'de-DE' }), { url: page }],
  ['GET /registries', ({ registries }) => registries.list()],
  ['GET /registries?skip=100', ({ registries }) => registries.list({ skip: 100 })],
  ['GET /registries?limit=5', ({ registries }) => registries.listWithTotals({ limit: 5 })],
  ['GET /registries/7', ({ registries }) => registries.get(7)],
  ['POST /registries', ({ registries }) => registries.create({ title: 'Ann & Bob' }), { title: 'Ann & Bob' }],
  ['PATCH /registries/7', ({ registries }) => registries.update(7, { story: 'é' }), { story: 'é' }],
  ['DELETE /registries/7', ({ registries }) => registries.delete(7)],
  ['GET /registries/7/items', ({ registries }) => registries.items.list(7)],
  ['GET /registries/7/items', ({ registries }) => registries.items.listWithEtag(7)],
  ['POST /registries/7/items', ({ registries }) => registries.items.create(7, item), item],
  ['DELETE /registries/7/items/3', ({ registries }) => registries.items.delete(7, 3)],
  [`GET ${affiliate}`, ({ registries }) => registries.items.affiliate.get(7, 3)],
  [`PUT ${affiliate}`, ({ registries }) => registries.items.affiliate.set(7, 3, link), link],
  [`DELETE ${affiliate}`, ({ registries }) => registries.items.affiliate.clear(7, 3)],
  ['GET /registries/7/invitees', ({ registries }) => registries.invitees.list(7)],
  ['POST /registries/7/invitees', (it) => it.registries.invitees.add(7, guests), { invitees: guests }],
  [
    'DELETE /registries/7/invitees/a%2Fb%2Bc%40x%3F%20%25',
    ({ registries }) => registries.invitees.remove(7, 'a/b+c@x? %'),
  ],
  ['POST /registries/7/items/3/claims', ({ registries }) => registries.items.claims.create(7, 3), {}],
  [
    'POST /registries/7/items/3/claims',
    ({ registries }) => registries.items.claims.create(7, 3, { quantity: 2, state: 'pending' }),
    { quantity: 2, state: 'pending' },
  ],
  ['GET /registries/7/claims', ({ registries }) => registries.claims.list(7)],
  ['GET /claims', ({ claims }) => claims.list()],
  ['GET /claims?skip=20&limit=20', ({ claims }) => claims.list({ skip: 20, limit: 20 })],
  ['GET /claims?email=a%2Bb%40x.test', ({ claims }) => claims.list({ email: 'a+b@x.test' })],
  ['GET /claims?skip=20&with=item', ({ claims }) => claims.listWithItems({ skip: 20 })],
  ['GET /claims?ids=a%2Cb&with=item', ({ claims }) => claims.listWithItems({ ids: ['a', 'b'] })],
  [`GET /claims/${claimId}`, ({ claims }) => claims.get(claimId)],
  [`GET /claims/${claimId}`, ({ claims }) => claims.getWithEtag(claimId)],
  [`PATCH /claims/${claimId}`, ({ claims }) => claims.update(claimId, purchased), purchased],
  [`DELETE /claims/${claimId}`, ({ claims }) => claims.release(claimId)],
  ['DELETE /claims?email=a%26b%40x.test', ({ claims }) => claims.erase('a&b@x.test')],
  ['DELETE /claims?user_id=7', ({ claims }) => claims.erase({ user_id: 7 })],
  [
    'DELETE /claims?registry_id=7&unchanged_for=60',
    ({ claims }) => claims.erase({ registry_id: 7, unchanged_for: 60 }),
  ],
  ['GET /status', (client) => client.status()],
];

test('each method sends its request', async () => {
  await using service = await startRecorder();
  const client = createClient({ baseUrl: service.url, env: {} });
  for (const [request, call, body] of endpoints) {
    await call(client);
    const [sent, ...more] = service.take();
    assert.equal(`${sent?.method} ${sent?.url}`, request);
    assert.deepEqual(more, [], request);
    assert.deepEqual(sent?.body ? JSON.parse(sent.body) : undefined, body, request);
    assert.equal(sent?.headers['content-type'], body && 'application/json', request);
    assert.equal(sent?.headers.accept, 'application/json');
    if (request === 'POST /lookups') assert.equal(sent?.headers['accept-language'], 'de-DE');
  }
});

test('404 becomes null for every call, anything else above 400 an ApiError', async () => {
  await using service = await startRecorder();
  const client = createClient({ baseUrl: service.url, env: {} });
  for (const [request, call] of endpoints) {
    service.reply = json(404, { detail: 'Not found' });
    assert.equal(await call(client), null, request);
    service.reply = json(403, { detail: 'Only the owner may do that' });
    const refusal = { name: 'ApiError', code: 'api_error', message: 'Only the owner may do that' };
    await assert.rejects(call(client), { ...refusal, data: { status: 403 } }, request);
  }
  assert.equal(service.requests.length, 2 * endpoints.length);
});

test('without a base URL every call fails and none is sent', async () => {
  let sent = 0;
  const client = createClient({ env: {}, fetch: async () => Response.json(++sent) });
  for (const [request, call] of [...endpoints, ['bulk', (c) => c.items.getMany([1])] satisfies Row]) {
    await assert.rejects(call(client), { name: 'ApiError', code: 'api_not_configured', data: {} }, request);
  }
  assert.equal(sent, 0);
});

test('bodies come back decoded, items out of their envelope, 204 as true', async () => {
  await using service = await startRecorder();
  const client = createClient({ baseUrl: service.url, env: {} });
  const envelope = { success: true, data: { id: 3, ...item }, message: 'Item retrieved successfully' };

  service.reply = json(200, envelope);
  assert.deepEqual(await client.items.get(3), envelope.data);
  assert.deepEqual(await client.items.update(3, {}), envelope);
  assert.deepEqual(await client.items.delete(3), envelope);
  service.reply = json(201, envelope);
  assert.deepEqual(await client.items.create({ registry_id: 7, ...item }), envelope);
  service.reply = json(200, envelope.data);
  assert.deepEqual(await client.items.get(3), envelope.data, 'a body without data is the item itself');
  service.reply = json(200, [envelope.data]);
  assert.deepEqual(await client.items.list(), [envelope.data]);

  service.reply = plain(204);
  const { claims, registries } = client;
  const { affiliate } = registries.items;
  const gone = [
    registries.delete(7),
    registries.items.delete(7, 3),
    affiliate.clear(7, 3),
    claims.release(claimId),
  ];
  assert.deepEqual(await Promise.all(gone), [true, true, true, true]);
});

test('the totals of the registry list are reachable', async () => {
  await using service = await startRecorder();
  const client = createClient({ baseUrl: service.url, env: {} });
  const registries = [{ id: 7 }];
  service.reply = json(200, registries, { 'X-Host-Total': '41', 'X-Host-TotalPages': '5' });
  assert.deepEqual(await client.registries.listWithTotals(), { registries, total: 41, totalPages: 5 });
  assert.deepEqual(await client.registries.list(), registries);
  service.reply = json(200, registries);
  assert.deepEqual(await client.registries.listWithTotals(), { registries, total: null, totalPages: null });
});

test('an ETag read with an item or a claim guards its changes', async () => {
  await using service = await startRecorder();
  const client = createClient({ baseUrl: service.url, env: {} });
  service.reply = json(200, { success: true, data: { id: 3 }, message: '' }, { ETag: '"v1"' });
  const read = await client.items.getWithEtag(3);
  assert.deepEqual(read, { item: { id: 3 }, etag: '"v1"' });

  service.take();
  service.reply = json(412, { detail: 'The item has changed' });
  const stale = { code: 'api_error', data: { status: 412 }, message: 'The item has changed' };
  const { claims, registries } = client;
  const { items } = registries;
  const options = { ifMatch: read?.etag };
  const changes = [
    client.items.update(3, { quantity_purchased: 1 }, options),
    client.items.delete(3, options),
    items.delete(1, 3, options),
    items.affiliate.set(1, 3, link, options),
    items.affiliate.clear(1, 3, options),
    claims.update(claimId, { quantity: 2 }, options),
    claims.release(claimId, options),
  ];
  await Promise.all(changes.map((change) => assert.rejects(change, stale)));
  const found = service.take().map(({ headers }) => headers['if-match']);
  assert.deepEqual(found, Array(7).fill('"v1"'));

  service.reply = json(200, { success: true, data: { id: 3 }, message: '' });
  assert.deepEqual(await client.items.getWithEtag(3), { item: { id: 3 }, etag: null });
  assert.equal((await claims.getWithEtag(claimId))?.etag, null);
  await client.items.update(3, {}, { ifMatch: null });
  assert(service.take().every(({ headers }) => !('if-match' in headers)));
});

test('a list whose ETag is known is not sent again', async () => {
  await using service = await startRecorder();
  const { items, registries } = createClient({ baseUrl: service.url, env: {} });
  const lists = [
    (options?: { ifNoneMatch: string | null }) => items.listWithEtag({ limit: 5, ...options }),
    (options?: { ifNoneMatch: string | null }) => registries.items.listWithEtag(7, options),
  ];
  const known = () => service.take().map(({ headers }) => headers['if-none-match']);
  for (const list of lists) {
    service.reply = json(200, [{ id: 3 }], { ETag: '"v1"' });
    const read = await list();
    assert.deepEqual(read, { items: [{ id: 3 }], etag: '"v1"' });
    assert.deepEqual(await list({ ifNoneMatch: '"v0"' }), read);
    service.reply = plain(304, '', { ETag: '"v1"' });
    assert.deepEqual(await list({ ifNoneMatch: read!.etag }), { items: undefined, etag: '"v1"' });
    assert.deepEqual(known(), [undefined, '"v0"', '"v1"']);
    const unasked = { code: 'api_error', data: { status: 304 } };
    for (const options of [undefined, { ifNoneMatch: null }]) await assert.rejects(list(options), unasked);
    assert.deepEqual(known(), [undefined, undefined]);
    service.reply = json(200, []);
    assert.deepEqual(await list({ ifNoneMatch: '"v1"' }), { items: [], etag: null });
    service.reply = plain(200, '');
    await assert.rejects(list({ ifNoneMatch: '"v1"' }), { code: 'api_error' });
    service.take();
  }
});

test('creates carry an idempotency key when given one', async () => {
  await using service = await startRecorder();
  const { items, registries } = createClient({ baseUrl: service.url, env: {} });
  const idempotencyKey = '8e03978e-40d5-43dd-bc93-6894a57f9324';
  const creates = (options?: { idempotencyKey: string }) => [
    items.create({ registry_id: 7, ...item }, options),
    registries.create({ title: 'Ann & Bob' }, options),
    registries.items.create(7, item, options),
    registries.invitees.add(7, ['bob'], options),
    registries.items.claims.create(7, 3, {}, options),
  ];
  const keys = () => service.take().map(({ headers }) => headers['idempotency-key']);
  await Promise.all(creates({ idempotencyKey }));
  assert.deepEqual(keys(), Array(5).fill(idempotencyKey));
  await Promise.all(creates());
  assert.deepEqual(keys(), Array(5).fill(undefined));
});

test('a path part that would lead to another path is refused', async () => {
  await using service = await startRecorder();
  const client = createClient({ baseUrl: service.url, env: {} });
  for (const invitee of ['', '.', '..']) {
    await assert.rejects(client.registries.invitees.remove(7, invitee), { code: 'api_error', data: {} });
  }
  assert.equal(service.requests.length, 0);
  await client.registries.invitees.remove(7, '...');
  assert.equal(service.requests[0]?.url, '/registries/7/invitees/...');
});

test('the types are the contract', async () => {
  const fetch = async () => Response.json({});
  const { claims, items, registries } = createClient({ baseUrl: 'http://localhost', env: {}, fetch });
  // @ts-expect-error: registry_id is missing
  await items.create(item);
  // @ts-expect-error: a price is a number
  await items.update(3, { price: '12' });
  // @ts-expect-error: not a status of a registry
  await registries.update(7, { status: 'draft' });
  // @ts-expect-error: only time makes a claim expire
  await claims.update(claimId, { state: 'expired' });
  const read = await items.get(3);
  read?.name satisfies string | undefined;
  // @ts-expect-error: not everyone sees it
  if (read) read.affiliate_url satisfies string | null;
});
