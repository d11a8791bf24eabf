import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';

export type Listening = {
  port: number;
  url: string;
  /** `host:port`, as `LOOKUP_ALLOW` takes it. */
  host: string;
  connections: number;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** Has a server listen on this machine, on a free port if none is given. Closing it ends its connections, too. */
export async function listen(server: Server, address = '127.0.0.1', port = 0): Promise<Listening> {
  const sockets = new Set<Socket>();
  async function close() {
    if (!server.listening) return;
    server.close();
    for (const socket of sockets) socket.destroy();
    await once(server, 'close');
  }
  const listening: Listening = {
    ...{ port: 0, url: '', host: '', connections: 0, close },
    [Symbol.asyncDispose]: close,
  };
  server.on('connection', (socket) => {
    listening.connections++;
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  await once(server.listen(port, address || undefined), 'listening');
  listening.port = (server.address() as AddressInfo).port;
  listening.host = `${address.includes(':') ? `[${address}]` : address}:${listening.port}`;
  listening.url = `http://${listening.host}`;
  return listening;
}
