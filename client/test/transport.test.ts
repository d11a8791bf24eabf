import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { ApiError, type ClientOptions, createClient } from 'trousseau-client';
import { json, plain, type Reply, startRecorder } from './recorder.ts';

const secrets = { apiKey: 'gateway-key-5f1c', username: 'alice', password: 'abcd efgh ijkl' };
const basic = Buffer.from('alice:abcd efgh ijkl').toString('base64');

/** Waits for the call to fail, and checks that its error contains no credentials at any depth. */
async function failure(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    (value) => assert.fail(`expected a failure, got ${inspect(value)}`),
    (error) => error,
  );
  assert(error instanceof ApiError, inspect(error));
  const shown = inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true });
  for (const secret of [secrets.apiKey, secrets.password, basic]) assert(!shown.includes(secret), shown);
  return error;
}

test('settings are explicit first, from the environment else; a trailing slash is removed', async (t) => {
  await using service = await startRecorder();
  const environment = {
    TROUSSEAU_BASE_URL: `${service.url}/`,
    TROUSSEAU_API_KEY: 'env-key',
    TROUSSEAU_USERNAME: 'env-user',
    TROUSSEAU_APP_PASSWORD: 'env-password',
  };
  const sent = async (options?: ClientOptions) => {
    await createClient(options).items.list();
    const [request] = service.take();
    const [, basic] = request?.headers.authorization?.split(' ') ?? [];
    return [request?.url, request?.headers['x-api-key'], basic && Buffer.from(basic, 'base64').toString()];
  };
  const fromEnvironment = ['/items', 'env-key', 'env-user:env-password'];
  assert.deepEqual(await sent({ env: environment }), fromEnvironment);
  const given = { env: environment, username: 'bob', apiKey: 'k', password: '' };
  assert.deepEqual(await sent(given), ['/items', 'k', 'bob:env-password']);
  const nowhere = { ...environment, TROUSSEAU_BASE_URL: 'http://nowhere.invalid' };
  const below = await sent({ env: nowhere, baseUrl: `${service.url}/below/` });
  assert.deepEqual(below, ['/below/items', ...fromEnvironment.slice(1)]);

  t.after(() => {
    for (const name of Object.keys(environment)) delete process.env[name];
  });
  Object.assign(process.env, environment);
  assert.deepEqual(await sent(), fromEnvironment);
});

test('credentials: only complete ones, only where the service asks for them, in UTF-8', async () => {
  await using service = await startRecorder();
  const headersOf = async (options: ClientOptions, call: 'list' | 'health' | 'welcome' = 'list') => {
    const client = createClient({ baseUrl: service.url, env: {}, ...options });
    await (call === 'list' ? client.registries.list() : client[call]());
    const [request] = service.take();
    return [request?.headers.authorization, request?.headers['x-api-key'] as string | undefined];
  };
  const { apiKey, ...user } = secrets;
  assert.deepEqual(await headersOf(secrets), [`Basic ${basic}`, apiKey]);
  assert.deepEqual(await headersOf(user), [`Basic ${basic}`, undefined]);
  assert.deepEqual(await headersOf({ apiKey, username: 'alice' }), [undefined, apiKey]);
  assert.deepEqual(await headersOf({ password: 'x' }), [undefined, undefined]);
  assert.deepEqual(await headersOf(secrets, 'health'), [undefined, undefined]);
  assert.deepEqual(await headersOf(secrets, 'welcome'), [undefined, undefined]);

  const [header] = await headersOf({ username: 'Zoë', password: 'пароль 🎁' });
  assert.equal(Buffer.from(header!.slice('Basic '.length), 'base64').toString('utf8'), 'Zoë:пароль 🎁');
});

test('a browser is told to add nothing of its own: no cookies, no password prompt', async () => {
  const modes: unknown[] = [];
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    modes.push(init?.credentials);
    return Response.json([]);
  };
  await createClient({ baseUrl: 'http://localhost', env: {}, fetch }).items.list();
  assert.deepEqual(modes, ['omit']);
});

test('settings that cannot be used fail before any request, without showing them', async () => {
  await using service = await startRecorder();
  const unusable: ClientOptions[] = [
    { baseUrl: 'localhost:8000' },
    { baseUrl: 'not an address' },
    { baseUrl: 'file:///etc' },
    { baseUrl: `http://alice:${secrets.apiKey}@${new URL(service.url).host}` },
    { baseUrl: service.url, apiKey: `${secrets.apiKey}\r\nx-other: 1` },
    { baseUrl: service.url, apiKey: `${secrets.apiKey}✓` },
  ];
  for (const options of unusable) {
    const error = await failure(createClient({ ...secrets, env: {}, ...options }).health());
    assert.equal(error.code, 'api_not_configured');
    assert.deepEqual(error.data, {});
  }
  assert.equal(service.requests.length, 0);
});

