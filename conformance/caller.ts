import { setTimeout } from 'node:timers/promises';
import type { Accounts, Role } from './accounts.ts';
import { type Answer, conformity, isWellFormed, type OpenApi, read, showsNoAffiliate } from './answers.ts';

/**
 * Sends `'POST /items'` as somebody or nobody. Text goes as JSON, bytes go as they are and without a content type,
 * anything else is written as JSON.
 */
export type Call = (
  as: Role | undefined,
  target: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer>;

export type Caller = {
  ask: Call;
  /** Holds an answer against what is promised of all answers, and against the service's own description. */
  check: (as: Role | undefined, target: string, answer: Answer) => void;
};

const TIMEOUT_MS = 60_000;
/** A service that is busy for a moment refuses with 503 and `Retry-After`, and is asked again so often. */
const BUSY_TIMES = 5;

export const authorizationOf = ({ name, password }: { name: string; password: string }) =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;

/** How the service at this address is asked. */
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
    // HEAD is in no description.
    if (method !== 'HEAD') conforms?.(method, path, answer);
    if (as && as !== 'administrator') showsNoAffiliate(path, answer);
  };
  return { ask, check };
}
