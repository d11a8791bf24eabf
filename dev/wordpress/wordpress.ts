// Starts a real WordPress: temporary folder, own database, PHP's built-in server, users with credentials. If
// TROUSSEAU_DEV_PHP names a version, it uses that version of WebAssembly PHP, which needs no PHP or database on this machine.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from '../../api/test/free-port.ts';
import { until } from '../until.ts';
import { type Cleanup, startCleanup } from './cleanup.ts';
import { phpString, wpConfig, writeMuPlugins } from './config.ts';
import { canHaveDatabase, createDatabase, databaseServer } from './database.ts';
import type { WordPress, WordPressOptions, WordPressUser } from './options.ts';
import { startPhpServer } from './php-server.ts';
import { buildOnce, type Place, placeIn, takePlace } from './pool.ts';
import { phpCall } from './set-up.ts';
import { startWasmWordPress } from './wasm.ts';

const here = import.meta.dirname;
const plugin = join(here, '../../plugin');
const ownTheme = join(here, '../../theme');
const debianFiles = '/usr/share/wordpress';
/** The translations of one WordPress version are used for all; texts that a newer version has changed stay English. */
const languageFiles = join(debianFiles, 'wp-content/languages');
const stockThemes = ['twentytwentythree', 'twentytwentyone'];
const packages = `wordpress ${stockThemes.map((name) => `wordpress-theme-${name}`).join(' ')} php-cli php-mysql php-curl \
php-mbstring php-xml mariadb-server`;

export type { WordPress, WordPressOptions, WordPressUser };

function wordPressFiles(): string {
  return process.env.TROUSSEAU_DEV_WORDPRESS || debianFiles;
}

const found = new Map<string, string | undefined>();

/** Returns a sentence about what this machine lacks to start a WordPress, or undefined. A process checks only once. */
export function missingPrerequisites(files = wordPressFiles()): string | undefined {
  if (!found.has(files)) found.set(files, lookForPrerequisites(files));
  return found.get(files);
}

function lookForPrerequisites(files: string): string | undefined {
  // WebAssembly PHP downloads everything it needs.
  if (process.env.TROUSSEAU_DEV_PHP) return undefined;
  const missing: string[] = [];
  const php = spawnSync('php', ['-r', 'echo implode(" ", get_loaded_extensions());'], { encoding: 'utf8' });
  if (php.status !== 0) missing.push('PHP');
  else if (!php.stdout.includes('mysqli')) missing.push("PHP's mysqli");
  if (!existsSync(join(files, 'wp-load.php'))) missing.push(`WordPress in ${files}`);
  const themes = themesOf(files);
  for (const name of stockThemes) if (!themes.has(name)) missing.push(`the theme ${name}`);
  if (!canHaveDatabase()) missing.push('MariaDB');
  if (missing.length === 0) return undefined;
  return `A real WordPress needs ${missing.join(', ')}; on Debian: apt-get install ${packages}`;
}

/** For `test(name, { skip: skipWithoutWordPress() }, …)`: skips with a reason, but in CI a missing program is a failure. */
export function skipWithoutWordPress(files?: string): string | false {
  const missing = missingPrerequisites(files);
  if (missing && process.env.CI === 'true') throw new Error(missing);
  return missing ?? false;
}

/** Like `skipWithoutWordPress`, for a site or readers in languages other than English. */
export function skipWithoutLanguages(): string | false {
  const missing = existsSync(languageFiles)
    ? false
    : "WordPress's own words in other languages are missing; on Debian: apt-get install wordpress-l10n";
  if (missing && process.env.CI === 'true') throw new Error(missing);
  return skipWithoutWordPress() || missing;
}

