import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { text } from 'node:stream/consumers';
import { test as nodeTest, type TestContext } from 'node:test';
import { connect as connectTls, type SecureVersion } from 'node:tls';
import { listen } from '../../api/test/listen.ts';
import { partsOf, startTestService } from '../../api/test/support.ts';
import { ADDRESS, type GatewayResponse, skipWithoutNginx, startGateway } from './gateway.ts';

const KEY = '1f'.repeat(32);
const NEXT_KEY = '2e'.repeat(32);
const keyed = { 'x-api-key': KEY };

const skip = skipWithoutNginx();
const test = (name: string, work: (t: TestContext) => Promise<void>) =>
  nodeTest(name, { skip, timeout: 120_000 }, work);

async function serviceBehindGateway(t: TestContext, env: Record<string, string> = {}, sites: string[] = []) {
  const parts = partsOf(t);
  const settings = { APP_ENV: 'local', TRUST_PROXY: '127.0.0.1', ...env };
  const service = parts.use(await startTestService(settings));
  const gateway = parts.use(await startGateway({ upstream: service.url, keys: [KEY], sites }));
  return { service, gateway, signedIn: { ...keyed, authorization: service.authorization('alice') } };
}

/** Starts a server that records the requests that the gateway forwards. */
async function anyUpstream(t: TestContext, answer: RequestListener) {
  const parts = partsOf(t);
  const seen: IncomingMessage[] = [];
  const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
    seen.push(request);
    answer(request, response);
  });
  const upstream = parts.use(await listen(server));
  const gateway = parts.use(await startGateway({ upstream: upstream.url, keys: [KEY] }));
  return { gateway, seen };
}

function isRefusal({ status, headers, body }: GatewayResponse, expected: number, detail: RegExp): void {
  assert.equal(status, expected, body);
  assert.equal(headers['content-type'], 'application/json; charset=utf-8');
  const parsed = JSON.parse(body);
  assert.deepEqual(Object.keys(parsed), ['detail']);
  assert.match(parsed.detail, detail);
  assert.match(headers['x-request-id'] ?? '', /^[\w.:-]{1,128}$/);
  assert.equal(headers['strict-transport-security'], 'max-age=31536000');
  assert.equal(headers.server, 'nginx');
}

test('the gateway passes on only the two open paths without a key', async (t) => {
  const { gateway, seen } = await anyUpstream(t, (_request, response) => response.end('{}'));

  const closed = '/items /registries/5/invitees /health/ /healthz /HEALTH /docs /x?y=/';
  for (const path of closed.split(' '))
    for (const headers of [{}, { 'x-api-key': '' }, { 'x-api-key': NEXT_KEY }, { 'x-api-key': `${KEY}0` }])
      isRefusal(await gateway.ask(path, { headers }), 403, /x-api-key/);
  isRefusal(await gateway.ask('/items', { method: 'OPTIONS' }), 403, /x-api-key/);
  assert.deepEqual(seen, []);

  for (const path of ['/', '/health', '/health?probe=1']) assert.equal((await gateway.ask(path)).status, 200);
  assert.equal((await gateway.ask('/items', { headers: keyed })).status, 200);
  assert.equal(seen.map(({ url }) => url).join(' '), '/ /health /health?probe=1 /items');

  // A path that folds to an open one reaches only the open one.
  seen.length = 0;
  for (const path of ['/items/../health', '/registries/5/invitees/..%2f..%2f..', '//health', '/%68ealth'])
    await gateway.ask(path, { method: 'DELETE' });
  assert.equal(seen.map(({ url }) => url).join(' '), '/health / /health /health');
});

