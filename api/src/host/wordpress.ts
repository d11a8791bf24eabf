import { Problem } from '../contract/problem.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { isObject } from '../lib/json.ts';
import {
  type Arriving,
  OutboundError,
  type OutboundLimits,
  type Outgoing,
  outbound,
} from '../lib/outbound.ts';
import type { HostBodies } from './bodies.ts';

/** The most bytes of an answer: `little` for the current user, the index or a short message, `posts` for one or a page of them. */
const MOST_BYTES = { little: 64 * 1024, posts: 8 * 1024 ** 2 };

const HOST_LIMITS: OutboundLimits = {
  connections: 64,
  connectMs: 2_000,
  totalMs: 5_000,
  bytes: MOST_BYTES.posts,
  pending: 1_000,
};

export type Call = {
  method: 'GET' | 'POST' | 'DELETE';
  /** Below the REST root, such as `wp/v2/users/me`. */
  path: string;
  query?: Record<string, string | number>;
  body?: unknown;
  /** Undefined: the request is sent without credentials. */
  authorization: string | undefined;
  /** The expected size of the answer. Small by default. */
  answerSize?: keyof typeof MOST_BYTES;
};

export type HostResponse = Pick<Arriving, 'status' | 'header'> & { body: unknown };

/** Requests to a WordPress site's REST API, limited in time, size and number. */
export type WordPress = ReturnType<typeof wordpress>;

export function wordpress(
  site: string,
  bodies: HostBodies,
  own: Partial<OutboundLimits> = {},
  clock: Pick<Clock, 'limit'> = systemClock,
  counters?: Parameters<typeof outbound>[1],
) {
  const limits = { ...HOST_LIMITS, ...own };
  const machine = outbound(limits, counters);
  let root: Promise<string> | undefined;

  async function send(url: string, options: Outgoing, answerSize: keyof typeof MOST_BYTES = 'little') {
    const signal = clock.limit(limits.totalMs);
    const take = async (arriving: Arriving) => ({
      status: arriving.status,
      header: arriving.header,
      body: await bodies.read(arriving, MOST_BYTES[answerSize], site, signal),
    });
    const answer = await machine
      .exchange(url, options, take, signal)
      .catch((error) => Promise.reject(hostProblem(error)));
    // 429 from WordPress or a server in front of it, not from the plugin's limits.
    if (answer.status !== 429 || refusalOf(answer) === OVER_LIMIT) return answer;
    throw tooBusy(Number(answer.header('retry-after')) || 5);
  }

  // Pretty permalinks put the root at /wp-json, even if it refuses strangers; any other is announced by every page of the site.
  async function findRoot(): Promise<string> {
    const usual = `${site}/wp-json/`;
    const index = await send(`${usual}?_fields=namespaces`, {
      method: 'GET',
      headers: { accept: 'application/json' },
    });
    if (isObject(index.body) && (Array.isArray(index.body.namespaces) || refusalOf(index))) return usual;

    const page = await send(`${site}/`, { method: 'GET' });
    const announced = /<([^<>]+)>;\s*rel="https:\/\/api\.w\.org\/"/.exec(page.header('link') ?? '')?.[1];
    if (!announced) {
      const moved = page.header('location');
      throw nonsense(
        moved ? `the site redirects to ${moved}: set HOST_URL to that` : 'no WordPress REST API found',
      );
    }
    const found = URL.parse(announced, `${site}/`);
    if (!found) throw nonsense(`the site announces its REST API at ${announced}`);
    // Only the configured site gets credentials.
    if (found.origin !== new URL(site).origin)
      throw nonsense(`the site's REST API is at ${found.origin}: set HOST_URL to that`);
    return found.href;
  }

  function rootOnce(): Promise<string> {
    root ??= findRoot().catch((error) => {
      root = undefined;
      throw error;
    });
    return root;
  }

  return {
    root: rootOnce,

    /** The host's answer, a success or one of WordPress's own refusals; everything else is a `Problem`. */
    async call(call: Call): Promise<HostResponse> {
      const { method, path, query = {}, body, authorization, answerSize } = call;
      const url = new URL(await rootOnce());
      if (url.searchParams.has('rest_route')) url.searchParams.set('rest_route', `/${path}`);
      else url.pathname += path;
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));

      const headers: Record<string, string> = { accept: 'application/json' };
      if (authorization !== undefined) headers.authorization = authorization;
      if (body !== undefined) headers['content-type'] = 'application/json';
      const options = { method, headers, body: body === undefined ? null : JSON.stringify(body) };

      const answer = await send(url.href, options, answerSize).catch((error) => {
        // An idle connection that the host closed at the same moment. A write may have arrived, so it isn't repeated.
        if (method === 'GET' && isDropped(error.cause)) return send(url.href, options, answerSize);
        throw error;
      });
      if (answer.status < 300 && answer.body !== undefined) return answer;
      if (refusalOf(answer) && answer.status < 500) return answer;
      // With other permalinks there is no such route: look for the root again. Firewalls refuse some people's words in bodies.
      if (answer.status < (method === 'GET' ? 500 : 400) || answer.status === 404) root = undefined;
      throw nonsense(`${method} ${path} answered ${answer.status} ${answer.header('content-type') ?? ''}`);
    },

    close: machine.close,
  };
}

/** The plugin's error code for an account over a limit on its rate (429) or its total (403); its message is for the caller. */
export const OVER_LIMIT = 'trousseau_limit';

/** The code of a post that does not exist: not a draft, not in the trash, gone. */
export const GONE = 'rest_post_invalid_id';

/** The code of WordPress's own refusal; a proxy's refusal has none. */
export function refusalOf({ status, body }: Pick<HostResponse, 'status' | 'body'>): string | undefined {
  return status >= 400 && isObject(body) && typeof body.code === 'string' ? body.code : undefined;
}

export const TOO_LARGE = 'an answer is too large';

/** The host gave an answer that no WordPress gives; the log holds it. */
export const nonsense = (what: string) =>
  new Problem('host_failed', 'The registry host gave an answer that cannot be used', {
    cause: new Error(what),
  });

const isDropped = (cause: unknown) => cause instanceof OutboundError && cause.reason === 'dropped';

const tooBusy = (retryAfter: number) =>
  new Problem('unavailable', 'The registry host is too busy', { retryAfter });
function hostProblem(cause: OutboundError): Problem {
  if (cause.reason === 'busy') return tooBusy(5);
  if (cause.reason === 'too_large') return nonsense(TOO_LARGE);
  if (cause.reason === 'late')
    return new Problem('host_timeout', 'The registry host did not answer in time', { cause });
  return new Problem('host_failed', 'The registry host cannot be reached', { cause });
}
