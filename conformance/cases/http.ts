import assert from 'node:assert/strict';
import { section } from '../case.ts';
import { NO_ID, ok, unique, type World } from '../world.ts';
import { pan } from './kit.ts';

const MEBIBYTE = 1024 * 1024;
const bytes = (text: string, encoding: BufferEncoding = 'utf8') =>
  new Uint8Array(Buffer.from(text, encoding));
const json = { 'content-type': 'application/json' };

const lookup: [target: string, body: object] = ['POST /lookups', { url: 'https://shop.invalid/pan' }];

/** Returns every route that takes a body, for a registry of the case's own, with a valid body. */
async function writesOf(world: World): Promise<[target: string, body: object][]> {
  const { id } = await world.registry();
  const item = await world.item({ id });
  const claim = await world.claim('owner', await world.item({ id }));
  return [
    ['POST /items', { registry_id: id, ...pan }],
    [`PUT /items/${item.id}`, pan],
    [`POST /items/${item.id}/move`, { registry_id: id }],
    ['POST /registries', { title: '[conformance] New' }],
    [`PATCH /registries/${id}`, { story: 'New' }],
    [`POST /registries/${id}/items`, pan],
    [`POST /registries/${id}/invitees`, { invitees: ['aunt@guests.invalid'] }],
    [`PUT /registries/${id}/items/${item.id}/affiliate`, { affiliate_url: 'https://partner.example' }],
    [`POST /registries/${id}/items/${item.id}/claims`, { quantity: 1 }],
    [`PATCH /claims/${claim.id}`, { message: 'New' }],
    // With LOOKUPS=off the path does not exist.
    ...((await world.call('owner', 'POST /lookups', {})).status === 404 ? [] : [lookup]),
  ];
}

/** Paths with their allowed methods. */
const METHODS: Record<string, string[]> = {
  '/': ['GET'],
  '/health': ['GET'],
  '/items': ['GET', 'POST'],
  '/items/1': ['GET', 'PUT', 'DELETE'],
  '/items/1/move': ['POST'],
  '/registries': ['GET', 'POST'],
  '/registries/1': ['GET', 'PATCH', 'DELETE'],
  '/registries/1/items': ['GET', 'POST'],
  '/registries/1/items/1': ['DELETE'],
  '/registries/1/invitees': ['GET', 'POST'],
  '/registries/1/invitees/bob': ['DELETE'],
  '/registries/1/items/1/affiliate': ['GET', 'PUT', 'DELETE'],
  '/registries/1/items/1/claims': ['POST'],
  '/registries/1/claims': ['GET'],
  '/claims': ['GET', 'DELETE'],
  '/claims/x': ['GET', 'PATCH', 'DELETE'],
};