test('the service answers through the gateway: sign-in, items, ETags that stay strong', async (t) => {
  const { gateway, signedIn } = await serviceBehindGateway(t);
  const json = { ...signedIn, 'content-type': 'application/json', 'accept-encoding': 'gzip' };

  const stranger = await gateway.ask('/items', { headers: keyed });
  assert.equal(stranger.status, 401);
  assert.match(stranger.headers['www-authenticate'] ?? '', /Basic/);

  const body = JSON.stringify({ registry_id: 1, name: 'Teapot', url: 'https://shop.example/teapot' });
  const created = await gateway.ask('/items', { method: 'POST', headers: json, body });
  assert.equal(created.status, 201, created.body);
  const { id } = JSON.parse(created.body).data;

  const read = await gateway.ask(`/items/${id}`, { headers: json });
  assert.equal(read.headers['content-encoding'], undefined);
  assert.match(read.headers.etag ?? '', /^"/);

  const known = { ...signedIn, 'if-none-match': read.headers.etag! };
  assert.equal((await gateway.ask(`/items/${id}`, { headers: known })).status, 304);
  const matching = { ...json, 'if-match': read.headers.etag! };
  const change = { method: 'PUT', body: '{"quantity_purchased":1}', headers: matching };
  for (const status of [200, 412]) assert.equal((await gateway.ask(`/items/${id}`, change)).status, status);
});

test("a browser's preflight needs no key, the request after it does", async (t) => {
  const origin = 'https://site.example';
  const { gateway } = await serviceBehindGateway(t, { CORS_ORIGINS: origin });
  const asked = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'x-api-key' };
  const preflight = { origin, ...asked };
  const allowed = await gateway.ask('/items', { method: 'OPTIONS', headers: preflight });
  assert.equal(allowed.status, 204);
  assert.equal(allowed.headers['access-control-allow-origin'], origin);
  isRefusal(await gateway.ask('/items', { headers: preflight }), 403, /x-api-key/);
});

test('the service is told the true address and the request id, and never the key', async (t) => {
  const { gateway, seen } = await anyUpstream(t, (_request, response) => response.end('{}'));
  const forged = { 'x-forwarded-for': '198.51.100.1', forwarded: 'for=198.51.100.1' };
  const more = { 'x-forwarded-host': 'elsewhere.example', 'x-forwarded-proto': 'http' };
  const own = { ...keyed, 'x-request-id': 'abc-1', [ADDRESS]: '203.0.113.9' };
  await gateway.ask('/items', { headers: { ...forged, ...more, ...own } });
  const { headers } = seen[0]!;
  assert.equal(headers['x-forwarded-for'], '203.0.113.9');
  assert.equal(headers['x-forwarded-proto'], 'https');
  assert.equal(headers['x-request-id'], 'abc-1');
  for (const name of ['x-api-key', 'forwarded', 'x-forwarded-host'])
    assert.equal(headers[name], undefined, name);
});

test('every answer carries a request id: the caller’s if it is well-formed, else a new one', async (t) => {
  const { service, gateway } = await serviceBehindGateway(t);
  const kept = ['order-7:a.B_c', 'x'.repeat(128)];
  for (const given of [...kept, 'x'.repeat(129), 'with space', 'a"b', ''])
    for (const key of [keyed, {}]) {
      const { headers } = await gateway.ask('/items', { headers: { ...key, 'x-request-id': given } });
      if (kept.includes(given)) assert.equal(headers['x-request-id'], given);
      else assert.match(headers['x-request-id'] ?? '', /^[0-9a-f]{32}$/);
    }

  const { headers } = await gateway.ask('/items', { headers: keyed });
  const id = headers['x-request-id']!;
  assert.ok(service.log.some((line) => JSON.parse(line).request === id));
  const lines = (await gateway.accessLog(id)).trimEnd().split('\n');
  const line = lines.map((one) => JSON.parse(one)).find(({ request }) => request === id);
  assert.equal(line.status, 401);
  assert.equal(line.method, 'GET');
});

test('the access log has no invitee’s address, no credential and no key', async (t) => {
  const { gateway, signedIn } = await serviceBehindGateway(t);
  const path = '/registries/1/invitees/guest%40example.test?also=guest@example.test';
  const headers = { ...signedIn, cookie: 'session=hush', referer: 'https://secret.example' };
  await gateway.ask(path, { method: 'DELETE', headers });
  const log = await gateway.accessLog('"method":"DELETE","status":404');
  for (const secret of ['guest', KEY, signedIn.authorization.slice(6), 'hush', 'secret'])
    assert.ok(!log.includes(secret), secret);
});

