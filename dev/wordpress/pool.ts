// Resources that test files share: sites, each lent to one file at a time, one build of plugin and theme, and one browser of each kind. The
// next file gets an installed database and PHP's compiled code; a site recreates everything else. The pool lives in the process that
// runs the test files (`node --test --test-global-setup=dev/wordpress/pool.ts`), and ends with it.
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { BrowserServer } from 'playwright-core';
import { type Cleanup, startCleanup } from './cleanup.ts';
import { createDatabase, type Database, databaseServer } from './database.ts';

/** The folders and the database of a site. */
export interface Place {
  folder: string;
  database: Database;
  /** A file with the users, which exists once WordPress is installed. */
  users: string;
  /** A file with the database's contents at that moment. */
  kept: string;
  /** A folder for PHP's compiled code. */
  compiled: string;
}

export function placeIn(folder: string, database: Database, compiled: string): Place {
  for (const path of [folder, compiled]) mkdirSync(path, { recursive: true });
  return { folder, database, users: join(folder, 'users.json'), kept: join(folder, 'database'), compiled };
}

const address = 'TROUSSEAU_DEV_POOL';

type Wish = { place: string } | { browser: string } | { build: true };

/** Borrows a place of the pool, for this process alone until `giveBack`; undefined without a pool. */
export async function takePlace(files: string): Promise<{ place: Place; giveBack(): void } | undefined> {
  const asked = await ask({ place: files });
  if (!asked) return undefined;
  const { socket, answer } = asked;
  socket.unref();
  // The pool has ended and removes its sites, so this process ends too.
  const onEnd = () => process.exit(1);
  socket.on('close', onEnd);
  return { place: answer as Place, giveBack: () => socket.off('close', onEnd).destroy() };
}

/** Returns the address of the pool's browser, started from this program; undefined without a pool. */
export async function sharedBrowser(program: string): Promise<string | undefined> {
  const asked = await ask({ browser: program });
  asked?.socket.destroy();
  return asked?.answer as string | undefined;
}

let builtHere: Promise<unknown> | undefined;

/** Builds the plugin and the theme, once for all test files. */
export async function buildOnce(): Promise<void> {
  const asked = await ask({ build: true });
  asked?.socket.destroy();
  if (!asked) await buildHere();
}

function buildHere(): Promise<unknown> {
  builtHere ??= build();
  return builtHere;
}

async function build(): Promise<void> {
  const [{ buildPlugin }, { buildTheme }] = await Promise.all([
    import('../build/plugin.ts'),
    import('../build/theme.ts'),
  ]);
  await buildPlugin();
  await buildTheme();
}

async function ask(wish: Wish): Promise<{ socket: Socket; answer: unknown } | undefined> {
  const path = process.env[address];
  if (!path) return undefined;
  const socket = connect(path);
  socket.write(`${JSON.stringify(wish)}\n`);
  const [line] = await once(createInterface(socket), 'line');
  socket.on('error', () => {});
  const { answer, error } = JSON.parse(line) as { answer?: unknown; error?: string };
  if (error) throw new Error(error);
  return { socket, answer };
}

let cleanup: Cleanup | undefined;
const browsers = new Map<string, Promise<BrowserServer>>();

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
  const answer = async (socket: Socket) => {
    socket.on('error', () => {});
    const reply = (answer: unknown) => socket.write(`${JSON.stringify({ answer })}\n`);
    const gone = once(socket, 'close');
    const [line] = await once(createInterface(socket), 'line');
    const wish = JSON.parse(line) as Wish;
    if ('build' in wish) {
      await buildHere();
      reply('built');
    } else if ('browser' in wish) {
      reply(await endpointOf(wish.browser));
    } else {
      const unused = free.get(wish.place) ?? [];
      free.set(wish.place, unused);
      const place = unused.pop() ?? (await make());
      reply(place);
      // A process that ends without `giveBack` also closes its connection, which returns the place.
      await gone;
      if (existsSync(place.users)) unused.push(place);
    }
  };
  const server = createServer((socket) => {
    answer(socket).catch((error) => socket.end(`${JSON.stringify({ error: String(error) })}\n`));
  });
  server.listen(join(folder, 'socket')).unref();
  await once(server, 'listening');
  process.env[address] = join(folder, 'socket');
  cleanup = all;
}

/** Returns the address of a browser, which is restarted if it has ended. */
async function endpointOf(program: string): Promise<string> {
  const running = await browsers.get(program);
  if (running && running.process().exitCode === null && running.process().signalCode === null)
    return running.wsEndpoint();
  const started = import('./chromium.ts').then(({ serveChromium }) => serveChromium(program));
  browsers.set(program, started);
  return (await started).wsEndpoint();
}

export async function globalTeardown(): Promise<void> {
  await Promise.all([...browsers.values()].map(async (browser) => (await browser).kill()));
  await cleanup?.run();
}
