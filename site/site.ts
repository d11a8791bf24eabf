// `npm run site` starts all of Trousseau using only npm, on WebAssembly PHP and SQLite, and keeps the site under data/site.
// `npm run wordpress` (`--debian`) starts the same on Debian's PHP and MariaDB, and removes it at the end.
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { WordPressOptions } from '../dev/wordpress/wordpress.ts';
import { isSite, portsOf, type Site, startSite } from './whole.ts';

const usage = `npm run site -- [--port 8080] [--fresh] [--theme trousseau] [--locale de_DE] [--folder data/site/8080]

  --port    the site's port; each port has a site of its own
  --fresh   delete the existing site and start over
  --theme   the theme of a new site: trousseau, or one that comes with WordPress
  --locale  the language of a new site; only npm run wordpress also translates WordPress itself
  --folder  where the site is stored (default: under data/site)

  TROUSSEAU_DEV_WORDPRESS names a folder with WordPress's files; by default they come from npm.
  TROUSSEAU_DEV_PHP names a version of PHP, 8.1 to 8.5. TROUSSEAU_CACHE names the folder for downloaded packages.`;

/** The width of the column of addresses; longer ones get a line of their own. */
const WIDE = 66;

let site: Site | undefined;
let stopping = false;
let fetched = '';
let saidAt = 0;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, async () => {
    if (stopping) return;
    stopping = true;
    // The next start recreates an unfinished site.
    if (!site) process.exit(130);
    say('Stopping');
    await site.stop().catch(explain);
    process.exit();
  });
}

try {
  const { fresh, ...options } = readArguments();
  // Ports are checked before anything is deleted: a running site uses the folder.
  for (const port of portsOf(options.port)) await makeSureIsFree(port);
  if (fresh && options.folder && isSite(options.folder, options.port))
    rmSync(options.folder, { recursive: true });
  const started = performance.now();
  site = await startSite(options);
  console.log(words(site, options, Math.round((performance.now() - started) / 1000)));
} catch (error) {
  explain(error);
  process.exit(1);
}

function readArguments() {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '8080' },
      fresh: { type: 'boolean', default: false },
      theme: { type: 'string', default: 'trousseau' },
      locale: { type: 'string', default: '' },
      folder: { type: 'string' },
      debian: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    process.exit(0);
  }
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error(`--port must be a number from 1 to 65535, not "${values.port}"`);
  const folder = resolve(values.folder ?? join(import.meta.dirname, '../data/site', String(port)));
  const { TROUSSEAU_DEV_MAIL: mail, TROUSSEAU_DEV_PHP: php, TROUSSEAU_DEV_WORKERS: workers } = process.env;
  return {
    fresh: values.fresh,
    port,
    theme: values.theme,
    locale: values.locale,
    workers: workersOf(workers),
    say,
    ...(mail && { mail }),
    ...(!values.debian && { php: php || '8.3', folder, progress }),
  };
}

async function makeSureIsFree(port: number): Promise<void> {
  const server = createServer((socket) => socket.destroy()).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { cause }: Error = await fetch(`http://127.0.0.1:${port}`).catch((error) => error);
  server.close();
  await once(server, 'close');
  if ((cause as Error)?.message === 'bad port')
    throw new Error(`Browsers refuse port ${port}: choose another with --port`);
}

function workersOf(text = ''): number {
  if (/^([1-9]\d*)?$/.test(text)) return Number(text || 4);
  throw new Error(`TROUSSEAU_DEV_WORKERS must be a number of PHP workers, not "${text}"`);
}

function say(step: string): void {
  if (process.stdout.isTTY && fetched) process.stdout.write('\n');
  fetched = '';
  console.log(`${step} …`);
}

function progress(what: string, megabytes: number, of: number): void {
  const line = `Fetching ${what} from npm, once: ${megabytes} of about ${of} MB`;
  // A terminal shows one changing line; a log gets a line for each package, and then one for every 25 MB.
  if (process.stdout.isTTY) process.stdout.write(`${fetched && fetched !== what ? '\n' : '\r'}${line}`);
  else if (fetched !== what || megabytes >= saidAt + 25) {
    console.log(line);
    saidAt = megabytes;
  }
  fetched = what;
}

function words(
  { url, lists, people, mails, service, wordpress }: Site,
  { folder }: WordPressOptions,
  seconds: number,
) {
  const row = (left: string, right: string) =>
    left.length > WIDE
      ? `    ${left}\n${' '.repeat(WIDE + 6)}${right}`
      : `    ${left.padEnd(WIDE)}  ${right}`;
  const accounts = people.map(
    ({ username, password, who }) => `    ${username.padEnd(8)} ${password.padEnd(12)} ${who}`,
  );
  const kept = folder ? `is kept in ${relative('.', folder)}: --fresh starts over` : 'is gone then';
  return `
  Trousseau is ready at ${url} (WordPress ${wordpress.version}, after ${seconds} s)

  Look at
${row(`${url}/`, 'the front page: make a list of your own')}
${lists.map(({ path, what }) => row(url + path, what)).join('\n')}
${row(mails, 'the emails, shown there instead of being sent; one invites you to the private list')}
${row(`${service}/docs`, 'the service')}

  Log in at ${url}/wp-login.php
${accounts.join('\n')}

  Ctrl-C stops it. What you do here ${kept}.
`;
}

/** Prints a sentence for errors that a user can fix; LOG_LEVEL=debug prints the complete error. */
function explain(error: unknown): void {
  const { code, message, port } = (error ?? {}) as NodeJS.ErrnoException & { port?: number };
  if (code === 'ENOSPC') console.error('The disk is full: make room, then try again.');
  else if (code === 'EADDRINUSE')
    console.error(`Port ${port} is taken: stop what uses it, or choose another with --port`);
  else console.error(message ?? error);
  if (process.env.LOG_LEVEL === 'debug') console.error(error);
}