export async function startWordPress(options: WordPressOptions = {}): Promise<WordPress> {
  const wasm = options.php ?? process.env.TROUSSEAU_DEV_PHP;
  await buildOnce();
  if (wasm) return startWasmWordPress(wasm, options);
  const files = options.files ?? wordPressFiles();
  const missing = missingPrerequisites(files);
  if (missing) throw new Error(missing);

  const cleanup = startCleanup();
  const lent = options.fresh ? undefined : await takePlace(files);
  try {
    const place = lent?.place ?? (await ownPlace(cleanup));
    const port = options.port ?? (await freePort());
    const url = `http://127.0.0.1:${port}`;
    const site = layOutSite(place, files, url, options);
    // The site must not inherit the plugin's settings from this shell.
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('TROUSSEAU_'));
    const env = {
      ...Object.fromEntries(inherited),
      // A request that is killed leaves its temporary files.
      TMPDIR: place.folder,
      ...(options.mail && { TROUSSEAU_DEV_MAIL: resolve(options.mail) }),
      ...options.env,
    };
    if (options.mail) mkdirSync(options.mail, { recursive: true });
    const settings = phpSettings(place.compiled);
    const servers: ChildProcess[] = [];
    /** Starts a process of PHP's server, and returns its port. */
    const startPhp = async (router: string, extra: Record<string, string> = {}) => {
      const port = await freePort();
      const server = spawn('php', [...settings, '-S', `127.0.0.1:${port}`, '-t', site, join(here, router)], {
        env: { ...env, ...extra },
        detached: true,
        stdio: ['ignore', 'ignore', options.debug ? 'inherit' : 'ignore'],
      });
      servers.push(server);
      // The process has nothing to save.
      cleanup.atEnd('kill', '-9', `${server.pid}`);
      await whenListening(port, server);
      return port;
    };
    // Takes the port before the installation.
    const server = await startPhpServer(port, options.workers ?? 4, () => startPhp('router.php'));
    const secret = randomUUID();
    const php = phpRunner({ site, url, secret }, async () => {
      return `http://127.0.0.1:${await startPhp('calls.php', { TROUSSEAU_DEV_SECRET: secret })}`;
    });
    const users = await install(place, url, php);
    if (options.network) {
      await php(`require ${phpString(join(here, 'network.php'))};`);
      settle(place, site, url, options, true);
      await php(withVariable('TROUSSEAU_DEV_SITES', options.network, 'network.php'));
    }
    const dress = {
      plugins: options.plugins ?? !options.network,
      theme: options.theme ?? 'plain',
      locale: options.locale ?? '',
    };
    await php(withVariable('TROUSSEAU_DEV_DRESS', dress, 'dress.php'));
    const version = await whenAnswering(url);

    return {
      url,
      folder: site,
      version,
      users,
      wp: (code, at) => php(code, { at }),
      call: async (name, ...given) => JSON.parse(await php(phpCall(here, name, given))),
      log: () => readIfThere(join(site, 'wp-content/debug.log')),
      async stop() {
        server.stop();
        await Promise.all([...servers.map(whenEnded), cleanup.run()]);
        lent?.giveBack();
      },
    };
  } catch (error) {
    await cleanup.run();
    lent?.giveBack();
    throw error;
  }
}

async function ownPlace(cleanup: Cleanup): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'trousseau-wordpress-'));
  // Killed processes may still write into the folder for a moment, so its removal is repeated.
  cleanup.atEnd('sh', '-c', 'until rm -rf "$1"; do sleep 0.1; done', 'sh', folder);
  const host = await databaseServer(folder, cleanup);
  return placeIn(folder, createDatabase(host, cleanup), join(folder, 'compiled'));
}

/** Installs a fresh WordPress in the database, whatever was in it. */
async function install(
  { database, users, kept }: Place,
  url: string,
  php: RunPhp,
): Promise<WordPress['users']> {
  const snapshot = (action: 'save' | 'restore') => {
    const given = [action, kept, database, url].map((one) =>
      phpString(typeof one === 'string' ? one : JSON.stringify(one)),
    );
    return php(`( require ${phpString(join(here, 'snapshot.php'))} )( ${given.join(', ')} );`, {
      load: 'nothing',
    });
  };
  if (existsSync(users)) await snapshot('restore');
  else {
    const made = await php(`require ${phpString(join(here, 'install.php'))};`, { load: 'installing' });
    await snapshot('save');
    writeFileSync(users, made);
  }
  return JSON.parse(readFileSync(users, 'utf8'));
}

/** Returns PHP that sets the environment variable and runs this file. */
const withVariable = (name: string, value: unknown, file: string) =>
  `putenv( ${phpString(`${name}=${JSON.stringify(value)}`)} ); require ${phpString(join(here, file))};`;

function phpSettings(compiled: string): string[] {
  const settings = [
    'sendmail_path="/bin/true"',
    // A file may change between two requests of a test, so cached bytecode is checked every time.
    'opcache.revalidate_freq=0',
    // PHP takes longer to compile WordPress than to run it.
    'opcache.enable_cli=1',
    `opcache.file_cache="${compiled}"`,
    'display_errors=0',
  ];
  return settings.flatMap((setting) => ['-d', setting]);
}

/** Returns themes by name: those among WordPress's files, in Debian's packages, and in this repository. */
function themesOf(files: string): Map<string, string> {
  const themes = new Map<string, string>();
  for (const folder of [debianFiles, files]
    .map((from) => join(from, 'wp-content/themes'))
    .filter(existsSync)) {
    for (const name of readdirSync(folder)) themes.set(name, join(folder, name));
  }
  themes.set('plain', join(here, 'plain'));
  if (existsSync(join(ownTheme, 'style.css'))) themes.set('trousseau', ownTheme);
  return themes;
}

