// @again postgres workers
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Call, callsOf } from './answers.ts';
import { askHost, startTestService, type TestService } from './support.ts';

describe('changes on the host itself', () => {
  let service: TestService;
  let call: Call;

  before(async () => {
    service = await startTestService();
    call = await callsOf(service);
  });
  after(() => service.close());

  it('is seen by the next who asks for it, and by who was refused', async () => {
    const { id } = (await call('alice', 'POST /registries', { title: 'Ann' })).body;
    assert.equal((await call('bob', `GET /registries/${id}/items`)).status, 403);
    assert.equal((await call('alice', `GET /registries/${id}`)).status, 200);
    const changed = { title: 'By hand', meta: { registry_invitees: '["Bob"]' } };
    await askHost(service.hostUrl, 'POST', `registry/${id}`, 'alice', changed);
    assert.equal((await call('bob', `GET /registries/${id}/items`)).status, 200);
    assert.equal((await call('alice', `GET /registries/${id}`)).body.title, 'By hand');
    assert.deepEqual((await call('alice', `GET /registries/${id}/invitees`)).body, { invitees: ['Bob'] });
  });
});

describe('an item of nobody’s registry', () => {
  it('may name any, where items are everybody’s', async () => {
    await using service = await startTestService({ ITEM_ACCESS: 'authenticated' });
    const call = await callsOf(service);
    for (const registry_id of [1, 2 ** 32, Number.MAX_SAFE_INTEGER]) {
      const body = { registry_id, name: 'Pan', url: 'https://shop.example/pan' };
      const answer = await call('alice', 'POST /items', body);
      assert.deepEqual([answer.status, answer.body.data.registry_id], [201, registry_id]);
    }
  });
});
