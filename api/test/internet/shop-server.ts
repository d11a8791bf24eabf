import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net';

export type ShopServer = {
  port: number;
  url: string;
  /** `host:port`, as `LOOKUP_ALLOW` takes it. */
  host: string;
  /** Connections so far. */
  connections: number;
  [Symbol.asyncDispose](): Promise<void>;
};

/** Every address of this machine, of both families where it has them. */
export const EVERYWHERE = '';

/** A shop: it answers on this machine. */
export const startShop = (answer: RequestListener, address = '127.0.0.1', port = 0) =>
  listen(createServer(answer), address, port);

/** A shop that speaks whatever it likes. */
export const startBareShop = (answer: (socket: Socket) => void) =>
  listen(createSocketServer(answer), '127.0.0.1', 0);

async function listen(
  server: ReturnType<typeof createSocketServer>,
  address: string,
  port: number,
): Promise<ShopServer> {
  const sockets = new Set<Socket>();
  const shop: ShopServer = {
    port: 0,
    url: '',
    host: '',
    connections: 0,
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
  server.on('connection', (socket: Socket) => {
    shop.connections++;
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  server.listen(port, address || undefined);
  await once(server, 'listening');
  shop.port = (server.address() as AddressInfo).port;
  shop.host = `${address.includes(':') ? `[${address}]` : address}:${shop.port}`;
  shop.url = `http://${shop.host}`;
  return shop;
}

/** A page that sells a pan. */
export const PAN = `<!doctype html><html lang="de"><meta charset="utf-8"><title>Kupferpfanne</title>
<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Kupferpfanne",
"image":"/pan.jpg","offers":{"@type":"Offer","price":"43.90","priceCurrency":"EUR"}}</script>
<h1>Kupferpfanne</h1><p>43,90 €</p><button>In den Warenkorb</button>`;
