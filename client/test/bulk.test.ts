import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { createClient } from 'trousseau-client';
import { json, plain, type Reply, startRecorder } from './recorder.ts';

const ids = Array.from({ length: 20 }, (_, index) => 100 - index);
const idOf = (url: string) => Number(url.split('/').at(-1));
const found: Reply = (response, request) =>
  json(200, { success: true, data: { id: idOf(request.url) }, message: '' })(response, request);

test('a bulk read runs six requests at once, not more, and keeps the order of the ids, whatever order the answers come in', async () => {
  await using service = await startRecorder();
  const held: (() => unknown)[] = [];
  // The first answer is sent after the sixth.
  service.reply = (response: ServerResponse, request) => {
    held.push(() => found(response, request));
    if (held.length >= 6) for (const answer of held.splice(0).reverse()) answer();
  };
  let running = 0;
  let most = 0;
  const counting: typeof fetch = async (...request) => {
    running += 1;
    most = Math.max(most, running);
    const response = await fetch(...request);
    running -= 1;
    return response;
  };
  const { items } = createClient({ baseUrl: service.url, env: {}, fetch: counting });
  const read = await items.getMany(ids.slice(0, 18));
  const seen = read.map(({ id }) => id);
  assert.deepEqual(seen, ids.slice(0, 18));
  assert.equal(most, 6);
});

test('a bulk read leaves out what is missing or fails', async () => {
  await using service = await startRecorder();
  const faults: Record<number, Reply> = {
    99: json(404, { detail: 'Item not found' }),
    97: json(500, { detail: 'Internal error' }),
    96: plain(200, '<html>'),
    95: (response) => response.destroy(),
  };
  service.reply = (response, request) => (faults[idOf(request.url)] ?? found)(response, request);
  const { items } = createClient({ baseUrl: service.url, env: {} });
  const read = await items.getMany(ids);
  const seen = read.map(({ id }) => id);
  const sound = ids.filter((id) => !(id in faults));
  assert.deepEqual(seen, sound);
  assert.equal(service.requests.length, ids.length);
  assert.deepEqual(await items.getMany([]), []);
  assert.deepEqual(await items.getMany([99]), []);
});
