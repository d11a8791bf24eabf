// @again postgres
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Problem } from '../src/contract/problem.ts';
import { repeats } from '../src/domain/idempotency.ts';
import { idempotencyKeys } from '../src/store/idempotency.ts';
import { openDatabase } from '../src/store/open.ts';
import { ONLY_SITE } from '../src/store/sites.ts';
import { type Call, callsOf } from './answers.ts';
import { startTestService, type TestService, temporaryFolder } from './support.ts';

const pan = { name: 'Pan', url: 'https://shop.example/pan' };
// An item of no registry in these tests.
const loose = { registry_id: 999_999, ...pan };
const DAY_MS = 24 * 60 * 60 * 1000;
const key = (text: string) => ({ 'idempotency-key': text });

describe('Idempotency-Key', () => {
  let service: TestService;
  let call: Call;
  let now = Date.now();

  before(async () => {
    service = await startTestService({}, { clock: { wall: () => now } });
    call = await callsOf(service);
  });
  after(() => service.close());

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

  it('names the same creation again where nobody knows whether the first attempt made it', async () => {
    const db = await openDatabase('sqlite::memory:');
    let now = 1;
    const { answer } = repeats(idempotencyKeys(db, ONLY_SITE, () => now++));
    const creations: string[] = [];
    const attempt = (fault?: Problem) =>
      answer(
        'key',
        'request',
        async (creation) => {
          creations.push(creation);
          if (fault) throw fault;
          return { status: 201, json: '{}' };
        },
        (response) => response,
        async (response) => response,
      );
    await assert.rejects(attempt(new Problem('unavailable', 'The answer was lost')));
    await attempt();
    assert.equal(creations[1], creations[0]);
    await db.close();
  });
});
