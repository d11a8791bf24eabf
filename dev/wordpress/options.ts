// The options of a development site, and the started site.
import type { Progress } from './packages.ts';

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
  /** Another folder with the plugin; the repository’s is the default. */
  plugin?: string;
  /** A free one when absent. */
  port?: number;
  /** Activate the Trousseau plugin; yes when absent. */
  plugins?: boolean;
  /** Folder name of a theme: `trousseau`, one that comes with WordPress, or the default `plain`, which costs a page half of their time. */
  theme?: string;
  /** The site's language, such as `de_DE`, with WordPress's own words in it; see `skipWithoutLanguages`. */
  locale?: string;
  /** Show PHP's messages on stderr. */
  debug?: boolean;
  /** WordPress files; when absent those that the variable TROUSSEAU_DEV_WORDPRESS names, or else Debian's. */
  files?: string;
  /** Files of the folder `mu-plugins`, by name, that run early in every request, as must-use plugins. */
  muPlugins?: string[];
  /** A line of PHP that does the same, without the opening tag. */
  muPlugin?: string;
  /** WP_ENVIRONMENT_TYPE. Only `local`, when absent, takes application passwords over plain HTTP. */
  environment?: 'local' | 'development' | 'staging' | 'production';
  /** Start a separate MariaDB even where one is running. */
  ownDatabase?: boolean;
  /** Install WordPress anew, without the pool of sites. */
  fresh?: boolean;
  /** Environment variables that PHP sees. */
  env?: Record<string, string>;
  /** How many requests PHP answers at the same time; 4 when absent. */
  workers?: number;
  /** A folder for emails: a file each, as it would have been sent, in order of name. When absent, emails are dropped. */
  mail?: string;
  /** A folder for a persistent object cache; WordPress has none when absent. */
  objectCache?: string;
  /** A folder for a page cache like those of plugins; see page-cache.php. WordPress has none when absent. */
  pageCache?: string;
  /** A network of sites with these folders beside the first site; the test then activates the plugin itself. */
  network?: string[];
  /** Let WordPress reach other machines than this one. */
  external?: boolean;
  /** Version of WebAssembly PHP; when absent the one that the variable TROUSSEAU_DEV_PHP names, or else this machine's PHP. */
  php?: string | undefined;
  /** On WebAssembly PHP: the folder that keeps the site for the next start. When absent, the site is removed at the end. */
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
  /** The messages of PHP so far (WP_DEBUG is on). */
  log(): string;
  stop(): Promise<void>;
}
