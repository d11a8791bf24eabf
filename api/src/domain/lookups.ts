import type { Logger } from 'pino';
import type { Lookup } from '../contract/index.ts';
import { Problem, tooManyRequests } from '../contract/problem.ts';
import {
  type LookupCaller,
  PageUnavailable,
  type PageUnavailableCode,
  type ShopPages,
} from '../internet/pages.ts';
import { LoadingCache } from '../lib/cache.ts';
import { AddressRefused } from '../lib/outbound.ts';
import { rateLimiter } from '../lib/rate-limiter.ts';
import { fromAddress } from '../shop/shop-page.ts';
import type { Viewer } from './access.ts';

const CACHE_SECONDS = 600;
const MOST_CACHED = 1_000;

// Lookups a minute. The plugin asks as an admin for many people, and limits them itself.
const MOST_A_MINUTE = 30;
const MOST_A_MINUTE_FOR_ADMINS = 600;
const MINUTE_MS = 60_000;

// Not cached, since it may be over in a moment: a shop that can't be reached, or leads to an address that isn't allowed.
const PASSING: PageUnavailableCode[] = ['unreachable', 'late', 'not_allowed'];

type Options = { pages: Pick<ShopPages, 'read'>; log: Logger; clock: () => number };

/** Looks up products on shops' pages for signed-in users, with a limit a minute. */
export type LookupRules = ReturnType<typeof lookupRules>;

export function lookupRules({ pages, log, clock }: Options) {
  const cached = new LoadingCache<Lookup>({ ttlSeconds: CACHE_SECONDS, max: MOST_CACHED, clock });
  const asked = rateLimiter<number>({ withinMs: MINUTE_MS, remembered: 10_000, clock });

  async function look(url: string, caller: LookupCaller): Promise<Lookup> {
    try {
      return await pages.read(new URL(url), caller);
    } catch (error) {
      if (!(error instanceof PageUnavailable) || PASSING.includes(error.code)) throw error;
      return withProblem(url, error);
    }
  }

  return {
    /** An admin may name the person they ask for: then people take turns, not callers. The limit a minute is the caller's. */
    async ask(viewer: Viewer, given: string, language: string, person = ''): Promise<Lookup> {
      const url = parseWebUrl(given);
      const seconds = asked.countAttempt(viewer.id, viewer.admin ? MOST_A_MINUTE_FOR_ADMINS : MOST_A_MINUTE);
      if (seconds !== undefined) throw tooManyRequests('Too many lookups, try again later', seconds);
      // Browsers don't send the part behind a "#", so no shop's page depends on it.
      const page = url.replace(/#.*/s, '');
      const caller = { language, caller: `${viewer.id} ${viewer.admin ? person : ''}` };
      const found = cached.get(`${language} ${page}`, () => look(page, caller));
      const lookup = await found.catch((error) => {
        if (!(error instanceof PageUnavailable)) throw error;
        const refused = { user: viewer.id, shop: new URL(url).hostname, err: error.cause };
        if (error.cause instanceof AddressRefused) log.info(refused, 'a lookup was not allowed');
        return withProblem(page, error);
      });
      return lookup.url === page ? { ...lookup, url } : lookup;
    },
  };
}

function parseWebUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw new Problem('invalid', 'url: must be an http or https address without a user name');
  return url.href;
}

const withProblem = (url: string, { code, message }: PageUnavailable): Lookup => ({
  ...fromAddress(url),
  problem: { code, detail: message },
});
