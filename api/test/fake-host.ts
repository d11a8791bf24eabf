import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from './listen.ts';

// biome-ignore lint/suspicious/noExplicitAny: a host may answer anything
type Json = any;
export type HostRequest = {
  method: string;
  /** Below the REST root, such as `/wp/v2/users/me`; undefined for a page of the site. */
  route: string | undefined;
  path: string;
  authorization: string | undefined;
  body: Json;
};
/** The host's misbehaviour; `usual` answers as a WordPress would. */
export type Misbehaviour = (request: HostRequest, response: ServerResponse, usual: () => void) => void;
export type FakeHost = Awaited<ReturnType<typeof startFakeHost>>;

export const PASSWORD = 'abcd efgh ijkl mnop qrst uvwx';
export const basic = (name: string, password = PASSWORD) =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;

export const sendJson = (response: ServerResponse, status: number, body: unknown, headers = {}) =>
  response
    .writeHead(status, { 'content-type': 'application/json; charset=UTF-8', ...headers })
    .end(JSON.stringify(body));
// As long as pages are, unlike answers of an API.
const PAGE = '<h1>Something else</h1>'.repeat(4_000);
export const sendHtml = (response: ServerResponse, status: number, headers = {}) =>
  response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(PAGE);
export const refuse = (response: ServerResponse, status: number, code: string) =>
  sendJson(response, status, { code, message: `No: ${code}`, data: { status } });

export const post = (id: number, fields: Json = {}): Json => ({
  ...{ id, author: 1, status: 'private', slug: `registry-${id}` },
  link: `http://host.example/registry/registry-${id}/`,
  ...{ date_gmt: '2026-11-20T07:09:36', modified_gmt: '2026-11-20T07:09:36' },
  ...{ title: { raw: 'Ann &amp; Bob' }, content: { raw: 'Our story' } },
  meta: {
    ...{ registry_item_ids: '[]', registry_invitees: '[]' },
    ...{ registry_event_type: '', registry_event_date: '' },
  },
  ...fields,
});

/**
 * Plays just enough WordPress for one service, and misbehaves on demand. A caller with `PASSWORD` is a subscriber,
 * `admin` an administrator; the first name that signs in is user 1, the author of every registry.
 */
export async function startFakeHost({ port = 0, plainPermalinks = false } = {}) {
  const seen: HostRequest[] = [];
  const posts = new Map<number, Json>([[7, post(7)]]);
  const ids = new Map<string, number>();
  // A busy machine may leave a connection idle for longer than Node keeps it by itself.
  const server = createServer({ keepAliveTimeout: 75_000 }, async (message, response) => {
    const request = await read(message, plainPermalinks);
    seen.push(request);
    const usual = () => answer(request, response);
    if (host.misbehave) host.misbehave(request, response, usual);
    else usual();
  });
  const { url, close } = await listen(server, '127.0.0.1', port);
  const host = {
    ...{ url, seen, posts, close, [Symbol.asyncDispose]: close },
    misbehave: undefined as Misbehaviour | undefined,
    count: (match: (request: HostRequest) => boolean) => seen.filter(match).length,
    /** From now on it answers like this who signs in, and else as usual. */
    answerMe(answer: (response: ServerResponse) => void) {
      host.misbehave = ({ route }, response, usual) =>
        route === '/wp/v2/users/me' ? answer(response) : usual();
    },
    /** From now on requests stay without an answer until the function is called. */
    hang() {
      const { promise, resolve } = Promise.withResolvers<void>();
      host.misbehave = (_request, _response, usual) => void promise.then(usual);
      return () => {
        host.misbehave = undefined;
        resolve();
      };
    },
  };
  return host;

  function answer({ method, route, authorization = '', body }: HostRequest, response: ServerResponse) {
    if (route === undefined) {
      const root = plainPermalinks ? `${host.url}/?rest_route=/` : `${host.url}/wp-json/`;
      return sendHtml(response, 200, { link: `<${root}>; rel="https://api.w.org/"` });
    }
    if (route === '/') return sendJson(response, 200, { namespaces: ['wp/v2'] });
    const [name = '', password] = Buffer.from(authorization.replace('Basic ', ''), 'base64')
      .toString()
      .split(':');
    if (password !== PASSWORD) return refuse(response, 401, 'rest_not_logged_in');
    if (!ids.has(name)) ids.set(name, ids.size + 1);
    if (route === '/wp/v2/users/me') {
      const roles = [name === 'admin' ? 'administrator' : 'subscriber'];
      const username = name;
      return sendJson(response, 200, { id: ids.get(name), username, email: `${name}@example.test`, roles });
    }
    if (route.startsWith('/trousseau/')) return refuse(response, 404, 'rest_no_route');
    const [, id] = /^\/wp\/v2\/registry\/(\d+)$/.exec(route) ?? [];
    if (id === undefined && method === 'GET') {
      const totals = { 'X-WP-Total': String(posts.size), 'X-WP-TotalPages': '1' };
      return sendJson(response, 200, [...posts.values()], totals);
    }
    const found = posts.get(id ? Number(id) : 7);
    if (!found) return refuse(response, 404, 'rest_post_invalid_id');
    if (method === 'POST') {
      if (body.meta) found.meta = { ...found.meta, ...body.meta };
      if (body.title !== undefined) found.title = { raw: body.title };
    }
    return sendJson(response, 200, found);
  }
}

async function read(message: IncomingMessage, plainPermalinks: boolean): Promise<HostRequest> {
  let text = '';
  for await (const chunk of message.setEncoding('utf8')) text += chunk;
  const { method = '', url: path = '', headers } = message;
  const { pathname, searchParams } = new URL(path, 'http://host.example');
  const pretty = pathname.startsWith('/wp-json/') ? pathname.slice('/wp-json'.length) : undefined;
  const route = plainPermalinks ? (searchParams.get('rest_route') ?? undefined) : pretty;
  return { method, route, path, authorization: headers.authorization, body: text && JSON.parse(text) };
}
