import { decodeHTMLStrict } from 'entities';
import { type Static, Type } from 'typebox';
import { Check } from 'typebox/schema';
import { Problem } from '../problem.ts';
import { type Call, type HostResponse, LIMIT, nonsense, refusalOf, type WordPress } from './wordpress.ts';

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
  /** A day, or `always`: until then the owner shall not know what is claimed. */
  surpriseUntil: string | null;
  createdAt: string;
  updatedAt: string;
};

/** What a write changes; what is absent stays as it is. */
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

export type PostPage = { posts: Post[]; total: string; totalPages: string };

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

// Only the raw texts: to render a story costs the host more than all the rest.
const FIELDS = 'id,author,status,slug,link,date_gmt,modified_gmt,title.raw,content.raw,meta';

type Options = { postType: string; metaPrefix: string };

const GONE = 'rest_post_invalid_id';
const NO_ROUTE = 'rest_no_route';

/** The host has no such post: not a draft, not in the trash, gone. */
export class RegistryGone extends Problem {
  constructor() {
    super('not_found', 'Registry not found');
  }
}

/** The registries on the host, read and written with the caller's own credentials. */
export type Registries = ReturnType<typeof registries>;

export function registries(host: WordPress, { postType, metaPrefix }: Options) {
  const path = `wp/v2/${postType}`;
  // The plugin keeps lists as JSON text; a site that registered them as arrays refuses text, and says so.
  let listsAsText = true;
  // Until the host says that it has no such route.
  let looksItself = true;

  const isSignedIn = async (authorization: string): Promise<boolean> =>
    (await host.call({ method: 'GET', path: 'wp/v2/users/me', authorization })).status !== 401;

  async function call(call: Call & { authorization: string }): Promise<HostResponse> {
    const answer = await host.call(call);
    const refusal = refusalOf(answer);
    if (!refusal) return answer;
    if (refusal === LIMIT) {
      const { message } = answer.body as { message?: unknown };
      const isTooFast = answer.status === 429;
      throw new Problem(isTooFast ? 'too_many_requests' : 'forbidden', String(message), {
        headers: isTooFast ? { 'retry-after': answer.header('retry-after') ?? '3600' } : {},
      });
    }
    switch (answer.status) {
      case 401:
        throw new Problem('unauthorized', 'Invalid credentials');
      case 403:
        throw new Problem('forbidden', 'The registry host does not allow this');
      case 404:
        if (refusal === GONE) throw new RegistryGone();
        break;
      case 400:
        if (call.method === 'POST') {
          const { message } = answer.body as { message?: unknown };
          throw new Problem('invalid', `The registry host refuses this: ${String(message)}`, {
            cause: refusal,
          });
        }
        // To a caller whose password was revoked, WordPress explains what strangers may not ask for.
        if (!(await isSignedIn(call.authorization))) throw new Problem('unauthorized', 'Invalid credentials');
    }
    throw nonsense(`${call.method} ${call.path}: ${answer.status} ${refusal}`);
  }

  async function write(authorization: string, id: number | undefined, changes: PostChanges): Promise<Post> {
    const send = async (asText: boolean) => {
      const answer = await call({
        method: 'POST',
        path: id === undefined ? path : `${path}/${id}`,
        query: { context: 'edit', _fields: FIELDS },
        body: encode(changes, asText),
        authorization,
      });
      listsAsText = asText;
      return decode(answer.body);
    };
    const asText = listsAsText;
    try {
      return await send(asText);
    } catch (refusal) {
      const lists = changes.itemIds ?? changes.invitees;
      const badMeta = refusal instanceof Problem && /^rest_invalid_(type|param)$/.test(String(refusal.cause));
      if (!lists || !badMeta) throw refusal;
      // Refused, so nothing was written: the same once more in the other form.
      return send(!asText).catch(() => Promise.reject(refusal));
    }
  }

  function encode(changes: PostChanges, asText: boolean) {
    const { title, story, storyIsMarkup = false, status, itemIds, invitees, eventType } = changes;
    const { eventDate, currency, surpriseUntil } = changes;
    const meta: Record<string, unknown> = {};
    const list = (value: unknown[]) => (asText ? JSON.stringify(value) : value);
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

  function checked(body: unknown): HostPost {
    if (!Check(HostPost, body)) throw nonsense('a registry has not the expected shape');
    return body as HostPost;
  }

  function decode(body: unknown): Post {
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

  return {
    async get(authorization: string, id: number): Promise<Post> {
      const query = { context: 'edit', _fields: FIELDS };
      return decode((await call({ method: 'GET', path: `${path}/${id}`, query, authorization })).body);
    },

    /** One author's registries, newest first. */
    async ofAuthor(authorization: string, author: number, skip: number, limit: number): Promise<PostPage> {
      const query = {
        author,
        status: 'publish,private',
        context: 'edit',
        per_page: limit,
        offset: skip,
        orderby: 'id',
        order: 'desc',
        _fields: FIELDS,
      };
      const { body, header } = await call({ method: 'GET', path, query, authorization });
      const [total, totalPages] = [header('x-wp-total'), header('x-wp-totalpages')];
      if (!Array.isArray(body) || total === undefined || totalPages === undefined) {
        throw nonsense('the list of registries has not the expected shape');
      }
      const posts = body.map(checked).filter(({ status }) => isRegistryStatus(status));
      return { posts: posts.map(decode), total, totalPages };
    },

    /** All posts of one author with the day until which they are to be surprised, in whatever state they are. */
    async surprisesOf(
      authorization: string,
      author: number,
      status: string,
    ): Promise<{ id: number; surpriseUntil: string | null }[]> {
      const found: { id: number; surpriseUntil: string | null }[] = [];
      for (let page = 1, pages = 1; page <= pages; page++) {
        const query = {
          author,
          status,
          context: 'edit',
          per_page: 100,
          page,
          orderby: 'id',
          _fields: 'id,author,meta',
        };
        const { body, header } = await call({ method: 'GET', path, query, authorization });
        pages = Number(header('x-wp-totalpages') ?? 1);
        if (!Check(OwnPosts, body)) throw nonsense('the list of registries has not the expected shape');
        for (const post of body as Static<typeof OwnPosts>) {
          if (post.author !== author) continue;
          found.push({
            id: post.id,
            surpriseUntil: surpriseIn(metaOf(post.meta)[`${metaPrefix}surprise_until`]),
          });
        }
      }
      return found;
    },

    /**
     * Whether the post is gone for good, asked without credentials; undefined where the host doesn't say. A site with the
     * plugin tells strangers nothing of a number: asked, it looks itself, and deletes here what it hasn't any more.
     */
    async isGone(id: number): Promise<boolean | 'asked' | undefined> {
      if (looksItself) {
        const path = `trousseau/v1/registries/${id}/look`;
        const refusal = refusalOf(await host.call({ method: 'POST', path, authorization: undefined }));
        if (refusal === undefined) return 'asked';
        looksItself = refusal !== NO_ROUTE;
      }
      // Without its text: to render a story costs the host more than all the rest.
      const query = { _fields: 'id' };
      const answer = await host.call({
        method: 'GET',
        path: `${path}/${id}`,
        query,
        authorization: undefined,
      });
      const refusal = refusalOf(answer);
      if (refusal === GONE) return true;
      return refusal === undefined || refusal === 'rest_forbidden' ? false : undefined;
    },

    /**
     * Tells the plugin that items of a registry have changed; false where the host has no such plugin. Without credentials
     * it looks at public registries, and not often.
     */
    async tellChanged(authorization: string | undefined, id: number): Promise<boolean> {
      const path = `trousseau/v1/registries/${id}/changed`;
      return refusalOf(await host.call({ method: 'POST', path, authorization })) !== NO_ROUTE;
    },

    create: (authorization: string, changes: PostChanges) => write(authorization, undefined, changes),
    update: (authorization: string, id: number, changes: PostChanges) => write(authorization, id, changes),

    async delete(authorization: string, id: number): Promise<void> {
      await call({ method: 'DELETE', path: `${path}/${id}`, query: { force: 'true' }, authorization });
    },
  };
}

/**
 * Whether a story is HTML, which is kept as it is, both ways. Plain text that we store has no tag left in it: its `<` are
 * escaped.
 */
export const isMarkup = (text: string): boolean =>
  hasBlocks(text) || /<\/?[a-z][a-z0-9]*(\s[^<>]*)?\/?>/i.test(text);

/** Whether a text has blocks of the site's editor, which nobody writes by chance. */
export const hasBlocks = (text: string): boolean => /<!-- \/?wp:/.test(text);

// `&` as WordPress spells it: its filters take `&amp;#60;` for a `<` that was escaped once too often.
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

const isDay = (text: string): boolean => {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text;
};

/** The day until which the owner is to be surprised. A value of another form conceals for ever, rather than never. */
function surpriseIn(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  return typeof value === 'string' && isDay(value) ? value : 'always';
}

// JSON text, an array, what PHP makes of an array with gaps, or whatever an older version of the site left there.
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
