import { createServer, type RequestListener } from 'node:http';
import { createServer as createSocketServer, type Socket } from 'node:net';
import { type Listening, listen } from '../listen.ts';

export type ShopServer = Listening;

/** Every address of this machine, of both families where it has them. */
export const EVERYWHERE = '';

export const startShop = (answer: RequestListener, address = '127.0.0.1', port = 0) =>
  listen(createServer(answer), address, port);

export const startBareShop = (answer: (socket: Socket) => void) => listen(createSocketServer(answer));

export const sellsPan: RequestListener = (_request, response) =>
  void response.writeHead(200, { 'content-type': 'text/html' }).end(PAN);

export const PAN = `<!doctype html><html lang="de"><meta charset="utf-8"><title>Kupferpfanne</title>
<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Kupferpfanne",
"image":"/pan.jpg","offers":{"@type":"Offer","price":"43.90","priceCurrency":"EUR"}}</script>
<h1>Kupferpfanne</h1><p>43,90 €</p><button>In den Warenkorb</button>`;