test('every answer becomes a value or a readable ApiError', async () => {
  await using service = await startRecorder();
  const client = createClient({ ...secrets, baseUrl: service.url, env: {} });
  const cases: [Reply, status: number, message: string | RegExp, retryAfter?: number][] = [
    [json(400, { detail: 'Body is not JSON' }), 400, 'Body is not JSON'],
    [json(401, { detail: 'Sign in' }, { 'WWW-Authenticate': 'Basic realm="trousseau"' }), 401, 'Sign in'],
    [json(429, { detail: 'Slow down' }, { 'Retry-After': '17' }), 429, 'Slow down', 17],
    [json(503, { detail: 'Busy' }, { 'Retry-After': new Date(0).toUTCString() }), 503, 'Busy', 0],
    [json(503, { detail: 'Busy' }, { 'Retry-After': 'soon' }), 503, 'Busy'],
    [json(422, { detail: [{ msg: 'not a string' }] }), 422, /HTTP status 422/],
    [json(500, null), 500, /HTTP status 500/],
    [plain(502, '<html>Bad Gateway</html>'), 502, /HTTP status 502/],
    [plain(503), 503, /HTTP status 503/],
    [plain(200, '<html>Welcome</html>'), 200, /without a JSON/],
    [plain(200, ''), 200, /without a JSON/],
    [json(200, null), 200, /without a JSON/],
    [plain(304), 304, /redirect/],
  ];
  for (const [reply, status, message, retryAfter] of cases) {
    service.reply = reply;
    const error = await failure(client.items.get(3));
    assert.deepEqual([error.code, error.data, error.retryAfter], ['api_error', { status }, retryAfter]);
    if (typeof message === 'string') assert.equal(error.message, message);
    else assert.match(error.message, message);
  }
  service.reply = plain(404, '<html>Not Found</html>');
  assert.equal(await client.items.get(3), null);

  const inAMinute = new Date(Date.now() + 60_000).toUTCString();
  service.reply = json(503, { detail: 'Busy' }, { 'Retry-After': inAMinute });
  const { retryAfter } = await failure(client.items.get(3));
  assert(retryAfter! > 0 && retryAfter! <= 60, `${retryAfter}`);
});

test('redirects are not followed, so that credentials stay where they were meant to go', async () => {
  await using service = await startRecorder();
  await using elsewhere = await startRecorder();
  const client = createClient({ ...secrets, baseUrl: service.url, env: {} });
  for (const status of [301, 302, 303, 307, 308]) {
    service.reply = plain(status, '', { location: `${elsewhere.url}/login` });
    const error = await failure(client.registries.create({ title: 'Ann & Bob' }));
    assert.equal(error.code, 'api_error');
    assert.deepEqual(error.data, { status });
    assert.match(error.message, /redirect/);
  }
  assert.equal(elsewhere.requests.length, 0);
});

test('a service that cannot be reached, or breaks off, is api_unreachable', async () => {
  await using service = await startRecorder();
  const gone = await startRecorder();
  await gone[Symbol.asyncDispose]();
  const refused = await failure(createClient({ ...secrets, baseUrl: gone.url, env: {} }).items.get(3));
  assert.equal(refused.code, 'api_unreachable');
  assert.deepEqual(refused.data, {});
  assert.match(inspect(refused), /ECONNREFUSED/, 'the cause is kept for the log');

  const client = createClient({ ...secrets, baseUrl: service.url, env: {} });
  const breakOff: Reply[] = [
    (response) => response.destroy(),
    (response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('{"data":', () => response.destroy());
    },
  ];
  for (const reply of breakOff) {
    service.reply = reply;
    assert.equal((await failure(client.items.get(3))).code, 'api_unreachable');
  }
});

test('10 seconds are the limit, of the headers and of the body', async (t) => {
  await using service = await startRecorder();
  const real = AbortSignal.timeout;
  const limits: number[] = [];
  t.mock.method(AbortSignal, 'timeout', (ms: number) => {
    limits.push(ms);
    return real.call(AbortSignal, 50);
  });
  const client = createClient({ ...secrets, baseUrl: service.url, env: {} });
  const stall: Reply[] = [() => {}, (response) => response.writeHead(200).write('{"data":')];
  const { signal } = new AbortController();
  for (const reply of stall) {
    for (const options of [{}, { signal }]) {
      service.reply = reply;
      const error = await failure(client.items.get(3, options));
      assert.equal(error.code, 'api_timeout');
      assert.deepEqual(error.data, {});
      assert.match(error.message, /10 seconds/);
    }
  }
  assert.deepEqual(limits, Array(4).fill(10_000));
});

test("the caller's own signal ends a call with its own reason", async () => {
  await using service = await startRecorder();
  const client = createClient({ ...secrets, baseUrl: service.url, env: {} });
  const controller = new AbortController();
  const reason = new Error('The visitor left');
  service.reply = () => controller.abort(reason);
  const { signal } = controller;
  await assert.rejects(client.items.update(3, {}, { signal }), (error) => error === reason);
  await assert.rejects(client.items.list({ signal, limit: 1 }), (error) => error === reason);
  await assert.rejects(client.items.getMany([1, 2], { signal }), (error) => error === reason);
  const urls = service.requests.map(({ url }) => url);
  assert.deepEqual(urls, ['/items/3'], 'an ended signal sends nothing');
});
