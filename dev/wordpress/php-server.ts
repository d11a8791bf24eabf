// Several processes of PHP's server behind one port, each with one connection at a time. PHP's own workers accept connections
// while they are busy and others are idle: a page that asks the service, which asks the site, would then wait for itself.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Starts the server. `start` starts a process on a port of its own; it is called when all are busy and fewer than `most` run. */
export async function startPhpServer(port: number, most: number, start: () => Promise<number>) {
  const idle = [await start()];
  const waiting: ((php: number) => void)[] = [];
  let running = 1;

  async function take(): Promise<number> {
    // The one used last has the most of WordPress in memory.
    const last = idle.pop();
    if (last !== undefined) return last;
    if (running === most) return new Promise((resolve) => waiting.push(resolve));
    running++;
    return start();
  }
  function giveBack(php: number): void {
    const next = waiting.shift();
    if (next) next(php);
    else idle.push(php);
  }

  async function serve(client: Socket): Promise<void> {
    const php = await take();
    // The visitor left while the connection waited, and would never end the connection to PHP.
    if (client.destroyed) return giveBack(php);
    const answer = connect(php, '127.0.0.1');
    answer.on('error', () => client.destroy());
    answer.on('close', () => giveBack(php));
    // If the visitor leaves, PHP continues and stays busy until it ends.
    client.on('close', () => answer.unpipe(client).resume().end());
    client.pipe(answer).pipe(client);
  }

  const clients = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (client) => {
    clients.add(client);
    client.on('error', () => {}).on('close', () => clients.delete(client));
    // Browsers open connections that they may not need.
    client.once('readable', () => serve(client).catch(() => client.destroy()));
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  server.unref();

  return {
    stop() {
      server.close();
      for (const client of clients) client.destroy();
    },
  };
}
