import { EventEmitter } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { listen } from './listen.ts';

export type Seen = { method: string; path: string; authorization: string | undefined };
type Match = (request: Seen) => boolean;
export type HostProxy = Awaited<ReturnType<typeof startHostProxy>>;

export const isUpdate: Match = ({ method, path }) => method === 'POST' && /\/registry\/\d+/.test(path);
export const isUpdateOf =
  (registry: number): Match =>
  (request) =>
    isUpdate(request) && request.path.includes(`/registry/${registry}?`);

/** A proxy before a host: it records requests, holds them back, or drops connections; `asSent` changes a request's path. */
export async function startHostProxy(target: string, asSent = (path: string) => path) {
  const seen: Seen[] = [];
  let down = false;
  const holds = new Set<(request: Seen) => Promise<void> | undefined>();
  const answers = new EventEmitter<{ answered: [Seen] }>();

  // A busy machine may leave a connection idle for longer than Node keeps it by itself.
  const server = createServer({ keepAliveTimeout: 75_000 }, async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    const one = { method, path, authorization: headers.authorization };
    seen.push(one);
    const body = await bodyOf(request);
    for (const hold of holds) await hold(one);
    if (down || request.socket.destroyed) return request.socket.destroy();
    const { authorization = '', 'content-type': type = '' } = headers;
    try {
      const answer = await fetch(target + asSent(path), {
        method,
        headers: { authorization, 'content-type': type },
        body: method === 'POST' ? body : null,
        redirect: 'manual',
      });
      const text = await answer.text();
      const kept = [...answer.headers].filter(([name]) =>
        /^(x-wp-.*|content-type|link|location)$/.test(name),
      );
      response.writeHead(answer.status, kept.flat()).end(text, () => answers.emit('answered', one));
    } catch {
      // Requests held until the end of a test find the host gone: for the service, a lost connection.
      request.socket.destroy();
    }
  });
  const { url, close } = await listen(server);
  return {
    ...{ url, seen, close, [Symbol.asyncDispose]: close },
    count: (match: Match) => seen.filter(match).length,
    setDown(value: boolean) {
      down = value;
    },
    /** Holds what matches until it is released; `reached` tells that something is being held, and fails if nothing ever is. */
    hold(match: Match) {
      const reached = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      const limit = setTimeout(() => reached.reject(new Error('no request to hold has come')), 180_000);
      limit.unref();
      reached.promise.catch(() => {});
      const hold = (request: Seen) => {
        if (!match(request)) return undefined;
        clearTimeout(limit);
        reached.resolve();
        return released.promise;
      };
      holds.add(hold);
      const release = () => {
        clearTimeout(limit);
        holds.delete(hold);
        released.resolve();
      };
      return { reached: reached.promise, release };
    },
    answered: (match: Match) =>
      new Promise<void>((resolve) => {
        const listen = (request: Seen) => {
          if (!match(request)) return;
          answers.off('answered', listen);
          resolve();
        };
        answers.on('answered', listen);
      }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}
