// @again postgres
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Call, callsOf, isWellFormed, type OpenApi, read } from './answers.ts';
import { rawCall } from './raw-http.ts';
import { authorization, startTestService, type TestService } from './support.ts';

const MEBIBYTE = 1024 * 1024;
const pan = { name: 'Pan', url: 'https://shop.example/pan' };

describe('bad input, to the byte', () => {
  let service: TestService;
  let call: Call;
  let document: OpenApi;
  let registry: string;
  let item: number;
  let untouched: string;
  /** Routes that take a body. */
  let writes: string[];

  before(async () => {
    service = await startTestService();
    call = await callsOf(service);
    document = await (await service.fetch('/openapi.json')).json();
    registry = `/registries/${(await call('alice', 'POST /registries', { title: 'Ann' })).body.id}`;
    item = (await call('alice', `POST ${registry}/items`, pan)).body.data.id;
    writes = [
      'POST /items',
      `PUT /items/${item}`,
      'POST /registries',
      `PATCH ${registry}`,
      `POST ${registry}/items`,
      `POST ${registry}/invitees`,
      `PUT ${registry}/items/${item}/affiliate`,
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
    const answer = await read(await service.fetch(path, { method, as: 'alice', body, headers }));
    isWellFormed(answer);
    return answer;
  };
  const json = { 'content-type': 'application/json' };

  it('a refusal names the field, its limit and what it got', async () => {
    const cases: [fields: object, detail: string][] = [
      [{ url: 'x.ab' }, 'url: at least 10 characters, got 4'],
      [{ name: 'é'.repeat(101) }, 'name: at most 100 characters, got 101'],
      [{ price: 0 }, 'price: more than 0, got 0'],
      [{ quantity_needed: 0 }, 'quantity_needed: at least 1, got 0'],
      [{ name: '', url: 'x' }, 'name: must not be empty; url: at least 10 characters, got 1'],
    ];
    for (const [fields, detail] of cases) {
      const body = JSON.stringify({ ...pan, ...fields });
      const answer = await send(`POST ${registry}/items`, body, json);
      assert.deepEqual([answer.status, answer.body], [422, { detail }]);
    }
  });

  it('a body without a content type is 415, and with an empty one', async () => {
    for (const target of writes) {
      const [method, path] = target.split(' ');
      for (const type of ['', 'content-type:\r\n', 'content-type: \r\n']) {
        const head = `${method} ${path} HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization('alice')}\r\nconnection: close\r\n`;
        const answer = await rawCall(service.url, `${head}${type}content-length: 2\r\n\r\n{}`);
        assert.equal(answer?.status, 415, `${target} ${type}`);
        isWellFormed(answer!);
      }
    }
  });

  it('an odd path is 404 for every request', async () => {
    for (const path of [
      ...['//items', '/items//', '/health/', '/%', '/%zz', '/items/%', '/items%00', '/%2e%2e/etc/passwd'],
      ...['/docs/static/..%2f..%2fpackage.json', '/docs/static/nothing', `/${'x'.repeat(9_000)}`],
    ]) {
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
        ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'LOCK', 'SEARCH'],
        ...['LINK'],
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
});
