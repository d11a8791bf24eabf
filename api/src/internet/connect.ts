import { once } from 'node:events';
import { connect as connectSocket, isIP, type Socket } from 'node:net';
import type { buildConnector } from 'undici';
import { AddressRefused, OutboundError } from '../lib/outbound.ts';
import { dnsResolver, type ResolveHost } from './dns.ts';
import { isPublicIp } from './public-ips.ts';

export type ConnectRules = {
  /** Each `host:port` that may be reached whatever its address and port are. */
  allowed: string[];
  ports: number[];
  isPublicIp(address: string): boolean;
  resolve: ResolveHost;
};

/** The rules for addresses that strangers give, with exceptions. */
export const publicWeb = (allowed: string[], overrides: Partial<ConnectRules> = {}): ConnectRules => ({
  ...{ allowed, ports: [80, 443], isPublicIp, resolve: dnsResolver() },
  ...overrides,
});

/** Connects to public addresses only: those checked here, not those of a second lookup. Checks the socket's address, too. */
export function guardedConnector(rules: ConnectRules, connectMs: number): buildConnector.connector {
  return (options, callback) => {
    open(rules, options, connectMs).then(
      async (socket) => {
        if (options.protocol !== 'https:') return callback(null, socket);
        const { buildConnector } = await import('undici');
        const secure = buildConnector({ allowH2: false, maxCachedSessions: 0, timeout: connectMs });
        secure({ ...options, httpSocket: socket }, callback);
      },
      (error) => callback(error, null),
    );
  };
}

async function open(rules: ConnectRules, options: buildConnector.Options, connectMs: number) {
  const host = options.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = Number(options.port || (options.protocol === 'https:' ? 443 : 80));
  // Compared with the name as requested, never with the addresses it resolves to.
  if (rules.allowed.includes(`${options.hostname.includes(':') ? `[${host}]` : host}:${port}`))
    return whenConnected(connectSocket({ host, port }), connectMs);

  if (!rules.ports.includes(port)) throw new AddressRefused(`port ${port}`, true);
  const isAddress = isIP(host) !== 0;
  const addresses = isAddress ? [host] : await rules.resolve(host);
  const refused = addresses.find((address) => !rules.isPublicIp(address));
  if (refused !== undefined) throw new AddressRefused(`${host} is ${refused}`, isAddress);

  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  const socket = connectSocket({
    host,
    port,
    lookup: (_host, { all }, done) =>
      all ? done(null, found) : done(null, found[0]!.address, found[0]!.family),
  });
  await whenConnected(socket, connectMs);
  if (!rules.isPublicIp(socket.remoteAddress ?? '')) {
    socket.destroy();
    throw new AddressRefused(`${host} is connected to ${socket.remoteAddress}`, isAddress);
  }
  return socket;
}

async function whenConnected(socket: Socket, connectMs: number): Promise<Socket> {
  const timer = setTimeout(() => socket.destroy(new OutboundError('late')), connectMs);
  await once(socket, 'connect').finally(() => clearTimeout(timer));
  // The socket's new owner doesn't listen yet, and an unheard error would end the whole service.
  socket.on('error', () => {});
  return socket.setNoDelay(true);
}
