// The bare limit: a `node:http` server that sends, from memory, the same bytes as the service sent once.
import { createServer } from 'node:http';
import type { Route, RouteResponse } from './candidates.ts';

// Short answers stay text, because Node sends text and head in one piece; long ones become bytes, because Node would
// encode them each time.
const LONG = 16 * 1024;
const answers = Object.fromEntries(
  Object.entries(JSON.parse(process.env.ANSWERS!) as Record<Route, RouteResponse>).map(([route, answer]) => [
    route,
    { ...answer, body: answer.body.length > LONG ? Buffer.from(answer.body) : answer.body },
  ]),
);

const routeOf = (method = 'GET', url = ''): Route => {
  if (method === 'POST') return url.endsWith('/claims') ? 'claim' : 'create';
  if (method === 'PUT') return 'update';
  if (url.startsWith('/registries')) return 'registry';
  return url.startsWith('/items/') ? 'item' : 'list';
};

createServer((request, response) => {
  const { status, headers, body } = answers[routeOf(request.method, request.url)]!;
  const answer = () => response.writeHead(status, headers).end(body);
  if (request.method === 'GET') answer();
  else request.resume().on('end', answer);
}).listen(Number(process.env.PORT), '127.0.0.1');
