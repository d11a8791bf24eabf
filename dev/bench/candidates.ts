import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import apiPackage from '../../api/package.json' with { type: 'json' };
import type { Ask } from './ask.ts';
import { type Layout, sampleBody } from './data.ts';
import { ADMIN, authorizationOf, GUEST } from './host.ts';
import { type Running, SERVICE, startServer } from './process.ts';
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

/** A recorded answer of a server. */
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
export type Server = Running & { asks: Partial<Record<Route, Ask>>; authorization(user: number): string };

export const PEERS = ['express', 'nest'] as const;
export type Peer = (typeof PEERS)[number];

const here = import.meta.dirname;
const peers = join(here, 'peers');

/** The service as it ships, except that it remembers users and registries for the whole run. */
export const trousseau = (itemAccess: 'registry' | 'authenticated'): Candidate => ({
  name: 'Trousseau',
  version: `${apiPackage.version} on Node ${process.versions.node}`,
  layout: 'ours',
  start: (setting) =>
    start(SERVICE, setting, {
      ITEM_ACCESS: itemAccess,
      AUTH_CACHE_TTL: '86400',
      REGISTRY_CACHE_TTL: '86400',
    }),
});

/** Returns the bare limit: `node:http` alone, with the answers that the service gave. */
export const limitOf = (answers: Partial<Record<Route, RouteResponse>>): Candidate => ({
  name: 'limit',
  version: `node:http of Node ${process.versions.node}`,
  start: (setting) => start([process.execPath, 'limit.ts'], setting, { ANSWERS: JSON.stringify(answers) }),
});

export function peer(name: Peer, onPostgres: boolean): Candidate {
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
    list: { method: 'GET', path: '/items?limit=100', user: ADMIN, ...any },
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
