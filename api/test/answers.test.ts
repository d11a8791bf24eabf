import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { type Answer, type Call, callsOf } from './answers.ts';
import { PAN, startTestService, temporaryFolder } from './support.ts';

const seconds = ({ headers }: Answer) => Number(headers.get('retry-after'));

async function registryOf(call: Call): Promise<{ id: number; item: number }> {
  const meta = { registry_invitees: ['bob'] };
  const { id } = (await call('alice', 'POST /registries', { title: 'Ann', meta })).body;
  const { data } = (await call('alice', `POST /registries/${id}/items`, PAN)).body;
  return { id, item: data.id };
}

describe('when the store is away', () => {
  it('a store that another process holds is 503 with a time to come back', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'items.db');
    const settings = { DATABASE_URL: `sqlite:${file}` };
    await using service = await startTestService(settings, { limits: { storeMs: 300 } });
    const call = await callsOf(service);
    const { data } = (await call('alice', 'POST /items', { registry_id: 1, ...PAN })).body;
    const other = new DatabaseSync(file);
    other.exec('begin immediate');
    try {
      const writes = [
        call('alice', 'POST /items', { registry_id: 1, ...PAN }),
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
      ...[['GET /items'], [`GET /items/${item}`], ['POST /items', { registry_id: 1, ...PAN }]],
      ...[[`PUT /items/${item}`, { name: 'Pot' }], [`GET /registries/${id}/items`], ['GET /registries']],
    ] as const) {
      const requestId = `fault-${target.replaceAll(/\W/g, '-')}`;
      const answer = await call('alice', target, body, { 'x-request-id': requestId });
      assert.deepEqual([answer.status, answer.body], [500, { detail: 'Internal error' }], target);
      assert.equal(answer.headers.get('x-request-id'), requestId);
      const said = service.log.filter(
        (line) => line.includes(`"${requestId}"`) && /no such table/.test(line),
      );
      assert.equal(said.length, 1, `${target}: the cause is in the log once`);
    }
  });
});
