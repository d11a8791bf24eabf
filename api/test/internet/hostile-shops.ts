import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { PAN, type ShopServer, startBareShop, startShop } from './shop-server.ts';

export type HostileShop = {
  what: string;
  problem: string | null;
  /** It is given up only when the time for a lookup is over. */
  slow?: true;
  start(): Promise<ShopServer>;
};

const HTML = { 'content-type': 'text/html; charset=utf-8' };

const web = (
  what: string,
  problem: string | null,
  answer: (response: ServerResponse, request: IncomingMessage) => void,
  slow?: true,
): HostileShop => ({
  ...{ what, problem, ...(slow && { slow }) },
  start: () => startShop((request, response) => answer(response, request)),
});

const bare = (what: string, problem: string, answer: (socket: Socket) => void, slow?: true): HostileShop => ({
  ...{ what, problem, ...(slow && { slow }) },
  start: () => startBareShop(answer),
});

const sent = (what: string, problem: string | null, headers: Record<string, string>, body: string | Buffer) =>
  web(what, problem, (response) => response.writeHead(200, headers).end(body));

function forever(response: ServerResponse | Socket, piece: string | Buffer): void {
  const more = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', more).on('error', () => {});
  more();
}

function byTheByte(to: ServerResponse | Socket, text: string): void {
  let at = 0;
  const timer = setInterval(() => to.write(text.charAt(at++ % text.length)), 50);
  to.on('close', () => clearInterval(timer)).on('error', () => {});
}

const MIB = 1024 * 1024;

/** The bytes of 5 GB of nothing, so many times smaller: pages in pieces that unpack to the same each. */
async function bombs() {
  const piece = Buffer.alloc(64 * MIB);
  const [gz, br] = await Promise.all([
    promisify(gzip)(piece),
    promisify(brotliCompress)(Buffer.alloc(256 * MIB), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  ]);
  const times = Math.ceil((5 * 1024) / 64);
  return { gzip: Buffer.concat(Array(times).fill(gz)), br };
}

export async function hostileShops(): Promise<HostileShop[]> {
  const bomb = await bombs();
  const long = `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(10_000)}`;
  const png = Buffer.from('89504e470d0a1a0a0000000d', 'hex');
  const packed = (encoding: string) => ({ ...HTML, 'content-encoding': encoding });
  return [
    sent('a bomb of 5 GB in gzip', 'too_large', packed('gzip'), bomb.gzip),
    sent('packed as nobody asked for', 'not_a_page', packed('zstd'), bomb.br),
    sent('a bomb of 256 MB in brotli', 'too_large', packed('br'), bomb.br),
    sent('packed twice', 'not_a_page', packed('br, br'), bomb.br),
    web('a page without end', 'too_large', (response) =>
      forever(response.writeHead(200, HTML), '<p>and more '.repeat(5_000)),
    ),
    web('a page that says it has 1 TB', 'too_large', (response) =>
      response.writeHead(200, { ...HTML, 'content-length': String(1024 ** 4) }).write('<p>'),
    ),
    web('a page by the byte', 'late', (response) => byTheByte(response.writeHead(200, HTML), PAN), true),
    web('a page that stops in the middle', 'late', (it) => it.writeHead(200, HTML).write(PAN), true),
    bare('headers by the byte', 'late', (socket) => byTheByte(socket, long), true),
    bare('no word', 'late', () => {}, true),
    bare('headers without end', 'unreachable', (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      forever(socket, `x-padding: ${'x'.repeat(8_000)}\r\n`);
    }),
    bare('one header of 10 MB', 'unreachable', (socket) => {
      socket.end(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(10 * MIB)}\r\n\r\n`);
    }),
    bare('hangs up', 'unreachable', (socket) => socket.destroy()),
    bare('no HTTP', 'unreachable', (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')),
    bare('an early hint without end', 'unreachable', (socket) =>
      forever(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n'),
    ),
    web('a loop', 'unreachable', (it, { url }) => it.writeHead(302, { location: `${url}` }).end()),
    web('one redirect after another', 'unreachable', (it, { url }) =>
      it.writeHead(302, { location: `${url}x` }).end(),
    ),
    sent('a picture', 'not_a_page', { 'content-type': 'image/png' }, 'PNG'),
    sent('a picture that calls itself a page', 'not_a_page', HTML, png),
    sent('JSON', 'not_a_page', { 'content-type': 'application/json' }, '{"name":"Pan","price":1}'),
    sent('nothing', 'not_a_page', HTML, ''),
    sent('broken gzip', 'not_a_page', packed('gzip'), Buffer.from(PAN)),
    sent('a charset that is none', null, { 'content-type': 'text/html; charset=klingon' }, PAN),
    sent('UTF-16 that is not', 'not_a_page', { 'content-type': 'text/html; charset=utf-16le' }, PAN),
    sent('half a character', null, HTML, Buffer.concat([Buffer.from(PAN), Buffer.from('c3', 'hex')])),
    web('an error', 'refused', (response) => response.writeHead(503, HTML).end(PAN)),
    web('no content', 'not_a_page', (response) => response.writeHead(204).end()),
    sent('4 MB of open elements', 'nothing_found', HTML, '<div>'.repeat(800_000)),
    sent('4 MB of attributes', 'nothing_found', HTML, `<p ${'a=1 '.repeat(1_000_000)}>`),
  ];
}