test('requests that are too large, too long or no HTTP are refused in the envelope', async (t) => {
  const { gateway, signedIn } = await serviceBehindGateway(t);
  const MIB = 1024 * 1024;
  const post = { method: 'POST', headers: { ...signedIn, 'content-type': 'application/json' } };
  const chunked = { ...post, headers: { ...post.headers, 'transfer-encoding': 'chunked' } };

  // The largest allowed body reaches the service, which alone can tell that it isn't an item.
  const largest = await gateway.ask('/items', { ...post, body: `"${'x'.repeat(MIB - 2)}"` });
  assert.equal(largest.status, 422, largest.body);
  isRefusal(await gateway.ask('/items', { ...post, body: Buffer.alloc(MIB + 1, ' ') }), 413, /1 MiB/);
  isRefusal(await gateway.ask('/items', { ...chunked, body: Buffer.alloc(MIB + 1, ' ') }), 413, /1 MiB/);
  isRefusal(await gateway.ask(`/${'x'.repeat(9_000)}`, { headers: keyed }), 414, /too long/);
  const large = { ...keyed, cookie: 'x'.repeat(9_000) };
  isRefusal(await gateway.ask('/items', { headers: large }), 431, /too large/);
  const many = Object.fromEntries(Array.from({ length: 4 }, (_, i) => [`x-${i}`, 'x'.repeat(6_000)]));
  isRefusal(await gateway.ask('/items', { headers: { ...keyed, ...many } }), 431, /too large/);
  isRefusal(await gateway.ask('/items', { method: 'TRACE' }), 405, /Method/);
  isRefusal(await gateway.ask('/refused'), 404, /Not found/);
  isRefusal(await gateway.ask('/%'), 400, /HTTP/);
  await gateway.ask('/health', { headers: { 'x-request-id': 'last' } });
  // The service would send the same error, but no request may reach it.
  const log = await gateway.accessLog('"request":"last"');
  for (const status of [413, 431])
    assert.match(log, new RegExp(`"status":${status},.*"upstream_status":""`), String(status));
  assert.doesNotMatch(log, /"upstream_status":"4[13]/);

  for (const [raw, secure] of [
    ['nonsense\r\n\r\n', true],
    ['GET /health HTTP/1.1\r\n\r\n', true],
    ['GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n', false],
  ] as const) {
    const socket = secure
      ? connectTls({ port: gateway.port, ca: gateway.ca, servername: 'localhost' })
      : connectTcp(gateway.port);
    socket.end(raw);
    const answer = await text(socket);
    assert.match(answer, /^HTTP\/1\.1 400 .*\{"detail":"Not a valid HTTP request"\}/s, raw);
    assert.match(answer, /^server: nginx\r$/im);
  }
});

test('a caller over the limit is told to wait; others are not delayed', async (t) => {
  const { gateway } = await serviceBehindGateway(t, {}, ['203.0.113.80']);
  const many = (count: number, address: (i: number) => string) =>
    gateway.askOften(count, '/health', (i) => ({ [ADDRESS]: address(i) }));
  const refused = (answers: GatewayResponse[]) => answers.filter(({ status }) => status !== 200);

  const greedy = refused(await many(250, () => '203.0.113.1'));
  assert.ok(greedy.length > 50, `${greedy.length} refused`);
  for (const answer of greedy) {
    isRefusal(answer, 429, /Too many requests/);
    assert.equal(answer.headers['retry-after'], '1');
  }
  assert.deepEqual(refused(await many(20, () => '203.0.113.2')), []);
  // A site calls on behalf of all its visitors.
  assert.deepEqual(refused(await many(250, () => '203.0.113.80')), []);
  // All addresses of one household count as one caller, but different households don't.
  assert.ok(refused(await many(250, (i) => `2001:db8:0:7:${i.toString(16)}::1`)).length > 50);
  assert.ok(refused(await many(250, (i) => `2001:db8::${(i + 1).toString(16)}:2:3:4`)).length > 50);
  assert.deepEqual(refused(await many(250, (i) => `2001:db8:1:${i.toString(16)}::1`)), []);
});

test('one address has a limited number of requests under way', async (t) => {
  const waiting: ServerResponse[] = [];
  let enough = false;
  const answerAll = () => {
    for (const response of waiting.splice(0)) response.end('{}');
  };
  const { gateway } = await anyUpstream(t, (_request, response) => {
    // One more than allowed arrived: there is no limit, so the test need not wait.
    if (waiting.push(response) > 50) enough = true;
    if (enough) answerAll();
  });
  let refused = 0;
  const answers = await Promise.all(
    Array.from({ length: 60 }, async () => {
      const answer = await gateway.ask('/items', { headers: keyed });
      if (answer.status === 429 && ++refused === 10) {
        enough = true;
        answerAll();
      }
      return answer;
    }),
  );
  const over = answers.filter(({ status }) => status !== 200);
  assert.equal(over.length, 10);
  for (const answer of over) isRefusal(answer, 429, /Too many requests/);
});

test("the service's own Retry-After is not doubled", async (t) => {
  const { gateway } = await anyUpstream(t, (request, response) => {
    response.writeHead(Number(request.url?.slice(1)), { 'retry-after': '77' }).end('{"detail":"wait"}');
  });
  for (const status of [429, 503]) {
    const answer = await gateway.ask(`/${status}`, { headers: keyed });
    const { headers, body } = answer;
    assert.deepEqual([answer.status, headers['retry-after'], body], [status, '77', '{"detail":"wait"}']);
  }
});

test('TLS 1.2, TLS 1.3 and HTTP/2 work, older TLS is refused', async (t) => {
  const { gateway, signedIn } = await serviceBehindGateway(t);
  const handshake = async (version: SecureVersion) => {
    const { port, ca } = gateway;
    // Otherwise the client would refuse before nginx can.
    const weak = { minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' };
    const socket = connectTls({ port, ca, servername: 'localhost', ...weak });
    try {
      await once(socket, 'secureConnect');
      return socket.getProtocol();
    } catch (error) {
      return (error as NodeJS.ErrnoException).code;
    } finally {
      socket.destroy();
    }
  };
  assert.equal(await handshake('TLSv1.1'), 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION');
  assert.equal(await handshake('TLSv1.2'), 'TLSv1.2');
  assert.equal(await handshake('TLSv1.3'), 'TLSv1.3');

  const session = connectHttp2(gateway.url, { ca: gateway.ca });
  const over2 = async (path: string, headers: Record<string, string>) => {
    const stream = session.request({ ':path': path, ...headers });
    const [answered] = await once(stream, 'response');
    return { status: answered[':status'], headers: answered, body: await text(stream) };
  };
  isRefusal(await over2('/items', {}), 403, /x-api-key/);
  assert.equal((await over2('/items', signedIn)).status, 200);
  session.close();
});

test('a key is replaced without an outage', async (t) => {
  const { gateway, signedIn } = await serviceBehindGateway(t, {}, ['127.0.0.1']);
  const ask = (key: string) => gateway.ask('/items', { headers: { ...signedIn, 'x-api-key': key } });

  const answers = new Set<unknown>();
  let sent = 0;
  /** Four callers that use this key while the keys are replaced. */
  const whileReplaced = async (key: string, keys: string[]) => {
    let isDone = false;
    const callers = Array.from({ length: 4 }, async () => {
      for (; !isDone; sent++) answers.add(await ask(key).then(({ status }) => status, String));
    });
    await gateway.setKeys(keys);
    await gateway.reload();
    isDone = true;
    await Promise.all(callers);
  };
  assert.equal((await ask(NEXT_KEY)).status, 403);
  await whileReplaced(KEY, [KEY, NEXT_KEY]);
  await whileReplaced(NEXT_KEY, [NEXT_KEY]);
  isRefusal(await ask(KEY), 403, /x-api-key/);
  assert.deepEqual([...answers], [200]);
  assert.ok(sent > 8, `${sent} requests`);
});

test('the gateway says when the service is away, and finds it again', async () => {
  const service = await startTestService();
  const { port } = new URL(service.url);
  await using gateway = await startGateway({ upstream: service.url, keys: [KEY] });
  assert.equal((await gateway.ask('/health')).status, 200);

  await service.close();
  for (const path of ['/health', '/items']) {
    const answer = await gateway.ask(path, { headers: keyed });
    isRefusal(answer, 502, /cannot be reached/);
    assert.equal(answer.headers['retry-after'], '5');
  }
  await using _again = await startTestService({ PORT: port });
  assert.equal((await gateway.ask('/health')).status, 200);
});
