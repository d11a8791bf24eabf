import type { onRequestHookHandler } from 'fastify';
import type { ClaimRules } from '../domain/claims.ts';
import type { EventRules } from '../domain/events.ts';
import type { Repeats } from '../domain/idempotency.ts';
import type { ItemList } from '../domain/item-lists.ts';
import type { ItemRules } from '../domain/items.ts';
import type { LookupRules } from '../domain/lookups.ts';
import type { RegistryRules } from '../domain/registries.ts';
import type { WebhookRules } from '../domain/webhooks.ts';
import type { HostUsers } from '../host/users.ts';
import { notHere } from './errors.ts';
import type { PresentedList } from './item-lists.ts';
import type { Share } from './pressure.ts';
import type { SignInLimits } from './sign-in-limits.ts';
import { siteKeyOf } from './site-key.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The WordPress site that the request is about. In a service of many sites, the service's own routes have none. */
    site: Site;
  }
}

/** One WordPress site as requests see it: its users, registries, items and limits, and no other site's. */
export type Site = {
  id: number;
  /** Its name in addresses and in the log; undefined for the one site of a service. */
  key: string | undefined;
  share: Share;
  users: HostUsers;
  signInLimits: SignInLimits;
  items: ItemRules;
  presentList(list: ItemList, admin: boolean): Promise<PresentedList>;
  registries: RegistryRules;
  claims: ClaimRules;
  events: EventRules;
  webhooks: WebhookRules;
  questionKey: () => Promise<string>;
  lookups: LookupRules | undefined;
  repeats: Repeats;
  itemAccess: 'authenticated' | 'registry';
  /** The time up to which every claim that ran out has been expired. */
  claimsExpiredUntil: (now: number) => Promise<number>;
};

export type ManySites = {
  /** The site if it is served and was looked up a moment ago; never waits. */
  peek(key: string): Site | undefined;
  /** The site; fails where there is none, or where it is not served at the moment. */
  find(key: string): Promise<Site>;
  /** Fails as `find` does, but makes no site ready. */
  check(key: string): Promise<void>;
};

export function siteHooks(sites: ManySites) {
  /** Refuses a request whose address names a site that is not served. An address that names none passes. */
  const checkSite: onRequestHookHandler = (request, _reply, done) => {
    const key = siteKeyOf(request);
    if (key === undefined) return done();
    if (key === '') return done(notHere());
    sites.check(key).then(() => done(), done);
  };

  /** Finds the site that the address names, if any. For a caller without credentials it only checks that the site is served. */
  const findSite: onRequestHookHandler = (request, reply, done) => {
    const key = siteKeyOf(request);
    if (!key || request.headers.authorization === undefined)
      return checkSite.call(request.server, request, reply, done);
    const accept = (site: Site) => {
      request.site = site;
      done();
    };
    const known = sites.peek(key);
    if (known) return accept(known);
    sites.find(key).then(accept, done);
  };

  const mustName =
    (isSite: boolean): onRequestHookHandler =>
    (request, _reply, done) =>
      done((siteKeyOf(request) !== undefined) === isSite ? undefined : notHere());

  return { findSite, checkSite, mustNameSite: mustName(true), mustNameNone: mustName(false) };
}
