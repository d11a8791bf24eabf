import { decodeHTMLStrict } from 'entities/decode';
import { FORMATS, isDay } from '../contract/formats.ts';
import { Problem } from '../contract/problem.ts';
import { DAY_MS } from '../lib/clock.ts';
import { isId, isObject, isText, parsed } from '../lib/json.ts';
import { nonsense } from './wordpress.ts';

/** A registry as the host stores it, in plain text. */
export type Post = {
  id: number;
  authorId: number;
  title: string;
  story: string;
  /** The story is HTML, perhaps with the blocks of the site's editor, and not plain text. */
  storyIsMarkup: boolean;
  status: 'publish' | 'private';
  slug: string;
  permalink: string;
  itemIds: number[];
  invitees: string[];
  /** User names and email addresses of its owners besides its author. */
  coOwners: string[];
  eventType: string | null;
  eventDate: string | null;
  currency: string | null;
  /** Until when its owners want to be surprised: a time on the day they chose (see `surpriseDay`), or `always`. */
  surpriseUntil: string | null;
  /** What is kept from its owners until then: all about claims, or only who claimed. */
  surpriseKeeps: 'all' | 'names';
  payTo: string | null;
  createdAt: string;
  updatedAt: string;
};

export type PostChanges = Partial<
  Omit<Post, 'id' | 'authorId' | 'slug' | 'permalink' | 'createdAt' | 'updatedAt'>
>;

export type Surprise = Pick<Post, 'id' | 'authorId' | 'coOwners' | 'surpriseUntil' | 'surpriseKeeps'>;

type HostPost = Record<'date_gmt' | 'modified_gmt', string | null | false> & {
  id: number;
  author: number;
  status: string;
  slug: string;
  link: string;
  title: { raw: string };
  content: { raw: string };
  meta: unknown;
  /** When the day of a surprise begins in the site's time zone, as the plugin says. */
  registry_surprise_ends?: unknown;
};

// The store has a row for each owner of a registry. Sites allow far fewer.
const MOST_OWNERS = 100;

const isHostPost = (body: unknown): body is HostPost =>
  isObject(body) &&
  isId(body.id) &&
  (isId(body.author) || body.author === 0) &&
  [body.status, body.slug, body.link].every(isText) &&
  [body.date_gmt, body.modified_gmt].every((date) => date === null || date === false || isText(date)) &&
  [body.title, body.content].every((text) => isObject(text) && isText(text.raw)) &&
  'meta' in body;

/** A post with only the `surpriseFields`. */
type SurprisePost = Pick<HostPost, 'id' | 'author' | 'meta' | 'registry_surprise_ends'>;

const isSurprisePost = (post: unknown): post is SurprisePost =>
  isObject(post) && isId(post.id) && Number.isInteger(post.author) && 'meta' in post;

/** The fields of a surprise. Of the meta only our keys: WordPress and plugins add others, whose size nobody limits. */
export const surpriseFields = (prefix: string): string =>
  ['id,author,registry_surprise_ends', 'owners', 'surprise_until', 'surprise_keeps'].join(`,meta.${prefix}`);

const OTHER_META = ['', 'item_ids', 'invitees', 'event_type', 'event_date', 'currency', 'pay_to'];
/** The fields to read (the `''` puts a separator first). Only raw texts: rendering a story costs the host more than the rest. */
export const postFields = (prefix: string): string =>
  `${surpriseFields(prefix)},status,slug,link,date_gmt,modified_gmt,title.raw,content.raw${OTHER_META.join(`,meta.${prefix}`)}`;

/** The body of a write. `listsAsText`: lists as JSON text, as the plugin keeps them, or else as arrays. */
export function encodePost(changes: PostChanges, metaPrefix: string, listsAsText: boolean) {
  const { title, story, storyIsMarkup = false, status, itemIds, invitees, coOwners, eventType } = changes;
  const { eventDate, currency, surpriseUntil, surpriseKeeps, payTo } = changes;
  const meta: Record<string, unknown> = {};
  const list = (value: unknown[]) => (listsAsText ? JSON.stringify(value) : value);
  if (itemIds) meta[`${metaPrefix}item_ids`] = list(itemIds);
  if (invitees) meta[`${metaPrefix}invitees`] = list(invitees);
  if (coOwners) meta[`${metaPrefix}owners`] = list(coOwners);
  if (eventType !== undefined) meta[`${metaPrefix}event_type`] = escapedLine(eventType ?? '');
  if (eventDate !== undefined) meta[`${metaPrefix}event_date`] = eventDate ?? '';
  if (currency !== undefined) meta[`${metaPrefix}currency`] = currency ?? '';
  if (surpriseUntil !== undefined) meta[`${metaPrefix}surprise_until`] = surpriseUntil ?? '';
  if (surpriseKeeps !== undefined) meta[`${metaPrefix}surprise_keeps`] = surpriseKeeps;
  if (payTo !== undefined) meta[`${metaPrefix}pay_to`] = escaped(payTo ?? '');
  return {
    // Escaped, because WordPress takes a bare `<` for the start of a tag and cuts the rest of the text away.
    ...(title !== undefined && { title: escaped(title) }),
    ...(story !== undefined && { content: storyIsMarkup ? story : escaped(story) }),
    ...(status !== undefined && { status }),
    ...(Object.keys(meta).length > 0 && { meta }),
  };
}

