import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, createServer as createRawServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import type { RegistryEvent } from '../src/contract/index.ts';

export type Received = {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it
  event: RegistryEvent & { data: any };
};

/** The status that it answers, at once or later; nothing ends the connection. */
export type Answering = (received: Received) => number | undefined | Promise<number | undefined>;

/** A receiver of webhooks on this machine. */
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
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    url: (path = '/hook') => `http://127.0.0.1:${port}${path}`,
    received,
    types: (path = '/hook') =>
      received.filter((one) => one.path === path).map(({ event }) => event.type as string),
    answer(next: Answering) {
      state.answer = next;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** One that says something else than it should, to each connection. */
export async function startLiar(speak: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createRawServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.on('close', () => sockets.delete(socket));
    speak(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}/hook`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Whether a message has the signature that this secret makes, also at a time that only the test knows. */
export function isSigned(secret: string, { headers, body }: Received): boolean {
  const id = String(headers['webhook-id']);
  const time = new Date(Number(headers['webhook-timestamp']) * 1000);
  return headers['webhook-signature'] === new Webhook(secret).sign(id, time, body);
}
