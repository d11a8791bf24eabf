import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { launchChromium, skipWithoutChromium } from '../../dev/wordpress/browser.ts';
import apiPackage from '../package.json' with { type: 'json' };
import { PAN, PASSWORDS, startTestService } from './support.ts';

const isPing = (route: string) => route.endsWith('/test');

const service = await startTestService();
// biome-ignore lint/suspicious/noExplicitAny: a document is examined field by field
const document: any = await (await service.fetch('/openapi.json')).json();
// biome-ignore lint/suspicious/noExplicitAny: as above
const operations: [route: string, operation: any][] = [];
for (const [path, methods] of Object.entries<object>(document.paths))
  for (const [method, operation] of Object.entries(methods))
    operations.push([`${method.toUpperCase()} ${path}`, operation]);
after(() => service.close());

describe('/openapi.json', () => {
  it('is a valid OpenAPI 3.1 document of this version', async () => {
    assert.match(document.openapi, /^3\.1\.\d$/);
    assert.deepEqual(await new Validator().validate(structuredClone(document)), { valid: true });
    assert.equal(document.info.version, apiPackage.version);
  });

  it('describes each route’s purpose, input and responses', () => {
    const ids = new Set();
    for (const [route, operation] of operations) {
      const { operationId, tags, security, parameters = [], requestBody, responses } = operation;
      assert.ok(operation.summary, route);
      assert.ok(operationId && !ids.has(operationId), `${route}: ${operationId} names one operation`);
      ids.add(operationId);
      assert.equal(tags.length, 1, route);

      const open = /^GET \/(health)?$/.test(route);
      if (open) assert.deepEqual(security, [], `${route} needs no credentials`);
      else assert.notDeepEqual(security ?? document.security, [], route);
      const named = (where: string) =>
        parameters
          .filter((one: { in: string }) => one.in === where)
          .map((one: { name: string }) => one.name.toLowerCase());
      const inPath = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      assert.deepEqual(named('path'), inPath, route);
      const takesBody = /^(POST|PUT|PATCH)/.test(route) && !isPing(route);
      assert.deepEqual(Object.keys(requestBody?.content ?? {}), takesBody ? ['application/json'] : [], route);
      const statuses = Object.keys(responses).map(Number);
      const expected = [
        ...(open ? [] : [401, 403, 429, 502, 503, 504]),
        ...(takesBody ? [400, 413, 415, 422] : []),
        ...(route.includes('{') ? [404] : []),
        500,
      ];
      for (const status of expected) assert.ok(statuses.includes(status), `${route} may answer ${status}`);
      for (const status of statuses.filter((status) => status >= 400))
        assert.deepEqual(responses[status].content['application/json'].schema, {
          $ref: '#/components/schemas/Error',
        });
    }
  });

  it('names the headers that callers rely on', () => {
    const told = { 401: 'www-authenticate', 429: 'retry-after', 503: 'retry-after' };
    for (const [route, { responses }] of operations) {
      const headers = (status: number | string) =>
        Object.keys(responses[status]?.headers ?? {}).map((name) => name.toLowerCase());
      for (const status of Object.keys(responses))
        assert.ok(headers(status).includes('x-request-id'), `${route} ${status}`);
      for (const [status, name] of Object.entries(told))
        if (responses[status]) assert.ok(headers(status).includes(name), `${route} ${status}`);
    }
  });

  it('shows for each body requests that the service takes as they are', async () => {
    const [alice, bob] = [service.client('alice'), service.client('bob')];
    const meta = { registry_invitees: ['bob'] };
    const { id } = (await alice.registries.create({ title: 'Ann & Bob', meta }))!;
    assert.equal(id, 1, 'the registry that the examples name');
    for (const [route, { requestBody }] of operations.filter(([, { requestBody }]) => requestBody)) {
      const { examples } = requestBody.content['application/json'];
      assert.ok(Object.keys(examples ?? {}).length > 0, route);
      for (const [title, { summary, value }] of Object.entries<{ summary: string; value: object }>(
        examples,
      )) {
        assert.equal(summary, title);
        const item = (await alice.registries.items.create(id, { ...PAN, quantity_needed: 9 }))!.data.id;
        const claim = (await bob.registries.items.claims.create(id, item, { state: 'pending' }))!.id;
        if (title !== 'Confirm, and with that begin the 14 days')
          await bob.claims.update(claim, { state: 'reserved' });
        const [method = '', path = ''] = route.split(' ');
        const url = path
          .replace('{id}', `${id}`)
          .replace('{item_id}', `${item}`)
          .replace('{user_id}', '99')
          .replace('{claim_id}', claim);
        const answer = await service.fetch(url, { as: 'admin', method, json: value });
        assert.ok(answer.ok, `${route}, ${title}: ${answer.status} ${await answer.text()}`);
      }
    }
  });

  it('gives examples that fit, and states the limits', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'api', components: document.components });
    let examples = 0;
    const walk = (value: unknown): void => {
      if (value === null || typeof value !== 'object') return;
      const { examples: given, ...schema } = value as { examples?: unknown[] };
      if (Array.isArray(given)) {
        const fits = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/')));
        for (const example of given)
          assert.ok(fits(example), `${JSON.stringify(example)} ${JSON.stringify(schema)}`);
        examples += given.length;
      }
      for (const entry of Object.values(value)) walk(entry);
    };
    walk(document);
    assert.ok(examples > 20, `${examples} examples`);
    for (const [name, schema] of Object.entries(document.components.schemas)) assertExemplified(schema, name);
  });
});

// biome-ignore lint/suspicious/noExplicitAny: as above
function assertExemplified(schema: any, path: string): void {
  if (schema.examples || schema.$ref || schema.enum?.length === 1 || 'default' in schema) return;
  const within = schema.items ? { '[]': schema.items } : schema.properties;
  assert.ok(within, `${path} has no example`);
  for (const [name, field] of Object.entries(within)) assertExemplified(field, `${path}.${name}`);
}

it('/docs lets the reader sign in, try calls and see the answers', {
  skip: skipWithoutChromium(),
}, async () => {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => {
      if (!request.url().startsWith(`${service.url}/`) && !request.url().startsWith('data:'))
        complaints.push(request.url());
    });
    await page.goto(`${service.url}/docs`);
    await page.locator('button.authorize').click();
    const form = page.locator('.dialog-ux .auth-container').filter({ hasText: 'basic' });
    await form.locator('input[name="username"]').fill('alice');
    await form.locator('input[name="password"]').fill(PASSWORDS.alice);
    await form.locator('button.authorize').click();
    await page.locator('.dialog-ux button.btn-done').first().click();

    const post = page.locator('.opblock-post');
    const block = post.filter({ has: page.locator('[data-path="/registries"]') });
    await block.locator('.opblock-summary-control').click();
    await block.locator('textarea.body-param__text').fill('{"title":"By hand"}');
    await block.locator('.execute').click();
    await block.locator('.live-responses-table', { hasText: /201[\s\S]*By hand/ }).waitFor();
    assert.deepEqual(complaints, [], 'nothing is wrong, and no other server is asked');
  } finally {
    await browser.close();
  }
});
