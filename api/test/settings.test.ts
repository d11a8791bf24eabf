import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { callsOf, isWellFormed, read } from './answers.ts';
import { askHost, authorization, PAN, startTestService, type TestService } from './support.ts';

const origin = 'https://shop.example';
const service = await startTestService({ API_KEY: 'gate way', CORS_ORIGINS: origin });
after(() => service.close());

describe('API_KEY', () => {
  const ask = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const answer = await read(await service.fetch(path, { method, headers }));
    if (answer.headers.get('content-type')?.includes('json')) isWellFormed(answer);
    return answer;
  };

  it('is required everywhere but at the two health endpoints, before anything else', async () => {
    for (const path of ['/', '/health']) assert.equal((await ask(path)).status, 200);
    const guarded = [
      ...['/items', '/items/1', '/registries', '/registries/1/items', '/docs', '/openapi.json', '/nowhere'],
      ...['/docs/static/nothing'],
    ];
    const wrong = ['', 'gate', 'gate way2', 'GATE WAY', 'gate way, gate way'];
    const tried: [path: string, key?: string][] = guarded.map((path) => [path]);
    for (const [path, key] of [...tried, ...wrong.map((key) => ['/items', key] as const)])
      for (const credentials of [{}, { authorization: authorization('alice') }]) {
        const headers = { ...credentials, ...(key !== undefined && { 'x-api-key': key }) };
        const { status, body } = await ask(path, headers);
        const refusal = { detail: 'A valid x-api-key is required' };
        assert.deepEqual([status, body], [403, refusal], `${path} ${key}`);
      }
    assert.equal((await ask('/items', {}, 'PATCH')).status, 403);
    for (const path of ['/', '/health']) assert.equal((await ask(path, {}, 'POST')).status, 405);
    const key = { 'x-api-key': 'gate way' };
    assert.equal((await ask('/items', key)).status, 401);
    assert.equal((await ask('/items', { ...key, authorization: authorization('alice') })).status, 200);
    assert.equal((await ask('/openapi.json', key)).status, 200);
    assert.equal(service.log.filter((line) => line.includes('gate way')).length, 0);
  });

  it('lets a browser’s preflight request through', async () => {
    const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-api-key' };
    const headers = { origin, ...asked };
    const { status, headers: allowed } = await ask('/items', headers, 'OPTIONS');
    assert.deepEqual([status, allowed.get('access-control-allow-origin')], [204, origin]);
  });
});

describe('CORS_ORIGINS', () => {
  const [known, other] = ['https://shop.example', 'https://else.example'];
  const asked = {
    'access-control-request-method': 'PUT',
    'access-control-request-headers': 'authorization, x-api-key, content-type, if-match',
  };
  const preflight = (service: TestService, origin: string, path = '/items') =>
    service.fetch(path, { method: 'OPTIONS', headers: { origin, ...asked } });

  const both = async (service: TestService, origin: string) => [
    await preflight(service, origin),
    await service.fetch('/health', { headers: { origin } }),
  ];

  it('unset, no other site’s script may call', async () => {
    await using service = await startTestService();
    const answers = await both(service, known);
    assert.equal(answers.map(({ status }) => status).join(), '405,200');
    for (const { headers } of answers)
      assert.ok(![...headers.keys()].some((name) => name.startsWith('access-control-')));
  });

  it('set, the scripts of these may call everything, and read why it failed', async () => {
    await using service = await startTestService({ CORS_ORIGINS: `http://a.example:8080,${known}` });
    for (const path of ['/items', '/items/1', '/registries/1/invitees/bob', '/health']) {
      const { status, headers } = await preflight(service, known, path);
      assert.equal(status, 204);
      assert.equal(headers.get('access-control-allow-origin'), known);
      assert.match(headers.get('vary') ?? '', /origin/i);
      assert.ok(headers.get('x-request-id'));
      const methods = headers.get('access-control-allow-methods')?.split(/, ?/) ?? [];
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
        assert.ok(methods.includes(method), method);
      const names = headers.get('access-control-allow-headers')?.toLowerCase().split(/, ?/) ?? [];
      for (const name of ['authorization', 'x-api-key', 'content-type', 'if-match', 'if-none-match'])
        assert.ok(names.includes(name), name);
    }
    for (const [path, init] of [
      ['/items', { as: 'alice' }],
      ['/items', {}],
      ['/nowhere', {}],
      ['/items', { as: 'alice', method: 'POST', json: {} }],
      ['/items', { method: 'PATCH' }],
    ] as const) {
      const { headers } = await service.fetch(path, { ...init, headers: { origin: known } });
      assert.equal(headers.get('access-control-allow-origin'), known, path);
      const exposed = headers.get('access-control-expose-headers')?.toLowerCase().split(/, ?/) ?? [];
      for (const name of ['etag', 'x-host-total', 'x-host-totalpages', 'x-request-id', 'retry-after'])
        assert.ok(exposed.includes(name), name);
      assert.equal(headers.get('access-control-allow-credentials'), null);
    }
    const plain = { method: 'OPTIONS', headers: { origin: known } };
    const [items, nowhere] = [await service.fetch('/items', plain), await service.fetch('/nowhere', plain)];
    assert.deepEqual(
      [items.status, items.headers.get('allow'), nowhere.status],
      [405, 'GET, HEAD, POST', 404],
    );
    for (const origin of [other, 'null', `${known}.evil.example`, 'http://shop.example']) {
      for (const answer of await both(service, origin))
        assert.notEqual(answer.headers.get('access-control-allow-origin') ?? 'none', origin);
    }
  });
});

