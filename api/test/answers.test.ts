// @again postgres workers
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { until } from '../../dev/until.ts';
import { type Answer, type Call, callsOf } from './answers.ts';
import { isUpdate, startHostProxy } from './host-proxy.ts';
import { manualClock, startTestService, temporaryFolder } from './support.ts';

const pan = { name: 'Pan', url: 'https://shop.example/pan' };

/** Everything that asks the host once somebody is signed in. */
const hosted = (id: number, item: number): [target: string, body?: object][] => [
  ['GET /registries'],
  ['POST /registries', { title: 'New' }],
  [`GET /registries/${id}`],
  [`PATCH /registries/${id}`, { title: 'New' }],
  [`DELETE /registries/${id}`],
  [`GET /registries/${id}/items`],
  [`POST /registries/${id}/items`, pan],
  [`DELETE /registries/${id}/items/${item}`],
  [`GET /registries/${id}/invitees`],
  [`POST /registries/${id}/invitees`, { invitees: ['carol'] }],
  [`DELETE /registries/${id}/invitees/bob`],
  [`GET /registries/${id}/items/${item}/affiliate`],
  [`PUT /registries/${id}/items/${item}/affiliate`, { affiliate_url: 'https://partner.example' }],
  [`DELETE /registries/${id}/items/${item}/affiliate`],
];

const seconds = ({ headers }: Answer) => Number(headers.get('retry-after'));

async function registryOf(call: Call): Promise<{ id: number; item: number }> {
  const meta = { registry_invitees: ['bob'] };
  const { id } = (await call('alice', 'POST /registries', { title: 'Ann', meta })).body;
  const { data } = (await call('alice', `POST /registries/${id}/items`, pan)).body;
  return { id, item: data.id };
}

