import { Problem } from '../contract/problem.ts';
import type { Clock } from '../lib/clock.ts';
import { jsonIn } from '../lib/json.ts';
import { OutboundError, outbound } from '../lib/outbound.ts';
import { guardedConnector, PUBLIC_WEB } from './connect.ts';
import { dnsResolver } from './dns.ts';

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

export type Options = {
  version: string;
  /** Each `host:port` that may be reached whatever its address and port are. */
  allowed: string[];
  clock: Pick<Clock, 'limit'>;
};

export type SiteTokens = ReturnType<typeof siteTokens>;

export function siteTokens({ version, allowed, clock }: Options) {
  const machine = outbound({
    ...LIMITS,
    connect: guardedConnector({ allowed, ...PUBLIC_WEB, resolve: dnsResolver() }, LIMITS.connectMs),
  });
  const headers = { accept: 'application/json', 'user-agent': `Trousseau/${version}` };

  async function answer(url: string, signal: AbortSignal): Promise<{ status: number; text: string }> {
    try {
      return await machine.exchange(
        url,
        { method: 'GET', headers, reset: true },
        async ({ status, body }) => ({ status, text: await body.text() }),
        signal,
      );
    } catch (error) {
      throw problemOf(error);
    }
  }

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
        throw new Problem('invalid', 'url: the site answers that it is at another address, so give that one');
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
  return typeof token === 'string' ? token : undefined;
}

function problemOf(error: unknown): Problem {
  const reason = error instanceof OutboundError ? error.reason : 'unreachable';
  const cause = error instanceof OutboundError ? error.cause : error;
  switch (reason) {
    case 'not_allowed':
      return new Problem('invalid', 'url: must lead to a site on the public internet', { cause });
    case 'late':
      return new Problem('host_timeout', 'The site does not answer in time', { cause });
    case 'too_large':
      return new Problem('host_failed', 'The site answers with more than a token', { cause });
    case 'busy':
      return new Problem('unavailable', 'Too many sites join at once', { retryAfter: 5 });
    default:
      return new Problem('host_failed', 'The site cannot be reached', { cause });
  }
}
