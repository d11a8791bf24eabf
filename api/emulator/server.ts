import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { Controller } from './controller.ts';
import { Posts } from './posts.ts';
import { keepFields, Parameters, Refusal, type Reply } from './protocol.ts';
import { escapeHtml } from './text.ts';
import { type EmbeddedUser, sampleUsers, Users } from './users.ts';

export type { EmbeddedUser } from './users.ts';
export type EmbeddedHost = { url: string; users: EmbeddedUser[]; close(): Promise<void> };

type Site = { url: string; postType: string; users: Users; registries: Controller };

const SCHEMA_VERSION = 1;
const BODY_LIMIT = 8 * 1024 * 1024;

/** Starts a registry host for development: the part of the WordPress REST API that the item service uses, on loopback. */
export async function startEmbeddedHost(options: {
  file: string;
  postType?: string;
  metaPrefix?: string;
  port?: number;
  now?: () => number;
}): Promise<EmbeddedHost> {
  const { file, postType = 'registry', metaPrefix = 'registry_', port = 0, now = Date.now } = options;
  const database = openDatabase(file);
  // As long as the service's own: a side that closes sooner may close just as the other sends a request.
  const server = createServer({ keepAliveTimeout: 75_000 });
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const users = new Users(database, url);
    const registries = new Controller(new Posts(database), users, { url, postType, metaPrefix, now });
    server.on('request', async (request, response) => {
      const answer = await respond(request, { url, postType, users, registries });
      // A keep-alive connection would delay `close`.
      if (!server.listening) response.setHeader('connection', 'close');
      const { body } = answer;
      response
        .writeHead(answer.status, { 'content-type': 'application/json; charset=UTF-8', ...answer.headers })
        .end(typeof body === 'string' ? body : JSON.stringify(body));
    });
    let closed: Promise<void> | undefined;
    const close = async () => {
      await new Promise((resolve) => server.close(resolve));
      database.close();
    };
    return { url, users: sampleUsers, close: () => (closed ??= close()) };
  } catch (error) {
    server.close();
    database.close();
    throw error;
  }
}

function openDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 5000 });
  try {
    database.exec('pragma journal_mode = wal; pragma synchronous = full');
    const version = Number(database.prepare('pragma user_version').get()?.user_version);
    if (version > SCHEMA_VERSION)
      throw new Error(`${file} was made by a newer version of the embedded host (${version})`);
    database.exec(`pragma user_version = ${SCHEMA_VERSION}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

async function respond(request: IncomingMessage, site: Site): Promise<Reply> {
  try {
    const target = URL.parse(request.url ?? '/', site.url);
    if (!target) throw new Refusal(400, 'bad_request', 'Not an address.');
    const [, pretty] = /^\/wp-json(\/.*|)$/.exec(target.pathname) ?? [];
    const path = target.searchParams.get('rest_route') || pretty;
    if (path === undefined) return page(site, target.pathname);
    const parameters = new Parameters(target.searchParams, await readBody(request));
    const answer = route(request, path.replace(/\/+$/, ''), parameters, site);
    const fields = parameters.list('_fields') ?? [];
    return fields.length > 0 ? { ...answer, body: keepFields(answer.body, fields) } : answer;
  } catch (error) {
    if (error instanceof Refusal) return { status: error.status, body: error.body };
    // A caller that hung up isn't an error and gets no answer.
    if (!request.readableAborted) console.error('The embedded host failed:', error);
    return { status: 500, body: new Refusal(500, 'internal_server_error', 'Critical error.').body };
  }
}

function route(request: IncomingMessage, path: string, parameters: Parameters, site: Site): Reply {
  const { registries, users, postType } = site;
  const user = users.authenticate(request.headers.authorization);
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const collection = `/wp/v2/${postType}`;
  if (method === 'GET' && path === '') return index(site);
  if (method === 'GET' && path === '/wp/v2/users/me') return users.me(user, parameters);
  const [, author] = /^\/wp\/v2\/users\/(\d+)$/.exec(path) ?? [];
  if (method === 'GET' && author) users.refuse(Number(author));
  if (method === 'GET' && path === collection) return registries.list(user, parameters);
  if (method === 'POST' && path === collection) return registries.create(user, parameters);
  const [, parent, digits] = /^(.+)\/(\d+)$/.exec(path) ?? [];
  if (parent === collection) {
    const id = Number(digits);
    if (method === 'GET') return registries.read(user, id, parameters);
    if (method === 'POST' || method === 'PUT' || method === 'PATCH')
      return registries.update(user, id, parameters);
    if (method === 'DELETE') return registries.delete(user, id, parameters);
  }
  throw new Refusal(404, 'rest_no_route', 'No route was found matching the URL and request method.');
}

function index({ url, postType }: Site): Reply {
  const methods = {
    '/': ['GET'],
    '/wp/v2/users/me': ['GET'],
    [`/wp/v2/${postType}`]: ['GET', 'POST'],
    [`/wp/v2/${postType}/(?P<id>[\\d]+)`]: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  };
  const routes = Object.fromEntries(Object.entries(methods).map(([path, methods]) => [path, { methods }]));
  const body = { name: 'Trousseau', description: '', url, home: url, namespaces: ['wp/v2'], routes };
  return { status: 200, body };
}

async function readBody(request: IncomingMessage): Promise<object> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= BODY_LIMIT) chunks.push(chunk);
  }
  if (size > BODY_LIMIT) throw new Refusal(413, 'rest_request_entity_too_large', 'The body is too large.');
  const text = Buffer.concat(chunks).toString('utf8');
  const type = request.headers['content-type'] ?? '';
  if (/^application\/x-www-form-urlencoded\b/i.test(type))
    return Object.fromEntries(new URLSearchParams(text));
  if (text === '' || !/^application\/(?:[\w.+-]+\+)?json\b/i.test(type)) return {};
  try {
    const body: unknown = JSON.parse(text);
    return body !== null && typeof body === 'object' ? body : {};
  } catch {
    throw new Refusal(400, 'rest_invalid_json', 'Invalid JSON body passed.');
  }
}

/** Returns a public page: the front page, or that of a published registry. */
function page({ url, registries }: Site, path: string): Reply {
  const front = { title: 'Trousseau', story: '<p>The embedded registry host, for development.</p>' };
  const found = path === '/' ? front : registries.page(path);
  const { title, story } = found ?? { title: 'Page not found', story: '' };
  return {
    status: found ? 200 : 404,
    headers: {
      'content-type': 'text/html; charset=UTF-8',
      link: `<${url}/wp-json/>; rel="https://api.w.org/"`,
    },
    body: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<h1>${title}</h1>
${story}
</html>
`,
  };
}
