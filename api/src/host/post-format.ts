// Conversion between the host's posts and registries.
import { decodeHTMLStrict } from 'entities';
import { type Static, Type } from 'typebox';
import { Check } from 'typebox/schema';
import { isDay } from '../days.ts';
import { Problem } from '../problem.ts';
import { nonsense } from './wordpress.ts';

/** A registry as the host keeps it, in plain text. */
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
  eventType: string | null;
  eventDate: string | null;
  currency: string | null;
  /** A day, or `always`: until then claims are concealed from the owner. */
  surpriseUntil: string | null;
  createdAt: string;
  updatedAt: string;
};

/** The changes of a write; absent fields stay as they are. */
export type PostChanges = Partial<
  Pick<
    Post,
    | 'title'
    | 'story'
    | 'storyIsMarkup'
    | 'status'
    | 'itemIds'
    | 'invitees'
    | 'eventType'
    | 'eventDate'
    | 'currency'
    | 'surpriseUntil'
  >
>;

export type Surprise = Pick<Post, 'id' | 'surpriseUntil'>;

const Raw = Type.Object({ raw: Type.String() });
const HostPost = Type.Object({
  id: Type.Integer({ minimum: 1 }),
  author: Type.Integer({ minimum: 0 }),
  status: Type.String(),
  slug: Type.String(),
  link: Type.String(),
  date_gmt: Type.Union([Type.String(), Type.Null()]),
  modified_gmt: Type.Union([Type.String(), Type.Null()]),
  title: Raw,
  content: Raw,
  meta: Type.Unknown(),
});
type HostPost = Static<typeof HostPost>;

const OwnPosts = Type.Array(
  Type.Object({ id: Type.Integer({ minimum: 1 }), author: Type.Integer(), meta: Type.Unknown() }),
);

/** The fields that are read. Only raw texts: rendering a story costs the host more than all the rest. */
export const POST_FIELDS = 'id,author,status,slug,link,date_gmt,modified_gmt,title.raw,content.raw,meta';

/** The body of a write. `listsAsText`: lists as JSON text, as the plugin keeps them, or else as arrays. */
export function encodePost(changes: PostChanges, metaPrefix: string, listsAsText: boolean) {
  const { title, story, storyIsMarkup = false, status, itemIds, invitees, eventType } = changes;
  const { eventDate, currency, surpriseUntil } = changes;
  const meta: Record<string, unknown> = {};
  const list = (value: unknown[]) => (listsAsText ? JSON.stringify(value) : value);
  if (itemIds) meta[`${metaPrefix}item_ids`] = list(itemIds);
  if (invitees) meta[`${metaPrefix}invitees`] = list(invitees);
  if (eventType !== undefined) meta[`${metaPrefix}event_type`] = escaped(eventType ?? '');
  if (eventDate !== undefined) meta[`${metaPrefix}event_date`] = eventDate ?? '';
  if (currency !== undefined) meta[`${metaPrefix}currency`] = currency ?? '';
  if (surpriseUntil !== undefined) meta[`${metaPrefix}surprise_until`] = surpriseUntil ?? '';
  return {
    // Escaped, because WordPress takes a bare `<` for the start of a tag and cuts the rest of the text away.
    ...(title !== undefined && { title: escaped(title) }),
    ...(story !== undefined && { content: storyIsMarkup ? story : escaped(story) }),
    ...(status !== undefined && { status }),
    ...(Object.keys(meta).length > 0 && { meta }),
  };
}

