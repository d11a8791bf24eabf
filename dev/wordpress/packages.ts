// Packages for a WordPress on a machine without PHP and MariaDB: PHP as WebAssembly, and WordPress's own files. They are too
// large for `npm ci`, so the first start downloads them from npm into a cache that all checkouts share.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { cp, readdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';

const playground = '3.1.56';
/** The newest package that contains WordPress itself, and the newest WordPress release in it. */
const builds = { version: '0.9.19', wordpress: '6.5' };

const phpVersions = ['5.2', '7.4', '8.0', '8.1', '8.2', '8.3', '8.4', '8.5'];

const phpFolder = (version: string) => `php-${version}-${playground}-in-memory`;
const wordPressFolder = `wordpress-${builds.wordpress}-${builds.version}`;

/** Reports whether the cache has all packages. */
export const isFetched = (version: string): boolean =>
  [phpFolder(version), wordPressFolder].every((name) => existsSync(join(cacheFolder(), name)));

/** Called a few times a second with the name of the download and its megabytes so far. */
export type Progress = (what: string, megabytes: number, of: number) => void;

function cacheFolder(): string {
  const { TROUSSEAU_CACHE, XDG_CACHE_HOME } = process.env;
  return TROUSSEAU_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'trousseau');
}

/** Returns the folder in which this version of PHP is installed, with its `node_modules`. */
export function wasmPhp(version: string, progress: Progress): Promise<string> {
  if (!phpVersions.includes(version))
    throw new Error(`WebAssembly PHP exists for ${phpVersions.join(', ')}, not ${version}`);
  return cached(phpFolder(version), async (folder) => {
    // The package depends on every version of PHP, 50 MB each, so an empty package replaces the others.
    const others = phpVersions.filter((other) => other !== version);
    mkdirSync(join(folder, 'nothing'));
    writeFileSync(
      join(folder, 'nothing/package.json'),
      JSON.stringify({ name: 'nothing', version: playground }),
    );
    const overrides = others.map((other) => [`@php-wasm/node-${other.replace('.', '-')}`, 'file:./nothing']);
    await install(folder, { '@wp-playground/cli': playground }, Object.fromEntries(overrides), (megabytes) =>
      progress(`PHP ${version} as WebAssembly`, megabytes, 215),
    );
    keepCodeInMemory(join(folder, 'node_modules/@php-wasm/universal/index.js'));
  });
}

/**
 * Makes PHP hold its compiled code in memory. The package has it read from files in every request, which takes three quarters of
 * the time, and offers no setting.
 */
function keepCodeInMemory(file: string): void {
  let text = readFileSync(file, 'utf8');
  for (const [setting, value] of Object.entries({
    file_cache_only: '0\\nopcache.revalidate_freq = 0',
    interned_strings_buffer: '16',
    max_accelerated_files: '4000',
    memory_consumption: '128',
  })) {
    const line = new RegExp(`(?<="opcache\\.${setting} = )\\d+`);
    if (!line.test(text)) throw new Error(`${file} no longer sets opcache.${setting}`);
    text = text.replace(line, value);
  }
  writeFileSync(file, text);
}

/** Returns a folder with WordPress's files. */
export function wordPressFromNpm(progress: Progress): Promise<string> {
  const { version, wordpress } = builds;
  return cached(wordPressFolder, async (folder) => {
    const name = '@wp-playground/wordpress-builds';
    const whole = join(folder, 'package');
    mkdirSync(whole);
    await install(whole, { [name]: version }, {}, (megabytes) => progress('WordPress', megabytes, 383));
    // A release is packed in two parts: the files for PHP, and the files for browsers.
    const source = join(whole, 'node_modules', name);
    const files = unzipSync(readFileSync(join(source, `src/wordpress/wp-${wordpress}.zip`)));
    for (const [path, content] of Object.entries(files)) {
      if (path.endsWith('/')) continue;
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    await cp(join(source, `public/wp-${wordpress}`), folder, { recursive: true });
    rmSync(whole, { recursive: true });
  });
}

/** Makes a folder elsewhere and moves it into place when it is complete, so that nobody uses an incomplete folder. */
async function cached(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(cacheFolder(), name);
  if (existsSync(folder)) return folder;
  const part = `${folder}.${process.pid}.part`;
  const drop = () => rmSync(part, { recursive: true, force: true });
  process.once('exit', drop);
  try {
    mkdirSync(part, { recursive: true });
    await make(part);
    // Another process may have made the folder first.
    if (!existsSync(folder)) renameSync(part, folder);
    return folder;
  } finally {
    process.off('exit', drop);
    drop();
  }
}

async function install(
  folder: string,
  dependencies: Record<string, string>,
  overrides: Record<string, string>,
  progress: (megabytes: number) => void,
): Promise<void> {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies, overrides }));
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error', '--fetch-retries=1'];
  const npm = spawn('npm', ['install', '--prefix', folder, ...flags], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    shell: process.platform === 'win32',
  });
  let said = '';
  npm.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const timer = setInterval(async () => progress(Math.round((await sizeOf(folder)) / 1e6)), 500);
  const status = await new Promise<number | NodeJS.ErrnoException>((resolve) => {
    npm.on('error', resolve).on('close', (code) => resolve(code ?? 1));
  }).finally(() => clearInterval(timer));
  if (status !== 0)
    throw new Error(explain(typeof status === 'number' ? said : status.message, dependencies));
}

/** Turns npm's error into a sentence. */
function explain(said: string, dependencies: Record<string, string>): string {
  const names = Object.entries(dependencies).map(([name, version]) => `${name}@${version}`);
  const what = `${names.join(' and ')} could not be fetched from npm`;
  if (said.includes('ENOSPC')) return `${what}: the disk with ${cacheFolder()} is full. It takes 600 MB.`;
  if (/ENOENT.*npm|npm.*ENOENT/.test(said) && said.includes('spawn'))
    return `${what}: npm is not on the path.`;
  const unreachable =
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|network/;
  if (unreachable.test(said))
    return `${what}: its registry does not answer. This is needed once; with a connection, try again.`;
  return `${what}: ${said.trim().split('\n').slice(0, 4).join(' ')}`;
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const sizes = entries.map(async (entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sizeOf(path);
    // npm moves files while they are counted.
    return stat(path).then(
      ({ size }) => size,
      () => 0,
    );
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
