// @again postgres
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { until } from '../../dev/until.ts';
import { isWellFormed } from './answers.ts';
import { startHostProxy } from './host-proxy.ts';
import { rawCall } from './raw-http.ts';
import { authorization, manualClock, memoryHost, startTestService, type TestService } from './support.ts';

const head = (line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, 'host: x', `authorization: ${authorization('alice')}`, ...headers, ''].join('\r\n');
// Complete but for its body, which is announced and never comes.
const bodiless = `${head('POST /items', 'content-type: application/json', 'content-length: 9')}\r\n`;

/** So many requests without their bodies; they hang up before the service ends, which would wait for them. */
async function openMany({ url }: TestService, count: number) {
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: count }, () => connect(Number(port), hostname).on('error', () => {}));
  for (const socket of sockets) socket.write(bodiless);
  const close = async () => sockets.forEach((socket) => void socket.destroy());
  return { sockets, [Symbol.asyncDispose]: close };
}

describe('overload', () => {
  async function refuses(service: TestService): Promise<boolean> {
    const response = await service.fetch('/items', { as: 'alice' });
    const text = await response.text();
    if (response.status === 200) return false;
    const { status, headers } = response;
    isWellFormed({ status, headers, text, body: JSON.parse(text) });
    assert.deepEqual([status, JSON.parse(text)], [503, { detail: 'Too many requests at once' }]);
    assert.equal(headers.get('retry-after'), '1');
    return true;
  }
  const isHealthy = async (service: TestService) => (await service.fetch('/health')).status === 200;

  it('is refused where it is requests at once; health answers all the while, and all do once they are fewer', async () => {
    await using service = await startTestService({}, { limits: { http: { pressure: { running: 200 } } } });
    await using senders = await openMany(service, 200);
    await until('the 201st is refused', () => refuses(service));
    assert.ok(await isHealthy(service));
    // One after another, and whole: those who hang up and those who end both make room.
    senders.sockets.pop()!.end('{"a": 1}\n');
    senders.sockets.pop()!.destroy();
    await until('there is room again', async () => !(await refuses(service)));
    await senders[Symbol.asyncDispose]();
    for (let i = 0; i < 3; i++) assert.equal(await refuses(service), false);
  });

  it('is refused where it is work for the process, until it has caught up', async () => {
    // A second passes from each look at this clock to the next while the process is late, and otherwise no time at all.
    let now = 0;
    let looks = 0;
    let isLate = false;
    const steady = () => {
      looks++;
      if (isLate) now += 1_000;
      return now;
    };
    const pressure = { delayMs: 500, lookEveryMs: 5 };
    await using service = await startTestService({}, { clock: { steady }, limits: { http: { pressure } } });
    assert.equal(await refuses(service), false);
    isLate = true;
    const from = looks;
    await until('the process has looked at the clock', () => looks > from + 10);
    assert.equal(await refuses(service), false, 'a few are none too many');
    // More than the hundred that it keeps: the answer before may still count as one when these arrive.
    await using _senders = await openMany(service, 110);
    await until('a late process turns requests away', () => refuses(service));
    assert.ok(await isHealthy(service));
    isLate = false;
    await until('it takes them again', async () => !(await refuses(service)));
  });

  it('is refused where too many wait for a silent host; requests that need no host go on', async () => {
    await using host = await memoryHost();
    await using proxy = await startHostProxy(host.url);
    const settings = { HOST_URL: proxy.url, DATABASE_URL: 'sqlite::memory:' };
    const clock = manualClock();
    await using service = await startTestService(settings, { clock, limits: { host: { pending: 100 } } });
    const get = (id: number) => service.fetch(`/registries/${id}`, { as: 'alice' });
    assert.equal((await get(999_999)).status, 404);
    const held = proxy.hold(({ path }) => path.includes('/registry/'));
    let answered = 0;
    const asking = Array.from({ length: 110 }, async (_, i) => {
      const response = await get(i + 1);
      answered++;
      return `${response.status} ${response.headers.get('retry-after')} ${await response.text()}`;
    });
    await held.reached;
    assert.equal((await service.fetch('/items', { as: 'alice' })).status, 200);
    await until('the host has as many requests as it may', () => answered === 10);
    clock.advance(50_000);
    assert.deepEqual([...new Set(await Promise.all(asking))].sort(), [
      '503 5 {"detail":"The registry host is too busy"}',
      '504 null {"detail":"The registry host did not answer in time"}',
    ]);
    held.release();
    assert.equal((await get(999_998)).status, 404, 'it recovers by itself');
  });
});

describe('slow senders', { concurrency: true }, () => {
  // A busy process may take a moment from a connection to its first bytes.
  const senders = { headMs: 1_000, requestMs: 2_000, lookEveryMs: 50 };
  let service: TestService;
  before(async () => {
    service = await startTestService({}, { limits: { http: { senders } } });
  });
  after(() => service.close());

  for (const [what, bytes, limit] of [
    ['say nothing', '', senders.headMs],
    ['do not finish their headers', head('GET /items'), senders.headMs],
    ['do not send their body', bodiless, senders.requestMs],
  ] as const) {
    it(`are ended after their time when they ${what}`, async () => {
      const since = performance.now();
      const answer = await rawCall(service.url, bytes);
      const taken = performance.now() - since;
      assert.ok(answer, 'they are told why');
      assert.deepEqual([answer.status, answer.body], [408, { detail: 'The request took too long' }]);
      isWellFormed(answer);
      assert.ok(taken > limit * 0.9, `after ${taken} ms`);
    });
  }

  it('are told how long a connection is kept for them', async () => {
    await using service = await startTestService();
    assert.equal((await service.fetch('/health')).headers.get('keep-alive'), 'timeout=75');
  });
});
