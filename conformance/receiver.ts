import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';

export type Message = { headers: Record<string, string>; body: string };

/** An address of this machine to which the service may send webhooks. */
export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

const headersOf = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

/** Listens at `HOST:PORT`, where the service can reach it. Each case has a path of its own there. */
export async function startReceiver(address: string) {
  const { hostname, port, host } = new URL(`http://${address}`);
  const received = new Map<string, Message[]>();
  const answers = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const path = request.url ?? '/';
    const body = await text(request);
    received.set(path, [...(received.get(path) ?? []), { headers: headersOf(request.headers), body }]);
    response.writeHead(answers.get(path) ?? 204).end();
  });
  server.listen(Number(port || 80), /^(127\.|\[::1\]|localhost$)/.test(hostname) ? hostname : undefined);
  await once(server, 'listening');
  return {
    url: (path: string) => `http://${host}${path}`,
    received: (path: string): Message[] => received.get(path) ?? [],
    /** Sets the status to answer at a path from now on. */
    answer: (path: string, status: number) => void answers.set(path, status),
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
    },
  };
}
