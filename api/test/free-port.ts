import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A port that nobody listens on, nor on those that come with it. It lies below the ports that systems give to outgoing connections, so
 * that none of them takes it before its server starts.
 */
export async function freePort(portsOf = (port: number): readonly number[] => [port]): Promise<number> {
  const port = randomInt(20_000, 29_000);
  for (const each of portsOf(port)) if (!(await isFree(each))) return freePort(portsOf);
  return port;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
  server.close();
  await once(server, 'close');
  return true;
}
