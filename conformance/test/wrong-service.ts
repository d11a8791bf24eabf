import { createServer, type IncomingMessage } from 'node:http';
import { listen } from '../../api/test/listen.ts';

// biome-ignore lint/suspicious/noExplicitAny: a service may answer anything
type Json = any;
/** A request to falsify. `target` is its method and path. */
export type Exchange = { target: string; headers: Headers; body: Buffer | undefined };
export type Reply = { status: number; headers: Headers; json: Json };

/** How a service is wrong: how it falsifies requests and answers. */
export type Fault = {
  request?: (exchange: Exchange) => void;
  answer?: (reply: Reply, exchange: Exchange) => void;
};

async function read(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** Starts a service that behaves like the one at `url` except for one fault. */
export async function startWrongService(url: string, fault: Fault) {
  const server = createServer(async (request, response) => {
    const headers = new Headers(
      Object.entries(request.headersDistinct).map(([name, all]) => [name, all![0]!]),
    );
    const given = await read(request);
    const exchange: Exchange = {
      target: `${request.method} ${request.url}`,
      headers,
      body: given.length > 0 ? given : undefined,
    };
    fault.request?.(exchange);
    for (const name of ['host', 'connection', 'content-length', 'transfer-encoding']) headers.delete(name);
    const [method = '', path = ''] = exchange.target.split(' ');
    const answer = await fetch(url + path, {
      method,
      headers,
      body: exchange.body ? new Uint8Array(exchange.body) : null,
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') && text !== '';
    const reply: Reply = {
      status: answer.status,
      headers: new Headers(answer.headers),
      json: isJson ? JSON.parse(text) : undefined,
    };
    fault.answer?.(reply, exchange);
    for (const name of ['content-length', 'transfer-encoding', 'connection', 'keep-alive'])
      reply.headers.delete(name);
    response.writeHead(reply.status, Object.fromEntries(reply.headers));
    response.end(isJson && ![204, 304].includes(reply.status) ? JSON.stringify(reply.json) : undefined);
  });
  return listen(server);
}
