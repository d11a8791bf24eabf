import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import apiPackage from '../../api/package.json' with { type: 'json' };
import type { Ask } from './ask.ts';
import { CACHE, type Layout, sampleBody } from './data.ts';
import { authorizationOf, GUEST } from './host.ts';
import { onServerCore, type Running, startServer } from './process.ts';
import { shape } from './shape.ts';

export const ROUTES = ['item', 'list', 'registry', 'update', 'create', 'claim'] as const;
export type Route = (typeof ROUTES)[number];

export const TITLES: Record<Route, string> = {
  item: '`GET /items/{id}`',
  list: '`GET /items?limit=100`',
  registry: '`GET /registries/{id}/items`',
  update: '`PUT /items/{id}`',
  create: '`POST /items`',
  claim: '`POST …/claims`',
};

/** One answer of a server, kept. */
export type RouteResponse = { status: number; headers: Record<string, string>; body: string };

export type Setting = { databaseUrl: string; hostUrl: string; rows: number };

/** A server to measure: its command, and the layout of the rows that it works on. */
export type Candidate = {
  name: string;
  version: string;
  layout?: Layout;
  start(setting: Setting): Promise<Server>;
};

/** A started candidate with the requests that it answers. */
export type Server = Omit<Running, 'pid' | 'startMs'> &
  Partial<Running> & {
    version?: string;
    asks: Partial<Record<Route, Ask>>;
    authorization(user: number): string;
  };

export const PEERS = ['express', 'nest', 'fastapi', 'wordpress'] as const;
export type Peer = (typeof PEERS)[number];

const here = import.meta.dirname;
const peers = join(here, 'peers');

/** The service as it ships, except that it remembers users and registries for the whole run. */
export const trousseau: Candidate = {
  name: 'Trousseau',
  version: `${apiPackage.version} on Node ${process.versions.node}`,
  layout: 'ours',
  start: (setting) =>
    start([process.execPath, '../../api/start.js'], setting, {
      AUTH_CACHE_TTL: '86400',
      REGISTRY_CACHE_TTL: '86400',
    }),
};

/** `node:http` alone, with the answers that the service gave. */
export const limitOf = (answers: Partial<Record<Route, RouteResponse>>): Candidate => ({
  name: 'limit',
  version: `node:http of Node ${process.versions.node}`,
  start: (setting) => start([process.execPath, 'limit.ts'], setting, { ANSWERS: JSON.stringify(answers) }),
});

/** The peer of this name, or the reason why it is left out. */
export function peer(name: Peer, onPostgres: boolean): Candidate | string | Promise<Candidate | string> {
  switch (name) {
    case 'express':
      return nodePeer('Express', 'express.js', [
        'express',
        onPostgres ? 'postgres' : 'better-sqlite3',
        'zod',
      ]);
    case 'nest':
      return nodePeer('NestJS', 'nest.js', [
        '@nestjs/core',
        '@nestjs/platform-fastify',
        onPostgres ? 'postgres' : 'better-sqlite3',
      ]);
    case 'fastapi':
      return fastapi();
    case 'wordpress':
      return onPostgres ? 'WordPress does not run on PostgreSQL' : wordpress();
  }
}

async function start(
  command: string[],
  setting: Setting,
  env: Record<string, string> = {},
  layout?: Layout,
): Promise<Server> {
  const { databaseUrl, hostUrl, rows } = setting;
  const running = await startServer(command, {
    cwd: here,
    env: { DATABASE_URL: databaseUrl, HOST_URL: hostUrl, ...env },
  });
  const { claim, ...asks } = asksFor(rows);
  return { ...running, asks: layout === 'plain' ? asks : { ...asks, claim }, authorization: authorizationOf };
}

function asksFor(rows: number): Record<Route, Ask> {
  const { registries, visited, stride } = shape(rows);
  const any = { among: rows, stride: 1 };
  const created = `{"registry_id":{id},${JSON.stringify(sampleBody(7)).slice(1)}`;
  return {
    item: { method: 'GET', path: '/items/{id}', ...any },
    list: { method: 'GET', path: '/items?limit=100', ...any },
    registry: { method: 'GET', path: '/registries/{id}/items', among: visited, stride },
    update: { method: 'PUT', path: '/items/{id}', body: '{"price":12.5,"quantity_purchased":2}', ...any },
    create: { method: 'POST', path: '/items', body: created, among: registries, stride: 1 },
    claim: {
      method: 'POST',
      path: '/registries/{id}/items/{item}/claims',
      body: '{"message":"For your Sunday soups"}',
      user: GUEST,
      registries,
      among: visited,
      stride,
    },
  };
}

