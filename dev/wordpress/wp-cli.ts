// The real WP-CLI for tests: the file that TROUSSEAU_DEV_WP_CLI names, or else the one inside an npm package, fetched once.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { WordPress } from './wordpress.ts';

// Neither Debian nor npm has WP-CLI as a package of its own.
const source = { package: 'wp-studio@1.22.0', file: 'package/dist/cli/wp-files/wp-cli/wp-cli.phar' };
const sha256 = 'ce34ddd838f7351d6759068d09793f26755463b4a4610a5a5c0a97b68220d85c';
const cache = join(import.meta.dirname, '../../node_modules/.cache/wp-cli');
const kept = join(cache, 'wp-cli-2.12.0.phar');

/** The path of WP-CLI, or the reason why there is none. */
function find(): { phar: string } | { missing: string } {
  const named = process.env.TROUSSEAU_DEV_WP_CLI;
  if (named) return existsSync(named) ? { phar: named } : { missing: `TROUSSEAU_DEV_WP_CLI: no ${named}` };
  if (existsSync(kept)) return { phar: kept };
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'fetched-'));
  try {
    const run = (command: string, ...args: string[]) =>
      spawnSync(command, args, { cwd: folder, encoding: 'utf8', timeout: 180_000 });
    const packed = run('npm', 'pack', source.package, '--silent');
    if (packed.status !== 0) return { missing: `npm has no ${source.package} to fetch WP-CLI from` };
    const archive = packed.stdout.trim();
    if (run('tar', 'xzf', archive, source.file).status !== 0) return { missing: `${archive} has no WP-CLI` };
    const phar = join(folder, source.file);
    const found = createHash('sha256').update(readFileSync(phar)).digest('hex');
    if (found !== sha256) return { missing: `${source.package} has another WP-CLI than expected: ${found}` };
    renameSync(phar, kept);
    return { phar: kept };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** For `{ skip: skipWithoutWpCli() }`: skips with a reason, but in CI a missing WP-CLI is a failure. */
export function skipWithoutWpCli(): string | false {
  const found = find();
  if ('phar' in found) return false;
  if (process.env.CI === 'true') throw new Error(found.missing);
  return found.missing;
}

/** Runs `wp ARGUMENTS` on a site, as in a shell there. */
export async function wpCli(site: WordPress, args: string[], input = '') {
  const found = find();
  if ('missing' in found) throw new Error(found.missing);
  const own = [`--path=${site.folder}`, `--url=${site.url}`, '--allow-root', '--no-color'];
  const env = { ...process.env, WP_CLI_CACHE_DIR: cache, WP_CLI_CONFIG_PATH: '/dev/null' };
  // Each command would compile all of WordPress anew.
  const settings = ['enable_cli=1', 'file_cache_only=1', `file_cache="${cache}"`].flatMap((setting) => [
    '-d',
    `opcache.${setting}`,
  ]);
  const child = spawn('php', [...settings, found.phar, ...own, ...args], { env, stdio: 'pipe' });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin.on('error', () => {}).end(input);
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, stdout, stderr };
}
