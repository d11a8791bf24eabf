import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';

// biome-ignore lint/suspicious/noExplicitAny: answers are examined field by field
export type Answer = { status: number; headers: Headers; text: string; body: any };

type Schema = Record<string, unknown>;
type Operation = { responses: Record<string, { content?: Record<string, { schema: Schema }> }> };
export type OpenApi = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

export async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = /^application\/json/.test(response.headers.get('content-type') ?? '');
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : null,
  };
}

/** Checks that a failure is `{detail}` and reveals no internals, and that every answer has a request id. */
export function isWellFormed({ status, headers, text, body }: Answer): void {
  assert.match(headers.get('x-request-id') ?? '', /^[\w.:-]{1,128}$/, `no request id: ${status} ${text}`);
  if (status < 400) return;
  assert.match(headers.get('content-type') ?? '', /^application\/json(;|$)/);
  assert.deepEqual(Object.keys(body), ['detail'], text);
  assert.ok(typeof body.detail === 'string' && body.detail.length > 0, text);
  assert.doesNotMatch(body.detail, /\n|node_modules|\.ts\b|SQLITE|FST_|\bat .*:\d+/, 'tells of insides');
  if (status !== 500) assert.notEqual(body.detail, 'Internal error');
}

/** Checks that an answer contains no affiliate fields, except at their own endpoint and in errors that name the caller's fields. */
export function showsNoAffiliate(path: string, { status, text }: Answer): void {
  if (status < 400 && !path.endsWith('/affiliate'))
    assert.ok(!text.includes('affiliate_'), `${path}: ${text}`);
}

/** Returns a check that throws unless an answer is documented, with only documented fields. */
export function conformity({ paths, components }: OpenApi) {
  // Every documented field is listed by name, so any other field would be a leak.
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  const closed = JSON.parse(JSON.stringify({ paths, components }), (_key, value) =>
    value?.type === 'object' && value.properties ? { ...value, additionalProperties: false } : value,
  );
  ajv.addSchema({ $id: 'api', ...closed });
  const routes = Object.keys(paths).map((path) => ({
    path,
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));

  return (method: string, target: string, answer: Answer): void => {
    isWellFormed(answer);
    const path = routes.find(({ pattern }) => pattern.test(target.split('?', 1)[0] ?? ''))?.path ?? '';
    const operation = paths[path]?.[method.toLowerCase()];
    if (!operation) {
      assert.ok(
        [404, 405].includes(answer.status),
        `${method} ${target} is not documented: ${answer.status}`,
      );
      return;
    }
    const documented = operation.responses[answer.status];
    assert.ok(documented, `${method} ${path} may not answer ${answer.status}: ${answer.text}`);
    if (!documented.content) {
      assert.equal(answer.text, '', `${method} ${path}: ${answer.status} has no body`);
      return;
    }
    const pointer = ['paths', path, method.toLowerCase(), 'responses', String(answer.status), 'content']
      .concat('application/json', 'schema')
      .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    const fits = ajv.getSchema(`api#/${pointer}`)!;
    assert.ok(fits(answer.body), `${method} ${path} ${answer.status}: ${ajv.errorsText(fits.errors)}`);
  };
}
