import { createHmac } from 'node:crypto';
import { isIP, type Socket } from 'node:net';
import { bounded } from '../lib/cache.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { AddressRefused } from '../lib/outbound.ts';
import { semaphore } from '../lib/semaphore.ts';
import { type ConnectRules, guardedConnector, PUBLIC_WEB } from './connect.ts';
import { dnsResolver } from './dns.ts';

const HTTPS_PORT = 443;

const LIMITS = {
  connectMs: 5_000,
  /** From the first look for the address to the status line. */
  totalMs: 15_000,
  headBytes: 16 * 1024,
  interimAnswers: 10,
  /** Requests at a time to one host, to all, for one of many sites, and for one person who has made webhooks. */
  toHost: 64,
  toAll: 256,
  ofOneSite: 128,
  ofOneMaker: 32,
  /** Requests among them to webhooks that have not answered soon last time: to all, to one host, and for one maker. */
  toSlow: 64,
  toSlowOfHost: 32,
  slowOfOneMaker: 8,
  slowMs: 3_000,
  /** Webhooks whose pace is remembered. */
  remembered: 10_000,
};
export type SenderLimits = typeof LIMITS;

export type SendProblem = 'unreachable' | 'late' | 'not_allowed';

/** The outcome of a request: the answer's status, or the reason why there was none. */
export type Sent = { ms: number } & (
  | { status: number }
  | { status: null; problem: SendProblem; cause: unknown }
);

/** A webhook by a name of its own, and the site and the maker that it is of. */
export type Target = { name: string; url: URL; site: string; maker: string };

export type Message = { id: string; body: string; secret: string; time: number };

export type Options = {
  version: string;
  /** `host:port`s that may be reached whatever their address and port are, without https as well. */
  allowed: string[];
  clock?: Pick<Clock, 'steady' | 'limit'>;
  limits?: Partial<SenderLimits> | undefined;
  rules?: Partial<ConnectRules> | undefined;
};

/** Sends signed events to addresses that strangers give, with limits on everything. */
export type WebhookSender = ReturnType<typeof webhookSender>;

export function webhookSender({ version, allowed, clock = systemClock, ...options }: Options) {
  const limits = { ...LIMITS, ...options.limits };
  const rules = { allowed, ...PUBLIC_WEB, resolve: dnsResolver(), ...options.rules };
  const connect = guardedConnector(rules, limits.connectMs);
  const toHost = semaphore(limits.toHost);
  const toAll = semaphore(limits.toAll);
  const ofSite = semaphore(limits.ofOneSite);
  const ofMaker = semaphore(limits.ofOneMaker);
  // Webhooks that are not known to be quick share some of the places: however many there are, the others find one.
  const toSlowOfHost = semaphore(limits.toSlowOfHost, limits.slowOfOneMaker);
  const toSlow = semaphore(limits.toSlow, limits.slowOfOneMaker);
  const isQuick = bounded<string, boolean>(limits.remembered);

  /** Connected to the address, or refused; a connection that comes too late is closed. */
  function connected(url: URL, signal: AbortSignal): Promise<Socket> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      const { protocol, hostname, host, port } = url;
      connect({ protocol, hostname, host, port, servername: null } as never, (error, socket) => {
        if (error || !socket) return reject(error ?? new Error('not connected'));
        if (signal.aborted) return void socket.destroy();
        resolve(socket);
      });
    });
  }

  async function post(url: URL, { id, body, secret, time }: Message, signal: AbortSignal): Promise<number> {
    const socket = await connected(url, signal);
    const end = () => void socket.destroy();
    signal.addEventListener('abort', end, { once: true });
    try {
      const timestamp = String(Math.floor(time / 1000));
      const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
      const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
      const bytes = Buffer.from(body);
      const head = [
        `POST ${url.pathname}${url.search} HTTP/1.1`,
        `host: ${url.host}`,
        `user-agent: Trousseau/${version}`,
        'content-type: application/json',
        `content-length: ${bytes.length}`,
        `webhook-id: ${id}`,
        `webhook-timestamp: ${timestamp}`,
        `webhook-signature: v1,${signature}`,
        'connection: close',
      ];
      const status = statusOf(socket, limits);
      socket.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]));
      return await status;
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    } finally {
      signal.removeEventListener('abort', end);
      end();
    }
  }

  return {
    /** The reason why an address is never sent to, as far as it says so itself. */
    refusalOf({ protocol, hostname, port }: URL): string | undefined {
      const number = Number(port || (protocol === 'https:' ? HTTPS_PORT : 80));
      if (allowed.includes(`${hostname}:${number}`)) return undefined;
      if (protocol !== 'https:') return 'must begin with https://';
      const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
      const isPrivate = isIP(host) ? !rules.isPublicIp(host) : /(?:^|\.)localhost$/.test(host);
      return isPrivate || number !== HTTPS_PORT ? 'must be an address of the public web' : undefined;
    },

    /** Whether the webhook of this name has answered soon when it was sent to last. */
    isQuick: (name: string): boolean => isQuick.get(name) === true,

    /** Waits until a request may be sent; returns the function that lets the next one. Makers take turns at each limit. */
    async enter({ name, url, site, maker }: Target, signal: AbortSignal): Promise<() => void> {
      const waysOut: (() => void)[] = [];
      const leave = () => {
        for (const way of waysOut) way();
      };
      try {
        // The narrowest first: whoever waits there holds no place that others need.
        if (!isQuick.get(name)) {
          waysOut.push(await toSlowOfHost.enter(url.host, maker, signal));
          waysOut.push(await toSlow.enter('', maker, signal));
        }
        waysOut.push(await ofMaker.enter(maker, name, signal));
        waysOut.push(await toHost.enter(url.host, maker, signal));
        waysOut.push(await ofSite.enter(site, maker, signal));
        waysOut.push(await toAll.enter('', site, signal));
        return leave;
      } catch (error) {
        leave();
        throw error;
      }
    },

    /** Sends a message; `stop` ends it early, and then this fails with its reason. */
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
        return { status: null, ms: passed(), problem: problemOf(error), cause: error };
      }
    },
  };
}

function problemOf(error: unknown): SendProblem {
  if (error instanceof AddressRefused && error.isAsWritten) return 'not_allowed';
  const { name, code } = error as { name?: string; code?: string };
  return name === 'TimeoutError' || code === 'UND_ERR_CONNECT_TIMEOUT' ? 'late' : 'unreachable';
}

/**
 * The status of the answer on a connection. Not by `outbound`, which waits for the end of the headers: the status line says
 * everything, and a receiver that never ends its headers has answered.
 */
function statusOf(socket: Socket, { headBytes, interimAnswers }: SenderLimits): Promise<number> {
  return new Promise((resolve, reject) => {
    let head = '';
    let interim = 0;
    const fail = (why: string) => reject(new Error(why));
    socket.on('error', reject);
    socket.on('close', () => fail('closed without an answer'));
    socket.on('data', (chunk: Buffer) => {
      head += chunk.toString('latin1');
      for (;;) {
        const line = /^HTTP\/1\.[01] ([1-9]\d\d)[^\n]*\n/.exec(head);
        if (!line && (head.includes('\n') || head.length > headBytes)) return fail('no answer of HTTP');
        if (!line) return;
        if (!line[1]!.startsWith('1')) return resolve(Number(line[1]));
        const end = /\r?\n\r?\n/.exec(head);
        if (!end && head.length <= headBytes) return;
        if (!end || ++interim > interimAnswers) return fail('only interim answers');
        head = head.slice(end.index + end[0].length);
      }
    });
  });
}
