// Starts a real WordPress of its own: temporary folder, own database, PHP's built-in server, users with credentials.
// Run directly (`npm run wordpress`) it prints address and credentials and stops on Ctrl-C.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
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
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePort } from '../../api/test/free-port.ts';
import { buildAssets } from '../build.ts';

const here = import.meta.dirname;
const plugin = join(here, '..');
const ownTheme = join(here, '../../theme');
const debianFiles = '/usr/share/wordpress';
const stockThemes = ['twentytwentythree', 'twentytwentyone'];
const packages = `wordpress ${stockThemes.map((name) => `wordpress-theme-${name}`).join(' ')} php-cli php-mysql php-curl \
php-mbstring php-xml mariadb-server`;

export interface WordPressUser {
  id: number;
  username: string;
  email: string;
  /** Application password, for the REST API. */
  password: string;
  /** The password of wp-login.php. */
  login: string;
}

export interface WordPressOptions {
  /** A free one when absent. */
  port?: number;
  /** Activate the Trousseau plugin; yes when absent. */
  plugins?: boolean;
  /** Folder name of a theme: `trousseau`, or one that comes with WordPress, such as the default twentytwentythree. */
  theme?: string;
  /** Show PHP's messages on stderr. */
  debug?: boolean;
  /** WordPress files; when absent those that the variable TROUSSEAU_DEV_WORDPRESS names, or else Debian's. */
  files?: string;
  /** PHP that runs early in every request, as a must-use plugin would: without the opening tag. */
  muPlugin?: string;
  /** WP_ENVIRONMENT_TYPE. Only `local`, when absent, takes application passwords over plain HTTP. */
  environment?: 'local' | 'development' | 'staging' | 'production';
  /** Start a MariaDB of its own even where one is running. */
  ownDatabase?: boolean;
  /** Environment variables that PHP sees. */
  env?: Record<string, string>;
}

export interface WordPress {
  url: string;
  version: string;
  users: Record<'admin' | 'alice' | 'bob' | 'carol', WordPressUser>;
  /** Runs PHP code inside this WordPress and returns what it echoes. */
  wp(php: string): Promise<string>;
  /** What PHP complained about so far (WP_DEBUG is on). */
  log(): string;
  stop(): Promise<void>;
}

function wordPressFiles(): string {
  return process.env.TROUSSEAU_DEV_WORDPRESS || debianFiles;
}

/** Says in words what this machine lacks, or undefined when a WordPress can be started. */
export function missingPrerequisites(files = wordPressFiles()): string | undefined {
  const missing: string[] = [];
  const php = spawnSync('php', ['-r', 'echo implode(" ", get_loaded_extensions());'], { encoding: 'utf8' });
  if (php.status !== 0) missing.push('PHP');
  else if (!php.stdout.includes('mysqli')) missing.push("PHP's mysqli");
  if (!existsSync(join(files, 'wp-load.php'))) missing.push(`WordPress in ${files}`);
  const themes = themesOf(files);
  for (const name of stockThemes) if (!themes.has(name)) missing.push(`the theme ${name}`);
  if (existing(databaseServers).length === 0 && !findProgram('mariadbd')) missing.push('MariaDB');
  if (missing.length === 0) return undefined;
  return `A real WordPress needs ${missing.join(', ')}; on Debian: apt-get install ${packages}`;
}

/** For `test(name, { skip: skipWithoutWordPress() }, …)`: skips with a word, but under CI what is missing is a failure. */
export function skipWithoutWordPress(files?: string): string | false {
  const missing = missingPrerequisites(files);
  if (missing && process.env.CI === 'true') throw new Error(missing);
  return missing ?? false;
}

