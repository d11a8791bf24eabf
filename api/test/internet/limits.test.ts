// @slow
// @never workers: real processes have the limits that ship, which a busy machine reaches
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { until } from '../../../dev/until.ts';
import { pipelined } from '../raw-http.ts';
import { authorization, type Name, partsOf, startTestService, type TestService } from '../support.ts';
import { EVERYWHERE, sellsPan, startShop } from './shop-server.ts';

async function start(t: TestContext, answer: Parameters<typeof startShop>[0]) {
  const parts = partsOf(t);
  const clock = { now: 1_000_000 };
  const shop = parts.use(await startShop(answer));
  const options = { clock: { steady: () => clock.now } };
  const service = parts.use(await startTestService({ LOOKUP_ALLOW: shop.host }, options));
  return { clock, shop, service };
}

const ask = ({ fetch }: TestService, url: string, as: Name = 'alice', language = '') =>
  fetch('/lookups', { method: 'POST', as, json: { url }, headers: { 'accept-language': language } });

it('one caller’s many hanging pages don’t delay another’s first', async () => {
  const hanging: (() => void)[] = [];
  await using shop = await startShop((request, response) => {
    const page = () => sellsPan(request, response);
    if (request.url?.startsWith('/hangs')) hanging.push(page);
    else page();
  }, EVERYWHERE);
  // Each address of this machine is a shop of its own.
  const hosts = Array.from({ length: 52 }, (_, n) => `127.0.1.${n + 1}:${shop.port}`);
  await using service = await startTestService({ LOOKUP_ALLOW: hosts.join(',') });
  const lookUp = async (url: string, person: string) => {
    const headers = { 'trousseau-for': person };
    const answer = await service.fetch('/lookups', { method: 'POST', as: 'admin', json: { url }, headers });
    return ((await answer.json()) as { problem: { code: string } | null }).problem?.code ?? 'its fields';
  };
  let settled = 0;
  const flood = hosts.slice(0, 40).map(async (host) => {
    await lookUp(`http://${host}/hangs`, 'one');
    settled++;
  });
  await until('eight pages hang', () => hanging.length >= 8);
  const others = hosts.slice(40).map((host, n) => lookUp(`http://${host}/pan`, `other-${n}`));
  assert.deepEqual(await Promise.all(others), Array(12).fill('its fields'));
  assert.equal(settled, 0, 'while those of the one still hang');
  const open = setInterval(() => {
    for (const page of hanging.splice(0)) page();
  }, 10);
  await Promise.all(flood);
  clearInterval(open);
});

describe('limits of lookups', () => {
  it('a caller may ask 30 times a minute, and is told when to come again', async (t) => {
    const { service, shop, clock } = await start(t, sellsPan);
    for (let times = 0; times < 30; times++) {
      assert.equal((await ask(service, `${shop.url}/pan`)).status, 200);
      clock.now += 1_000;
    }
    const refused = await ask(service, `${shop.url}/pan`);
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get('retry-after'), '30');
    assert.equal((await ask(service, `${shop.url}/pan`, 'bob')).status, 200, 'others are not held up');
    clock.now += 29_999;
    assert.equal((await ask(service, `${shop.url}/pan`)).status, 429);
    clock.now += 1;
    assert.equal((await ask(service, `${shop.url}/pan`)).status, 200);
    assert.equal((await ask(service, `${shop.url}/pan`)).status, 429);
  });

  it('an admin may ask 600 times a minute', async (t) => {
    const it = await start(t, sellsPan);
    const body = JSON.stringify({ url: `${it.shop.url}/pan` });
    const head = ['POST /lookups HTTP/1.1', 'host: x', `authorization: ${authorization('admin')}`];
    const lines = [...head, 'content-type: application/json', `content-length: ${body.length}`];
    const requests = Array.from({ length: 600 }, () => [...lines, '', body].join('\r\n'));
    requests.push([...lines, 'connection: close', '', body].join('\r\n'));
    assert.deepEqual(await pipelined(it.service.url, requests), [...Array(600).fill(200), 429]);
  });

  it('the same address is fetched once in ten minutes, for all callers, also simultaneous ones', async (t) => {
    let visits = 0;
    const { service, shop, clock } = await start(t, (...request) => {
      visits++;
      sellsPan(...request);
    });
    const answers = await Promise.all(
      (['alice', 'bob', 'carol', 'alice'] as const).map((name) => ask(service, `${shop.url}/pan`, name)),
    );
    const bodies = await Promise.all(answers.map((answer) => answer.json()));
    assert.equal(visits, 1);
    for (const body of bodies) assert.deepEqual(body, bodies[0]);
    clock.now += 599_000;
    const marked = (await (await ask(service, `${shop.url}/pan#blue`)).json()) as { url: string };
    assert.equal(visits, 1, 'what stands behind # makes no other page');
    assert.equal(marked.url, `${shop.url}/pan#blue`);
    clock.now += 1_001;
    await ask(service, `${shop.url}/pan`);
    assert.equal(visits, 2);
    await ask(service, `${shop.url}/pan`, 'alice', 'de');
    assert.equal(visits, 3, 'in another language it is another page');
  });

  it('a shop’s refusal is cached, a missing answer is not', async (t) => {
    let visits = 0;
    const it = await start(t, (request, response) => {
      visits++;
      if (request.url === '/wall') response.writeHead(403).end();
      else response.destroy();
    });
    for (let times = 0; times < 2; times++) await ask(it.service, `${it.shop.url}/wall`);
    assert.equal(visits, 1);
    for (let times = 0; times < 2; times++) await ask(it.service, `${it.shop.url}/gone`);
    assert.equal(visits, 3);
  });

  it('a shop is asked for two pages at a time, the others wait', async (t) => {
    const open: (() => void)[] = [];
    let most = 0;
    let opened = () => {};
    const { service, shop } = await start(t, (...request) => {
      open.push(() => sellsPan(...request));
      most = Math.max(most, open.length);
      opened();
    });
    const answers = Promise.all(
      Array.from({ length: 6 }, (_, at) => ask(service, `${shop.url}/${at}`).then((answer) => answer.json())),
    );
    for (let answered = 0; answered < 6; ) {
      while (open.length < Math.min(2, 6 - answered))
        await new Promise<void>((resolve) => (opened = resolve));
      open.shift()!();
      answered++;
    }
    for (const answer of (await answers) as { name: string }[]) assert.equal(answer.name, 'Kupferpfanne');
    assert.equal(most, 2);
  });

  it('sends its name and the caller’s language, and nothing else', async (t) => {
    let heard: Record<string, unknown> = {};
    const it = await start(t, (request, response) => {
      heard = request.headers;
      sellsPan(request, response.setHeader('set-cookie', 'a=b'));
    });
    await ask(it.service, `${it.shop.url}/pan`, 'alice', 'de-AT,de;q=0.8');
    const { 'user-agent': agent, 'accept-language': language, host, ...rest } = heard;
    assert.match(String(agent), /^Mozilla\/5\.0 \(compatible; Trousseau\/\d+\.\d+\.\d+/);
    assert.equal(language, 'de-AT,de;q=0.8');
    assert.equal(host, it.shop.host);
    assert.deepEqual(Object.keys(rest).sort(), ['accept', 'accept-encoding', 'connection']);
  });

  it('stores nothing, and answers 404 when switched off', async () => {
    await using off = await startTestService({ LOOKUPS: 'off' });
    assert.equal((await ask(off, 'https://shop.example/pan')).status, 404);
  });
});