/** Lays out the site: a folder of links to WordPress's files, with its own settings and wp-content. */
function layOutSite(
  { folder, database }: Place,
  files: string,
  url: string,
  options: WordPressOptions,
): string {
  const site = join(folder, 'site');
  rmSync(site, { recursive: true, force: true });
  const content = join(site, 'wp-content');
  for (const name of ['plugins', 'mu-plugins', 'themes', 'uploads']) {
    mkdirSync(join(content, name), { recursive: true });
  }
  for (const name of readdirSync(files)) {
    if (!/^(wp-content|wp-config.*|\.htaccess)$/.test(name)) symlinkSync(join(files, name), join(site, name));
  }
  for (const [name, folder] of themesOf(files)) symlinkSync(folder, join(content, 'themes', name));
  symlinkSync(options.plugin ?? plugin, join(content, 'plugins/trousseau'));
  const mailer = options.mail ? join(here, 'mailer.php') : '';
  writeMuPlugins(site, mailer, options);

  if (options.locale) symlinkSync(languageFiles, join(content, 'languages'));
  if (options.objectCache) symlinkSync(join(here, 'object-cache.php'), join(content, 'object-cache.php'));
  if (options.pageCache) symlinkSync(join(here, 'page-cache.php'), join(content, 'advanced-cache.php'));
  settle({ database }, site, url, options, false);
  return site;
}

/** Writes the site's settings. */
function settle(
  { database }: Pick<Place, 'database'>,
  site: string,
  url: string,
  options: WordPressOptions,
  isNetwork: boolean,
): void {
  const content = join(site, 'wp-content');
  const config = wpConfig(url, {
    DB_NAME: database.name,
    DB_USER: 'root',
    DB_PASSWORD: '',
    DB_HOST: database.host,
    ...(isNetwork && { WP_HOME: undefined, WP_SITEURL: undefined }),
    WP_ENVIRONMENT_TYPE: options.environment ?? 'local',
    WP_DEBUG_LOG: join(content, 'debug.log'),
    ...(options.external && { WP_HTTP_BLOCK_EXTERNAL: false }),
    ...(options.objectCache && { TROUSSEAU_DEV_CACHE: resolve(options.objectCache) }),
    ...(options.pageCache && { WP_CACHE: true, TROUSSEAU_DEV_PAGE_CACHE: resolve(options.pageCache) }),
    ...(isNetwork && {
      ...{ MULTISITE: true, SUBDOMAIN_INSTALL: false, PATH_CURRENT_SITE: '/' },
      ...{ DOMAIN_CURRENT_SITE: new URL(url).host, SITE_ID_CURRENT_SITE: 1, BLOG_ID_CURRENT_SITE: 1 },
    }),
  });
  writeFileSync(join(site, 'wp-config.php'), config);
}

/** Runs code inside the site's WordPress as soon as the server is listening; `at` is a site of a network. */
type RunPhp = (
  code: string,
  how?: { at?: string | undefined; load?: 'WordPress' | 'installing' | 'nothing' },
) => Promise<string>;

/** Makes a runner. Simultaneous calls run in separate processes, each of which takes another call when its call ends. */
function phpRunner(
  { site, url, secret }: { site: string; url: string; secret: string },
  start: () => Promise<string>,
): RunPhp {
  const logFile = join(site, 'wp-content/debug.log');
  const idle: string[] = [];
  return async (code, { at = '/', load = 'WordPress' } = {}) => {
    const address = idle.pop() ?? (await start());
    const logged = readIfThere(logFile).length;
    const headers = { 'x-secret': secret, 'x-site': new URL(url).host, 'x-at': at, 'x-load': load };
    const answer = await fetch(address, { method: 'POST', headers, body: code });
    const output = await answer.text();
    // A process that was killed gave no answer and gets no more calls.
    idle.push(address);
    if (answer.status === 200) return output;
    throw new Error(`PHP failed: ${output.slice(-2000)}\n${readIfThere(logFile).slice(logged)}`);
  };
}

const whenEnded = (child: ChildProcess) => child.exitCode ?? child.signalCode ?? once(child, 'exit');

async function whenListening(port: number, server: ChildProcess): Promise<void> {
  await until(`PHP's server listens on port ${port}`, async () => {
    if (server.exitCode !== null) throw new Error(`PHP's server could not listen on port ${port}`);
    const socket = connect(port, '127.0.0.1');
    const isListening = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'close').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    return isListening;
  });
}

/** Requests a page, which also writes the rewrite rules, and returns the version of WordPress. */
async function whenAnswering(url: string): Promise<string> {
  const answer = await fetch(`${url}/feed/`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`WordPress answers ${answer.status}: ${text}`);
  return /<generator>[^<]*v=([^<]+)</.exec(text)?.[1] ?? 'unknown';
}

function readIfThere(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
