import { type Answer, conformity, type OpenApi, read, showsNoAffiliate } from '../../conformance/answers.ts';
import { send } from './send.ts';
import type { Name, TestService } from './support.ts';

export { type Answer, isWellFormed, type OpenApi, read } from '../../conformance/answers.ts';

/** Sends `'POST /items'` as somebody or nobody; a body that is no string goes as JSON. */
export type Call<Caller = Name> = (
  as: Caller | undefined,
  target: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer>;

/** Asks a service, or the site of it, at this address, as the same callers but without a check. */
export const askAt =
  <Caller extends string = Name>(base: string, credentials: (caller: Caller) => string): Call<Caller> =>
  async (as, target, json, headers = {}) => {
    const [method = '', path = ''] = target.split(' ');
    const type = json !== undefined && { 'content-type': 'application/json' };
    const sent = { ...(as && { authorization: credentials(as) }), ...type, ...headers };
    const body = json === undefined ? null : JSON.stringify(json);
    return read(await send(base + path, { method, headers: sent, body }));
  };

/** Calls a service, and checks every answer against the rules for all answers and its own documentation. */
export async function callsOf(service: TestService, common: Record<string, string> = {}): Promise<Call> {
  const check = await rulesOf(service, common);

  return async (as, target, body, headers = {}) => {
    const [method = '', path = ''] = target.split(' ');
    const isText = typeof body === 'string';
    const response = await service.fetch(path, {
      method,
      headers: { ...common, ...(isText && { 'content-type': 'application/json' }), ...headers },
      ...(as && { as }),
      ...(isText ? { body } : body !== undefined && { json: body }),
    });
    const answer = await read(response);
    check(method, path, answer);
    if (as !== 'admin') showsNoAffiliate(path, answer);
    return answer;
  };
}

// To write the document and to compile its schemas takes longer than a start, and services with the same settings have the same one.
const rules = new Map<string, Promise<ReturnType<typeof conformity>>>();

function rulesOf(service: TestService, headers: Record<string, string>) {
  const { DATABASE_URL, HOST_URL, LOOKUP_ALLOW, ...settings } = service.settings;
  const kind = JSON.stringify(settings);
  const known = rules.get(kind);
  if (known) return known;
  const read = async () =>
    conformity((await (await service.fetch('/openapi.json', { headers })).json()) as OpenApi);
  const found = read();
  rules.set(kind, found);
  found.catch(() => rules.delete(kind));
  return found;
}
