// The state that the service shows its operators.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callsOf } from './answers.ts';
import { startTestService } from './support.ts';

test('signed-in users alone learn the state of the service', async () => {
  const service = await startTestService({ ITEM_ACCESS: 'registry' });
  try {
    const call = await callsOf(service);
    for (const user of ['alice', 'bob', 'admin'] as const) {
      const { status, body } = await call(user, 'GET /status');
      assert.equal(status, 200);
      assert.equal(body.item_access, 'registry');
      assert.match(body.version, /^\d+\.\d+\.\d+/);
      assert.ok(Math.abs(Date.parse(body.time) - Date.now()) < 60_000, body.time);
    }
    const stranger = await call(undefined, 'GET /status');
    assert.equal(stranger.status, 401);
    assert.doesNotMatch(stranger.text, /item_access|version/);
  } finally {
    await service.close();
  }
});
