// What a WordPress without PHP and MariaDB is made of, fetched from npm when it is first asked for: PHP as WebAssembly, and
// WordPress's own files. Too much for `npm ci`, so it is kept in a cache that all checkouts share.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { cp, readdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';

const playground = '3.1.56';
/** The newest package that carries WordPress itself, and the newest release in it. */
const builds = { version: '0.9.19', wordpress: '6.5' };

const phpVersions = ['5.2', '7.4', '8.0', '8.1', '8.2', '8.3', '8.4', '8.5'];

const phpFolder = (version: string) => `php-${version}-${playground}`;
const wordPressFolder = `wordpress-${builds.wordpress}-${builds.version}`;

/** Whether all of it was fetched before. */
export const isFetched = (version: string): boolean =>
  [phpFolder(version), wordPressFolder].every((name) => existsSync(join(cacheFolder(), name)));

/** Is told, a few times a second, what is being fetched and how many megabytes are there. */
export type Progress = (what: string, megabytes: number, of: number) => void;

function cacheFolder(): string {
  const { TROUSSEAU_CACHE, XDG_CACHE_HOME } = process.env;
  return TROUSSEAU_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'trousseau');
}

/** The folder into which PHP of this version was installed, with its `node_modules`. */
export function wasmPhp(version: string, progress: Progress): Promise<string> {
  if (!phpVersions.includes(version))
    throw new Error(`WebAssembly PHP is ${phpVersions.join(', ')}, not ${version}`);
  return cached(phpFolder(version), async (folder) => {
    // The package brings every PHP along, 50 MB each; the others are replaced by nothing.
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
  });
}

/** A folder with WordPress's files. */
export function wordPressFromNpm(progress: Progress): Promise<string> {
  const { version, wordpress } = builds;
  return cached(wordPressFolder, async (folder) => {
    const name = '@wp-playground/wordpress-builds';
    const whole = join(folder, 'package');
    mkdirSync(whole);
    await install(whole, { [name]: version }, {}, (megabytes) => progress('WordPress', megabytes, 383));
    // A release is packed in two parts: what PHP needs, and what a browser asks for.
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

/** Made beside its place and moved there when it is whole, so that half a folder is never taken for one. */
async function cached(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(cacheFolder(), name);
  if (existsSync(folder)) return folder;
  const part = `${folder}.${process.pid}.part`;
  const drop = () => rmSync(part, { recursive: true, force: true });
  process.once('exit', drop);
  try {
    mkdirSync(part, { recursive: true });
    await make(part);
    // Another process may have been quicker.
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

/** npm's complaint as a sentence. */
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
