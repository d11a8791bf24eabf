// Stands between a site and its service: records the site's requests, and stops, hangs or refuses when told to.
import { once } from 'node:events';
import { Agent, createServer, type IncomingHttpHeaders, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Mood = 'passing' | 'stopped' | 'hanging' | 'refusing' | 'failing';

export type Gate = Awaited<ReturnType<typeof startGate>>;

/** Starts a gate. `target` returns the service's current address. */
export async function startGate(target: () => string) {
  const requests: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const answers: string[] = [];
  const agent = new Agent({ keepAlive: true });
  let mood: Mood = 'passing';

  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    headers.push(request.headers);
    if (mood === 'hanging') return;
    if (mood !== 'passing') {
      response.writeHead(mood === 'refusing' ? 403 : 500, { 'content-type': 'application/json' });
      response.end('{"detail":"Not today"}');
      return;
    }
    const { method } = request;
    const forwarded = send(target() + request.url, { method, headers: request.headers, agent }, (answer) => {
      answers.push(`${answer.statusCode} ${method} ${request.url}`);
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    forwarded.on('error', () => request.socket.destroy());
    request.pipe(forwarded);
  });
  const listen = async (port: number) => once(server.listen(port, '127.0.0.1'), 'listening');
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    if (!server.listening) return;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };

  const close = async () => {
    await stop();
    agent.destroy();
  };

  return {
    url: `http://127.0.0.1:${port}`,
    /** Method and path of each request. */
    requests,
    /** The headers of each request. */
    headers,
    /** Status, method and path of each answer that the service gave. */
    answers,
    async be(next: Mood) {
      if (next === 'stopped') await stop();
      else if (!server.listening) await listen(port);
      // Hanging requests would never end on their own, so their connections are closed.
      if (mood === 'hanging') server.closeAllConnections();
      mood = next;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
