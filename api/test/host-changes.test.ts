// @again postgres workers
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { callsOf } from './answers.ts';
import { askHost, PAN, startTestService } from './support.ts';

const service = await startTestService();
const call = await callsOf(service);
after(() => service.close());

it('a change on the host itself is seen by the next who asks for it, and by who was refused', async () => {
  const { id } = (await call('alice', 'POST /registries', { title: 'Ann' })).body;
  assert.equal((await call('bob', `GET /registries/${id}/items`)).status, 403);
  assert.equal((await call('alice', `GET /registries/${id}`)).status, 200);
  const changed = { title: 'By hand', meta: { registry_invitees: '["Bob"]' } };
  await askHost(service.hostUrl, 'POST', `registry/${id}`, 'alice', changed);
  assert.equal((await call('bob', `GET /registries/${id}/items`)).status, 200);
  assert.equal((await call('alice', `GET /registries/${id}`)).body.title, 'By hand');
  assert.deepEqual((await call('alice', `GET /registries/${id}/invitees`)).body, { invitees: ['Bob'] });
  const add = async () => (await call('bob', `POST /registries/${id}/items`, PAN)).status;
  assert.equal(await add(), 403);
  await askHost(service.hostUrl, 'POST', `registry/${id}`, 'alice', { meta: { registry_owners: '["Bob"]' } });
  assert.equal(await add(), 201);
});
