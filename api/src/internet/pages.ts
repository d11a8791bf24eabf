import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';
import { type Clock, systemClock } from '../lib/clock.ts';
import { type Arriving, OutboundError, outbound } from '../lib/outbound.ts';
import { type Semaphore, semaphore } from '../lib/semaphore.ts';
import type { ShopPage } from '../shop/index.ts';
import { type ConnectRules, guardedConnector, publicWeb } from './connect.ts';
import { pageReader } from './reader.ts';

const PAGE_LIMITS = {
  totalMs: 8_000,
  connectMs: 4_000,
  /** A thread that takes longer for a page is stopped. */
  readMs: 3_000,
  /** The most threads that read pages. Each starts when it is needed. */
  readers: Math.min(availableParallelism(), 8),
  bytes: 4 * 1024 * 1024,
  headerBytes: 64 * 1024,
  redirects: 5,
  /** The most concurrent requests to one shop; others wait. */
  atOneShop: 2,
  /** The most concurrent requests to all shops, whose pages are held in memory. */
  atAll: 16,
  /** The most concurrent requests for one caller, or one site of many, so that hanging shops leave room for others. */
  ofOneCaller: 8,
  /** The most for one site of many, counting those that wait for a shop; then the most of these for one of its callers. */
  ofOneSite: 8,
  ofCallerOfSite: 4,
};
export type PageLimits = typeof PAGE_LIMITS;

const DETAILS = {
  unreachable: 'The shop cannot be reached.',
  late: 'The shop did not answer in time.',
  refused: 'The shop refuses to show the page.',
  not_a_page: 'There is no web page at this address.',
  too_large: 'The page is too large.',
  not_allowed: 'Addresses like this one are not looked up.',
};
export type PageUnavailableCode = keyof typeof DETAILS;

/** Why a page can't be read. The message is for the caller, the cause for the log. */
export class PageUnavailable extends Error {
  readonly code: PageUnavailableCode;

  constructor(code: PageUnavailableCode, detail: string = DETAILS[code], cause?: unknown) {
    super(detail, { cause });
    this.code = code;
  }
}

export type Options = {
  /** The address of the service's only site, which is sent to every shop. */
  site: string | undefined;
  version: string;
  /** Each `host:port` that may be reached whatever its address and port are. */
  allowed: string[];
  log: Logger;
  clock?: Pick<Clock, 'limit'>;
  limits?: Partial<PageLimits> | undefined;
  rules?: Partial<ConnectRules> | undefined;
};

/** Who looks up, and in which language. Callers take turns; in a service of many sites, sites do, and each one's callers. */
export type LookupCaller = { language: string; caller: string; site?: { key: string; url: string } };

/** Fetches shops' pages from addresses that strangers give, with limits on everything. */
export type ShopPages = ReturnType<typeof shopPages>;

