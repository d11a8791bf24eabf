import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callsOf } from './answers.ts';
import { expected, openClaimService } from './claim-service.ts';
import { startTestService } from './support.ts';

test('signed-in users alone learn the state of the service', async () => {
  await using service = await startTestService({ ITEM_ACCESS: 'registry' });
  const call = await callsOf(service);
  for (const user of ['alice', 'bob', 'admin'] as const) {
    const since = Date.now();
    const { status, body } = await call(user, 'GET /status');
    assert.equal(status, 200);
    assert.equal(body.item_access, 'registry');
    assert.match(body.version, /^\d+\.\d+\.\d+/);
    assert.ok(Date.parse(body.time) >= since && Date.parse(body.time) <= Date.now(), body.time);
  }
  const stranger = await call(undefined, 'GET /status');
  assert.equal(stranger.status, 401);
  assert.doesNotMatch(stranger.text, /item_access|version/);
});

test('the state says up to when reservations have ended, without a job that writes it down', async () => {
  await using service = await openClaimService();
  const endedUntil = async () => {
    const { claims_expired_at: at, time } = expected(200, await service.call('alice', 'GET /status'));
    return { at, time };
  };
  const registry = await service.registry();
  const item = await service.item(registry, { quantity_needed: 2 });
  const { expires_at: first } = await service.claim('bob', registry, item, { expires_in: 60 });
  await service.claim('carol', registry, item, { expires_in: 120 });
  assert.deepEqual(await endedUntil(), { at: service.iso(), time: service.iso() });
  service.advance(119_999);
  assert.deepEqual(await endedUntil(), { at: service.iso(), time: service.iso() }, 'not late yet');
  service.advance(480_001);
  const found = await endedUntil();
  assert.deepEqual(found, { at: first, time: service.iso() }, 'the job is not due until tomorrow');
});
