import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createServer as createRawServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import type { RegistryEvent } from '../src/contract/index.ts';
import { listen } from './listen.ts';

export type Received = {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it
  event: RegistryEvent & { data: any };
};

/** The status that it answers, at once or later; nothing ends the connection. */
export type Answering = (received: Received) => number | undefined | Promise<number | undefined>;

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

export async function startReceiver(answer: Answering = () => 204) {
  const received: Received[] = [];
  const state = { answer };
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const one = { path: request.url!, headers: request.headers, body, event: JSON.parse(body) };
    received.push(one);
    const status = await state.answer(one);
    if (status === undefined) return void request.socket.destroy();
    response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end();
  });
  const { host, url, close } = await listen(server);
  return {
    host,
    url: (path = '/hook') => url + path,
    received,
    types: (path = '/hook') =>
      received.filter((one) => one.path === path).map(({ event }) => event.type as string),
    answer(next: Answering) {
      state.answer = next;
    },
    [Symbol.asyncDispose]: close,
  };
}

/** One that says something else than it should, to each connection. */
export async function startLiar(speak: (socket: Socket) => void) {
  const { host, url, close } = await listen(createRawServer(speak));
  return { host, url: `${url}/hook`, [Symbol.asyncDispose]: close };
}

/** Whether a message has the signature that this secret makes, also at a time that only the test knows. */
export function isSigned(secret: string, { headers, body }: Received): boolean {
  const id = String(headers['webhook-id']);
  const time = new Date(Number(headers['webhook-timestamp']) * 1000);
  return headers['webhook-signature'] === new Webhook(secret).sign(id, time, body);
}
