import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Browser, Page } from 'playwright-core';
import { launchChromium, skipWithoutChromium } from '../../dev/wordpress/browser.ts';
import apiPackage from '../package.json' with { type: 'json' };
import { PASSWORDS, startTestService, type TestService } from './support.ts';

const ITEM = '/registries/{id}/items/{item_id}';
const METHODS: Record<string, string> = {
  '/': 'GET',
  '/health': 'GET',
  '/status': 'GET',
  '/items': 'GET POST',
  '/items/{item_id}': 'GET PUT DELETE',
  '/items/{item_id}/move': 'POST',
  '/registries': 'GET POST',
  '/registries/{id}': 'GET PATCH DELETE',
  '/registries/{id}/items': 'GET POST',
  [ITEM]: 'DELETE',
  '/registries/{id}/invitees': 'GET POST',
  '/registries/{id}/invitees/{invitee}': 'DELETE',
  [`${ITEM}/affiliate`]: 'GET PUT DELETE',
  '/lookups': 'POST',
  [`${ITEM}/claims`]: 'POST',
  '/registries/{id}/claims': 'GET',
  '/claims': 'GET DELETE',
  '/claims/{claim_id}': 'GET PATCH DELETE',
  '/events': 'GET',
  '/registries/{id}/events': 'GET',
  '/registries/{id}/rights': 'PUT',
  '/users/{user_id}/roles': 'PUT',
  '/question-key': 'GET',
  ...Object.fromEntries(
    ['/registries/{id}/webhooks', '/webhooks'].flatMap((path) => [
      [path, 'GET POST'],
      [`${path}/{webhook_id}`, 'DELETE'],
      [`${path}/{webhook_id}/test`, 'POST'],
      [`${path}/{webhook_id}/deliveries`, 'GET'],
    ]),
  ),
};
const ROUTES = Object.entries(METHODS).flatMap(([path, methods]) =>
  methods.split(' ').map((method) => `${method} ${path}`),
);

const isPing = (route: string) => route.endsWith('/test');

const QUERIES: Record<string, string[]> = {
  'GET /items': ['skip', 'limit'],
  'GET /registries': ['skip', 'limit'],
  'GET /events': ['after', 'limit'],
  'GET /registries/{id}/events': ['after', 'limit'],
  'GET /claims': ['skip', 'limit', 'email', 'user_id', 'ids', 'with'],
  'DELETE /claims': ['email', 'user_id', 'registry_id', 'unchanged_for'],
};

