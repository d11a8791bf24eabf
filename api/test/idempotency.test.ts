// @again postgres
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Problem } from '../src/contract/problem.ts';
import { repeats } from '../src/domain/idempotency.ts';
import { idempotencyKeys } from '../src/store/idempotency.ts';
import { ONLY_SITE } from '../src/store/sites.ts';
import { callsOf } from './answers.ts';
import { DAY, key } from './claim-service.ts';
import { freshSqlite, openedDatabase, PAN, startTestService } from './support.ts';

// Where items are everybody's, one may name a registry that is none.
const loose = { registry_id: Number.MAX_SAFE_INTEGER, ...PAN };

let now = Date.now();
const service = await startTestService({}, { clock: { wall: () => now } });
const call = await callsOf(service);
after(() => service.close());

describe('Idempotency-Key', () => {
  it('is forgotten after a day, not before', async () => {
    const first = await call('alice', 'POST /items', loose, key('old'));
    now += DAY - 1;
    assert.equal((await call('alice', 'POST /items', loose, key('old'))).text, first.text);
    now += 1;
    const anew = await call('alice', 'POST /items', loose, key('old'));
    assert.deepEqual([anew.status, anew.body.data.id > first.body.data.id], [201, true]);
  });

  it('outlives a restart, and holds for every process on one store', async () => {
    await using store = await freshSqlite();
    const env = { DATABASE_URL: store.url, HOST_URL: service.hostUrl };
    const first = await startTestService(env);
    const { data } = (await (await callsOf(first))('alice', 'POST /items', loose, key('kept'))).body;
    await first.close();

    await using one = await startTestService(env);
    await using two = await startTestService(env);
    const [callOne, callTwo] = [await callsOf(one), await callsOf(two)];
    assert.deepEqual((await callOne('alice', 'POST /items', loose, key('kept'))).body.data, data);
    const asked = [callOne, callTwo, callOne, callTwo, callOne, callTwo];
    const answers = await Promise.all(asked.map((ask) => ask('alice', 'POST /items', loose, key('new'))));
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    assert.equal((await callOne('alice', 'GET /items')).body.length, 2);
  });

  it('names the same creation again where nobody knows whether the first attempt made it', async () => {
    await using db = await openedDatabase('sqlite::memory:');
    let now = 1;
    const { answer } = repeats(idempotencyKeys(db, ONLY_SITE, () => now++));
    const creations: (string | null)[] = [];
    const attempt = (fault?: Problem) => {
      const create = async (creation: string | null) => {
        creations.push(creation);
        if (fault) throw fault;
        return { status: 201, json: '{}' };
      };
      return answer('key', 'request', create, async (response) => response);
    };
    await assert.rejects(attempt(new Problem('unavailable', 'The answer was lost')));
    // That the repetition is refused doesn't undo what the first attempt may have made.
    await assert.rejects(attempt(new Problem('forbidden', 'No longer')));
    await attempt();
    assert.deepEqual(creations, [creations[0], creations[0], creations[0]]);
  });
});
