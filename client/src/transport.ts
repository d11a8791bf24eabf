/** Where the service is and who calls it; each setting falls back to the environment variable named above it. */
export type ClientOptions = {
  /** `TROUSSEAU_BASE_URL` */
  baseUrl?: string | undefined;
  /** `TROUSSEAU_API_KEY`, sent as `x-api-key` */
  apiKey?: string | undefined;
  /** `TROUSSEAU_USERNAME` */
  username?: string | undefined;
  /** `TROUSSEAU_APP_PASSWORD`, an application password of the host */
  password?: string | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Replaces `process.env`. */
  env?: Record<string, string | undefined> | undefined;
};

/** Options of every call: `signal` cancels it, and it rejects with the signal's reason. */
export type CallOptions = { signal?: AbortSignal | undefined };

export type ApiErrorCode = 'api_not_configured' | 'api_error' | 'api_unreachable' | 'api_timeout';

/** The error of every failed call; 404 isn't a failure but `null`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ApiErrorCode;
  /** The HTTP status, if there was an answer (0 for a redirect that a browser hides). */
  readonly data: { status?: number };
  /** Seconds to wait before the next attempt, if the service says so. */
  readonly retryAfter: number | undefined;

  constructor(
    code: ApiErrorCode,
    message: string,
    details: { status?: number; retryAfter?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, details);
    this.code = code;
    this.data = details.status === undefined ? {} : { status: details.status };
    this.retryAfter = details.retryAfter;
  }
}

/** Options of one request; the parts of a path are encoded here, and `open` omits the credentials. */
export type Call = CallOptions & {
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  ifMatch?: string | null | undefined;
  ifNoneMatch?: string | null | undefined;
  idempotencyKey?: string | undefined;
  language?: string | undefined;
  open?: boolean;
  timeoutMs?: number;
};

/** Sends a request. Returns `null` for 404, the body `true` for 204, and the body `undefined` for a 304 to `ifNoneMatch`. */
export type Send = <T>(
  method: string,
  path: readonly (string | number)[],
  call?: Call,
) => Promise<{ body: T; headers: Headers } | null>;

const TIMEOUT_MS = 10_000;

export function createTransport(options: ClientOptions): Send {
  const env = options.env ?? globalThis.process?.env ?? {};
  const baseUrl = (options.baseUrl || env.TROUSSEAU_BASE_URL || '').replace(/\/+$/, '');
  const apiKey = options.apiKey || env.TROUSSEAU_API_KEY;
  const username = options.username || env.TROUSSEAU_USERNAME;
  const password = options.password || env.TROUSSEAU_APP_PASSWORD;

  const credentials: Record<string, string> = {};
  if (apiKey) credentials['x-api-key'] = apiKey;
  if (username && password) credentials.authorization = `Basic ${base64(`${username}:${password}`)}`;
  const fault = faultOf(baseUrl, credentials);

  return async (method, path, call = {}) => {
    const { query = {}, body, ifMatch, ifNoneMatch, idempotencyKey, language, open, signal } = call;
    const { timeoutMs = TIMEOUT_MS } = call;
    if (fault) throw new ApiError('api_not_configured', fault);
    const url = baseUrl + pathOf(path) + queryOf(query);
    const headers = new Headers({ accept: 'application/json', ...(open ? {} : credentials) });
    if (body !== undefined) headers.set('content-type', 'application/json');
    if (ifMatch) headers.set('if-match', ifMatch);
    if (ifNoneMatch) headers.set('if-none-match', ifNoneMatch);
    if (typeof idempotencyKey === 'string') headers.set('idempotency-key', idempotencyKey);
    if (language) headers.set('accept-language', language);
    const timeout = AbortSignal.timeout(timeoutMs);
    const init: RequestInit = {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      redirect: 'manual', // a redirect would carry the credentials along
      credentials: 'omit', // no cookies, and no browser's own password prompt on 401
    };

    let response: Response;
    let text: string;
    try {
      response = await (options.fetch ?? globalThis.fetch)(url, init);
      text = await response.text();
    } catch (cause) {
      signal?.throwIfAborted();
      if (timeout.aborted) {
        throw new ApiError(
          'api_timeout',
          `The item service did not answer within ${timeoutMs / 1000} seconds`,
          { cause },
        );
      }
      throw new ApiError('api_unreachable', 'The item service cannot be reached', { cause });
    }

    const { status } = response;
    if (status === 404) return null;
    const decoded = status === 204 ? true : decode(text);
    const isKnown = status === 304 && !!ifNoneMatch;
    if (isKnown || (response.ok && decoded !== undefined))
      return { body: decoded, headers: response.headers };
    throw new ApiError('api_error', messageOf(status, decoded), {
      status,
      retryAfter: secondsOf(response.headers.get('retry-after')),
    });
  };
}

// Checked before the first request: fetch's own error would quote the address or the header, which may hold credentials.
function faultOf(baseUrl: string, headers: Record<string, string>): string | undefined {
  if (!baseUrl) return 'The item service is not configured: no base URL is set';
  const base = globalThis.location?.href;
  const url = URL.canParse(baseUrl, base) ? new URL(baseUrl, base) : null;
  if (!url || !/^https?:$/.test(url.protocol)) return 'The base URL is not an http or https address';
  if (url.username || url.password) return 'The base URL must not hold a user name or a password';
  if (/[?#\s]/.test(baseUrl)) return 'The base URL must not contain a query, a fragment or a space';
  try {
    new Headers(headers);
  } catch {
    return 'The API key holds characters that a header cannot carry';
  }
  return undefined;
}

function pathOf(parts: readonly (string | number)[]): string {
  for (const part of parts) {
    // These would lead to another, existing path: the URL standard resolves ".." even when percent-encoded.
    if (/^\.{0,2}$/.test(`${part}`))
      throw new ApiError('api_error', `"${part}" cannot be part of an address`);
  }
  return `/${parts.map(encodeURIComponent).join('/')}`;
}

function queryOf(query: Record<string, string | number | undefined>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return given.length ? `?${new URLSearchParams(given.map(([name, value]) => [name, `${value}`]))}` : '';
}

// btoa takes bytes, not text: a name beyond Latin-1 goes through UTF-8 first.
function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

// A body of `null` counts as invalid, because callers would take it for 404.
// biome-ignore lint/suspicious/noExplicitAny: the caller names the type that the contract promises
function decode(text: string): any {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}

function messageOf(status: number, body: unknown): string {
  const detail = (body as { detail?: unknown } | undefined)?.detail;
  if (typeof detail === 'string' && detail) return detail;
  if (status >= 400) return `The item service answered with HTTP status ${status}`;
  if (status >= 200 && status < 300) return 'The item service answered without a JSON document';
  return 'The item service answered with a redirect, which is not followed: check the base URL';
}

// Retry-After is a number of seconds or a date.
function secondsOf(header: string | null): number | undefined {
  if (!header) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}