it('APP_ENV=production hides the documentation, and nothing else', async () => {
  await using host = await startTestService();
  await using service = await startTestService({
    ...{ APP_ENV: 'production', HOST_URL: `${host.hostUrl}/` },
    // PostgreSQL asks for one in production.
    SECRET_KEY: 's'.repeat(32),
  });
  for (const path of ['/docs', '/docs/', '/docs/static/index.html', '/docs/json', '/openapi.json']) {
    const answer = await read(await service.fetch(path));
    isWellFormed(answer);
    assert.equal(answer.status, 404, path);
  }
  assert.equal((await service.fetch('/health')).status, 200);
  const registry = await service.client('alice').registries.create({ title: 'Ann' });
  assert.equal((await host.client('alice').registries.get(registry!.id))?.title, 'Ann');
});

describe('the host’s settings', () => {
  it('ADMIN_ROLES: the roles with the admin flag, as far as the host allows', async () => {
    await using service = await startTestService({ ADMIN_ROLES: 'editor, subscriber' });
    const { id } = (await service.client('alice').items.create({ registry_id: 1, ...PAN }))!.data;
    const affiliate = async (who: 'alice' | 'admin') =>
      'affiliate_url' in (await service.client(who).items.get(id))!;
    assert.deepEqual([await affiliate('alice'), await affiliate('admin')], [true, false]);
    const registry = await service.client('bob').registries.create({ title: 'Bob’s' });
    // To the host Alice is a stranger, and to the service the host’s administrator is one.
    for (const who of ['alice', 'admin'] as const)
      await assert.rejects(service.client(who).registries.get(registry!.id), { data: { status: 403 } });
    const { registries } = service.client('admin');
    const refused = { data: { status: 403 } };
    await assert.rejects(registries.update(registry!.id, { title: 'Changed' }), refused);
    await assert.rejects(registries.items.create(registry!.id, PAN), refused);
  });

  it('REGISTRY_POST_TYPE and REGISTRY_META_PREFIX: another site’s names, the same answers', async () => {
    const env = { REGISTRY_POST_TYPE: 'wunschliste', REGISTRY_META_PREFIX: '_wl_' };
    await using service = await startTestService(env);
    const call = await callsOf(service);
    const meta = { registry_invitees: ['bob'], registry_currency: 'EUR', registry_surprise_until: 'always' };
    const registry = (await call('alice', 'POST /registries', { title: 'Ann', meta })).body;
    const { data } = (await call('alice', `POST /registries/${registry.id}/items`, PAN)).body;
    const found = (await call('bob', `GET /registries/${registry.id}`)).body.meta;
    assert.deepEqual({ ...found, ...meta, registry_item_ids: [data.id] }, found);
    const post = await askHost(service.hostUrl, 'GET', `wunschliste/${registry.id}?context=edit`);
    const kept = (await post.json()) as { meta: object };
    const own = { _wl_item_ids: `[${data.id}]`, _wl_invitees: '["bob"]', _wl_currency: 'EUR' };
    assert.deepEqual({ ...kept.meta, ...own, _wl_surprise_until: 'always' }, kept.meta);
    assert.ok(Object.keys(kept.meta).every((key) => key.startsWith('_wl_')));
  });
});
