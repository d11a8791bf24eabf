import { setTimeout } from 'node:timers/promises';
import type { Accounts, Role } from './accounts.ts';
import { type Answer, conformity, isWellFormed, type OpenApi, read, showsNoAffiliate } from './answers.ts';

/**
 * Sends a request such as `'POST /items'` as one of the accounts or anonymously. Strings are sent unchanged as JSON, bytes without
 * a content type, and anything else is serialized as JSON.
 */
export type Call = (
  as: Role | undefined,
  target: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer>;

export type Caller = {
  ask: Call;
  /** Whether the run was given a key, so that the service has to ask for one. */
  hasKey: boolean;
  /** Checks the rules for all answers, and the service's own OpenAPI document. */
  check: (as: Role | undefined, target: string, answer: Answer) => void;
};

const TIMEOUT_MS = 60_000;
/** How often to repeat a request when a busy service answers 503 with `Retry-After`. */
const BUSY_TIMES = 5;

export const authorizationOf = ({ name, password }: { name: string; password: string }) =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;

/** Returns functions that call the service at this address. */
export async function callerOf(url: string, accounts: Accounts): Promise<Caller> {
  const ask: Call = async (as, target, body, headers) => {
    for (let left = BUSY_TIMES; ; left--) {
      const answer = await send(as, target, body, headers);
      const seconds =
        answer.status === 503 ? Number(answer.headers.get('retry-after') ?? Number.NaN) : Number.NaN;
      if (left === 0 || !(seconds <= 5) || body instanceof ReadableStream) return answer;
      await setTimeout(seconds * 1000);
    }
  };
  const send: Call = async (as, target, body, headers = {}) => {
    const [method = '', path = ''] = target.split(' ');
    const isJson = body !== undefined && !(body instanceof Uint8Array) && !(body instanceof ReadableStream);
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        ...(as && { authorization: authorizationOf(accounts[as]) }),
        ...(accounts.api_key !== undefined && { 'x-api-key': accounts.api_key }),
        ...(isJson && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && {
        body: isJson && typeof body !== 'string' ? JSON.stringify(body) : (body as BodyInit),
      }),
      ...(body instanceof ReadableStream && { duplex: 'half' as const }),
    });
    return read(response);
  };

  const described = await ask(undefined, 'GET /openapi.json');
  const document: OpenApi | null = described.status === 200 ? described.body : null;
  const conforms = document?.paths?.['/items'] ? conformity(document) : undefined;

  const check: Caller['check'] = (as, target, answer) => {
    const [method = '', path = ''] = target.split(' ');
    isWellFormed(answer);
    // The OpenAPI document doesn't describe HEAD.
    if (method !== 'HEAD') conforms?.(method, path, answer);
    if (as && as !== 'administrator') showsNoAffiliate(path, answer);
  };
  return { ask, hasKey: accounts.api_key !== undefined, check };
}