export async function startWordPress(options: WordPressOptions = {}): Promise<WordPress> {
  const files = options.files ?? wordPressFiles();
  const missing = missingPrerequisites(files);
  if (missing) throw new Error(missing);

  const folder = mkdtempSync(join(tmpdir(), 'trousseau-wordpress-'));
  const children: ChildProcess[] = [];
  let database: Database | undefined;
  const remove = onlyOnce(() => {
    for (const child of children) killGroup(child);
    database?.drop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const forget = atProcessEnd(remove);

  try {
    await buildAssets();
    database = await createDatabase(folder, children, options.ownDatabase ?? false);
    const port = options.port ?? (await freePort());
    const url = `http://127.0.0.1:${port}`;
    const site = layOutSite(folder, files, database, url, options);
    // Settings of the plugin that this shell happens to have are none of this site's.
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('TROUSSEAU_'));
    const env = { ...Object.fromEntries(inherited), ...options.env };
    const php = (code: string, extra: Record<string, string> = {}) =>
      runPhp(site, url, code, { ...env, ...extra });

    // Before the installation, so that the port is taken at once.
    const server = spawn(
      'php',
      [...phpSettings, '-S', `127.0.0.1:${port}`, '-t', site, join(here, 'router.php')],
      {
        env: { ...env, PHP_CLI_SERVER_WORKERS: '4' },
        detached: true,
        stdio: ['ignore', 'ignore', options.debug ? 'inherit' : 'ignore'],
      },
    );
    children.push(server);
    const users = JSON.parse(
      await php(`require ${phpString(join(here, 'install.php'))};`, {
        TROUSSEAU_DEV_INSTALL: JSON.stringify({
          plugins: options.plugins ?? true,
          theme: options.theme ?? 'twentytwentythree',
        }),
      }),
    ) as WordPress['users'];
    const version = await whenAnswering(url, server);

    return {
      url,
      version,
      users,
      wp: (code) => php(code),
      log: () => readIfThere(join(site, 'wp-content/debug.log')),
      async stop() {
        forget();
        const gone = children.filter(isRunning).map((child) => once(child, 'exit'));
        for (const child of children) killGroup(child);
        await Promise.all(gone);
        remove();
      },
    };
  } catch (error) {
    forget();
    remove();
    throw error;
  }
}

// A file may change between two requests of a test, so the byte code is checked every time.
const phpSettings = [
  '-d',
  'sendmail_path=/bin/true',
  '-d',
  'opcache.revalidate_freq=0',
  '-d',
  'display_errors=0',
];

/** Themes by name: those of the WordPress files, Debian's beside them, and the repository's own. */
function themesOf(files: string): Map<string, string> {
  const themes = new Map<string, string>();
  for (const folder of [debianFiles, files]
    .map((from) => join(from, 'wp-content/themes'))
    .filter(existsSync)) {
    for (const name of readdirSync(folder)) themes.set(name, join(folder, name));
  }
  if (existsSync(join(ownTheme, 'style.css'))) themes.set('trousseau', ownTheme);
  return themes;
}

/** WordPress files stay where they are: the site is a folder of links with its own settings and wp-content. */
function layOutSite(
  folder: string,
  files: string,
  database: Database,
  url: string,
  options: WordPressOptions,
) {
  const site = join(folder, 'site');
  const content = join(site, 'wp-content');
  for (const name of ['plugins', 'mu-plugins', 'themes', 'uploads']) {
    mkdirSync(join(content, name), { recursive: true });
  }
  for (const name of readdirSync(files)) {
    if (!/^(wp-content|wp-config.*|\.htaccess)$/.test(name)) symlinkSync(join(files, name), join(site, name));
  }
  for (const [name, folder] of themesOf(files)) symlinkSync(folder, join(content, 'themes', name));
  symlinkSync(plugin, join(content, 'plugins/trousseau'));
  if (options.muPlugin) writeFileSync(join(content, 'mu-plugins/dev.php'), `<?php\n${options.muPlugin}\n`);

  const constants: Record<string, string | boolean> = {
    DB_NAME: database.name,
    DB_USER: 'root',
    DB_PASSWORD: '',
    DB_HOST: database.host,
    DB_CHARSET: 'utf8mb4',
    DB_COLLATE: '',
    WP_HOME: url,
    WP_SITEURL: url,
    WP_ENVIRONMENT_TYPE: options.environment ?? 'local',
    WP_HTTP_BLOCK_EXTERNAL: true,
    WP_ACCESSIBLE_HOSTS: '127.0.0.1,localhost',
    DISABLE_WP_CRON: true,
    AUTOMATIC_UPDATER_DISABLED: true,
    WP_DISABLE_FATAL_ERROR_HANDLER: true,
    WP_DEBUG: true,
    WP_DEBUG_LOG: join(content, 'debug.log'),
    WP_DEBUG_DISPLAY: false,
  };
  for (const name of ['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE']) {
    constants[`${name}_KEY`] = randomBytes(32).toString('hex');
    constants[`${name}_SALT`] = randomBytes(32).toString('hex');
  }
  const defines = Object.entries(constants).map(
    ([name, value]) => `define( '${name}', ${phpString(value)} );`,
  );
  writeFileSync(
    join(site, 'wp-config.php'),
    `<?php\n${defines.join('\n')}\n$table_prefix = 'wp_';\nrequire_once ABSPATH . 'wp-settings.php';\n`,
  );
  return site;
}

async function runPhp(site: string, url: string, code: string, env: NodeJS.ProcessEnv): Promise<string> {
  const logFile = join(site, 'wp-content/debug.log');
  const logged = readIfThere(logFile).length;
  const boot = `
    define( 'ABSPATH', ${phpString(`${site}/`)} );
    ${env.TROUSSEAU_DEV_INSTALL ? "define( 'WP_INSTALLING', true );" : ''}
    $_SERVER['HTTP_HOST'] = ${phpString(new URL(url).host)};
    $_SERVER['REQUEST_URI'] = '/';
    require ABSPATH . 'wp-load.php';
    eval( stream_get_contents( STDIN ) );`;
  const child = spawn('php', [...phpSettings, '-d', 'log_errors=1', '-r', boot], { env, stdio: 'pipe' });
  let output = '';
  let complaints = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
  child.stdin.on('error', () => {}).end(code);
  const [status] = await once(child, 'close');
  if (status !== 0) {
    const log = readIfThere(logFile).slice(logged);
    throw new Error(`PHP ended with ${status}: ${complaints}${output.slice(-2000)}\n${log}`);
  }
  return output;
}

async function whenAnswering(url: string, server: ChildProcess): Promise<string> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    if (server.exitCode !== null) throw new Error(`PHP's server could not listen on ${url}`);
    try {
      const answer = await fetch(`${url}/feed/`);
      if (answer.ok) return /<generator>[^<]*v=([^<]+)</.exec(await answer.text())?.[1] ?? 'unknown';
      if (answer.status >= 500) throw new Error(`WordPress answers ${answer.status}: ${await answer.text()}`);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
    if (Date.now() > deadline) throw new Error(`WordPress does not answer on ${url}`);
    await sleep(20);
  }
}