/** The registry in a post of the host; not found where it is a draft or in the trash. */
export function decodePost(body: unknown, metaPrefix: string): Post {
  const post = checked(body);
  const { status } = post;
  if (!isRegistryStatus(status)) throw new Problem('not_found', 'Registry not found');
  const meta = metaOf(post.meta);
  const eventType = textOf(meta[`${metaPrefix}event_type`]);
  const eventDate = textOf(meta[`${metaPrefix}event_date`]);
  const currency = textOf(meta[`${metaPrefix}currency`]);
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
    invitees: unique(listOf(meta[`${metaPrefix}invitees`]).filter((entry) => typeof entry === 'string')),
    eventType: eventType && decodeHTMLStrict(eventType),
    eventDate: eventDate && /^\d{4}-\d\d-\d\d$/.test(eventDate) ? eventDate : null,
    currency: currency && /^[A-Z]{3}$/.test(currency) ? currency : null,
    surpriseUntil: surpriseIn(meta[`${metaPrefix}surprise_until`]),
    createdAt: timestamp(post.date_gmt),
    updatedAt: timestamp(post.modified_gmt),
  };
}

/** The registries in a list of posts, without drafts and the trash. */
export const decodePosts = (list: unknown[], metaPrefix: string): Post[] =>
  list
    .map(checked)
    .filter(({ status }) => isRegistryStatus(status))
    .map((post) => decodePost(post, metaPrefix));

/** One author's posts, in whatever state they are, with the day until which the owner is to be surprised. */
export function decodeSurprises(list: unknown, author: number, metaPrefix: string): Surprise[] {
  if (!Check(OwnPosts, list)) throw nonsense('the list of registries has not the expected shape');
  return (list as Static<typeof OwnPosts>)
    .filter((post) => post.author === author)
    .map(({ id, meta }) => ({ id, surpriseUntil: surpriseIn(metaOf(meta)[`${metaPrefix}surprise_until`]) }));
}

function checked(body: unknown): HostPost {
  if (!Check(HostPost, body)) throw nonsense('a registry has not the expected shape');
  return body as HostPost;
}

/**
 * Whether a story is HTML, which is read and stored unchanged. Plain text that we store holds no tags: its `<` are escaped.
 */
export const isMarkup = (text: string): boolean =>
  hasBlocks(text) || /<\/?[a-z][a-z0-9]*(\s[^<>]*)?\/?>/i.test(text);

/** Whether a text has blocks of the site's editor, which nobody writes by chance. */
export const hasBlocks = (text: string): boolean => /<!-- \/?wp:/.test(text);

// WordPress's own spelling of `&`: its filters read `&amp;#60;` as a `<` that was escaped twice.
const ESCAPES: Record<string, string> = { '&': '&#038;', '<': '&lt;', '>': '&gt;' };

const escaped = (text: string) => text.replace(/[&<>]/g, (character) => ESCAPES[character]!);

/** Entries trimmed, in order, once: `Ann` and `ann` are the same guest. */
export function unique(entries: readonly string[]): string[] {
  const seen = new Map<string, string>();
  for (const entry of entries.map((entry) => entry.trim())) {
    if (entry && !seen.has(entry.toLowerCase())) seen.set(entry.toLowerCase(), entry);
  }
  return [...seen.values()];
}

// Drafts and posts in the trash are no registries here, though the host has them.
const isRegistryStatus = (status: string): status is Post['status'] =>
  status === 'publish' || status === 'private';

const isId = (value: number) => Number.isSafeInteger(value) && value > 0;

// PHP writes an empty object as `[]`.
const metaOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** The day until which the owner is to be surprised. A value of another form conceals for ever: a leaked surprise is worse. */
function surpriseIn(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  return typeof value === 'string' && isDay(value) ? value : 'always';
}

// JSON text, an array, PHP's object for an array with gaps, or any value of an older version of the site.
function listOf(value: unknown): unknown[] {
  if (typeof value === 'object' && value !== null) return Object.values(value);
  if (typeof value !== 'string') return [];
  try {
    return listOf(JSON.parse(value));
  } catch {
    return [];
  }
}

function timestamp(gmt: string | null): string {
  const date = new Date(`${gmt}Z`);
  if (Number.isNaN(date.getTime())) throw nonsense('a registry has no usable date');
  return date.toISOString();
}
