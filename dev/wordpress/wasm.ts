// A real WordPress on a machine without PHP and without a database: PHP as WebAssembly, which keeps the site in SQLite. It
// lives in this process and ends with it. A server of this file stands in front, because the package's own server listens
// on every network of the machine.
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { phpString, wpConfig, writeMuPlugins } from './config.ts';
import type { WordPress, WordPressOptions } from './options.ts';
import { wasmPhp, wordPressFromNpm } from './packages.ts';
import { phpCall } from './set-up.ts';

const plugin = join(import.meta.dirname, '../../plugin');
const ownTheme = join(import.meta.dirname, '../../theme');
/** The paths at which PHP sees folders of this machine. */
const root = '/wordpress';
const pluginInside = `${root}/wp-content/plugins/trousseau`;
const devInside = '/trousseau-dev';
const mailInside = '/mail';

interface Php {
  request(request: {
    url: string;
    method: string;
    headers: Record<string, string>;
    body?: Uint8Array;
  }): Promise<{ httpStatusCode: number; headers: Record<string, string[]>; bytes: Uint8Array }>;
  run(run: {
    code: string;
    env: Record<string, string>;
    $_SERVER: Record<string, string>;
  }): Promise<{ text: string }>;
}

interface Cli {
  runCLI(options: Record<string, unknown>): Promise<{ playground: Php; server: Server } & AsyncDisposable>;
}

export async function startWasmWordPress(version: string, options: WordPressOptions): Promise<WordPress> {
  const { progress = () => {}, say = () => {} } = options;
  await using begun = new AsyncDisposableStack();
  // Takes the port before the slow work begins.
  const front = await listen(options.port ?? 0);
  begun.defer(() => close(front));
  const url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;

  const php = await wasmPhp(version, progress);
  const files = options.files || process.env.TROUSSEAU_DEV_WORDPRESS || (await wordPressFromNpm(progress));
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'trousseau-wasm-'));
  if (!options.folder) begun.defer(() => rmSync(folder, { recursive: true, force: true }));
  const site = join(folder, 'wordpress');
  const users = join(folder, 'users.json');
  const isKept = existsSync(users);
  if (!isKept) {
    say('Copying WordPress');
    await layOut(site, files, url, options);
  }
  // A stored site may name an older path of these files, so its must-use plugin is rewritten.
  const mailer = options.mail ? `${devInside}/mailer.php` : '';
  writeMuPlugins(site, mailer, options);

  const mail = options.mail && resolve(options.mail);
  if (mail) mkdirSync(mail, { recursive: true });
  const mounts = [
    { hostPath: site, vfsPath: root },
    { hostPath: plugin, vfsPath: pluginInside },
    { hostPath: import.meta.dirname, vfsPath: devInside },
    { hostPath: ownTheme, vfsPath: `${root}/wp-content/themes/trousseau` },
    ...(mail ? [{ hostPath: mail, vfsPath: mailInside }] : []),
  ];
  say('Starting PHP');
  const entry = join(php, 'node_modules/@wp-playground/cli/index.js');
  const { runCLI } = (await import(pathToFileURL(entry).href)) as Cli;
  const cli = await runCLI({
    command: 'server',
    port: 0,
    'site-url': url,
    php: version,
    workers: options.workers ?? 4,
    verbosity: 'quiet',
    redis: false,
    memcached: false,
    wordpressInstallMode: 'do-not-attempt-installing',
    'mount-before-install': mounts,
  });
  begun.use(cli);
  cli.server.close();

  const log = join(site, 'wp-content/debug.log');
  const wp = async (code: string, env: Record<string, string> = {}) => {
    const logged = readIfThere(log).length;
    const installing = env.TROUSSEAU_DEV_INSTALL ? "define( 'WP_INSTALLING', true );" : '';
    const boot = `<?php ini_set( 'display_errors', '0' ); ${installing} require '${root}/wp-load.php'; eval( getenv( 'TROUSSEAU_DEV_CODE' ) );`;
    try {
      const { text } = await cli.playground.run({
        code: boot,
        env: { ...env, TROUSSEAU_DEV_CODE: code },
        $_SERVER: { HTTP_HOST: new URL(url).host, REQUEST_URI: '/' },
      });
      return text;
    } catch (error) {
      throw new Error(`PHP ended: ${(error as Error).message}\n${readIfThere(log).slice(logged)}`);
    }
  };
  front.on('request', (request, response) => {
    serve(cli.playground, url, site, request, response).catch((error) => {
      if (response.headersSent) response.destroy();
      else response.writeHead(500, { 'content-type': 'text/plain' }).end(String(error.message ?? error));
    });
  });

  if (!isKept) {
    say('Installing WordPress');
    const made = await wp(`require '${devInside}/install.php';`, { TROUSSEAU_DEV_INSTALL: 'yes' });
    const { plugins = true, theme = 'twentytwentythree', locale = '' } = options;
    say('Activating the plugin and the theme');
    await wp(`require '${devInside}/dress.php';`, {
      TROUSSEAU_DEV_DRESS: JSON.stringify({ plugins, theme, locale }),
    });
    writeFileSync(users, made);
  }
  const running = begun.move();
  return {
    url,
    version:
      /\$wp_version = '([^']+)'/.exec(readFileSync(join(site, 'wp-includes/version.php'), 'utf8'))?.[1] ??
      'unknown',
    users: JSON.parse(readFileSync(users, 'utf8')),
    folder: site,
    wp: (code) => wp(code),
    call: async (name, ...given) => JSON.parse(await wp(phpCall(devInside, name, given))),
    log: () => readIfThere(log),
    stop: () => running.disposeAsync(),
  };
}