// --- the database -----------------------------------------------------------------------------------------------

interface Database {
  name: string;
  /** As WordPress's DB_HOST wants it. */
  host: string;
  drop(): void;
}

const databaseServers = ['localhost:/run/mysqld/mysqld.sock', '127.0.0.1:3306'];

/** The MariaDB at hand, or else one of our own in the folder. */
async function createDatabase(folder: string, children: ChildProcess[], own: boolean): Promise<Database> {
  const host = (own ? undefined : existing(databaseServers)[0]) ?? (await startMariaDb(folder, children));
  const name = `trousseau_dev_${randomBytes(6).toString('hex')}`;
  const created = sql(host, `create database ${name} character set utf8mb4`);
  if (created) throw new Error(`MariaDB at ${host} refuses a new database: ${created}`);
  return { name, host, drop: () => sql(host, `drop database if exists ${name}`) };
}

async function startMariaDb(folder: string, children: ChildProcess[]): Promise<string> {
  const data = join(folder, 'mariadb');
  const socket = join(folder, 'mariadb.sock');
  const common = ['--no-defaults', `--datadir=${data}`, `--user=${userInfo().username}`];
  const install = spawnSync(
    'mariadb-install-db',
    [...common, '--auth-root-authentication-method=normal', '--skip-test-db'],
    { encoding: 'utf8' },
  );
  if (install.status !== 0) throw new Error(`MariaDB cannot be set up: ${install.stderr || install.error}`);
  const server = spawn(
    findProgram('mariadbd') ?? 'mariadbd',
    [...common, `--socket=${socket}`, `--pid-file=${folder}/mariadb.pid`, '--skip-networking'],
    { detached: true, stdio: 'ignore' },
  );
  children.push(server);
  const host = `localhost:${socket}`;
  const deadline = Date.now() + 30_000;
  while (sql(host, 'select 1')) {
    if (server.exitCode !== null || Date.now() > deadline) throw new Error('MariaDB does not start');
    await sleep(50);
  }
  return host;
}

/** Runs one statement through PHP, so that no database client is needed. Returns what went wrong, or nothing. */
function sql(host: string, statement: string): string {
  const [name, place = ''] = host.split(':');
  const socket = place.startsWith('/') ? place : '';
  const code = `mysqli_report( MYSQLI_REPORT_OFF );
    $db = @mysqli_connect( ${phpString(name!)}, 'root', '', '', ${Number(place) || 0}, ${phpString(socket)} );
    if ( ! $db ) { echo mysqli_connect_error(); exit; }
    if ( ! $db->query( ${phpString(statement)} ) ) { echo $db->error; }`;
  const run = spawnSync('php', ['-r', code], { encoding: 'utf8' });
  return run.status === 0 ? run.stdout : `${run.stdout}${run.stderr}`;
}

function existing(servers: string[]): string[] {
  return servers.filter((host) => sql(host, 'select 1') === '');
}

// --- small things -----------------------------------------------------------------------------------------------

function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, name)).find(existsSync);
}

function phpString(value: string | boolean): string {
  return typeof value === 'boolean' ? String(value) : `'${value.replace(/[\\']/g, '\\$&')}'`;
}

function readIfThere(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

// The workers of PHP's server are its children and outlive it unless the whole group is ended. They hold nothing.
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || !isRunning(child)) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {}
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

function onlyOnce(action: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    action();
  };
}

/** Runs the action when this process ends, by itself or by a signal. Returns a function that calls it off. */
function atProcessEnd(action: () => void): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const onSignal = (signal: NodeJS.Signals) => {
    action();
    forget();
    process.kill(process.pid, signal);
  };
  const forget = () => {
    process.off('exit', action);
    for (const signal of signals) process.off(signal, onSignal);
  };
  process.once('exit', action);
  for (const signal of signals) process.once(signal, onSignal);
  return forget;
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      port: { type: 'string' },
      theme: { type: 'string' },
      debug: { type: 'boolean', default: false },
      'no-plugins': { type: 'boolean', default: false },
    },
  });
  try {
    const wordpress = await startWordPress({
      ...(values.port && { port: Number(values.port) }),
      theme: values.theme ?? (existsSync(join(ownTheme, 'style.css')) ? 'trousseau' : 'twentytwentythree'),
      plugins: !values['no-plugins'],
      debug: values.debug,
    });
    console.log(`WordPress ${wordpress.version} on ${wordpress.url}`);
    console.table(wordpress.users);
    console.log(
      '`password` is for the REST API, `login` for wp-login.php. Ctrl-C stops it and removes everything.',
    );
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
