import { Problem, type ProblemCode } from '../contract/problem.ts';
import type { Clock } from '../lib/clock.ts';
import { jsonIn } from '../lib/json.ts';
import { type Arriving, type OutboundError, outbound } from '../lib/outbound.ts';
import { guardedConnector, publicWeb } from './connect.ts';

const LIMITS = {
  totalMs: 8_000,
  connectMs: 4_000,
  bytes: 16 * 1024,
  headerBytes: 16 * 1024,
  connections: 1,
  /** The most sites to ask at once. */
  pending: 50,
};

// Where a site shows its token: with pretty permalinks, and with plain ones.
const PLACES = ['/wp-json/trousseau/v1/joining', '/?rest_route=/trousseau/v1/joining'];

// Shorter ones could be guessed.
const LEAST_TOKEN = 32;

export type Options = {
  version: string;
  /** Each `host:port` that may be reached whatever its address and port are. */
  allowed: string[];
  clock: Pick<Clock, 'limit'>;
};

export type SiteTokens = ReturnType<typeof siteTokens>;

export function siteTokens({ version, allowed, clock }: Options) {
  const machine = outbound({ ...LIMITS, connect: guardedConnector(publicWeb(allowed), LIMITS.connectMs) });
  const headers = { accept: 'application/json', 'user-agent': `Trousseau/${version}` };

  // With plain permalinks the first place answers with a page of any length.
  const isJson = ({ header }: Arriving) => /^application\/json\b/i.test(header('content-type') ?? '');
  const read = async (arriving: Arriving) => ({
    status: arriving.status,
    text: isJson(arriving) ? await arriving.body.text() : '',
  });
  const answer = (url: string, signal: AbortSignal) =>
    machine
      .exchange(url, { method: 'GET', headers, reset: true }, read, signal)
      .catch((error) => Promise.reject(problemOf(error)));

  return {
    /** Returns the token at a site's address, if it shows one. Fails with a `Problem` if the site doesn't answer. */
    async at(site: string): Promise<string | undefined> {
      const signal = clock.limit(LIMITS.totalMs);
      const statuses: number[] = [];
      for (const place of PLACES) {
        const { status, text } = await answer(site + place, signal);
        const token = status === 200 ? tokenIn(text) : undefined;
        if (token !== undefined) return token;
        statuses.push(status);
      }
      if (statuses.some((status) => status >= 300 && status < 400))
        throw new Problem('invalid', 'url: the site redirects to another address: give that one');
      const failure = statuses.find((status) => status >= 500);
      if (failure !== undefined)
        throw new Problem('host_failed', `The site answers with an error (status ${failure})`);
      return undefined;
    },

    close: () => machine.destroy(),
  };
}

function tokenIn(text: string): string | undefined {
  const { token } = (jsonIn(text) ?? {}) as { token?: unknown };
  return typeof token === 'string' && token.length >= LEAST_TOKEN ? token : undefined;
}

const PROBLEMS: Partial<Record<OutboundError['reason'], [ProblemCode, string]>> = {
  not_allowed: ['invalid', 'url: must lead to a site on the public internet'],
  late: ['host_timeout', 'The site does not answer in time'],
  too_large: ['host_failed', 'The site answers with more than a token'],
};
function problemOf({ reason, cause }: OutboundError): Problem {
  if (reason === 'busy') return new Problem('unavailable', 'Too many sites join at once', { retryAfter: 5 });
  const [code, words] = PROBLEMS[reason] ?? ['host_failed', 'The site cannot be reached'];
  return new Problem(code, words, { cause });
}
