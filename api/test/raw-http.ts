import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Answer } from './answers.ts';

/** Writes these bytes to a connection of their own and gives the one answer before it closes, or nothing. */
export async function rawCall(url: string, bytes: string | Buffer, { end = false } = {}) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  // Refused while it is still being written to, a connection may end in a reset.
  socket.on('error', () => {});
  await once(socket, 'connect');
  const closed = new Promise((resolve) => socket.once('close', resolve));
  if (end) socket.end(bytes);
  else socket.write(bytes);
  await closed;
  return text === '' ? undefined : parsed(text);
}

/** Sends all these requests over one connection, the last of which ends it, and gives the statuses in their order. */
export async function pipelined(url: string, requests: string[]): Promise<number[]> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(requests.join(''));
  let text = '';
  for await (const chunk of socket.setEncoding('utf8')) text += chunk;
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

function parsed(text: string): Answer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  const headers = new Headers(
    lines.map((line): [string, string] => [line.split(':')[0]!, line.replace(/^.*?: /, '')]),
  );
  const body = rest.join('\r\n\r\n');
  assert.equal(text.split('HTTP/1.1 ').length, 2, `one answer: ${text}`);
  const isJson = headers.get('content-type')?.startsWith('application/json') && body !== '';
  return { status, headers, text: body, body: isJson ? JSON.parse(body) : null };
}
