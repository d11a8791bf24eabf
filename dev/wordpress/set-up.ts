// Sets a site up for a test, and reads its data, with the functions of WordPress, setup.php and plugin-setup.php.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WordPress } from './options.ts';

/** Returns PHP that calls one of these functions; `folder` is this folder's path for PHP. */
export function phpCall(folder: string, name: string, given: unknown[]): string {
  const code = Buffer.from(JSON.stringify([name, given])).toString('base64');
  return `echo ( require '${folder}/setup.php' )( ...json_decode( base64_decode( '${code}' ), true ) );`;
}

// biome-ignore lint/suspicious/noExplicitAny: the tests know what they expect
type Any = any;

export const option = (site: WordPress, name: string): Promise<Any> => site.call('get_option', name);

export const setOption = (site: WordPress, name: string, value: unknown): Promise<boolean> =>
  site.call('update_option', name, value);

/** Sets options; null deletes one. */
export const setOptions = (site: WordPress, values: Record<string, unknown>): Promise<void> =>
  site.call('set_options', values);

export const deleteOption = (site: WordPress, name: string): Promise<boolean> =>
  site.call('delete_option', name);

/** Returns all options with this prefix, as stored in the table. */
export const storedOptions = (site: WordPress, beginning = ''): Promise<Record<string, string>> =>
  site.call('stored_options', beginning);

/** Returns the next time that WordPress's cron runs this hook, in seconds since 1970. */
export const nextRun = (site: WordPress, hook: string): Promise<number | false> =>
  site.call('wp_next_scheduled', hook);

export const unschedule = (site: WordPress, hook: string): Promise<number> =>
  site.call('wp_unschedule_hook', hook);

/** Returns a post's fields, or null. */
export const post = (site: WordPress, id: number): Promise<Any> => site.call('get_post', id);

export const postStatus = (site: WordPress, id: number): Promise<string | false> =>
  site.call('get_post_status', id);

export const addPost = (site: WordPress, fields: Record<string, unknown>): Promise<number> =>
  site.call('add_post', fields);

/** Returns the ids of all registries that this query finds. */
export const registryIds = (site: WordPress, query: Record<string, unknown> = {}): Promise<number[]> =>
  site.call('get_posts', {
    ...{ post_type: 'registry', post_status: 'any', numberposts: -1, fields: 'ids' },
    ...query,
  });

/** Sets the id of the next post. */
export const setNextPost = (site: WordPress, number: number): Promise<void> => site.call('next_post', number);

export const changePost = (site: WordPress, id: number, fields: Record<string, unknown>): Promise<number> =>
  site.call('change_post', id, fields);

/** Writes directly into the table of posts. */
export const storePost = (site: WordPress, id: number, fields: Record<string, unknown>): Promise<void> =>
  site.call('store_post', id, fields);

export const deletePost = async (site: WordPress, id: number): Promise<boolean> =>
  Boolean(await site.call('wp_delete_post', id, true));

export const permalink = (site: WordPress, id: number): Promise<string> => site.call('get_permalink', id);

export const pathOf = async (site: WordPress, id: number): Promise<string> => {
  const { pathname, search } = new URL(await permalink(site, id));
  return pathname + search;
};

/** Returns the address of a list, even if it isn't published yet. */
export const registryAddress = async (site: WordPress, id: number): Promise<string> =>
  `${site.url}/registry/${(await post(site, id)).post_name}/`;

export const postMeta = (site: WordPress, id: number, name: string): Promise<Any> =>
  site.call('get_post_meta', id, name, true);

export const setPostMeta = (site: WordPress, id: number, values: Record<string, unknown>): Promise<void> =>
  site.call('set_post_meta', id, values);

export const deletePostMeta = (site: WordPress, id: number, name: string): Promise<boolean> =>
  site.call('delete_post_meta', id, name);

/** Returns the ids of a registry's gifts, in order. */
export const itemIds = async (site: WordPress, id: number): Promise<number[]> =>
  JSON.parse((await postMeta(site, id, 'registry_item_ids')) || '[]');

export const invitees = async (site: WordPress, id: number): Promise<string[]> =>
  JSON.parse((await postMeta(site, id, 'registry_invitees')) || '[]');

export const setUserMeta = (
  site: WordPress,
  id: number,
  name: string,
  value: unknown,
): Promise<number | boolean> => site.call('update_user_meta', id, name, value);

/** Ends all sessions of a user. */
export const endSessions = (site: WordPress, id: number): Promise<void> => site.call('end_sessions', id);

export const can = (site: WordPress, user: number, right: string, postId?: number): Promise<boolean> =>
  site.call('can', user, right, postId ?? null);

/** Adds a picture, attached to a post: this JPEG, or else a single pixel. */
export const addPicture = (
  site: WordPress,
  fields: Record<string, unknown> & { post_title: string },
  parent: number,
  jpeg?: Buffer,
): Promise<{ id: number; file: string }> =>
  site.call('add_picture', fields, parent, jpeg?.toString('base64') ?? '');

export const setFeaturedImage = (site: WordPress, post: number, picture: number): Promise<unknown> =>
  site.call('set_post_thumbnail', post, picture);

/** Adds an attachment without a file. */
export const addAttachment = (
  site: WordPress,
  fields: Record<string, unknown>,
  file: string,
  parent = 0,
): Promise<number> => site.call('wp_insert_attachment', fields, file, parent);

