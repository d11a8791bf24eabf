// The options of a development site, and the started site.
import type { Progress } from './packages.ts';

export interface WordPressUser {
  id: number;
  username: string;
  email: string;
  /** The application password for the REST API. */
  password: string;
  /** The password for wp-login.php. */
  login: string;
}

export interface WordPressOptions {
  /** The plugin's folder; the repository's by default. */
  plugin?: string;
  /** A free port by default. */
  port?: number;
  /** Whether to activate the Trousseau plugin; true by default. */
  plugins?: boolean;
  /** The theme's folder name: `trousseau`, one that comes with WordPress, or the default `plain`, with which pages take half the time. */
  theme?: string;
  /** The site's language, such as `de_DE`, including WordPress's own translation; see `skipWithoutLanguages`. */
  locale?: string;
  /** Whether to show PHP's messages on stderr. */
  debug?: boolean;
  /** The folder of WordPress's files; by default the one that TROUSSEAU_DEV_WORDPRESS names, or else Debian's. */
  files?: string;
  /** Files of the folder `mu-plugins`, by name, that run early in every request, as must-use plugins. */
  muPlugins?: string[];
  /** A line of PHP that does the same, without the opening tag. */
  muPlugin?: string;
  /** WP_ENVIRONMENT_TYPE. Only `local`, the default, accepts application passwords over plain HTTP. */
  environment?: 'local' | 'development' | 'staging' | 'production';
  /** Whether to make a fresh installation of WordPress, without the pool of sites. */
  fresh?: boolean;
  /** Environment variables that PHP sees. */
  env?: Record<string, string>;
  /** How many requests PHP answers at the same time; 4 by default. */
  workers?: number;
  /** A folder for emails: a file for each, as it would have been sent, ordered by name. Without it, emails are dropped. */
  mail?: string;
  /** A folder for a persistent object cache. Without it, WordPress has none. */
  objectCache?: string;
  /** A folder for a page cache like those of plugins; see page-cache.php. Without it, WordPress has none. */
  pageCache?: string;
  /** Makes a network with sites in these folders besides the first site; the test must activate the plugin itself. */
  network?: string[];
  /** Whether WordPress may reach machines other than this one. */
  external?: boolean;
  /** The version of WebAssembly PHP; by default the one that TROUSSEAU_DEV_PHP names, or else this machine's PHP. */
  php?: string | undefined;
  /** On WebAssembly PHP: the folder that stores the site for the next start. Without it, the site is removed at the end. */
  folder?: string;
  /** On WebAssembly PHP: called during the download. */
  progress?: Progress;
  /** On WebAssembly PHP: called for each step that takes seconds. */
  say?: (step: string) => void;
}

export interface WordPress {
  url: string;
  /** The folder of WordPress, with `wp-config.php`. */
  folder: string;
  version: string;
  users: Record<'admin' | 'alice' | 'bob' | 'carol', WordPressUser>;
  /** Runs PHP code inside this WordPress and returns its output; `at` names the site of a network. */
  wp(php: string, at?: string): Promise<string>;
  /** Calls a function of setup.php, plugin-setup.php, `plugin/test/fixtures/` or WordPress; set-up.ts has most with their types. */
  // biome-ignore lint/suspicious/noExplicitAny: each returns something else
  call(name: string, ...given: unknown[]): Promise<any>;
  /** Returns PHP's messages so far (WP_DEBUG is on). */
  log(): string;
  stop(): Promise<void>;
}
