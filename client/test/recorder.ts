import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../../api/test/listen.ts';

export type Recorded = { method: string; url: string; headers: IncomingHttpHeaders; body: string };
export type Reply = (response: ServerResponse, request: Recorded) => unknown;

/** Starts a server on loopback that records every request and answers with the current `reply`. */
export async function startRecorder() {
  const requests: Recorded[] = [];
  const server = createServer(async (request, response) => {
    const recorded = {
      method: request.method!,
      url: request.url!,
      headers: request.headers,
      body: await text(request),
    };
    requests.push(recorded);
    await recorder.reply(response, recorded);
  });
  const { url, close } = await listen(server);
  const recorder = {
    url,
    requests,
    reply: json(200, {}) as Reply,
    take: () => requests.splice(0),
    [Symbol.asyncDispose]: close,
  };
  return recorder;
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

export const plain =
  (status: number, body = '', headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(status, headers).end(body);