/** Lays out WordPress's files and settings; the plugin and this project's theme stay where they are. */
async function layOut(site: string, files: string, url: string, options: WordPressOptions): Promise<void> {
  if (!existsSync(join(files, 'wp-load.php'))) throw new Error(`${files} contains no WordPress`);
  rmSync(site, { recursive: true, force: true });
  await cp(files, site, {
    recursive: true,
    dereference: true,
    filter: (path) =>
      !/^\/(wp-config\.php|wp-content\/(plugins|database|uploads)\/.+)$/.test(path.slice(files.length)),
  });
  for (const name of ['plugins/trousseau', 'mu-plugins', 'themes/trousseau', 'uploads']) {
    mkdirSync(join(site, 'wp-content', name), { recursive: true });
  }
  const environment = { ...options.env, ...(options.mail && { TROUSSEAU_DEV_MAIL: mailInside }) };
  const variables = Object.entries(environment).map(
    ([name, value]) => `putenv( ${phpString(`${name}=${value}`)} );\n`,
  );
  const config = wpConfig(url, {
    DB_NAME: 'wordpress',
    WP_DEBUG_LOG: `${root}/wp-content/debug.log`,
    ...(options.external && { WP_HTTP_BLOCK_EXTERNAL: false }),
    ...(options.environment && { WP_ENVIRONMENT_TYPE: options.environment }),
  });
  writeFileSync(join(site, 'wp-config.php'), config.replace('<?php\n', `<?php\n${variables.join('')}`));
}

const kinds: Record<string, string> = {
  '.css': 'text/css',
  '.gif': 'image/gif',
  '.ico': 'image/x-icon',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** Returns the file that an address names, if browsers get it unchanged, without PHP. */
function fileOf(site: string, pathname: string): string | undefined {
  const path = decodeURIComponent(pathname);
  if (path.includes('..') || !kinds[extname(path)]) return undefined;
  const own = /^\/wp-content\/(?:plugins|themes)\/trousseau\/(.*)$/.exec(path);
  const file = own
    ? join(path.startsWith('/wp-content/plugins') ? plugin : ownTheme, own[1]!)
    : join(site, path);
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? file : undefined;
}

async function serve(
  php: Php,
  url: string,
  site: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname } = new URL(request.url!, url);
  // The database is among the files, and its name begins with a dot.
  if (pathname.includes('/.')) return void response.writeHead(404).end();
  const file = request.method === 'GET' ? fileOf(site, pathname) : undefined;
  if (file)
    return void response.writeHead(200, { 'content-type': kinds[extname(file)] }).end(readFileSync(file));
  const body: Buffer[] = [];
  for await (const chunk of request) body.push(chunk);
  const headers = Object.entries(request.headers).map(([name, value]) => [name, [value].flat().join(', ')]);
  const answer = await php.request({
    url: request.url!,
    method: request.method!,
    headers: Object.fromEntries(headers),
    ...(body.length > 0 && { body: new Uint8Array(Buffer.concat(body)) }),
  });
  for (const [name, values] of Object.entries(answer.headers)) response.setHeader(name, values);
  response.writeHead(answer.httpStatusCode).end(answer.bytes);
}

async function listen(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

function readIfThere(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
