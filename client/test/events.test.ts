import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, createClient } from 'trousseau-client';
import { json, startRecorder } from './recorder.ts';

const event = (id: string) => ({
  ...{ id, type: 'item.deleted', time: '2027-03-01T12:00:00.000Z' },
  ...{ registry_id: 7, item_id: 3, claim_id: null, data: null },
});

test('a feed is read page by page, and its cursor is where to go on', async () => {
  await using recorder = await startRecorder();
  const { registries, events } = createClient({ env: {}, baseUrl: recorder.url });
  const pages = [
    { events: [event('a'), event('b')], next: 'two' },
    { events: [event('c')], next: 'three' },
    { events: [], next: 'three' },
  ];
  recorder.reply = (...request) => json(200, pages.shift())(...request);
  const feed = registries.events(7, { after: 'one', limit: 2 });
  assert.equal(feed.cursor, 'one');
  const seen: string[] = [];
  for await (const { id } of feed) seen.push(`${id} ${feed.cursor}`);
  assert.deepEqual(seen, ['a one', 'b one', 'c two'], 'a page counts when it was read whole');
  assert.equal(feed.cursor, 'three');
  const asked = recorder.take().map(({ method, url }) => `${method} ${url}`);
  const pagesOf = (after: string) => `GET /registries/7/events?after=${after}&limit=2`;
  assert.deepEqual(asked, ['one', 'two', 'three'].map(pagesOf));

  pages.push({ events: [], next: 'three' });
  for await (const { id } of events()) assert.fail(id);
  const urls = recorder.take().map(({ url }) => url);
  assert.deepEqual(urls, ['/events']);
});

test('a feed that can’t be read says so, and keeps its cursor', async () => {
  await using recorder = await startRecorder();
  const { registries } = createClient({ env: {}, baseUrl: recorder.url });
  for (const status of [410, 404]) {
    recorder.reply = json(status, { detail: 'gone' });
    const feed = registries.events(7, { after: 'one' });
    await assert.rejects(async () => {
      for await (const { id } of feed) assert.fail(id);
    }, ApiError);
    assert.equal(feed.cursor, 'one');
  }
});
