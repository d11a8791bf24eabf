// Sites that many test files use in turn, each alone: `node --test --test-global-setup=dev/wordpress/pool.ts`. The next
// file gets an installed database and PHP's compiled code; a site makes everything else anew. The pool lives in the
// process that runs the test files, and ends with it.
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Cleanup, startCleanup } from './cleanup.ts';
import { createDatabase, type Database, databaseServer } from './database.ts';

/** The folders and the database of a site. */
export interface Place {
  folder: string;
  database: Database;
  /** A file with the users, which is there when WordPress is installed. */
  users: string;
  /** A file with the contents of the database at that moment. */
  kept: string;
  /** A folder in which PHP keeps compiled code. */
  compiled: string;
}

export function placeIn(folder: string, database: Database, compiled: string): Place {
  for (const path of [folder, compiled]) mkdirSync(path, { recursive: true });
  return { folder, database, users: join(folder, 'users.json'), kept: join(folder, 'database'), compiled };
}

const address = 'TROUSSEAU_DEV_POOL';

/** A place of the pool, for this process alone until `giveBack`; undefined without a pool. */
export async function takePlace(files: string): Promise<{ place: Place; giveBack(): void } | undefined> {
  const path = process.env[address];
  if (!path) return undefined;
  const socket = connect(path);
  socket.write(`${files}\n`);
  const [answer] = await once(createInterface(socket), 'line');
  const { place, error } = JSON.parse(answer) as { place: Place; error?: string };
  if (error) throw new Error(error);
  socket.unref();
  socket.on('error', () => {});
  // The pool has ended and removes its sites, so this process ends too.
  const onEnd = () => process.exit(1);
  socket.on('close', onEnd);
  return { place, giveBack: () => socket.off('close', onEnd).destroy() };
}

let cleanup: Cleanup | undefined;

export async function globalSetup(): Promise<void> {
  const all = startCleanup();
  const folder = mkdtempSync(join(tmpdir(), 'trousseau-sites-'));
  all.atEnd('rm', '-rf', folder);
  const free = new Map<string, Place[]>();
  let host: Promise<string> | undefined;
  const make = async (): Promise<Place> => {
    host ??= databaseServer(folder, all);
    const database = createDatabase(await host, all);
    return placeIn(join(folder, database.name), database, join(folder, 'compiled'));
  };
  // A process that ends without `giveBack` also closes its connection, which returns the place.
  const lend = async (socket: Socket) => {
    socket.on('error', () => {});
    const gone = once(socket, 'close');
    const [files] = await once(createInterface(socket), 'line');
    const unused = free.get(files) ?? [];
    free.set(files, unused);
    const place = unused.pop() ?? (await make());
    socket.write(`${JSON.stringify({ place })}\n`);
    await gone;
    if (existsSync(place.users)) unused.push(place);
  };
  const server = createServer((socket) => {
    lend(socket).catch((error) => socket.end(`${JSON.stringify({ error: String(error) })}\n`));
  });
  server.listen(join(folder, 'socket')).unref();
  await once(server, 'listening');
  process.env[address] = join(folder, 'socket');
  cleanup = all;
}

export async function globalTeardown(): Promise<void> {
  await cleanup?.run();
}