function nodePeer(name: string, file: string, packages: string[]): Candidate {
  const npm = (...args: string[]) =>
    execFileSync('npm', args, { cwd: peers, stdio: ['ignore', 'ignore', 'inherit'] });
  const installed = join(peers, 'node_modules/.package-lock.json');
  const wanted = join(peers, 'package-lock.json');
  if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(wanted).mtimeMs)
    npm('ci', '--ignore-scripts');
  npm('run', 'build');

  const versionOf = (each: string): string =>
    JSON.parse(readFileSync(join(peers, 'node_modules', each, 'package.json'), 'utf8')).version;
  return {
    name,
    version: packages.map((each) => `${each} ${versionOf(each)}`).join(', '),
    layout: 'plain',
    start: (setting) => start([process.execPath, join('peers/dist', file)], setting, {}, 'plain'),
  };
}

const DEBIAN_PACKAGES =
  'python3-fastapi python3-sqlalchemy python3-psycopg2 python3-ujson python3-uvloop python3-httptools uvicorn';
const PYTHON_VERSIONS = `
import fastapi, httptools, psycopg2, sqlalchemy, sqlite3, sys, ujson, uvicorn, uvloop
print(f"FastAPI {fastapi.__version__}, SQLAlchemy {sqlalchemy.__version__}, uvicorn {uvicorn.__version__},",
  f"Python {sys.version.split()[0]}, SQLite {sqlite3.sqlite_version}")`;

function fastapi(): Candidate | string {
  for (const python of ['python3', '/usr/bin/python3']) {
    const { status, stdout } = spawnSync(python, ['-c', PYTHON_VERSIONS], { encoding: 'utf8' });
    if (status !== 0) continue;
    const options = '--app-dir peers --no-access-log --log-level warning --port';
    return {
      name: 'FastAPI',
      version: stdout.trim(),
      layout: 'plain',
      start: (setting) =>
        start(
          ['sh', '-c', `exec ${python} -m uvicorn fastapi_items:app ${options} $PORT`],
          setting,
          { PYTHONPYCACHEPREFIX: join(CACHE, 'python') },
          'plain',
        ),
    };
  }
  return `no Python with FastAPI here; on Debian: apt-get install ${DEBIAN_PACKAGES}`;
}

// PHP causes the cost; the number of posts hardly changes it.
const WORDPRESS_POSTS = 10_000;

async function wordpress(): Promise<Candidate | string> {
  const { missingPrerequisites, startWordPress } = await import('../wordpress/wordpress.ts');
  const missing = missingPrerequisites();
  if (missing) return missing;
  // The post has no address in it: WordPress would ask the shop how to embed its page.
  const content = sampleBody(7).description;
  const fill = `
    global $wpdb;
    $wpdb->query( "delete from $wpdb->posts" );
    foreach ( array_chunk( range( 1, ${WORDPRESS_POSTS} ), 500 ) as $ids ) {
      $rows = array_map( fn( $id ) => "( $id, 1, 'publish', 'Item $id', '${content}', '', 'item-$id', now(), now(), " .
        "now(), now(), '', '', '' )", $ids );
      $wpdb->query( "insert into $wpdb->posts ( ID, post_author, post_status, post_title, post_content, post_excerpt,
        post_name, post_date, post_date_gmt, post_modified, post_modified_gmt, to_ping, pinged,
        post_content_filtered ) values " . implode( ',', $rows ) );
    }
    echo $wpdb->last_error;`;
  const version = `PHP ${execFileSync('php', ['-r', 'echo PHP_VERSION;'])} with 4 workers, its own posts`;
  const posts = '/wp-json/wp/v2/posts';
  const fields = '_fields=id,date,modified,title,content';
  const any = { among: WORDPRESS_POSTS, stride: 1 };
  const body = JSON.stringify({ title: 'Copper saucepan', content, status: 'publish' });
  return {
    name: 'WordPress',
    version,
    async start() {
      const site = await onServerCore(() => startWordPress({ plugins: false }));
      const failure = await site.wp(fill);
      if (failure) throw new Error(failure);
      const { username, password } = site.users.admin;
      return {
        url: site.url,
        version: `${site.version}, ${version}`,
        asks: {
          item: { method: 'GET', path: `${posts}/{id}?${fields}`, ...any },
          list: { method: 'GET', path: `${posts}?per_page=100&${fields}`, ...any },
          update: {
            method: 'PUT',
            path: `${posts}/{id}?${fields}`,
            body: '{"title":"Linen tablecloth"}',
            ...any,
          },
          create: { method: 'POST', path: `${posts}?${fields}`, body, ...any },
        },
        authorization: () => `Basic ${btoa(`${username}:${password}`)}`,
        stop: () => site.stop(),
      };
    },
  };
}
