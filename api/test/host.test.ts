// @slow
// @never workers: each process looks for the REST root itself, and notices for itself that it has moved
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { after, describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { until } from '../../dev/until.ts';
import type { Options } from '../src/app/service.ts';
import {
  basic,
  type HostRequest,
  PASSWORD,
  post,
  refuse,
  sendHtml,
  sendJson,
  startFakeHost,
} from './fake-host.ts';
import { listen } from './listen.ts';
import { manualClock, startTestService } from './support.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const UNUSABLE = 'The registry host gave an answer that cannot be used';
const UNREACHABLE = 'The registry host cannot be reached';
const LATE = 'The registry host did not answer in time';

/** The service with every cache off, and the ways in which it needs its host. */
async function startService(hostUrl: string, options: Pick<Options, 'clock' | 'limits'> = {}) {
  const settings = { HOST_URL: hostUrl, AUTH_CACHE_TTL: '0', REGISTRY_CACHE_TTL: '0' };
  const service = await startTestService(settings, options);
  const answers: string[] = [];
  const send = async (path: string, method = 'GET', json?: unknown) => {
    const answer = await service.fetch(path, { method, json, headers: { authorization: basic('alice') } });
    const text = await answer.text();
    answers.push(text, ...[...answer.headers].flat());
    return { status: answer.status, headers: answer.headers, body: text && JSON.parse(text) };
  };
  return {
    send,
    log: () => service.log.join(''),
    async [Symbol.asyncDispose]() {
      await service.close();
      // Credentials are in no line of the log and in no answer, whatever happened.
      const said = answers.join('\n') + service.log.join('');
      for (const secret of [PASSWORD, 'ijkl', basic('alice').slice('Basic '.length)])
        assert.ok(!said.includes(secret), `"${secret}" has been given away`);
    },
  };
}

type Send = Awaited<ReturnType<typeof startService>>['send'];
type Way = { needs: (request: HostRequest) => boolean; use: (send: Send) => ReturnType<Send> };

const link = { affiliate_url: 'https://partner.example' };
const gift = { name: 'Copper kettle', url: 'https://shop.example/kettle' };
const isPost = ({ method, path }: HostRequest) => method === 'POST' && /v2\/registry/.test(path);
const isList = ({ method, path }: HostRequest) => method === 'GET' && /registry\?/.test(path);
const isRead = ({ method, path }: HostRequest) => method === 'GET' && /registry\/7\?/.test(path);

const ways: Record<string, Way> = {
  'signing in': { needs: ({ path }) => path.includes('users/me'), use: (send) => send('/items') },
  'listing registries': { needs: isList, use: (send) => send('/registries') },
  'reading a registry': { needs: isRead, use: (send) => send('/registries/7') },
  'listing items': { needs: isRead, use: (send) => send('/registries/7/items') },
  'adding an item': { needs: isRead, use: (send) => send('/registries/7/items', 'POST', gift) },
  'creating a registry': { needs: isPost, use: (send) => send('/registries', 'POST', { title: 'New' }) },
  inviting: { needs: isPost, use: (send) => send('/registries/7/invitees', 'POST', { invitees: ['bob'] }) },
  'changing a registry': { needs: isPost, use: (send) => send('/registries/7', 'PATCH', { title: 'New' }) },
  'taking an item off': { needs: isRead, use: (send) => send('/registries/7/items/1', 'DELETE') },
  'setting a link': { needs: isRead, use: (send) => send('/registries/7/items/1/affiliate', 'PUT', link) },
  'reading a link': { needs: isRead, use: (send) => send('/registries/7/items/1/affiliate') },
  deleting: { needs: ({ method }) => method === 'DELETE', use: (send) => send('/registries/7', 'DELETE') },
};

/** One way for each kind of answer that is read: other ways read the same ones. */
const READ = ['signing in', 'listing registries', 'reading a registry', 'creating a registry'];

const TOO_MANY_BYTES = 9 * 1024 * 1024;

const destroy = (response: ServerResponse) => void response.socket?.destroy();
const jsonOf = (body: unknown) => (response: ServerResponse) => void sendJson(response, 200, body);
const raw = (status: number, headers: Record<string, string>, body: string) => (response: ServerResponse) =>
  void response.writeHead(status, headers).end(body);

const endless = (response: ServerResponse) => {
  response.writeHead(200, JSON_TYPE).write('[');
  response.end(`${'"x",'.repeat(TOO_MANY_BYTES / 4)}1]`);
};

type Outage = [what: string, does: (response: ServerResponse) => void, detail?: string];
/** Those that a request might take for an answer of its own. */
const outages: Outage[] = [
  ['resets the connection', destroy, UNREACHABLE],
  ['fails with JSON', (response) => void refuse(response, 500, 'internal_server_error')],
  ['answers with a page of HTML', (response) => void sendHtml(response, 200)],
  ['asks for a login with a page of HTML', (response) => void sendHtml(response, 401)],
  ['is shut by a firewall', (response) => void sendHtml(response, 403)],
  ['has lost its REST API', (response) => void sendHtml(response, 404)],
  ['knows no such route', (response) => void refuse(response, 404, 'rest_no_route')],
  ['answers 204', raw(204, {}, '')],
];
const unreadable: Outage[] = [
  [
    'breaks off in the middle of the body',
    (response) => {
      response.writeHead(200, { ...JSON_TYPE, 'content-length': '1000' }).write('{"id":1,');
      setImmediate(() => response.socket?.destroy());
    },
    UNREACHABLE,
  ],
  ['fails with a page of HTML', (response) => void sendHtml(response, 500)],
  ['is down for maintenance', (response) => void sendHtml(response, 503)],
  ['truncates its JSON', raw(200, JSON_TYPE, '{"id":1,"username":"al')],
  ['puts a warning before its JSON', raw(200, JSON_TYPE, '<br /><b>Warning</b>: oops<br />{"id":1}')],
  ['sends JSON as text', raw(200, { 'content-type': 'text/plain' }, '{"id":1}')],
  ['sends no type', raw(200, {}, '{"id":1}')],
  ['sends nothing', raw(200, JSON_TYPE, '')],
  ['redirects', raw(302, { location: '/wp-json/elsewhere' }, '')],
  ['sends more than anybody can want', endless],
  ...[null, [], {}, 'text', 12, true, [[]], [null]].map(
    (body): Outage => [`answers ${JSON.stringify(body)}`, jsonOf(body)],
  ),
];

function assertOutage(answer: Awaited<ReturnType<Send>>, status: number, detail: string, where: string) {
  assert.equal(answer.status, status, where);
  assert.deepEqual(answer.body, { detail }, where);
  assert.equal(answer.headers.get('www-authenticate'), null);
}

const host = await startFakeHost();
const service = await startService(host.url);
after(async () => {
  await service[Symbol.asyncDispose]();
  await host.close();
});

describe('a broken host', () => {
  for (const outage of [...outages, ...unreadable]) {
    const [what, does, detail = UNUSABLE] = outage;
    const asked = outages.includes(outage) ? Object.keys(ways) : READ;
    it(`and ${what} is reported as that, whatever is asked`, async () => {
      for (const name of asked) {
        const { needs, use } = ways[name]!;
        const before = structuredClone(host.posts);
        host.misbehave = (request, response, usual) => (needs(request) ? does(response) : usual());
        assertOutage(await use(service.send), 502, detail, name);
        assert.deepEqual(host.posts, before, `${name} left something half done`);
        host.misbehave = undefined;
      }
      // The service recovers without a restart, and has stored no item meanwhile.
      assert.deepEqual((await service.send('/registries/7/items')).body, []);
      assert.equal((await service.send('/registries')).body.length, 1);
    });
  }
});

describe('a host that', () => {
  it('refuses connections, or has no such name, is reached once it is there', async () => {
    await using first = await startFakeHost();
    const { port } = new URL(first.url);
    await first.close();
    await using service = await startService(first.url);
    for (const path of ['/items', '/registries', '/registries/7'])
      assertOutage(await service.send(path), 502, UNREACHABLE, path);
    await using second = await startFakeHost({ port: Number(port) });
    assert.equal((await service.send('/registries/7')).status, 200);
    await second.close();
    assertOutage(await service.send('/registries/7'), 502, UNREACHABLE, 'gone again');

    await using lost = await startService('http://host.invalid');
    assertOutage(await lost.send('/items'), 502, UNREACHABLE, 'no such name');
  });

  it('redirects elsewhere gets no credentials there', async () => {
    await using host = await startFakeHost();
    await using thief = await startFakeHost();
    await using service = await startService(host.url);
    for (const status of [301, 302, 303, 307, 308]) {
      for (const name of status === 302 ? Object.keys(ways) : READ) {
        const { needs, use } = ways[name]!;
        host.misbehave = (request, response, usual) =>
          needs(request) ? sendHtml(response, status, { location: `${thief.url}${request.path}` }) : usual();
        assertOutage(await use(service.send), 502, UNUSABLE, String(status));
      }
    }
    assert.equal(thief.seen.length, 0);
  });

  it('is over its limits is not asked again at once', async () => {
    await using host = await startFakeHost();
    await using service = await startService(host.url);
    host.misbehave = (_, response) =>
      sendJson(response, 429, { code: 'too_many', message: 'Slow down' }, { 'retry-after': '17' });
    for (const [name, { use }] of Object.entries(ways)) {
      const { status, body, headers } = await use(service.send);
      assert.deepEqual([status, body], [503, { detail: 'The registry host is too busy' }], name);
      assert.equal(headers.get('retry-after'), '17');
    }
  });

  it('is over its limits before its REST root is known', async () => {
    await using host = await startFakeHost();
    await using service = await startService(host.url);
    host.misbehave = (_, response) => sendHtml(response, 429, { 'retry-after': '17' });
    const { status, headers } = await service.send('/registries');
    assert.deepEqual([status, headers.get('retry-after')], [503, '17']);
    assert.equal(host.seen.length, 1);
  });

  describe('keeps the service waiting', () => {
    const slow: [string, (response: ServerResponse) => void][] = [
      ['never answers', () => {}],
      ['never ends its answer', (response) => void response.writeHead(200, JSON_TYPE).write('{"id":1,')],
      [
        'drips its answer',
        (response) => {
          response.writeHead(200, JSON_TYPE);
          const drip = setInterval(() => response.write(' '), 100);
          response.on('close', () => clearInterval(drip));
        },
      ],
    ];
    for (const [what, does] of slow) {
      for (const name of ['signing in', 'listing registries', 'inviting']) {
        it(`${what} when ${name}: late, and once`, async () => {
          await using host = await startFakeHost();
          const clock = manualClock();
          await using service = await startService(host.url, { clock: { limit: clock.limit } });
          await service.send('/registries');
          const { needs, use } = ways[name]!;
          host.misbehave = (request, response, usual) => (needs(request) ? does(response) : usual());
          const before = host.count(needs);
          const asked = use(service.send);
          await until('the host is asked', () => host.count(needs) > before);
          clock.advance(50_000);
          assertOutage(await asked, 504, LATE, name);
          assert.equal(host.count(needs) - before, 1);
          host.misbehave = undefined;
          assert.equal((await service.send('/registries/7')).status, 200);
        });
      }
    }

    it('does not even take the connection', async () => {
      // A thread that listens and then does nothing else: once its queue is full, connecting is never answered.
      const worker = new Worker(
        `const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
           require('node:worker_threads').parentPort.postMessage(server.address().port);
           Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
         });`,
        { eval: true },
      );
      const [port] = (await once(worker, 'message')) as [number];
      const queued = Array.from({ length: 4 }, () => connect(port, '127.0.0.1').on('error', () => {}));
      await once(queued[0]!, 'connect');
      const limits = { host: { connectMs: 500 } };
      await using service = await startService(`http://127.0.0.1:${port}`, { limits });
      assertOutage(await service.send('/items'), 504, LATE, 'connecting');
      for (const socket of queued) socket.destroy();
      await worker.terminate();
    });
  });

  it('drops a kept connection as it is used again: a read is repeated once, a write never', async () => {
    await using host = await startFakeHost();
    await using service = await startService(host.url);
    const drop = async (name: string, times: number) => {
      const { needs, use } = ways[name]!;
      assert.equal((await service.send('/registries/7')).status, 200);
      const before = host.count(needs);
      let left = times;
      host.misbehave = (request, response, usual) =>
        needs(request) && left-- > 0 ? destroy(response) : usual();
      const { status } = await use(service.send);
      host.misbehave = undefined;
      return [status, host.count(needs) - before];
    };
    for (const name of ['signing in', 'listing registries', 'reading a registry']) {
      assert.deepEqual(await drop(name, 1), [200, 2], name);
      assert.deepEqual(await drop(name, 2), [502, 2], name);
    }
    for (const name of ['creating a registry', 'inviting', 'deleting'])
      assert.deepEqual(await drop(name, 1), [502, 1], name);
  });

  it('does not keep an order is sent it a few times, and the item is stored all the same', async () => {
    await using host = await startFakeHost();
    await using service = await startService(host.url);
    host.misbehave = (request, response, usual) =>
      isPost(request) ? sendJson(response, 200, post(7)) : usual();
    const { status, body } = await service.send('/registries/7/items', 'POST', gift);
    assert.equal(status, 201);
    assert.ok(host.count(isPost) <= 3, `${host.count(isPost)} updates`);
    assert.deepEqual((await service.send('/registries/7/items')).body, [body.data]);
  });
});

describe('the REST root', () => {
  for (const status of [200, 403, 410])
    it(`is found again after the site has changed its permalinks, where the former ones answer ${status}`, async () => {
      await using pretty = await startFakeHost();
      await using service = await startService(pretty.url);
      assert.equal((await service.send('/registries/7')).status, 200);
      const { port } = new URL(pretty.url);
      await pretty.close();
      await using plain = await startFakeHost({ port: Number(port), plainPermalinks: true });
      assert.equal(plain.url, pretty.url);
      plain.misbehave = ({ path }, response, usual) =>
        status !== 200 && path.startsWith('/wp-json') ? void sendHtml(response, status) : usual();
      assertOutage(await service.send('/registries/7'), 502, UNUSABLE, 'the first to notice');
      assert.equal((await service.send('/registries/7')).status, 200);
      assert.equal((await service.send('/registries')).body[0].id, 7);
      assert.equal((await service.send('/registries/7', 'PATCH', { title: 'New' })).body.title, 'New');
    });

  it('is not looked for again because a firewall refuses what somebody writes', async () => {
    await using host = await startFakeHost();
    await using service = await startService(host.url);
    host.misbehave = ({ method }, response, usual) =>
      method === 'POST' ? void sendHtml(response, 403) : usual();
    for (const title of ['Union', 'Select'])
      assertOutage(await service.send('/registries/7', 'PATCH', { title }), 502, UNUSABLE, title);
    assert.equal((await service.send('/registries')).status, 200);
    assert.equal(
      host.count(({ route }) => route === '/'),
      1,
    );
  });

  it('is asked for once by many, and without credentials', async () => {
    await using host = await startFakeHost();
    await using service = await startService(host.url);
    await Promise.all(Array.from({ length: 20 }, () => service.send('/registries')));
    const looking = host.seen.filter(({ route }) => route === '/' || route === undefined);
    const found = looking.map(({ authorization }) => authorization);
    assert.deepEqual(found, [undefined]);
  });

  for (const [what, link] of [
    ['on another origin', '<https://elsewhere.example/wp-json/>; rel="https://api.w.org/"'],
    ['at no address at all', '<http://[>; rel="https://api.w.org/"'],
    ['nowhere', '<https://elsewhere.example/>; rel="shortlink"'],
  ] as const) {
    it(`is not used when it is announced ${what}`, async () => {
      await using host = await startFakeHost();
      await using service = await startService(host.url);
      host.misbehave = ({ route }, response, usual) => {
        if (route && route !== '/') usual();
        else sendHtml(response, route ? 404 : 200, route ? {} : { link });
      };
      assertOutage(await service.send('/registries'), 502, UNUSABLE, link);
      assert.ok(host.seen.every(({ authorization }) => authorization === undefined));
      host.misbehave = undefined;
      assert.equal((await service.send('/registries')).status, 200);
    });
  }

  it('names the address to configure when the site has moved', async () => {
    const moved = createServer((_request, response) =>
      response.writeHead(301, { location: 'https://www.site.example/' }).end(),
    );
    await using listening = await listen(moved);
    await using service = await startService(listening.url);
    assertOutage(await service.send('/registries'), 502, UNUSABLE, 'moved');
    assert.match(service.log(), /redirects to https:\/\/www\.site\.example\/: set HOST_URL/);
  });
});
