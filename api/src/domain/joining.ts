import type { Logger } from 'pino';
import { Problem, tooManyRequests } from '../contract/problem.ts';
import type { SiteTokens } from '../internet/joining.ts';
import { equalsSecret } from '../lib/cipher.ts';
import { rateLimiter } from '../lib/rate-limiter.ts';
import type { JoiningStore } from '../store/joining.ts';

const HOUR_MS = 60 * 60_000;
const MOST_AN_HOUR = 10;

const PLUGIN_ROLE = 'trousseau_service';

type Parts = {
  store: JoiningStore;
  tokens: SiteTokens;
  clock: () => number;
  settings: {
    lookupAllow: string[];
    sitesJoin: 'off' | 'code' | 'open';
    siteItems: number;
    publicUrl: string;
    adminRoles: string[];
    itemAccess: 'authenticated' | 'registry';
  };
  log: Logger;
};

export type JoinRequest = { url: string; token?: string; code?: string; secret?: string };

export type JoinRules = ReturnType<typeof joinRules>;

export function joinRules({ store, tokens, clock, settings, log }: Parts) {
  const attempts = rateLimiter<string>({ withinMs: HOUR_MS, remembered: 50_000, clock });

  return {
    /** Adds a site whose address shows this token, or finds it by its secret. Attempts are limited per `network`. */
    async join(network: string, { url: given, token = '', code, secret }: JoinRequest) {
      const url = addressOf(given, settings.lookupAllow);
      const seconds = attempts.countAttempt(network, MOST_AN_HOUR);
      if (seconds !== undefined) throw tooManyRequests('Too many attempts to join, try again later', seconds);
      const shown = await tokens.at(url);
      if (shown === undefined || !equalsSecret(shown)(token)) throw refusal();
      const { sitesJoin, siteItems, adminRoles, itemAccess, publicUrl } = settings;
      const joined = await store.join(
        { url, adminRoles: [...new Set([...adminRoles, PLUGIN_ROLE])], itemAccess },
        token,
        { needsCode: sitesJoin === 'code', code, secret, mostItems: siteItems },
      );
      if (joined === 'refused') throw refusal();
      if (joined === 'taken') {
        log.warn({ address: url }, 'a site without its secret asks for an address that is taken');
        throw new Problem('conflict', TAKEN);
      }
      log.info(
        { site: joined.site.key, address: url },
        joined.secret === undefined ? 'a site has joined again' : 'a site has joined',
      );
      return { baseUrl: `${publicUrl}/sites/${joined.site.key}`, secret: joined.secret };
    },
  };
}

const TAKEN =
  'The service has a site with this address already, and its secret is missing or wrong: the operator of the service can release the address or issue a new secret';

// One message for all reasons, so that nobody learns which codes exist.
const refusal = () =>
  new Problem('forbidden', 'The site does not show this token, or the code is missing, wrong or used up');

/** Validates the address, and returns it as the store keeps it. */
function addressOf(given: string, allowed: string[]): string {
  const url = URL.parse(given);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || /[?#]/.test(url.href))
    throw new Problem('invalid', "url: must be a site's address without user name, query or fragment");
  const { protocol, hostname, port, pathname } = url;
  const mayUseHttp = allowed.includes(`${hostname}:${port || 80}`);
  if (protocol !== 'https:' && !mayUseHttp) throw new Problem('invalid', 'url: must begin with https://');
  // Other spellings of an address would become separate sites.
  if (/\/\/|%/.test(pathname)) throw new Problem('invalid', 'url: must not have "//" or "%" in its path');
  if (hostname.endsWith('.')) throw new Problem('invalid', 'url: must not have a dot after its host name');
  return url.href.replace(/\/+$/, '');
}