describe('/openapi.json', () => {
  let service: TestService;
  // biome-ignore lint/suspicious/noExplicitAny: a document is examined field by field
  let document: any;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  let operations: [route: string, operation: any][];

  before(async () => {
    service = await startTestService();
    document = await (await service.fetch('/openapi.json')).json();
    operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods as object).map(([method, operation]): [string, object] => [
        `${method.toUpperCase()} ${path}`,
        operation,
      ]),
    );
  });
  after(() => service.close());

  it('is a valid OpenAPI 3.1 document of this version', async () => {
    assert.match(document.openapi, /^3\.1\.\d$/);
    assert.deepEqual(await new Validator().validate(structuredClone(document)), { valid: true });
    assert.equal(document.info.version, apiPackage.version);
  });

  it('tells of every route, and of no other', () => {
    assert.deepEqual(operations.map(([route]) => route).sort(), [...ROUTES].sort());
  });

  it('describes each route’s purpose, input and responses', () => {
    const ids = new Set();
    for (const [
      route,
      { summary, operationId, tags, security, parameters = [], requestBody, responses },
    ] of operations) {
      assert.ok(summary, route);
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
      assert.deepEqual(
        named('path'),
        [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
        route,
      );
      const query = QUERIES[route] ?? [];
      assert.deepEqual(named('query'), query, route);
      assert.deepEqual(named('header'), headersOf(route), route);

      const takesBody = /^(POST|PUT|PATCH)/.test(route) && !isPing(route);
      assert.deepEqual(Object.keys(requestBody?.content ?? {}), takesBody ? ['application/json'] : [], route);
      const statuses = Object.keys(responses).map(Number);
      const expected = [
        ...(open ? [] : [401, 403, 429, 502, 503, 504]),
        ...(takesBody ? [400, 413, 415, 422] : []),
        ...(query.length > 0 ? [422] : []),
        ...(route.includes('{') ? [404] : []),
        ...(headersOf(route).includes('if-match') ? [412] : []),
        ...(headersOf(route).includes('idempotency-key') ? [409] : []),
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
    for (const [route, { responses }] of operations) {
      const headers = (status: number | string) =>
        Object.keys(responses[status]?.headers ?? {}).map((name) => name.toLowerCase());
      for (const status of Object.keys(responses))
        assert.ok(headers(status).includes('x-request-id'), `${route} ${status}`);
      for (const [status, name] of [
        [401, 'www-authenticate'],
        [429, 'retry-after'],
        [503, 'retry-after'],
      ] as const)
        if (responses[status]) assert.ok(headers(status).includes(name), `${route} ${status}`);
      const mayWait = headersOf(route).includes('idempotency-key');
      assert.equal(headers(409).includes('retry-after'), mayWait, `${route} 409`);
      const tagged =
        /^GET .*\/items$|^(GET|PUT|DELETE) \/items\/|^POST .*\/(items|claims|move)$|^(GET|PATCH) \/claims\//.test(
          route,
        );
      const success = responses[201] ? 201 : 200;
      assert.equal(headers(success).includes('etag'), tagged, route);
      assert.equal(headers(success).includes('x-host-total'), route === 'GET /registries', route);
    }
  });

  it('describes the particular refusals of claims', () => {
    const { post } = document.paths['/registries/{id}/items/{item_id}/claims'];
    const { get, patch, delete: release } = document.paths['/claims/{claim_id}'];
    for (const [{ responses }, status, words] of [
      [post, 403, /owner who is to be surprised.*no admin/],
      [post, 404, /no such active item/],
      [post, 409, /`detail` says how many.*10,000.*Idempotency-Key/],
      [post, 429, /wait for confirmation.*sign-ins/],
      [patch, 403, /only takes back/],
      [patch, 409, /^Its state cannot become that one.*deleted/],
      [release, 409, /^It has expired$/],
      [get, 404, /none of the caller's/],
    ])
      assert.match(responses[status].description, words);
  });

  it('shows for each body requests that the service takes as they are', async () => {
    const [alice, bob] = [service.client('alice'), service.client('bob')];
    const { id } = (await alice.registries.create({
      title: 'Ann & Bob',
      meta: { registry_invitees: ['bob'] },
    }))!;
    assert.equal(id, 1, 'the registry that the examples name');
    for (const [route, { requestBody }] of operations.filter(([, { requestBody }]) => requestBody)) {
      const { examples } = requestBody.content['application/json'];
      assert.ok(Object.keys(examples ?? {}).length > 0, route);
      for (const [title, { summary, value }] of Object.entries<{ summary: string; value: object }>(
        examples,
      )) {
        assert.equal(summary, title);
        const pan = { name: 'Pan', url: 'https://shop.example/pan', quantity_needed: 9 };
        const item = (await alice.registries.items.create(id, pan))!.data.id;
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

  it('describes Basic credentials and the gateway key', () => {
    const { securitySchemes } = document.components;
    const kinds = Object.values(securitySchemes) as {
      type: string;
      scheme?: string;
      in?: string;
      name?: string;
    }[];
    assert.ok(kinds.some(({ type, scheme }) => type === 'http' && scheme === 'basic'));
    assert.ok(
      kinds.some(
        ({ type, in: where, name }) => type === 'apiKey' && where === 'header' && name === 'x-api-key',
      ),
    );
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
    const body = document.paths['/items'].post.requestBody.content['application/json'].schema;
    const { name, url, price } = (body.$ref ? document.components.schemas.ItemCreate : body).properties;
    assert.deepEqual(
      [name.minLength, name.maxLength, url.minLength, url.maxLength, price.exclusiveMinimum],
      [1, 100, 10, 2000, 0],
    );
    const [skip, limit] = document.paths['/items'].get.parameters;
    assert.deepEqual([skip.schema.default, limit.schema.default, limit.schema.maximum], [0, 100, 1000]);
  });
});

// biome-ignore lint/suspicious/noExplicitAny: as above
function assertExemplified(schema: any, path: string): void {
  if (schema.examples || schema.$ref || schema.enum?.length === 1 || 'default' in schema) return;
  const within = schema.items ? { '[]': schema.items } : schema.properties;
  assert.ok(within, `${path} has no example`);
  for (const [name, field] of Object.entries(within)) assertExemplified(field, `${path}.${name}`);
}

/** The request headers that a route listens to, besides the credentials. */
function headersOf(route: string): string[] {
  if (route === 'POST /lookups') return ['accept-language', 'trousseau-for'];
  if (/^POST .*\/claims$/.test(route)) return ['idempotency-key', 'trousseau-owner'];
  if (/^GET (.*\}\/claims|\/claims|\/events)$/.test(route)) return ['trousseau-owner'];
  if (/^(PATCH|DELETE) \/claims\/\{\w+\}$/.test(route)) return ['if-match', 'trousseau-owner'];
  if (/^GET \/claims\/\{\w+\}$/.test(route)) return ['trousseau-owner', 'if-none-match'];
  if (route.endsWith('/move')) return ['if-match', 'idempotency-key'];
  if (route.startsWith('POST ') && !isPing(route)) return ['idempotency-key'];
  if (/^(PUT|PATCH|DELETE) .*\{(item|claim)_id\}/.test(route)) return ['if-match'];
  return /^GET (.*\/items|\/(items|claims)\/\{\w+\})$/.test(route) ? ['if-none-match'] : [];
}

describe('/docs in a browser', { skip: skipWithoutChromium() }, () => {
  let service: TestService;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];
  const elsewhere: string[] = [];

  before(async () => {
    service = await startTestService();
    browser = await launchChromium();
    page = await browser.newPage();
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => {
      if (!request.url().startsWith(`${service.url}/`) && !request.url().startsWith('data:'))
        elsewhere.push(request.url());
    });
    await page.goto(`${service.url}/docs`);
    await page.locator('.opblock').first().waitFor();
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  /** Opens an operation, fills in its fields, sends it, and gives the status and body shown. */
  async function tryOut(route: string, fields: Record<string, string> = {}, body?: object) {
    const [method = '', path = ''] = route.split(' ');
    const block = page
      .locator(`.opblock-${method.toLowerCase()}`)
      .filter({ has: page.locator(`[data-path="${path}"]`) });
    if (!(await block.locator('.execute').isVisible()))
      await block.locator('.opblock-summary-control').click();
    for (const [name, value] of Object.entries(fields))
      await block.locator(`tr[data-param-name="${name}"] input`).fill(value);
    if (body) await block.locator('textarea.body-param__text').fill(JSON.stringify(body));
    const answered = page.waitForResponse(
      (response) =>
        response.request().method() === method && response.url() !== `${service.url}/openapi.json`,
    );
    await block.locator('.execute').click();
    await answered;
    const live = block.locator('.live-responses-table');
    const status = (await live.locator('tbody .response-col_status').first().innerText()).trim();
    const shown = live.locator('.highlight-code code').first();
    const text = (await shown.count()) > 0 ? await shown.innerText() : '';
    return { status: Number(/^\d{3}/.exec(status)?.[0]), text };
  }

  it('shows every route', async () => {
    const shown = await page.locator('.opblock').evaluateAll((blocks) =>
      blocks.map((block) => {
        const method = block.querySelector('.opblock-summary-method')?.textContent;
        return `${method} ${block.querySelector('[data-path]')?.getAttribute('data-path')}`;
      }),
    );
    assert.deepEqual(shown.sort(), [...ROUTES].sort());
    assert.match(await page.title(), /Trousseau/);
  });

  it('lets the reader sign in, try calls, and see the answers', async () => {
    assert.equal((await tryOut('GET /health')).status, 200);

    await page.locator('button.authorize').click();
    const dialog = page.locator('.dialog-ux');
    const form = dialog.locator('.auth-container').filter({ hasText: 'basic' });
    await form.locator('input[name="username"]').fill('alice');
    await form.locator('input[name="password"]').fill(PASSWORDS.alice);
    await form.locator('button.authorize').click();
    await dialog.locator('button.btn-done').first().click();

    const created = await tryOut('POST /registries', {}, { title: 'Ann & Bob' });
    assert.equal(created.status, 201, created.text);
    const registry = (await service.client('alice').registries.list())?.[0];
    assert.equal(registry?.title, 'Ann & Bob');
    const id = String(registry?.id);

    const item = { name: 'Pan', url: 'https://shop.example/pan' };
    const added = await tryOut('POST /registries/{id}/items', { id }, item);
    assert.equal(added.status, 201, added.text);
    const items = await tryOut('GET /registries/{id}/items', { id });
    assert.deepEqual([items.status, JSON.parse(items.text)[0].name], [200, 'Pan']);
    const list = await tryOut('GET /items', { skip: '0', limit: '1' });
    assert.deepEqual([list.status, JSON.parse(list.text).length], [200, 1]);

    // A browser reports every failed answer on its console, so these come last and are expected there.
    assert.equal(complaints.length, 0, complaints.join('\n'));
    const missing = await tryOut('GET /items/{item_id}', { item_id: '999999' });
    assert.deepEqual([missing.status, JSON.parse(missing.text)], [404, { detail: 'Item not found' }]);
    assert.ok(
      complaints.every((text) => text.includes('404')),
      complaints.join('\n'),
    );
  });

  it('asks no other server for anything', () => {
    assert.deepEqual(elsewhere, []);
  });
});
