// The wp-config.php of a development site.
import { randomBytes } from 'node:crypto';

type Constant = string | boolean | number;

/** A value as PHP writes it. */
export function phpString(value: Constant): string {
  return typeof value !== 'string' ? String(value) : `'${value.replace(/[\\']/g, '\\$&')}'`;
}

/** The settings of every development site and the constants of this one; an undefined constant is left out. */
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

/** The must-use plugin of a development site: its mailer and the PHP that a test adds. */
export function devPlugin(mailer: string, added = ''): string {
  // Tests make more lists within an hour than any person, so limits are a hundred times higher unless a test sets them.
  const limits = `add_filter( 'trousseau_limits', fn( $most ) => get_option( 'dev_limits' ) ?: array_map( fn( $number ) => 100 * $number, $most ) );`;
  return `<?php\n${mailer && `require ${phpString(mailer)};`}\n${limits}\n${added}\n`;
}
