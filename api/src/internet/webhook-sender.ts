import { createHmac } from 'node:crypto';
import { isIP } from 'node:net';
import { bounded } from '../lib/cache.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { type OutboundError, outbound } from '../lib/outbound.ts';
import { semaphore } from '../lib/semaphore.ts';
import { type ConnectRules, guardedConnector, publicWeb } from './connect.ts';

const HTTPS_PORT = 443;

const LIMITS = {
  connectMs: 5_000,
  /** The most time from looking up the address to the end of the answer's headers. */
  totalMs: 15_000,
  headerBytes: 16 * 1024,
  /** The most concurrent requests to one host, to all hosts, for one site, and for one maker of webhooks. */
  toHost: 64,
  toAll: 256,
  ofOneSite: 128,
  ofOneMaker: 32,
  /** The most of these to webhooks not known to be fast: to all hosts, to one host, of a site, of a maker. */
  toSlow: 64,
  toSlowOfHost: 32,
  slowOfOneSite: 48,
  slowOfOneMaker: 8,
  slowMs: 3_000,
  /** The most webhooks whose speed is remembered. */
  remembered: 10_000,
};
export type SenderLimits = typeof LIMITS;

export type SendProblem = 'unreachable' | 'late' | 'not_allowed';

/** The outcome of a request: the answer's status, or the reason why there was none. */
export type Sent = { ms: number } & (
  | { status: number }
  | { status: null; problem: SendProblem; cause: unknown }
);

/** A webhook by its unique name, with its site and its maker. */
export type Target = { name: string; url: URL; site: string; maker: string };

export type Message = { id: string; body: string; secret: string; time: number };

export type Options = {
  version: string;
  /** Each `host:port` that may be reached even if it is private, its port isn't 443, or it has no https. */
  allowed: string[];
  clock?: Pick<Clock, 'steady' | 'limit'>;
  limits?: Partial<SenderLimits> | undefined;
  rules?: Partial<ConnectRules> | undefined;
};

/** Sends signed events to addresses that strangers give, with limits on everything. */
export type WebhookSender = ReturnType<typeof webhookSender>;

export function webhookSender({ version, allowed, clock = systemClock, ...options }: Options) {
  const limits = { ...LIMITS, ...options.limits };
  const rules = publicWeb(allowed, options.rules);
  const receivers = outbound({
    ...limits,
    connect: guardedConnector(rules, limits.connectMs),
    // `enter` limits deliveries, and a test of a webhook doesn't wait in line. Bodies of answers aren't read.
    ...{ connections: Number.MAX_SAFE_INTEGER, pending: Number.MAX_SAFE_INTEGER, bytes: 1024 * 1024 },
  });
  const toHost = semaphore(limits.toHost);
  const toAll = semaphore(limits.toAll);
  const ofSite = semaphore(limits.ofOneSite);
  const ofMaker = semaphore(limits.ofOneMaker);
  // Webhooks that aren't known to be fast share some of the places, so that fast ones always find one. At the
  // limits of a site its makers take turns, at those for all sites the sites.
  const slowOfSiteToHost = semaphore(limits.toSlowOfHost, limits.slowOfOneMaker);
  const slowOfSite = semaphore(limits.slowOfOneSite, limits.slowOfOneMaker);
  const toSlowOfHost = semaphore(limits.toSlowOfHost);
  const toSlow = semaphore(limits.toSlow);
  const isQuick = bounded<string, boolean>(limits.remembered);

  function post(url: URL, { id, body, secret, time }: Message, signal: AbortSignal): Promise<number> {
    const timestamp = String(Math.floor(time / 1000));
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    const headers = {
      'user-agent': `Trousseau/${version}`,
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    };
    // Each request has a connection of its own, since an address is checked only when connecting.
    const options = { method: 'POST', headers, body, reset: true } as const;
    return receivers.exchange(url.href, options, async ({ status }) => status, signal);
  }

  return {
    /** Returns why nothing may ever be sent to a URL, as far as the URL itself shows it. */
    refusalOf({ protocol, hostname, port }: URL): string | undefined {
      const number = Number(port || (protocol === 'https:' ? HTTPS_PORT : 80));
      if (allowed.includes(`${hostname}:${number}`)) return undefined;
      if (protocol !== 'https:') return 'must begin with https://';
      const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
      const isPrivate = isIP(host) ? !rules.isPublicIp(host) : /(?:^|\.)localhost$/.test(host);
      return isPrivate || number !== HTTPS_PORT ? 'must be an address of the public web' : undefined;
    },

    isQuick: (name: string): boolean => isQuick.get(name) === true,

    /** Waits until a request may be sent. Disposing of the result frees its places. Callers take turns at each limit. */
    async enter({ name, url, site, maker }: Target, signal: AbortSignal): Promise<Disposable> {
      using places = new DisposableStack();
      // The narrowest limit first, so that a delivery waiting there doesn't occupy a place that others need.
      if (!isQuick.get(name)) {
        places.defer(await slowOfSiteToHost.enter(`${site} ${url.host}`, maker, signal));
        places.defer(await slowOfSite.enter(site, maker, signal));
        places.defer(await toSlowOfHost.enter(url.host, site, signal));
        places.defer(await toSlow.enter('', site, signal));
      }
      places.defer(await ofMaker.enter(maker, name, signal));
      places.defer(await toHost.enter(url.host, maker, signal));
      places.defer(await ofSite.enter(site, maker, signal));
      places.defer(await toAll.enter('', site, signal));
      return places.move();
    },

    /** Sends a message. `stop` aborts it, and the call then fails with the reason of `stop`. */
    async send({ name, url }: Target, message: Message, stop?: AbortSignal): Promise<Sent> {
      const limit = clock.limit(limits.totalMs);
      const since = clock.steady();
      const passed = () => {
        const ms = Math.round(clock.steady() - since);
        isQuick.set(name, ms < limits.slowMs);
        return ms;
      };
      try {
        const status = await post(url, message, stop ? AbortSignal.any([limit, stop]) : limit);
        return { status, ms: passed() };
      } catch (error) {
        stop?.throwIfAborted();
        const { reason, cause } = error as OutboundError;
        const problem = reason === 'late' || reason === 'not_allowed' ? reason : 'unreachable';
        return { status: null, ms: passed(), problem, cause };
      }
    },
  };
}
