import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls';
import { makeCertificate } from '../../deploy/test/gateway.ts';
import { temporaryFolder } from './support.ts';

/** A way to a server that may be closed or fall silent, delay each answer, lead new connections elsewhere, or be encrypted. */
export async function startWay(to: string) {
  const folder = await temporaryFolder();
  const open = new Set<Socket>();
  const frozen = new Set<Socket>();
  let secret: SecureContext | undefined;
  let isClosed = false;
  const way = { tls: true, encrypted: 0, delayMs: 0, target: to };

  const server = createServer(async (socket) => {
    socket.on('error', () => {});
    if (isClosed) return void socket.destroy();
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    const [first] = (await once(socket, 'data')) as [Buffer];
    const asksForTls = first.length === 8 && first.readInt32BE(4) === 80_877_103;
    if (asksForTls && way.tls) {
      way.encrypted++;
      secret ??= await certificateIn(folder.path);
      socket.write('S');
      return pass(new TLSSocket(socket, { isServer: true, secureContext: secret }), socket);
    }
    if (asksForTls) socket.write('N');
    pass(socket, socket, asksForTls ? undefined : first);
  });

  function pass(near: Duplex, socket: Socket, first?: Buffer): void {
    const { hostname, port } = new URL(way.target);
    const far = connect(Number(port || 5432), hostname);
    for (const each of [near, far]) each.on('error', () => {});
    if (first) far.write(first);
    near.on('data', (chunk) => frozen.has(socket) || far.write(chunk));
    // Each after the one before, also where the delay has become shorter meanwhile.
    let before = Promise.resolve();
    far.on('data', (chunk) => {
      if (frozen.has(socket)) return;
      const delayed = Promise.all([before, sleep(way.delayMs)]);
      before = delayed.then(() => void near.write(chunk));
    });
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  }

  await once(server.listen(0, '127.0.0.1'), 'listening');
  return Object.assign(way, {
    url(sslmode?: string) {
      const url = new URL(to);
      url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
      if (sslmode) url.searchParams.set('sslmode', sslmode);
      return url.href;
    },
    /** Open connections pass nothing on from now, without being closed. */
    freeze() {
      for (const socket of open) frozen.add(socket);
    },
    close() {
      isClosed = true;
      for (const socket of open) socket.destroy();
    },
    open() {
      isClosed = false;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      server.close();
      await folder[Symbol.asyncDispose]();
    },
  });
}

async function certificateIn(folder: string): Promise<SecureContext> {
  await makeCertificate(folder);
  const [key, cert] = await Promise.all(
    ['certificate.key', 'certificate.pem'].map((name) => readFile(join(folder, name))),
  );
  return createSecureContext({ key, cert });
}
