// The wp-config.php of a development site.
import { randomBytes } from 'node:crypto';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WordPressOptions } from './options.ts';

type Constant = string | boolean | number;

/** Returns a value as PHP source. */
export function phpString(value: Constant): string {
  return typeof value !== 'string' ? String(value) : `'${value.replace(/[\\']/g, '\\$&')}'`;
}

/** Returns the settings of every development site and the constants of this one; an undefined constant is left out. */
export function wpConfig(url: string, constants: Record<string, Constant | undefined>): string {
  const all: Record<string, Constant | undefined> = {
    DB_CHARSET: 'utf8mb4',
    DB_COLLATE: '',
    WP_HOME: url,
    WP_SITEURL: url,
    WP_ENVIRONMENT_TYPE: 'local',
    WP_HTTP_BLOCK_EXTERNAL: true,
    WP_ACCESSIBLE_HOSTS: '127.0.0.1,localhost',
    DISABLE_WP_CRON: true,
    AUTOMATIC_UPDATER_DISABLED: true,
    WP_DISABLE_FATAL_ERROR_HANDLER: true,
    WP_DEBUG: true,
    WP_DEBUG_DISPLAY: false,
    ...constants,
  };
  for (const name of ['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE']) {
    all[`${name}_KEY`] ??= randomBytes(32).toString('hex');
    all[`${name}_SALT`] ??= randomBytes(32).toString('hex');
  }
  const defines = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : `define( '${name}', ${phpString(value)} );`,
  );
  return `<?php\n${defines.join('\n')}\n$table_prefix = 'wp_';\ndefined( 'ABSPATH' ) || define( 'ABSPATH', __DIR__ . '/' );\nrequire_once ABSPATH . 'wp-settings.php';\n`;
}

/** Adds a file of the folder `mu-plugins` to the site in this folder. */
export const addMuPlugin = (site: string, name: string): void =>
  copyFileSync(
    join(import.meta.dirname, `mu-plugins/${name}.php`),
    join(site, `wp-content/mu-plugins/${name}.php`),
  );

/** Gives a development site its must-use plugins: its mailer, the limits of tests, and those that a test adds. */
export function writeMuPlugins(
  site: string,
  mailer: string,
  { muPlugin = '', muPlugins = [] }: WordPressOptions,
): void {
  // Tests make more lists within an hour than any person, so limits are a hundred times higher unless a test sets them.
  const limits = `add_filter( 'trousseau_limits', fn( $most ) => get_option( 'dev_limits' ) ?: array_map( fn( $number ) => 100 * $number, $most ) );`;
  // A busy machine answers late, so pages and requests wait ten times as long unless a test sets `dev_patience`.
  const patience = `
    add_filter( 'trousseau_patience', fn( $seconds ) => get_option( 'dev_patience', 10 ) * $seconds, 5 );
    add_filter( 'http_request_args', fn( $request ) => isset( $request['trousseau_within'] ) ? $request : array_merge( $request, array( 'timeout' => get_option( 'dev_patience', 10 ) * $request['timeout'] ) ), 5 );`;
  const plugin = `<?php\n${mailer && `require ${phpString(mailer)};`}\n${limits}\n${patience}\n${muPlugin}\n`;
  writeFileSync(join(site, 'wp-content/mu-plugins/dev.php'), plugin);
  for (const name of muPlugins) addMuPlugin(site, name);
}
