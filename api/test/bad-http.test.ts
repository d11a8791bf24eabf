import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { isWellFormed } from './answers.ts';
import { pipelined, rawCall } from './raw-http.ts';
import { authorization, PAN, startTestService } from './support.ts';

const service = await startTestService();
const { id: item } = (await service.client('alice').items.create({ registry_id: 1, ...PAN }))!.data;
after(async () => {
  const { length } = (await service.client('alice').items.list()) ?? [];
  const faults = service.log.filter((line) => /"level":(50|60)/.test(line));
  await service.close();
  assert.equal(length, 1, 'what was refused was stored');
  assert.deepEqual(faults, [], 'the log tells of internal errors');
});

const head = (line: string) =>
  `${line}\r\nhost: x\r\nconnection: close\r\nauthorization: ${authorization('alice')}\r\n`;
const POST = `POST /items HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization('alice')}\r\ncontent-type: application/json\r\n`;

describe('valid and invalid HTTP', () => {
  it('bytes that are no HTTP get an answer, too', async () => {
    const post = `${head('POST /items HTTP/1.1')}content-type: application/json\r\n`;
    const long = 'a'.repeat(20_000);
    const cases: [what: string, bytes: string | Buffer, status: number][] = [
      ['rubbish', 'rubbish\r\n\r\n', 400],
      ['binary', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01]), 400],
      ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
      ['another version', `${head('GET /health HTTP/9.9')}\r\n`, 400],
      ['a method in small letters', `${head('get /health HTTP/1.1')}\r\n`, 400],
      ['an unknown method', `${head('BREW /items HTTP/1.1')}\r\n`, 400],
      ['a header without a name', `${head('GET /health HTTP/1.1')}: x\r\n\r\n`, 400],
      ['a header with a NUL', `${head('GET /health HTTP/1.1')}x: a\0b\r\n\r\n`, 400],
      ['a blank in a header name', `${head('GET /health HTTP/1.1')}x y: z\r\n\r\n`, 400],
      ['two lengths', `${post}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`, 400],
      ['a length that is none', `${post}content-length: two\r\n\r\n{}`, 400],
      ['a negative length', `${post}content-length: -2\r\n\r\n{}`, 400],
      ['length and chunks', `${post}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
      ['a broken chunk', `${post}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n`, 400],
      ['an unknown transfer encoding', `${post}transfer-encoding: rot13\r\n\r\n{}`, 400],
      ['a path that is too long', `${head(`GET /${long} HTTP/1.1`)}\r\n`, 431],
      ['a header that is too long', `${head('GET /health HTTP/1.1')}x: ${long}\r\n\r\n`, 431],
      ['too many headers', `${head('GET /health HTTP/1.1')}${'x: yyyyyyy\r\n'.repeat(3_000)}\r\n`, 431],
      ['OPTIONS *', `${head('OPTIONS * HTTP/1.1')}\r\n`, 404],
    ];
    for (const [what, bytes, status] of cases) {
      const answer = await rawCall(service.url, bytes, { end: what === 'binary' });
      assert.ok(answer, `${what}: no answer`);
      assert.equal(answer.status, status, `${what}: ${answer.text}`);
      isWellFormed(answer);
    }
  });

  it('odd but valid HTTP is no fault', async () => {
    const wrong = `authorization: Basic ${btoa('alice:wrong')}\r\n`;
    const json = 'content-type: application/json\r\n';
    const [empty, broken] = [`${json}content-length: 2\r\n\r\n{}`, `${json}content-length: 1\r\n\r\n{`];
    const upgrade = 'connection: upgrade\r\nupgrade: websocket\r\n';
    const put = head(`PUT /items/${item} HTTP/1.1`);
    const cases: [what: string, bytes: string, statuses: number[]][] = [
      ['an unknown expectation', `${head('GET /health HTTP/1.1')}expect: tea\r\n\r\n`, [200, 417]],
      ['an upgrade', `${head('GET /health HTTP/1.1')}${upgrade}\r\n`, [200]],
      ['no host', 'GET /health HTTP/1.1\r\nconnection: close\r\n\r\n', [200]],
      ['HTTP/1.0', 'GET /health HTTP/1.0\r\n\r\n', [200]],
      ['a whole address', `${head('GET http://else.example/items HTTP/1.1')}\r\n`, [200]],
      ['two credentials, the first is heard', `${head('GET /items HTTP/1.1')}${wrong}\r\n`, [200]],
      ['two kinds of body, the first is heard', `${put}content-type: text/plain\r\n${empty}`, [415]],
      ['two If-Match, both are heard', `${put}if-match: "a"\r\nif-match: *\r\n${empty}`, [200]],
      ['a body with GET', `${head('GET /items HTTP/1.1')}${broken}`, [200]],
      ['a broken body with DELETE', `${head('DELETE /items/999999 HTTP/1.1')}${broken}`, [400, 404]],
      ['a method of WebDAV', `${head('PROPFIND /items HTTP/1.1')}\r\n`, [405]],
      ['another method at a whole address', `${head('PUT http://else.example/items HTTP/1.1')}\r\n`, [405]],
      ['no type', `${head('POST /items HTTP/1.1')}content-type:\r\ncontent-length: 2\r\n\r\n{}`, [415]],
      ...(['', 'content-length: 0\r\n'] as const).flatMap((length) => {
        const announced = `${json}${length}\r\n`;
        return [
          [`a body announced that POST needs, ${length}`, head('POST /items HTTP/1.1') + announced, [400]],
          [`a body announced that PUT needs, ${length}`, put + announced, [400]],
          [`a body announced with DELETE, ${length}`, head('DELETE /items/9999 HTTP/1.1') + announced, [404]],
        ] satisfies [string, string, number[]][];
      }),
    ];
    for (const [what, bytes, statuses] of cases) {
      const answer = await rawCall(service.url, bytes);
      assert.ok(answer, `${what}: no answer`);
      assert.ok(statuses.includes(answer.status), `${what}: ${answer.status} ${answer.text}`);
      isWellFormed(answer);
    }
  });

  it('a refusal names the field, its limit and what it got', async () => {
    for (const [fields, detail] of [
      [{ url: 'x.ab' }, 'url: at least 10 characters, got 4'],
      [{ name: 'é'.repeat(101) }, 'name: at most 100 characters, got 101'],
      [{ price: 0 }, 'price: more than 0, got 0'],
      [{ name: '', url: 'x' }, 'name: must not be empty; url: at least 10 characters, got 1'],
    ] as const) {
      const json = { registry_id: 1, ...PAN, ...fields };
      const answer = await service.fetch('/items', { method: 'POST', as: 'alice', json });
      assert.deepEqual([answer.status, await answer.json()], [422, { detail }]);
    }
  });

  it('a body that is too large is read to its end, so that its caller reads the answer', async () => {
    const body = ' '.repeat(2 ** 20 + 1);
    const after = 'GET /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';
    for (const framed of [
      `content-length: ${body.length}\r\n\r\n${body}`,
      `transfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    ])
      assert.deepEqual(await pipelined(service.url, [POST + framed, after]), [413, 200]);
  });

  it('a caller who hangs up amid a body leaves nothing behind', async () => {
    const body = JSON.stringify({ registry_id: 1, ...PAN });
    for (const framing of ['content-length: 500\r\n\r\n', 'transfer-encoding: chunked\r\n\r\n1f4\r\n']) {
      const answer = await rawCall(service.url, POST + framing + body, { end: true });
      if (answer) {
        assert.equal(answer.status, 400);
        isWellFormed(answer);
      }
    }
  });
});