export function shopPages({ site, version, allowed, log, clock = systemClock, rules, ...options }: Options) {
  const limits = { ...PAGE_LIMITS, ...options.limits };
  const machine = outbound({
    ...limits,
    connections: limits.atOneShop,
    pending: limits.atAll,
    connect: guardedConnector(publicWeb(allowed, rules), limits.connectMs),
  });
  const reader = pageReader({ ...limits, log });
  const atOneShop = semaphore(limits.atOneShop);
  const atAll = semaphore(limits.atAll, limits.ofOneCaller);
  const ofOneSite = semaphore(limits.ofOneSite, limits.ofCallerOfSite);
  const agentOf = (url = site) => `Mozilla/5.0 (compatible; Trousseau/${version}${url ? `; +${url}` : ''})`;

  /** Returns the fields of a page, or the address to which it redirects. */
  async function lookAt(
    address: URL,
    { language, caller, site: asking }: LookupCaller,
    signal: AbortSignal,
  ): Promise<ShopPage | URL> {
    const turnTaker = asking?.key ?? caller;
    using exits = new DisposableStack();
    const enter = async (gate: Semaphore, key = '', taker = turnTaker) =>
      exits.defer(await gate.enter(key, taker, signal));
    if (asking) await enter(ofOneSite, asking.key, caller);
    await enter(atOneShop, address.hostname.replace(/^www\./, ''));
    await enter(atAll);
    const headers = {
      'user-agent': agentOf(asking?.url),
      accept: 'text/html,application/xhtml+xml',
      'accept-encoding': 'gzip, br',
      ...(language && { 'accept-language': language }),
    };
    const take = async (answer: Arriving) => {
      const next = redirectOf(answer, address);
      if (next) return next;
      requirePage(answer);
      if (Number(answer.header('content-length')) > limits.bytes) throw new PageUnavailable('too_large');
      return {
        // As sent, perhaps compressed.
        bytes: new Uint8Array(await answer.body.arrayBuffer()),
        contentType: answer.header('content-type'),
        encoding: answer.header('content-encoding'),
      };
    };
    const taken = await machine.exchange(address.href, { method: 'GET', headers, reset: true }, take, signal);
    if (taken instanceof URL) return taken;
    const read = await reader.read({ address: address.href, ...taken }, turnTaker, signal);
    if ('problem' in read) throw new PageUnavailable(read.problem);
    return read.page;
  }

  return {
    /** Reads the page at an address, within a few seconds; fails with `PageUnavailable`. */
    async read(address: URL, caller: LookupCaller): Promise<ShopPage> {
      const signal = clock.limit(limits.totalMs);
      let at = address;
      try {
        for (let redirects = 0; redirects <= limits.redirects; redirects++) {
          const found = await lookAt(at, caller, signal);
          if (!(found instanceof URL)) return found;
          at = found;
        }
      } catch (error) {
        const problem = pageUnavailable(error);
        log.debug({ shop: at.hostname, problem: problem.code, err: problem.cause }, 'no page for a lookup');
        throw problem;
      }
      throw new PageUnavailable('unreachable', 'The address redirects too many times.');
    },

    async close() {
      await Promise.all([machine.destroy(), reader.close()]);
    },
  };
}

function redirectOf({ status, header }: Arriving, address: URL): URL | undefined {
  const location = header('location');
  const isRedirect = [301, 302, 303, 307, 308].includes(status) && location !== undefined;
  if (!isRedirect) return undefined;
  // Headers are read as Latin-1, but addresses in them are UTF-8.
  const next = URL.parse(Buffer.from(location, 'latin1').toString(), address);
  if (!next) throw new PageUnavailable('unreachable', 'The shop redirects to an invalid address.');
  if (!/^https?:$/.test(next.protocol)) throw new PageUnavailable('not_allowed');
  // No credentials are sent to shops.
  next.username = '';
  next.password = '';
  if (!next.hash) next.hash = address.hash;
  return next;
}

function requirePage({ status, header }: Arriving): void {
  if (status >= 400)
    throw new PageUnavailable('refused', `The shop refuses to show the page (status ${status}).`);
  if (status < 200 || status >= 300 || status === 204 || status === 205)
    throw new PageUnavailable('not_a_page');
  const type = (header('content-type') ?? '').split(/[;,]/, 1)[0]!.trim().toLowerCase();
  if (type && type !== 'text/html' && type !== 'application/xhtml+xml')
    throw new PageUnavailable('not_a_page');
}

function pageUnavailable(error: unknown): PageUnavailable {
  if (error instanceof PageUnavailable) return error;
  if (!(error instanceof OutboundError)) {
    const code = (error as Error).name === 'TimeoutError' ? 'late' : 'unreachable';
    return new PageUnavailable(code, undefined, error);
  }
  const { reason, cause } = error;
  if (cause instanceof PageUnavailable) return cause;
  const isKnown = reason === 'late' || reason === 'too_large' || reason === 'not_allowed';
  return new PageUnavailable(isKnown ? reason : 'unreachable', undefined, cause);
}
