// The plugin's client of the item service over real connections: what is sent, nobody who answers, and the wait. ClientTest.php has the rest.
// @again wordpress php
import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { describeWordPress } from '../../dev/wordpress/describe-site.ts';
import { type RecordingService, recordingService } from '../../dev/wordpress/site.ts';

describeWordPress('the client', {}, (site) => {
  let service: RecordingService;
  site.startWith(async () => {
    service = await recordingService();
    return { muPlugins: ['time-outs'] };
  });

  after(async () => {
    await service.close();
  });
  beforeEach(() => {
    service.requests.length = 0;
    service.answer = () => ({ body: {} });
  });

  /** The result of a call; a WP_Error as {error, message, data}. */
  const callAt = (base: string, method: string, ...given: unknown[]) =>
    site.call('api', [base, 'gateway-key', 'ann', 'abcd efgh'], method, ...given);
  const call = (method: string, ...given: unknown[]) => callAt(service.url, method, ...given);

  test('sends both headers and JSON, and removes a trailing slash', async () => {
    service.answer = () => ({ status: 201, body: { success: true, data: { id: 5 }, message: 'ok' } });
    const item = { registry_id: 3, name: 'Kännchen "blau"', url: 'https://shop.example/k', price: 9.5 };
    const answer = await callAt(`${service.url}/`, 'create_item', item);
    assert.deepEqual(answer, { success: true, data: { id: 5 }, message: 'ok' });
    const [request] = service.requests;
    assert.equal(`${request?.method} ${request?.path}`, 'POST /items');
    assert.equal(request?.headers.authorization, `Basic ${btoa('ann:abcd efgh')}`);
    assert.equal(request?.headers['x-api-key'], 'gateway-key');
    assert.equal(request?.headers['content-type'], 'application/json');
    assert.deepEqual(JSON.parse(request?.body ?? ''), item);
  });

  test('waits ten seconds and no longer', async () => {
    await site.setOption('dev_patience', 1);
    for (const method of ['get_item', 'get_registry']) {
      await call(method, 1);
      assert.equal(service.requests.at(-1)!.headers['x-time-out'], '10', method);
    }
    // Half a second shows as well that no answer ends it.
    await site.setOption('dev_patience', 0.05);
    service.answer = () => new Promise(() => {});
    assert.equal((await call('get_item', 1)).error, 'api_unreachable');
    await site.deleteOption('dev_patience');
  });
});
