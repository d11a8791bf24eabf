import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Call, callsOf, isWellFormed, type OpenApi, read } from './answers.ts';
import { rawCall } from './raw-http.ts';
import { authorization, startTestService, type TestService } from './support.ts';

const MEBIBYTE = 1024 * 1024;
const pan = { name: 'Pan', url: 'https://shop.example/pan' };

describe('bad input', () => {
  let service: TestService;
  let call: Call;
  let document: OpenApi;
  let registry: string;
  let item: number;
  let untouched: string;
  /** Every route that takes a body, with one that it would take. */
  let writes: [target: string, body: object][];

  before(async () => {
    service = await startTestService();
    call = await callsOf(service);
    document = await (await service.fetch('/openapi.json')).json();
    registry = `/registries/${(await call('alice', 'POST /registries', { title: 'Ann' })).body.id}`;
    item = (await call('alice', `POST ${registry}/items`, pan)).body.data.id;
    writes = [
      ['POST /items', { registry_id: 1, ...pan }],
      [`PUT /items/${item}`, pan],
      ['POST /registries', { title: 'New' }],
      [`PATCH ${registry}`, { title: 'New' }],
      [`POST ${registry}/items`, pan],
      [`POST ${registry}/invitees`, { invitees: ['bob'] }],
      [`PUT ${registry}/items/${item}/affiliate`, { affiliate_url: 'https://partner.example' }],
    ];
    untouched = await everything();
  });

  after(async () => {
    const [state, faults] = [await everything(), service.log.filter((line) => /"level":(50|60)/.test(line))];
    await service.close();
    assert.equal(state, untouched, 'what was refused changed something');
    assert.deepEqual(faults, [], 'the log tells of internal errors');
  });

  async function everything(): Promise<string> {
    const targets = ['/items?limit=1000', '/registries', registry, `${registry}/items`, `/items/${item}`];
    const answers = await Promise.all(targets.map((target) => call('alice', `GET ${target}`)));
    return answers.map(({ text }) => text).join('\n');
  }

  const send = async (target: string, body: BodyInit | null, headers: Record<string, string> = {}) => {
    const [method = '', path = ''] = target.split(' ');
    const stream = body instanceof ReadableStream && { duplex: 'half' as const };
    const answer = await read(await service.fetch(path, { method, as: 'alice', body, headers, ...stream }));
    isWellFormed(answer);
    return answer;
  };
  const json = { 'content-type': 'application/json' };

  it('a body that is no JSON is 400', async () => {
    const broken = [
      '',
      ' ',
      '{',
      '}',
      '{"name":"x",}',
      "{'name':'x'}",
      '{name:1}',
      'undefined',
      'NaN',
      '01',
      '{} {}',
    ];
    const odd = [
      '\ufeff{}',
      '{"name":"a\nb"}',
      '{"name":"\\x41"}',
      '{"price":+1}',
      '{"price":.5}',
      '/**/{}',
      '[',
      '"',
    ];
    const bytes = [
      Buffer.from('{"name":"\xff\xfe"}', 'latin1'),
      Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d]),
      Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
      Buffer.from('{"name":"x"}', 'utf16le'),
      Buffer.from([0, 1, 2, 3]),
    ];
    for (const [target] of writes) {
      for (const body of [...broken, ...odd, ...bytes]) {
        const { status, text } = await send(target, body, json);
        assert.equal(status, 400, `${target} ${body.toString('latin1')}: ${text}`);
      }
    }
  });

  it('a body of another kind is 415', async () => {
    const types = [
      'text/plain',
      'text/json',
      'application/jsonx',
      'application/x-www-form-urlencoded',
      'foo',
      ';',
      'json',
    ];
    const more = [
      'multipart/form-data; boundary=x',
      'application/merge-patch+json',
      'application/octet-stream',
      '*/*',
    ];
    for (const [target, body] of writes) {
      for (const type of [...types, ...more]) {
        const { status, text } = await send(target, JSON.stringify(body), { 'content-type': type });
        assert.equal(status, 415, `${target} ${type}: ${text}`);
      }
      const [method, path] = target.split(' ');
      for (const type of ['', 'content-type:\r\n', 'content-type: \r\n']) {
        const head = `${method} ${path} HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization('alice')}\r\nconnection: close\r\n`;
        const answer = await rawCall(service.url, `${head}${type}content-length: 2\r\n\r\n{}`);
        assert.equal(answer?.status, 415, `${target} ${type}`);
        isWellFormed(answer!);
      }
    }
  });

  it('JSON by its type may be spelled in any letters', async () => {
    for (const type of [
      'Application/JSON',
      'application/json;charset=utf-8',
      'application/json ; charset="UTF-8"',
    ]) {
      const { status } = await send(`PUT /items/${item}`, '{}', { 'content-type': type });
      assert.equal(status, 200, type);
    }
  });

  it('a body over 1 MiB is 413, however it comes; one of just 1 MiB is taken', async () => {
    const padded = (bytes: number) => `${' '.repeat(bytes - 2)}{}`;
    assert.equal((await send(`PUT /items/${item}`, padded(MEBIBYTE), json)).status, 200);
    const chunked = (text: string) => new Blob([text]).stream();
    assert.equal((await send(`PUT /items/${item}`, chunked(padded(MEBIBYTE)), json)).status, 200);
    for (const [target] of writes) {
      assert.equal((await send(target, padded(MEBIBYTE + 1), json)).status, 413, target);
      assert.equal((await send(target, chunked(padded(MEBIBYTE + 1)), json)).status, 413, target);
    }
  });

  it('hostile JSON is data like any other', async () => {
    const poison = '"__proto__":{"name":"x","admin":true},"constructor":{"prototype":{"admin":true}}';
    for (const [target, body] of writes) {
      const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
      const wrong = JSON.stringify(Object.fromEntries(Object.keys(body).map((key) => [key, {}])));
      for (const hostile of [
        `{${poison}}`,
        `{"__proto__":${JSON.stringify(body)}}`,
        deep,
        `{"x":${deep}}`,
        wrong,
      ]) {
        const { status } = await call('alice', target, hostile);
        // An update with nothing in it that is known changes nothing.
        const harmless = /^(PUT \/items|PATCH)/.test(target) && hostile !== wrong;
        const expected = hostile.includes(deep) ? 400 : harmless ? 200 : 422;
        assert.equal(status, expected, `${target} ${hostile.slice(0, 60)}`);
      }
    }
    assert.equal(({} as Record<string, unknown>).admin, undefined);
  });

  it('a body may be nested 100 levels deep and no deeper, under an Idempotency-Key, too', async () => {
    const nested = (levels: number) => `{"x":${'['.repeat(levels - 1)}"[[{\\"["${']'.repeat(levels - 1)}}`;
    for (const [target] of writes) {
      for (const headers of [{}, { 'idempotency-key': `deep-${target.replaceAll(/\W/g, '-')}` }]) {
        assert.notEqual((await call('alice', target, nested(100), headers)).status, 400, target);
        const refused = await call('alice', target, nested(101), headers);
        assert.deepEqual(
          [refused.status, refused.body.detail],
          [400, 'The body is nested deeper than 100 levels'],
        );
      }
    }
  });

  it('many faults are told in few words', async () => {
    const ids = Array(500_000).fill(0);
    const guests = Array(300_000).fill('');
    for (const meta of [
      { registry_item_ids: ids },
      { registry_invitees: guests },
      { registry_item_ids: ids.slice(0, 9_000) },
    ]) {
      const { status, body } = await call('alice', 'POST /registries', { title: 'x', meta });
      assert.equal(status, 422);
      assert.ok(body.detail.length < 2_000, `${body.detail.length} characters`);
    }
  });

  it('what is no path of the service is 404, whatever is sent there', async () => {
    const paths = [
      '/nowhere',
      '/item',
      '/Items',
      '/items/1/2',
      '//items',
      '/items//',
      '/registries/1/items/1/x',
      '/health/',
    ];
    const odd = [
      '/%',
      '/%zz',
      '/%ff',
      '/items/%',
      '/items%00',
      '/items/%ff',
      '/%2e%2e/etc/passwd',
      '/docs/static/..%2f..%2fpackage.json',
    ];
    const more = [
      '/docs/static/nothing',
      '/__proto__',
      '/constructor',
      '/registries/1/affiliate',
      '/items.json',
      `/${'x'.repeat(9_000)}`,
    ];
    for (const path of [...paths, ...odd, ...more]) {
      for (const [method, body, headers] of [
        ['GET', null, {}],
        ['POST', '{', json],
        ['PUT', 'x', { 'content-type': 'foo' }],
        ['PATCH', ' '.repeat(MEBIBYTE + 1), json],
        ['DELETE', null, json],
        ['PROPFIND', null, {}],
      ] as const) {
        const { status } = await send(`${method} ${path}`, body, headers);
        assert.equal(status, 404, `${method} ${path.slice(0, 60)}`);
      }
    }
  });

  it('a known path takes its own methods, and names them for any other', async () => {
    for (const [template, operations] of Object.entries(document.paths)) {
      const methods = Object.keys(operations).map((method) => method.toUpperCase());
      const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].sort().join(', ');
      const path = template.replace('{id}', '1').replace('{item_id}', '1').replace('{invitee}', 'bob');
      for (const method of [
        'GET',
        'POST',
        'PUT',
        'PATCH',
        'DELETE',
        'OPTIONS',
        'TRACE',
        'PROPFIND',
        'LOCK',
        'SEARCH',
        'LINK',
      ]) {
        if (methods.includes(method)) continue;
        for (const line of [path, `${path}?x=1`, `http://else.example${path}`]) {
          const body = 'content-type: text/plain\r\ncontent-length: 1\r\n\r\n{';
          const answer = await rawCall(
            service.url,
            `${method} ${line} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${body}`,
          );
          assert.ok(answer, `${method} ${line}`);
          isWellFormed(answer);
          assert.deepEqual([answer.status, answer.headers.get('allow')], [405, allow], `${method} ${line}`);
        }
      }
    }
  });

  it('a request id is the caller’s when sensible, else a new one', async () => {
    const id = async (given: string) =>
      (await call(undefined, 'GET /health', undefined, { 'x-request-id': given })).headers.get(
        'x-request-id',
      );
    for (const good of ['a', 'abc.DEF:1-_2', 'x'.repeat(128)]) assert.equal(await id(good), good);
    const seen = new Set<string | null>();
    for (const bad of ['', ' ', 'a b', 'x'.repeat(129), '<script>', 'a"b', 'a,b', 'ä', '../x']) {
      const made = await id(bad);
      assert.match(made ?? '', /^[0-9a-f-]{36}$/, bad);
      seen.add(made);
    }
    assert.equal(seen.size, 9);
  });
});
