import { type Answer, conformity, type OpenApi, read, showsNoAffiliate } from '../../conformance/answers.ts';
import type { Name, TestService } from './support.ts';

export { type Answer, isWellFormed, type OpenApi, read } from '../../conformance/answers.ts';

/** Sends `'POST /items'` as somebody or nobody; a body that is no string goes as JSON. */
export type Call = (
  as: Name | undefined,
  target: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer>;

/** Calls a service, and checks every answer against the rules for all answers and its own documentation. */
export async function callsOf(service: TestService, common: Record<string, string> = {}): Promise<Call> {
  const document: OpenApi = await (await service.fetch('/openapi.json', { headers: common })).json();
  const check = conformity(document);

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
