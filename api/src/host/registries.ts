import { Problem, tooManyRequests } from '../contract/problem.ts';
import { type PluginOptions, pluginRoutes } from './plugin-routes.ts';
import {
  decodePost,
  decodePosts,
  decodeSurprises,
  encodePost,
  type Post,
  type PostChanges,
  postFields,
  type Surprise,
  surpriseFields,
} from './post-format.ts';
import {
  type Call,
  GONE,
  type HostResponse,
  nonsense,
  OVER_LIMIT,
  refusalOf,
  TOO_LARGE,
  type WordPress,
} from './wordpress.ts';

// A host that returned more and more pages would occupy a request for ever.
const MOST_PAGES = 100;
const PER_PAGE = 100;

const isPage = (body: unknown, most: number): body is unknown[] => Array.isArray(body) && body.length <= most;

type Options = { postType: string; metaPrefix: string } & Omit<PluginOptions, 'postPath'>;

/** The host has no such post: not a draft, not in the trash, gone. */
export class RegistryGone extends Problem {
  constructor() {
    super('not_found', 'Registry not found');
  }
}

/** The host doesn't list posts in these states, such as drafts, for this caller. */
export class QueryRefused extends Problem {
  constructor(cause: string) {
    super('host_failed', 'The registry host refuses this query', { cause: new Error(cause) });
  }
}

export type HostRegistries = ReturnType<typeof hostRegistries>;

export function hostRegistries(host: WordPress, { postType, metaPrefix, ...options }: Options) {
  const path = `wp/v2/${postType}`;
  const write = postWriter(host, path, metaPrefix);

  /** A user's posts by id, and where the host knows `co_owned`, those that they co-own. */
  const postsOf = (authorization: string, userId: number, query: NonNullable<Call['query']>) =>
    request(host, {
      ...{ method: 'GET', path, authorization, answerSize: 'posts' },
      query: { author: userId, co_owned: 1, context: 'edit', orderby: 'id', ...query },
    });

  return {
    async get(authorization: string, id: number): Promise<Post> {
      const query = { context: 'edit', _fields: postFields(metaPrefix) };
      const call = { path: `${path}/${id}`, query, authorization, answerSize: 'posts' } as const;
      const post = decodePost((await request(host, { method: 'GET', ...call })).body, metaPrefix);
      if (post.id !== id) throw nonsense(`registry ${id} is answered with ${post.id}`);
      return post;
    },

    /** A user's registries, newest first. If too large, without co-owned ones: anyone can name them an owner of huge lists. */
    async ofUser(authorization: string, userId: number, skip: number, limit: number) {
      const query = { status: 'publish,private', per_page: limit, offset: skip, order: 'desc' };
      const ask = async (co_owned: 0 | 1) => {
        const asked = { ...query, co_owned, _fields: postFields(metaPrefix) };
        const { body, header } = await postsOf(authorization, userId, asked);
        const [total, totalPages] = [header('x-wp-total'), header('x-wp-totalpages')];
        if (!isPage(body, limit) || total === undefined || totalPages === undefined)
          throw nonsense('the list of registries has an unexpected shape');
        return { posts: decodePosts(body, metaPrefix), total, totalPages };
      };
      return ask(1).catch((error) => (error.cause?.message === TOO_LARGE ? ask(0) : Promise.reject(error)));
    },

    /** The surprises of one user's posts in the given states. `hasCoOwned`: the host included those they co-own. */
    async surprisesOf(authorization: string, userId: number, status: string) {
      const found: Surprise[] = [];
      let hasCoOwned = false;
      for (let page = 1, pages = 1; page <= pages; page++) {
        const query = { status, per_page: PER_PAGE, page, _fields: surpriseFields(metaPrefix) };
        const { body, header } = await postsOf(authorization, userId, query);
        const totalPages = header('x-wp-totalpages') ?? '';
        pages = Number(totalPages);
        if (!/^\d+$/.test(totalPages) || pages > MOST_PAGES)
          throw nonsense(`one user's registries on '${totalPages}' pages`);
        if (!isPage(body, PER_PAGE)) throw nonsense('the list of registries has an unexpected shape');
        hasCoOwned = header('x-trousseau-co-owned') !== undefined;
        for (const surprise of decodeSurprises(body, metaPrefix)) found.push(surprise);
      }
      return { found, hasCoOwned };
    },

    create: (authorization: string, changes: PostChanges) => write(authorization, undefined, changes),
    update: (authorization: string, id: number, changes: PostChanges) => write(authorization, id, changes),

    async delete(authorization: string, id: number): Promise<void> {
      // Otherwise it returns the entire post, with its story rendered.
      const query = { force: 'true', _fields: 'deleted' };
      await request(host, { method: 'DELETE', path: `${path}/${id}`, query, authorization });
    },

    ...pluginRoutes(host, { postPath: path, ...options }),
  };
}

/** Sends a caller's request; turns a refusal of the host into a problem. */
async function request(host: WordPress, call: Call & { authorization: string }): Promise<HostResponse> {
  const answer = await host.call(call);
  const refusal = refusalOf(answer);
  if (!refusal) return answer;
  const message = String((answer.body as { message?: unknown }).message);
  if (refusal === OVER_LIMIT) {
    if (answer.status !== 429) throw new Problem('forbidden', message);
    throw tooManyRequests(message, Number(answer.header('retry-after')) || 3600);
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
      if (call.method === 'POST')
        throw new Problem('invalid', `The registry host refuses this: ${message}`, { cause: refusal });
      // WordPress takes a caller with a revoked password for a stranger, and answers a stranger's `status` with 400.
      if (!(await isSignedIn(host, call.authorization)))
        throw new Problem('unauthorized', 'Invalid credentials');
      throw new QueryRefused(`${call.path}: 400 ${refusal}`);
  }
  throw nonsense(`${call.method} ${call.path}: ${answer.status} ${refusal}`);
}

const isSignedIn = async (host: WordPress, authorization: string): Promise<boolean> =>
  (await host.call({ method: 'GET', path: 'wp/v2/users/me', authorization })).status !== 401;

/** Writes posts. The plugin keeps lists as JSON text; a site that registered them as arrays refuses text, and says so. */
function postWriter(host: WordPress, path: string, metaPrefix: string) {
  let listsAsText = true;

  return async function write(authorization: string, id: number | undefined, changes: PostChanges) {
    const send = async (asText: boolean) => {
      const answer = await request(host, {
        ...{ method: 'POST', authorization, answerSize: 'posts' },
        path: id === undefined ? path : `${path}/${id}`,
        query: { context: 'edit', _fields: postFields(metaPrefix) },
        body: encodePost(changes, metaPrefix, asText),
      });
      listsAsText = asText;
      return decodePost(answer.body, metaPrefix);
    };
    const asText = listsAsText;
    try {
      return await send(asText);
    } catch (refusal) {
      const lists = changes.itemIds ?? changes.invitees ?? changes.coOwners;
      const badMeta = refusal instanceof Problem && /^rest_invalid_(type|param)$/.test(String(refusal.cause));
      if (!lists || !badMeta) throw refusal;
      // The refused write changed nothing, so it is repeated in the other form.
      return send(!asText).catch(() => Promise.reject(refusal));
    }
  };
}
