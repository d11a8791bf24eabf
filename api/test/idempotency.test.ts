import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { idempotent } from '../src/http/idempotency.ts';
import type { Database } from '../src/store/database.ts';
import { idempotencyKeys } from '../src/store/idempotency.ts';
import { openDatabase } from '../src/store/open.ts';
import { type Call, callsOf } from './answers.ts';
import { startTestService, type TestService, temporaryFolder } from './support.ts';

const pan = { name: 'Pan', url: 'https://shop.example/pan' };
// Of no registry of these tests.
const loose = { registry_id: 999_999, ...pan };
const DAY_MS = 24 * 60 * 60 * 1000;
const key = (text: string) => ({ 'idempotency-key': text });

describe('Idempotency-Key', () => {
  let service: TestService;
  let call: Call;
  let registry: string;
  let now = Date.now();

  before(async () => {
    service = await startTestService({}, { clock: { wall: () => now, steady: () => performance.now() } });
    call = await callsOf(service);
    registry = `/registries/${(await call('alice', 'POST /registries', { title: 'Ann' })).body.id}`;
  });
  after(() => service.close());

  const routes = (): [target: string, body: object, other: object][] => [
    ['POST /items', loose, { ...loose, name: 'Pot' }],
    ['POST /registries', { title: 'Once' }, { title: 'Twice' }],
    [`POST ${registry}/items`, pan, { ...pan, name: 'Pot' }],
    [`POST ${registry}/invitees`, { invitees: ['bob'] }, { invitees: ['carol'] }],
  ];
  const newest = async () => (await call('admin', 'GET /items?limit=1')).body[0]?.id ?? 0;
  const state = async () => {
    const targets = ['GET /items?limit=1', 'GET /registries', `GET ${registry}`];
    return (await Promise.all(targets.map((target) => call('alice', target)))).map(({ text }) => text).join();
  };

  it('makes a repeated request safe: it happens once, and is answered alike', async () => {
    for (const [target, body] of routes()) {
      const headers = key(`again ${target}`.replaceAll(/[^\w]/g, '-'));
      const first = await call('alice', target, body, headers);
      assert.ok(first.status < 300, first.text);
      const before = await state();
      const again = await call('alice', target, body, headers);
      assert.deepEqual([again.status, again.text], [first.status, first.text], target);
      assert.equal(again.headers.get('etag'), first.headers.get('etag'));
      assert.equal(await state(), before, `${target} happened twice`);
    }
  });

  it('makes one of many at the same time', async () => {
    const before = (await call('alice', `GET ${registry}/items`)).body.length;
    for (const [target, body] of routes()) {
      const headers = key(`together-${target.replaceAll(/\W/g, '-')}`);
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => call('alice', target, body, headers)),
      );
      assert.equal(new Set(answers.map(({ text }) => text)).size, 1, target);
      assert.ok(answers.every(({ status }) => status === answers[0]?.status && status < 300));
    }
    const { body } = await call('alice', `GET ${registry}/items`);
    assert.equal(body.length, before + 1);
  });

  it('is the same request only to the byte', async () => {
    const headers = { ...key('bytes'), 'content-type': 'application/json' };
    const [plain, spaced] = [JSON.stringify(loose), JSON.stringify(loose, null, 1)];
    assert.equal((await call('alice', 'POST /items', plain, headers)).status, 201);
    assert.equal((await call('alice', 'POST /items', plain, headers)).status, 201);
    assert.equal((await call('alice', 'POST /items', spaced, headers)).status, 422);
  });

  it('costs those who wait for the first answer no write', async () => {
    const db = await openDatabase('sqlite::memory:');
    let writes = 0;
    const counting: Database = {
      ...db,
      write: (...unit) => {
        writes++;
        return db.write(...unit);
      },
    };
    const repeat = idempotent(idempotencyKeys(counting, Date.now));
    const started = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const request = {
      headers: { 'idempotency-key': 'waiting' },
      viewer: { id: 1 },
      method: 'POST',
      url: '/',
    } as unknown as FastifyRequest;
    const reply = { header: () => reply, code: () => reply } as unknown as FastifyReply;
    const ask = () =>
      repeat(request, reply, async () => {
        started.resolve();
        await held.promise;
        return { status: 201, json: '{}' };
      });
    const first = ask();
    await started.promise;
    const before = writes;
    const copies = Array.from({ length: 20 }, ask);
    await sleep(300);
    assert.equal(writes, before);
    held.resolve();
    assert.deepEqual(await Promise.all([first, ...copies]), Array(21).fill('{}'));
    await db.close();
  });

  it('belongs to one request of one caller', async () => {
    const own = await call('alice', 'POST /items', loose, key('mine'));
    const before = await newest();
    for (const [target, body, other] of routes()) {
      const { status, body: said } = await call('alice', target, other, key('mine'));
      assert.equal(status, 422, target);
      assert.match(said.detail, /^Idempotency-Key: /);
      if (target !== 'POST /items')
        assert.equal((await call('alice', target, body, key('mine'))).status, 422);
    }
    assert.equal(await newest(), before);
    for (const who of ['bob', 'admin'] as const) {
      const theirs = await call(who, 'POST /items', loose, key('mine'));
      assert.equal(theirs.status, 201);
      assert.notEqual(theirs.body.data.id, own.body.data.id, who);
    }
  });

  it('is free again when nothing came of it', async () => {
    for (const [target, body] of routes()) {
      const headers = key(`refused-${target.replaceAll(/\W/g, '-')}`);
      assert.equal(
        (await call('alice', target, { ...body, name: '', title: '', invitees: 5 }, headers)).status,
        422,
      );
      assert.ok((await call('alice', target, body, headers)).status < 300, target);
    }
    assert.equal((await call('bob', `POST ${registry}/items`, pan, key('x'))).status, 403);
    assert.equal((await call('bob', 'POST /items', loose, key('x'))).status, 201);
  });

  it('is text of 1 to 255 characters, quoted or not', async () => {
    const before = await newest();
    for (const bad of ['', '""', 'a b', 'ä', 'x'.repeat(256), '"a b"'])
      assert.equal((await call('alice', 'POST /items', loose, key(bad))).status, 422, bad);
    assert.equal(await newest(), before);
    const plain = await call('alice', 'POST /items', loose, key('quoted'));
    assert.equal((await call('alice', 'POST /items', loose, key('"quoted"'))).text, plain.text);
    assert.equal((await call('alice', 'POST /items', loose, key('x'.repeat(255)))).status, 201);
  });

  it('is forgotten after a day, not before', async () => {
    const first = await call('alice', 'POST /items', loose, key('old'));
    now += DAY_MS - 1;
    assert.equal((await call('alice', 'POST /items', loose, key('old'))).text, first.text);
    now += 1;
    const anew = await call('alice', 'POST /items', loose, key('old'));
    assert.deepEqual([anew.status, anew.body.data.id > first.body.data.id], [201, true]);
  });

  it('outlives a restart, and holds for every process on one store', async () => {
    await using folder = await temporaryFolder();
    const env = { DATABASE_URL: `sqlite:${join(folder.path, 'items.db')}`, HOST_URL: service.hostUrl };
    const first = await startTestService(env);
    const { data } = (await (await callsOf(first))('alice', 'POST /items', loose, key('kept'))).body;
    await first.close();

    await using one = await startTestService(env);
    await using two = await startTestService(env);
    const [callOne, callTwo] = [await callsOf(one), await callsOf(two)];
    assert.deepEqual((await callOne('alice', 'POST /items', loose, key('kept'))).body.data, data);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        (i % 2 ? callOne : callTwo)('alice', 'POST /items', loose, key('new')),
      ),
    );
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    assert.equal((await callOne('alice', 'GET /items')).body.length, 2);
  });
});