/** Returns the registry in a post of the host. Throws `not_found` for drafts and posts in the trash. */
export function decodePost(body: unknown, metaPrefix: string): Post {
  const post = checked(body);
  const { status } = post;
  if (!isRegistryStatus(status)) throw new Problem('not_found', 'Registry not found');
  const meta = metaOf(post.meta);
  const text = (name: string) => textOf(meta[metaPrefix + name]);
  const [eventType, eventDate] = [text('event_type'), text('event_date')];
  const [currency, payTo] = [text('currency'), text('pay_to')];
  return {
    id: post.id,
    authorId: post.author,
    title: decodeHTMLStrict(post.title.raw),
    story: isMarkup(post.content.raw) ? post.content.raw : decodeHTMLStrict(post.content.raw),
    storyIsMarkup: isMarkup(post.content.raw),
    status,
    slug: post.slug,
    permalink: post.link,
    itemIds: [...new Set(listOf(meta[`${metaPrefix}item_ids`]).map(Number).filter(isId))],
    invitees: namesIn(meta[`${metaPrefix}invitees`]),
    coOwners: ownersIn(meta[`${metaPrefix}owners`]),
    eventType: eventType && decodeHTMLStrict(eventType),
    eventDate: eventDate && isDay(eventDate) ? eventDate : null,
    currency: currency && FORMATS.currency(currency) ? currency : null,
    ...surpriseIn(post, metaPrefix),
    payTo: payTo && decodeHTMLStrict(payTo),
    createdAt: timestamp(post.date_gmt),
    updatedAt: timestamp(post.modified_gmt),
  };
}

export const decodePosts = (list: unknown[], metaPrefix: string): Post[] =>
  list.filter((post) => isRegistryStatus(checked(post).status)).map((post) => decodePost(post, metaPrefix));

/** Returns the owners and the surprise of each post, even of drafts and of posts in the trash. */
export function decodeSurprises(list: unknown[], metaPrefix: string): Surprise[] {
  if (!list.every(isSurprisePost)) throw nonsense('the list of registries has an unexpected shape');
  return list.map((post) => {
    const coOwners = ownersIn(metaOf(post.meta)[`${metaPrefix}owners`]);
    return { id: post.id, authorId: post.author, coOwners, ...surpriseIn(post, metaPrefix) };
  });
}

function checked(body: unknown): HostPost {
  if (!isHostPost(body)) throw nonsense('a registry has an unexpected shape');
  return body;
}

/** Reports whether a story is HTML, which stays as it is. Plain text that we store never looks like it: its `<` is escaped. */
export const isMarkup = (text: string): boolean =>
  hasBlocks(text) || /<\/?[a-z][a-z0-9]*(\s[^<>]*)?\/?>/i.test(text);

/** Whether a text has blocks of the site's editor, which nobody writes by chance. */
export const hasBlocks = (text: string): boolean => /<!-- \/?wp:/.test(text);

// WordPress's own spelling of `&`: its filters read `&amp;#60;` as a `<` that was escaped twice.
const ESCAPES: Record<string, string> = { '&': '&#038;', '<': '&lt;', '>': '&gt;' };

const escaped = (text: string) => text.replace(/[&<>]/g, (character) => ESCAPES[character]!);

/** Escapes a one-line text, with the unusual blanks and percent-encoded letters that WordPress would strip. */
const escapedLine = (text: string) =>
  escaped(text).replace(/[^\S ]|^ | $| (?= )|%(?=[\da-f]{2})/gi, (found) => `&#${found.charCodeAt(0)};`);

/** Entries trimmed, in order, once: `Ann` and `ann` are the same guest. */
export function unique(entries: readonly string[]): string[] {
  const seen = new Map<string, string>();
  for (const entry of entries.map((entry) => entry.trim()))
    if (entry && !seen.has(entry.toLowerCase())) seen.set(entry.toLowerCase(), entry);
  return [...seen.values()];
}

// Drafts and posts in the trash are no registries here, though the host has them.
export const isRegistryStatus = (status: string): status is Post['status'] =>
  status === 'publish' || status === 'private';

// PHP writes an empty object as `[]`.
const metaOf = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

const textOf = (value: unknown): string | null => (isText(value) && value !== '' ? value : null);

/** Returns when a surprise ends: once its day has begun in UTC and at the site. `always` for an unknown form: a leak is worse. */
export function surpriseEnd(day: unknown, startAtSite: unknown): string | null {
  if ((day ?? '') === '') return null;
  if (typeof day !== 'string' || !isDay(day)) return 'always';
  const inUtc = `${day}T00:00:00.000Z`;
  const later = isText(startAtSite) ? Date.parse(startAtSite) - Date.parse(inUtc) : 0;
  return later > 0 && later < DAY_MS ? new Date(startAtSite as string).toISOString() : inUtc;
}

export const surpriseDay = (end: string): string => (end === 'always' ? end : end.slice(0, 10));

function surpriseIn(post: SurprisePost, metaPrefix: string): Pick<Post, 'surpriseUntil' | 'surpriseKeeps'> {
  const meta = metaOf(post.meta);
  return {
    surpriseUntil: surpriseEnd(meta[`${metaPrefix}surprise_until`], post.registry_surprise_ends),
    surpriseKeeps: meta[`${metaPrefix}surprise_keeps`] === 'names' ? 'names' : 'all',
  };
}

const namesIn = (value: unknown): string[] => unique(listOf(value).filter(isText));

function ownersIn(value: unknown): string[] {
  const names = namesIn(value);
  if (names.length > MOST_OWNERS) throw nonsense('a registry has more owners than it can have');
  return names;
}

// JSON text, an array, PHP's object for an array with gaps, or any value of an older version of the site.
function listOf(value: unknown): unknown[] {
  if (isText(value)) return listOf(parsed(value));
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}

// WordPress writes false for times after the year 9999 in GMT: west of Greenwich, its last day ends in the year 10000.
function timestamp(gmt: string | null | false): string {
  const date = new Date(gmt === false ? '9999-12-31T23:59:59Z' : `${gmt}Z`);
  if (Number.isNaN(date.getTime())) throw nonsense('a registry has no usable date');
  return date.toISOString();
}