export const idOf = async (site: WordPress, login: string): Promise<number> =>
  (await site.call('get_user_by', 'login', login)).ID;

/** Runs one page of WordPress's personal data tools. */
export const personalData = (
  site: WordPress,
  kind: 'exporter' | 'eraser',
  email: string,
  page = 1,
): Promise<Any> => site.call('personal_data', kind, email, page);

export const switchTheme = (site: WordPress, name: string): Promise<void> => site.call('switch_theme', name);

export const activate = (site: WordPress, plugin: string, onAllSites = false): Promise<null> =>
  site.call('activate', plugin, onAllSites);

export const deactivate = (site: WordPress, plugin: string, onAllSites = false): Promise<void> =>
  site.call('deactivate', plugin, onAllSites);

/** Returns a site of a network by its path. */
export const siteAt = (site: WordPress, place: string): WordPress => ({
  ...site,
  wp: (code) => site.wp(code, place),
  call: async (name, ...given) => JSON.parse(await site.wp(phpCall(import.meta.dirname, name, given), place)),
});

/** Returns the time so many seconds from now, as PHP's `time()` counts. */
export const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

/** Makes the plugin's clock run so many seconds ahead, on a site with the must-use plugin `clock`. */
export const setClockAhead = (site: WordPress, seconds: number): void =>
  writeFileSync(join(site.folder, 'wp-content/ahead'), String(seconds));

/** Returns the naps of a second or more that the plugin would have taken on such a site, in seconds. */
export function naps(site: WordPress): number[] {
  const file = join(site.folder, 'wp-content/naps');
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((microseconds) => Number(microseconds) / 1e6);
}

/** Returns the signed time that a form carries: so many seconds ago, or ahead if negative. */
export const formStamp = (site: WordPress, secondsAgo = 10): Promise<string> =>
  site.call('sign', 'form', String(inSeconds(-secondsAgo)));

/** Seals a text so that only the site can read or make it. */
export const sealed = (site: WordPress, purpose: string, text: string): Promise<string> =>
  site.call('seal', purpose, text);

/** Returns the link with which a guest without an account opens a list. */
export const guestLink = (site: WordPress, registry: number, email: string): Promise<string> =>
  site.call('guest_link', registry, email);

export type Call = [name: string, ...given: unknown[]];

/** Calls several functions in one PHP process, and returns the last one's answer. */
export const inTurn = (site: WordPress, ...calls: Call[]): Promise<Any> => site.call('in_turn', ...calls);

/** Does the site's work of these kinds only: the jobs that are due, and daily work in any case. */
export const runJobs = (site: WordPress, ...kinds: string[]): Promise<void> =>
  site.call('run_jobs', ...kinds);

/** Queues a job that needs only its key, due now. */
export const addJob = (site: WordPress, kind: string, key: string): Promise<boolean> =>
  site.call('add_job', kind, null, 0, key);

/** Runs the jobs of a kind that are due within so many days, also those that a process has claimed. */
export const runDueJobs = (site: WordPress, kind: string, days = 1000): Promise<void> =>
  inTurn(site, ['make_due', kind, days], ['run_jobs', kind]);

/** Returns all rows of a table, with every column as text. */
export const rows = (site: WordPress, table: string): Promise<Record<string, string>[]> =>
  site.call('rows', table);

/** Returns the jobs of a kind. */
export const jobs = async (site: WordPress, kind: string): Promise<Record<string, string>[]> =>
  (await rows(site, 'trousseau_jobs')).filter(({ handler }) => handler === kind);

/** Returns a value from the table of kept values. */
export const keptValue = (site: WordPress, name: string): Promise<Any> => site.call('kept_value', name);

/** Tests the plugin's connection, and returns the finding: a name and a detail. */
export const testConnection = (site: WordPress): Promise<[finding: string, detail: string]> =>
  site.call('test_connection');

/** Calls the service with the plugin's own client. */
export const askAsSite = (site: WordPress, method: string, ...given: unknown[]): Promise<Any> =>
  site.call('api', null, method, ...given);

/** Returns the rows of kept values with this prefix. */
export const keptRows = async (site: WordPress, beginning: string): Promise<Record<string, string>[]> =>
  (await rows(site, 'trousseau_values')).filter(({ name }) => name!.startsWith(beginning));

/** Makes kept values with this prefix expire so many seconds earlier. */
export const ageValues = (site: WordPress, beginning: string, seconds: number, most = 1_000): Promise<void> =>
  site.call('age_values', beginning, seconds, most);

/** Returns the plugin's cookie with this value, as a browser sends it. */
export const cookieOf = (site: WordPress, name: string, value: string): Promise<string> =>
  site.call('cookie', name, value);

export interface Finding {
  status: string;
  title: string;
  words: string;
  cure: string;
}

/** Returns the finding of one of the plugin's checks. */
export const finding = (site: WordPress, check: string): Promise<Finding> => site.call('finding', check);

/** Reports whether such a job is waiting or has failed. */
export const hasJob = async (site: WordPress, kind: string, key: string | number): Promise<boolean> =>
  (await jobs(site, kind)).some(({ unique_key }) => unique_key === `${kind} ${key}`);

export const forgetValues = (site: WordPress, beginning: string): Promise<void> =>
  site.call('forget_values', beginning);

/** Returns the number of jobs of a kind that have not failed. */
export const waitingJobs = async (site: WordPress, kind: string): Promise<number> =>
  (await jobs(site, kind)).filter(({ failed_at }) => failed_at === '0').length;
