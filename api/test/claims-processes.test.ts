// Many callers for few pieces, at processes of their own.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askAt } from './answers.ts';
import { freshPostgres, withoutPostgres } from './postgres.ts';
import { startServiceProcess } from './service-process.ts';
import { authorization, freshSqlite, memoryHost, type Name, PAN } from './support.ts';

const CALLERS = 60;
const PIECES = 10;
const ROUNDS = 2;

const ask = (
  url: string,
  as: Name,
  ...request: [target: string, json?: unknown, headers?: Record<string, string>]
) => askAt(url, authorization)(as, ...request);

/** Claims on many items of one registry at once don't hinder each other. */
async function sellSideBySide(urls: readonly string[]): Promise<void> {
  const [first = ''] = urls;
  const meta = { registry_invitees: ['bob', 'carol'] };
  const registry = (await ask(first, 'alice', 'POST /registries', { title: 'Ann', meta })).body.id;
  const path = `/registries/${registry}/items`;
  const fields = { ...PAN, quantity_needed: 99 };
  const items: number[] = [];
  for (let n = 0; n < 30; n++) items.push((await ask(first, 'alice', `POST ${path}`, fields)).body.data.id);
  const answers = await Promise.all(
    Array.from({ length: 150 }, (_, n) =>
      ask(urls[n % urls.length]!, 'bob', `POST ${path}/${items[n % items.length]}/claims`, {}),
    ),
  );
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
}

/** Asks the services in turns, each caller for one piece, some for the last. */
async function sellOut(urls: readonly string[]): Promise<void> {
  const [first = ''] = urls;
  const url = (n: number) => urls[n % urls.length]!;
  const meta = { registry_invitees: ['bob', 'carol'] };
  const registry = (await ask(first, 'alice', 'POST /registries', { title: 'Ann', meta })).body.id;
  const items = `/registries/${registry}/items`;
  for (let round = 0; round < ROUNDS; round++) {
    for (const pieces of [1, PIECES]) {
      const fields = { ...PAN, quantity_needed: pieces };
      const item = (await ask(first, 'alice', `POST ${items}`, fields)).body.data.id;
      const claim = (n: number, headers = {}, at = n) =>
        ask(url(at), n % 3 ? 'bob' : 'carol', `POST ${items}/${item}/claims`, {}, headers);
      const answers = await Promise.all(
        Array.from({ length: CALLERS }, (_, n) =>
          claim(n, n % 2 ? { 'idempotency-key': `${item}-${n}` } : undefined),
        ),
      );
      const taken = answers.filter(({ status }) => status === 201);
      const refused = answers.filter(({ status }) => status === 409);
      assert.deepEqual([taken.length, refused.length], [pieces, CALLERS - pieces]);
      assert.equal(new Set(taken.map(({ body }) => body.id)).size, pieces);
      for (const { body } of refused) assert.equal(body.detail, '0 left of this item: 1 cannot be taken');
      const shown = (await ask(url(round + 1), 'alice', `GET /items/${item}`)).body.data;
      assert.equal(shown.quantity_purchased, pieces);
      // Under its key a request finds its claim at the other service, too; a refusal is still one.
      for (const [n, { status, body }] of answers.entries()) {
        if (n % 2 === 0 || n > 20) continue;
        const again = await claim(n, { 'idempotency-key': `${item}-${n}` }, n + 1);
        assert.deepEqual([again.status, again.body], [status, body]);
      }
    }
  }
}

test('ten pieces are ten claims with two workers on SQLite', { timeout: 600_000 }, async () => {
  await using store = await freshSqlite();
  await using host = await memoryHost();
  const env = { DATABASE_URL: store.url, HOST_URL: host.url, WORKERS: '2' };
  await using service = startServiceProcess(env, [], 600_000);
  await sellOut([await service.url]);
  await sellSideBySide([await service.url]);
});

test('ten pieces are ten claims with two services on one PostgreSQL', {
  skip: await withoutPostgres(),
  timeout: 600_000,
}, async () => {
  await using store = await freshPostgres();
  await using host = await memoryHost();
  const env = { DATABASE_URL: store.url, HOST_URL: host.url };
  await using one = startServiceProcess(env, [], 600_000);
  await using two = startServiceProcess(env, [], 600_000);
  await sellOut([await one.url, await two.url]);
  await sellSideBySide([await one.url, await two.url]);
});
