// The plugin's client of the item service, word for word as it promises, against a real server that records requests.
// @again wordpress php
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type Call, deleteOption, inTurn, setOption } from '../../dev/wordpress/set-up.ts';
import { type RecordingService, recordingService } from '../../dev/wordpress/site.ts';
import { skipWithoutWordPress, startWordPress, type WordPress } from '../../dev/wordpress/wordpress.ts';

describe('the client', { skip: skipWithoutWordPress() }, () => {
  let site: WordPress;
  let service: RecordingService;
  before(async () => {
    service = await recordingService();
    site = await startWordPress({ muPlugins: ['time-outs'] });
  });
  after(async () => {
    await site.stop();
    await service.close();
  });
  beforeEach(() => {
    service.requests.length = 0;
    service.answer = () => ({ body: {} });
  });

  /** The result of a call; a WP_Error as {error, message, data}. */
  const callAt = (base: string, method: string, ...given: unknown[]) =>
    site.call('api', [base, 'gateway-key', 'ann', 'abcd efgh'], method, ...given);
  const call = (method: string, ...given: unknown[]) => callAt(service.url, method, ...given);

  test('sends both headers and JSON, and removes a trailing slash', async () => {
    service.answer = () => ({ status: 201, body: { success: true, data: { id: 5 }, message: 'ok' } });
    const item = { registry_id: 3, name: 'Kännchen "blau"', url: 'https://shop.example/k', price: 9.5 };
    const answer = await callAt(`${service.url}/`, 'create_item', item);
    assert.deepEqual(answer, { success: true, data: { id: 5 }, message: 'ok' });
    const [request] = service.requests;
    assert.equal(`${request?.method} ${request?.path}`, 'POST /items');
    assert.equal(request?.headers.authorization, `Basic ${btoa('ann:abcd efgh')}`);
    assert.equal(request?.headers['x-api-key'], 'gateway-key');
    assert.equal(request?.headers['content-type'], 'application/json');
    assert.deepEqual(JSON.parse(request?.body ?? ''), item);
  });

  test('reaches every endpoint by its method and path', async () => {
    const cases: [call: Call, line: string, body?: unknown][] = [
      [['welcome'], 'GET /'],
      [['health'], 'GET /health'],
      [['list_items', 20, 10], 'GET /items?skip=20&limit=10'],
      [['get_item', 7], 'GET /items/7'],
      [
        ['create_item', { name: 'n', url: 'https://a.example/' }],
        'POST /items',
        { name: 'n', url: 'https://a.example/' },
      ],
      [['update_item', 7, { price: null }], 'PUT /items/7', { price: null }],
      [['update_item', 7, {}], 'PUT /items/7', {}],
      [['delete_item', 7], 'DELETE /items/7'],
      [['list_registries'], 'GET /registries?skip=0&limit=100'],
      [['get_registry', 3], 'GET /registries/3'],
      [['create_registry', { title: 't' }], 'POST /registries', { title: 't' }],
      [['update_registry', 3, { status: 'publish' }], 'PATCH /registries/3', { status: 'publish' }],
      [['delete_registry', 3], 'DELETE /registries/3'],
      [['lookup', 'https://shop.example/pan'], 'POST /lookups', { url: 'https://shop.example/pan' }],
      [['registry_items', 3], 'GET /registries/3/items'],
      [['create_registry_item', 3, { name: 'n' }], 'POST /registries/3/items', { name: 'n' }],
      [['delete_registry_item', 3, 7], 'DELETE /registries/3/items/7'],
      [['invitees', 3], 'GET /registries/3/invitees'],
      [['add_invitees', 3, ['bob']], 'POST /registries/3/invitees', { invitees: ['bob'] }],
      [['remove_invitee', 3, 'ann b@x/y.test'], 'DELETE /registries/3/invitees/ann%20b%40x%2Fy.test'],
      [['affiliate', 3, 7], 'GET /registries/3/items/7/affiliate'],
      [
        ['set_affiliate', 3, 7, 'https://aff.example/1'],
        'PUT /registries/3/items/7/affiliate',
        { affiliate_url: 'https://aff.example/1', affiliate_status: 'active' },
      ],
      [['clear_affiliate', 3, 7], 'DELETE /registries/3/items/7/affiliate'],
      [
        ['create_claim', 3, 7, { quantity: 2, state: 'reserved' }],
        'POST /registries/3/items/7/claims',
        { quantity: 2, state: 'reserved' },
      ],
      [['registry_claims', 3], 'GET /registries/3/claims'],
      [['claims_of', 'a+b@x.test', 20, 10], 'GET /claims?email=a%2Bb%40x.test&skip=20&limit=10'],
      [['gifts_of', 'a+b@x.test'], 'GET /claims?email=a%2Bb%40x.test&with=item&limit=100&skip=0'],
      [
        ['gifts', ['x'.repeat(22), '../items', 'Y-_1'.padEnd(22, '0')]],
        `GET /claims?ids=${'x'.repeat(22)},${'Y-_1'.padEnd(22, '0')}&with=item`,
      ],
      [['get_claim', 'c/1'], 'GET /claims/c%2F1'],
      [['update_claim', 'c1', { state: 'purchased' }], 'PATCH /claims/c1', { state: 'purchased' }],
      [['release_claim', 'c1'], 'DELETE /claims/c1'],
      [['erase_giver', 'a+b@x.test'], 'DELETE /claims?email=a%2Bb%40x.test'],
    ];
    for (const [[method, ...given], line, body] of cases) {
      service.requests.length = 0;
      await call(method, ...given);
      const [request, ...more] = service.requests;
      assert.equal(`${request?.method} ${request?.path}`, line);
      assert.equal(more.length, 0, line);
      assert.deepEqual(request?.body ? JSON.parse(request.body) : undefined, body, line);
      const open = line === 'GET /' || line === 'GET /health';
      assert.equal('authorization' in (request?.headers ?? {}), !open, line);
    }
  });

  test('tells the service for whom a shop’s page is looked up, by a word that names nobody', async () => {
    const words: unknown[] = [];
    for (const user of [site.users.alice, site.users.bob, site.users.alice]) {
      service.requests.length = 0;
      await inTurn(
        site,
        ['wp_set_current_user', user.id],
        ['api', [service.url], 'lookup', 'https://shop.example/pan'],
      );
      words.push(service.requests[0]!.headers['trousseau-for']);
    }
    assert.match(String(words[0]), /^[0-9a-f]{20}$/);
    assert.equal(words[2], words[0]);
    assert.notEqual(words[1], words[0]);
  });

  test('maps statuses: 404 to null, 204 to true, 400 and above to api_error, all else to the body', async () => {
    const cases: [number, unknown, unknown][] = [
      [200, [1, 2], [1, 2]],
      [201, { id: 1 }, { id: 1 }],
      [404, { detail: 'Registry not found' }, null],
      ...[400, 401, 403, 409, 412, 422, 429, 500, 503].map((status): [number, unknown, unknown] => [
        status,
        { detail: `Fault ${status}` },
        { error: 'api_error', message: `Fault ${status}`, data: { status } },
      ]),
    ];
    for (const [status, body, expected] of cases) {
      service.answer = () => ({ status, body });
      assert.deepEqual(await call('get_registry', 1), expected, `${status}`);
    }
    service.answer = () => ({ status: 204 });
    assert.equal(await call('delete_registry', 1), true);
  });

  test('an answer that is no answer of the service is an error, never "nothing there"', async () => {
    const answers: [number, string, Record<string, string>][] = [
      [502, '<html>Bad gateway</html>', {}],
      [200, '<html>Sign in to the network</html>', { 'content-type': 'text/html' }],
      [200, '', {}],
      [500, '{"detail":["no","text"]}', {}],
      [404, '<html>Not found</html>', { 'content-type': 'text/html' }],
      [404, '{"code":"rest_no_route","message":"No route"}', {}],
      [302, '', { location: `${service.url}/elsewhere` }],
    ];
    for (const [status, body, headers] of answers) {
      service.requests.length = 0;
      service.answer = () => ({ status, body, headers });
      const answer = await call('get_registry', 1);
      assert.deepEqual([answer.error, answer.data], ['api_error', { status }], `${status} ${body}`);
      assert.equal(service.requests.length, 1, 'a redirect is not followed');
    }
  });

  test('says when it is not configured and when nothing answers', async () => {
    assert.equal((await callAt('', 'get_item', 1)).error, 'api_not_configured');
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as { port: number };
    closed.close();
    await once(closed, 'close');
    assert.equal((await callAt(`http://127.0.0.1:${port}`, 'get_item', 1)).error, 'api_unreachable');
    assert.equal(service.requests.length, 0);
  });

  test('waits ten seconds and no longer', async () => {
    await setOption(site, 'dev_patience', 1);
    for (const method of ['get_item', 'get_registry']) {
      await call(method, 1);
      assert.equal(service.requests.at(-1)!.headers['x-time-out'], '10', method);
    }
    // Half a second shows as well that no answer ends it.
    await setOption(site, 'dev_patience', 0.05);
    service.answer = () => new Promise(() => {});
    assert.equal((await call('get_item', 1)).error, 'api_unreachable');
    await deleteOption(site, 'dev_patience');
  });

  test('reads an item out of its envelope, or as it comes', async () => {
    service.answer = () => ({ body: { success: true, data: { id: 7, name: 'Pan' }, message: 'ok' } });
    assert.deepEqual(await call('get_item', 7), { id: 7, name: 'Pan' });
    service.answer = () => ({ body: { id: 7, name: 'Pan' } });
    assert.deepEqual(await call('get_item', 7), { id: 7, name: 'Pan' });
  });

  test('reads many ids in order, without those that are missing or fail', async () => {
    service.answer = ({ path }) => {
      const id = Number(path.split('/').at(-1));
      if (id === 2) return { status: 404, body: { detail: 'Item not found' } };
      if (id === 3) return { status: 500, body: { detail: 'Internal error' } };
      return { body: { data: { id } } };
    };
    assert.deepEqual(await call('get_items', [9, 2, 4, 3, 1]), [{ id: 9 }, { id: 4 }, { id: 1 }]);
  });

  test('an item is not created without name or url', async () => {
    for (const item of [
      { name: 'n' },
      { url: 'https://a.example/' },
      { name: '', url: 'https://a.example/' },
    ]) {
      assert.equal((await call('create_item', item)).error, 'api_invalid_item');
    }
    assert.equal(service.requests.length, 0);
  });

  test('a key and the state that was read go along, and nowhere else', async () => {
    const sent = async (method: string, ...given: unknown[]) => {
      service.requests.length = 0;
      await call(method, ...given);
      const { headers } = service.requests[0]!;
      return [headers['idempotency-key'], headers['if-match'], service.requests.length];
    };
    assert.deepEqual(await sent('create_claim', 3, 7, { quantity: 1 }, 'once-1'), ['once-1', undefined, 1]);
    assert.deepEqual(await sent('create_registry_item', 3, { name: 'n' }, 'once-2'), [
      'once-2',
      undefined,
      1,
    ]);
    assert.deepEqual(await sent('update_claim', 'c1', { quantity: 2 }, '"c1-4"'), [undefined, '"c1-4"', 1]);
    assert.deepEqual(await sent('release_claim', 'c1', '"c1-4"'), [undefined, '"c1-4"', 1]);
    assert.deepEqual(await sent('update_item', 7, { price: 1 }, '"7-0"'), [undefined, '"7-0"', 1]);
    assert.deepEqual(await sent('create_claim', 3, 7, { quantity: 1 }), [undefined, undefined, 1]);
  });

  test('a claim that is refused is told as the service tells it, and not tried again', async () => {
    service.answer = () => ({ status: 409, body: { detail: '0 left' } });
    const answer = await call('create_claim', 3, 7, { quantity: 2 }, 'key');
    assert.deepEqual(answer, { error: 'api_error', message: '0 left', data: { status: 409 } });
    assert.equal(service.requests.length, 1);
  });

  test('settings come from the option first, from the environment second', async () => {
    const other = await recordingService(() => ({ body: {} }));
    try {
      const ask = (environment: Record<string, string>, options: Record<string, string>) =>
        inTurn(
          site,
          ...Object.entries(environment).map(([name, value]): Call => ['putenv', `${name}=${value}`]),
          ...['base_url', 'api_key', 'username', 'app_password'].map(
            (name): Call => ['delete_option', `trousseau_${name}`],
          ),
          ['set_options', options],
          ['api', null, 'get_registry', 1],
        );
      const environment = {
        TROUSSEAU_BASE_URL: `${service.url}/`,
        TROUSSEAU_API_KEY: 'env-key',
        TROUSSEAU_USERNAME: 'env-user',
        TROUSSEAU_APP_PASSWORD: 'env-password',
      };
      assert.equal((await ask({}, {})).error, 'api_not_configured');
      assert.deepEqual(await ask(environment, {}), []);
      assert.equal(service.requests[0]?.headers['x-api-key'], 'env-key');
      assert.equal(service.requests[0]?.headers.authorization, `Basic ${btoa('env-user:env-password')}`);

      await ask(environment, {
        trousseau_base_url: `${other.url}/`,
        trousseau_api_key: 'own-key',
        trousseau_username: 'own-user',
        trousseau_app_password: 'own-password',
      });
      assert.equal(service.requests.length, 1);
      assert.equal(other.requests[0]?.path, '/registries/1');
      assert.equal(other.requests[0]?.headers['x-api-key'], 'own-key');
      assert.equal(other.requests[0]?.headers.authorization, `Basic ${btoa('own-user:own-password')}`);

      await ask({}, { trousseau_base_url: other.url, trousseau_username: 'own-user' });
      assert.equal(other.requests[1]?.headers.authorization, undefined, 'never half of the credentials');
      assert.equal('x-api-key' in other.requests[1]!.headers, false);
    } finally {
      await other.close();
    }
  });
});