describe('when the host or the store is away', () => {
  it('401 comes from the host’s refusal alone: without a host it is 502, also for the first sign-in', async () => {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    await using service = await startTestService({ HOST_URL: `http://127.0.0.1:${port}` });
    const call = await callsOf(service);
    for (const [target, body] of [...hosted(1, 1), ['GET /items'], ['DELETE /items/1']] as const) {
      const answer = await call('alice', target, body);
      assert.deepEqual(
        [answer.status, answer.body, answer.headers.get('www-authenticate')],
        [502, { detail: 'The registry host cannot be reached' }, null],
        target,
      );
    }
    assert.equal((await call(undefined, 'GET /health')).status, 200);
  });

  it('a host that goes away is 502, never an empty list, and back again it serves on', async () => {
    await using real = await startTestService();
    const proxy = await startHostProxy(real.hostUrl);
    try {
      await using service = await startTestService({ HOST_URL: proxy.url, REGISTRY_CACHE_TTL: '0' });
      const call = await callsOf(service);
      const { id, item } = await registryOf(call);
      assert.equal((await call('admin', 'GET /items')).status, 200);
      const before = (await call('alice', `GET /registries/${id}`)).text;

      proxy.setDown(true);
      for (const [target, body] of hosted(id, item)) {
        for (const who of ['alice', 'admin'] as const) {
          const answer = await call(who, target, body);
          assert.equal(answer.status, 502, `${target} ${who}: ${answer.text}`);
          assert.doesNotMatch(answer.body.detail, /ECONN|127\.0\.0\.1|socket|undici/i);
        }
      }
      // Cached callers go on with requests that need no host.
      assert.equal((await call('alice', `GET /items/${item}`)).status, 200);

      proxy.setDown(false);
      assert.equal((await call('alice', `GET /registries/${id}`)).text, before);
    } finally {
      await proxy.close();
    }
  });

  it('a host that is too late is 504', async () => {
    await using real = await startTestService();
    const proxy = await startHostProxy(real.hostUrl);
    try {
      const settings = { HOST_URL: proxy.url, REGISTRY_CACHE_TTL: '0' };
      const clock = manualClock();
      await using service = await startTestService(settings, { clock: { limit: clock.limit } });
      const call = await callsOf(service);
      const { id, item } = await registryOf(call);
      assert.equal((await call('bob', 'GET /items')).status, 200);
      const { release } = proxy.hold(() => true);
      // One unknown caller, and known ones.
      const answers = [call('carol', 'GET /items'), call('bob', `GET /registries/${id}`)];
      for (const [target, body] of hosted(id, item)) {
        if (target.startsWith('GET')) answers.push(call('alice', target, body));
      }
      let answered = 0;
      for (const answer of answers) void answer.then(() => answered++);
      await until('all have an answer', () => {
        clock.advance(50_000);
        return answered === answers.length;
      });
      for (const { status, body } of await Promise.all(answers))
        assert.deepEqual([status, body], [504, { detail: 'The registry host did not answer in time' }]);
      release();
      assert.equal((await call('carol', 'GET /items')).status, 200);
    } finally {
      await proxy.close();
    }
  });

  it('an item is stored although the host fails to take its order', async () => {
    await using real = await startTestService();
    const proxy = await startHostProxy(real.hostUrl);
    try {
      await using service = await startTestService({ HOST_URL: proxy.url });
      const call = await callsOf(service);
      const { id, item } = await registryOf(call);
      const { reached, release } = proxy.hold(isUpdate);
      const adding = call('alice', `POST /registries/${id}/items`, pan);
      await reached;
      proxy.setDown(true);
      release();
      const { status, body } = await adding;
      assert.equal(status, 201);
      assert.equal((await call('alice', `GET /items/${body.data.id}`)).status, 200);
      proxy.setDown(false);
      const list = await call('alice', `GET /registries/${id}/items`);
      assert.deepEqual(
        list.body.map((one: { id: number }) => one.id),
        [item, body.data.id],
      );
    } finally {
      await proxy.close();
    }
  });

  it('a store that another process holds is 503 with a time to come back', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'items.db');
    const settings = { DATABASE_URL: `sqlite:${file}` };
    await using service = await startTestService(settings, { limits: { storeMs: 300 } });
    const call = await callsOf(service);
    const { data } = (await call('alice', 'POST /items', { registry_id: 1, ...pan })).body;
    const other = new DatabaseSync(file);
    other.exec('begin immediate');
    try {
      const writes = [
        call('alice', 'POST /items', { registry_id: 1, ...pan }),
        call('alice', `PUT /items/${data.id}`, { name: 'Pot' }),
        call('alice', `DELETE /items/${data.id}`),
      ];
      assert.equal((await call('alice', `GET /items/${data.id}`)).status, 200, 'reading goes on');
      for (const answer of await Promise.all(writes)) {
        assert.equal(answer.status, 503, answer.text);
        assert.ok(seconds(answer) > 0);
      }
    } finally {
      other.close();
    }
    assert.deepEqual((await call('alice', 'GET /items')).body, [data], 'what was refused did not happen');
    assert.equal((await call('alice', `PUT /items/${data.id}`, { name: 'Pot' })).status, 200);
  });

  it('a fault of the service is 500 without details, which the log has under its id', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'items.db');
    await using service = await startTestService({ DATABASE_URL: `sqlite:${file}` });
    const call = await callsOf(service);
    const { id, item } = await registryOf(call);
    const other = new DatabaseSync(file);
    other.exec('drop table items');
    other.close();
    for (const [target, body] of [
      ['GET /items'],
      [`GET /items/${item}`],
      ['POST /items', { registry_id: 1, ...pan }],
      [`PUT /items/${item}`, { name: 'Pot' }],
      [`GET /registries/${id}/items`],
      ['GET /registries'],
    ] as const) {
      const requestId = `fault-${target.replaceAll(/\W/g, '-')}`;
      const answer = await call('alice', target, body, { 'x-request-id': requestId });
      assert.deepEqual([answer.status, answer.body], [500, { detail: 'Internal error' }], target);
      assert.equal(answer.headers.get('x-request-id'), requestId);
      const said = service.log.filter(
        (line) => line.includes(`"${requestId}"`) && line.includes('no such table'),
      );
      assert.equal(said.length, 1, `${target}: the cause is in the log once`);
    }
  });

  it('too many failed sign-ins are 429 with a time to come back, on every route', async () => {
    // Each process counts by itself.
    await using service = await startTestService({ WORKERS: '1' });
    const call = await callsOf(service);
    const header = (name: string, password: string) => ({
      authorization: `Basic ${btoa(`${name}:${password}`)}`,
    });
    const statuses = [];
    for (let i = 0; i < 6; i++)
      statuses.push((await call(undefined, 'GET /items', undefined, header('carol', `guess ${i}`))).status);
    assert.deepEqual(statuses.slice(0, 3), [401, 401, 401]);
    assert.equal(statuses.at(-1), 429);
    for (const [target, body] of hosted(1, 1)) {
      const answer = await call(undefined, target, body, header('carol', 'another guess'));
      assert.equal(answer.status, 429, target);
      assert.ok(seconds(answer) > 0 && Number.isInteger(seconds(answer)), target);
      assert.equal(answer.headers.get('www-authenticate'), null);
    }
    assert.equal((await call('bob', 'GET /items')).status, 200, 'others are let in');
  });
});