export const http = [
  ...section('errors-and-limits.md#health', {
    'welcome-and-health-are-for-anybody-whatever-they-send': async ({ call }) => {
      for (const headers of [{}, { authorization: 'Basic rubbish' }]) {
        const welcome = ok(200, await call(undefined, 'GET /', undefined, headers));
        assert.equal(typeof welcome.message, 'string');
        const health = ok(200, await call(undefined, 'GET /health?x=1', undefined, headers));
        assert.deepEqual(health, { status: 'healthy', service: 'trousseau-api' });
      }
    },
  }),

  ...section('errors-and-limits.md#requests-and-answers', {
    'documentation-is-shown-whole-or-not-at-all': async ({ ask }) => {
      const page = await ask(undefined, 'GET /docs');
      const description = await ask(undefined, 'GET /openapi.json');
      if (description.status === 404) return assert.equal(page.status, 404);
      ok(200, description);
      assert.ok(page.status === 200 || (page.status >= 301 && page.status <= 308), `/docs: ${page.status}`);
      assert.match(description.body.openapi, /^3\./);
      const paths = Object.keys(description.body.paths).map((path) => path.replaceAll(/\{\w+\}/g, '{}'));
      for (const path of ['/items', '/items/{}', '/registries/{}', '/claims/{}'])
        assert.ok(paths.includes(path), path);
    },

    'no-path-holds-a-version': async ({ call }) => {
      for (const path of ['/v1/items', '/v1/health', '/api/v1/items', '/items/v1'])
        ok(404, await call('owner', `GET ${path}`));
    },

    'request-id-is-the-callers-when-sensible': async ({ call }) => {
      const id = async (given: string) =>
        (await call(undefined, 'GET /health', undefined, { 'x-request-id': given })).headers.get(
          'x-request-id',
        );
      for (const good of ['a', 'abc.DEF:1-_2', unique(), 'x'.repeat(128)]) assert.equal(await id(good), good);
      const seen = new Set<string | null>();
      const bad = ['', ' ', 'a b', 'x'.repeat(129), '<script>', 'a"b', 'a,b', 'ä', '../x'];
      for (const given of bad) {
        const made = await id(given);
        assert.match(made ?? '', /^[\w.:-]{1,128}$/, given);
        assert.notEqual(made, given);
        seen.add(made);
      }
      assert.equal(seen.size, bad.length, 'each request has an id of its own');
    },
  }),

  ...section('errors-and-limits.md#status-codes', {
    'what-is-no-path-is-404-whatever-is-sent-there': async ({ call }) => {
      for (const path of [
        ...['/nowhere', '/item', '/Items', '/items/1/2'],
        ...['/registries/1/items/1/x', '/registries/1/affiliate'],
        ...['/%ff', '/items/%ff', '/__proto__', '/constructor', '/items.json', '/health/x'],
      ]) {
        for (const [method, body, headers] of [
          ['GET', undefined, {}],
          ['POST', '{', json],
          ['PUT', bytes('x'), { 'content-type': 'foo' }],
          ['DELETE', undefined, {}],
        ] as const)
          ok(404, await call('owner', `${method} ${path}`, body, headers));
      }
    },

    'another-method-is-405-with-allow': async ({ call }) => {
      for (const [pattern, methods] of Object.entries(METHODS)) {
        const path = pattern.replaceAll('/1', `/${NO_ID}`);
        for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
          if (methods.includes(method)) continue;
          const answer = await call('owner', `${method} ${path}`);
          ok(405, answer);
          const allow = new Set(answer.headers.get('allow')?.split(/, */));
          for (const allowed of methods) assert.ok(allow.has(allowed), `${path} allows ${allowed}`);
          assert.ok(!allow.has(method), `${path} does not allow ${method}`);
        }
      }
    },

    'a-body-that-is-no-json-is-400': async (world) => {
      const broken = [
        ...['', ' ', '{', '}', '[', '"', '{"name":"x",}', "{'name':'x'}", '{name:1}', 'undefined'],
        ...['NaN', '01', '{} {}', '{"name":"a\nb"}', '{"name":"\\x41"}', '{"price":+1}'],
        ...['{"price":.5}', '/**/{}'],
      ];
      const noUtf8 = [
        bytes('{"name":"\xff\xfe"}', 'latin1'),
        new Uint8Array([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d]),
        new Uint8Array([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
        bytes('{"name":"x"}', 'utf16le'),
      ];
      for (const [target] of await writesOf(world))
        for (const body of [...broken, ...noUtf8]) ok(400, await world.call('owner', target, body, json));
    },

    'a-body-of-another-kind-is-415': async (world) => {
      const types = [
        ...['text/plain', 'text/json', 'application/jsonx', 'application/x-www-form-urlencoded', 'foo'],
        ...['json', 'multipart/form-data; boundary=x', 'application/merge-patch+json'],
        ...['application/octet-stream', '*/*'],
      ];
      for (const [target, body] of await writesOf(world)) {
        for (const type of types)
          ok(415, await world.call('owner', target, bytes(JSON.stringify(body)), { 'content-type': type }));
        ok(415, await world.call('owner', target, bytes(JSON.stringify(body))));
      }
    },

    'json-by-its-type-may-be-spelled-in-any-letters': async (world) => {
      const item = await world.item(await world.registry());
      const types = [
        'Application/JSON',
        'application/json;charset=utf-8',
        'application/json ; charset="UTF-8"',
      ];
      for (const type of types)
        ok(200, await world.call('owner', `PUT /items/${item.id}`, '{}', { 'content-type': type }));
    },

    'a-body-over-one-mebibyte-is-413-however-it-comes': async (world) => {
      const padded = (length: number) => `${' '.repeat(length - 2)}{}`;
      const chunked = (text: string) => new Blob([text]).stream();
      const writes = await writesOf(world);
      const [update] = writes[1]!;
      ok(200, await world.call('owner', update, padded(MEBIBYTE), json));
      ok(200, await world.call('owner', update, chunked(padded(MEBIBYTE)), json));
      for (const [target] of writes) {
        ok(413, await world.call('owner', target, padded(MEBIBYTE + 1), json));
        ok(413, await world.call('owner', target, chunked(padded(MEBIBYTE + 1)), json));
      }
    },

    'many-faults-are-told-in-few-words': async (world) => {
      const ids = Array(500_000).fill(0);
      for (const meta of [
        { registry_item_ids: ids, registry_event_date: 'soon' },
        { registry_invitees: Array(300_000).fill(''), registry_event_date: 'soon' },
        { registry_item_ids: ids.slice(0, 9_000), registry_event_date: 'soon' },
      ]) {
        const { detail } = ok(422, await world.call('owner', 'POST /registries', { title: 'x', meta }));
        assert.match(detail, /meta\.registry_event_date/);
        assert.ok(detail.length < 2_000, `${detail.length} characters`);
      }
    },

    'a-refusal-changes-nothing': async (world) => {
      const { call } = world;
      const registry = await world.registry();
      const item = await world.item(registry);
      const [path, own] = [`/registries/${registry.id}`, `/items/${item.id}`];
      const look = async () => [
        (await call('owner', `GET ${path}`)).text,
        (await call('administrator', `GET ${own}`)).text,
        (await call('owner', `GET ${path}/items`)).text,
      ];
      const before = await look();
      ok(403, await call('stranger', `PATCH ${path}`, { story: 'Theirs' }));
      ok(422, await call('owner', `PATCH ${path}`, { story: 'New', title: '' }));
      ok(422, await call('owner', `PUT ${own}`, { name: 'New', price: -1 }));
      ok(412, await call('owner', `PUT ${own}`, { name: 'New' }, { 'if-match': '"other"' }));
      ok(405, await call('owner', `POST ${own}`, { name: 'New' }));
      ok(401, await call(undefined, `DELETE ${own}`));
      assert.deepEqual(await look(), before);
    },

    'a-body-is-nested-100-levels-deep-and-no-deeper': async (world) => {
      const nested = (levels: number) => `{"x":${'['.repeat(levels - 1)}"[[{\\"["${']'.repeat(levels - 1)}}`;
      for (const [target] of await writesOf(world)) {
        for (const headers of [{}, { 'idempotency-key': unique() }]) {
          assert.notEqual((await world.call('owner', target, nested(100), headers)).status, 400, target);
          ok(400, await world.call('owner', target, nested(101), headers));
          ok(400, await world.call('owner', target, `${'['.repeat(200_000)}${']'.repeat(200_000)}`, headers));
        }
      }
    },

    'hostile-json-is-data-like-any-other': async (world) => {
      const poison = '"__proto__":{"name":"x","admin":true},"constructor":{"prototype":{"admin":true}}';
      for (const [target, body] of await writesOf(world)) {
        const wrong = JSON.stringify(Object.fromEntries(Object.keys(body).map((field) => [field, {}])));
        ok(422, await world.call('owner', target, wrong));
        // A claim has no required fields.
        if (target.endsWith('/claims')) continue;
        // An update without known fields changes nothing.
        const harmless = /^(PUT \/items|PATCH)/.test(target) ? 200 : 422;
        for (const hostile of [`{${poison}}`, `{"__proto__":${JSON.stringify(body)}}`])
          ok(harmless, await world.call('owner', target, hostile));
      }
    },
  }),
];
