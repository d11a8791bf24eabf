import { isUtf8 } from 'node:buffer';
import { parse } from 'node:querystring';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../problem.ts';
import { notHere } from './errors.ts';

/** The query as an object, whole numbers as numbers: from there on it is checked as strictly as a body. */
export function parseQuery(text: string): Record<string, unknown> {
  if (text === '') return {};
  const query: Record<string, unknown> = parse(text);
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === 'string' && /^-?\d{1,16}$/.test(value)) query[name] = Number(value);
  }
  return query;
}

const MOST_LEVELS = 100;

/** Whether JSON is nested deeper than any body that is accepted: code that recurses into it could exhaust the stack. */
function isTooDeep(json: string): boolean {
  let level = 0;
  let inString = false;
  for (let i = 0; i < json.length; i++) {
    const character = json[i];
    if (inString) {
      if (character === '\\') i++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '[' || character === '{') {
      if (++level > MOST_LEVELS) return true;
    } else if (character === ']' || character === '}') level--;
  }
  return false;
}

/** Bodies are JSON in UTF-8 or nothing; a route that needs one says so. */
export function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.decorateRequest('rawBody', undefined);
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    if (request.headers['idempotency-key'] !== undefined) request.rawBody = body;
    try {
      // Decoding would quietly replace broken bytes.
      if (!isUtf8(body)) throw new SyntaxError();
      const text = body.toString();
      if (isTooDeep(text))
        return done(new Problem('bad_request', `The body is nested deeper than ${MOST_LEVELS} levels`));
      done(null, JSON.parse(text));
    } catch {
      done(new Problem('bad_request', 'The body is not valid JSON'));
    }
  });
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    done(new Problem('unsupported_media_type', 'The body must be application/json'));
  });
  app.addHook('onRoute', (options) => {
    if (options.schema?.body === undefined) return;
    options.preValidation = (request, _reply, done) =>
      done(request.body === undefined ? new Problem('bad_request', 'A JSON body is required') : undefined);
  });
}

/** Why no route takes a request: 405 with the methods where the path exists, otherwise 404. */
export function explainUnrouted(app: FastifyInstance) {
  const paths = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return;
    const pattern = new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`);
    const path = paths.get(url) ?? { pattern, methods: new Set() };
    for (const each of [method].flat()) path.methods.add(each);
    paths.set(url, path);
  });

  return (request: FastifyRequest): Problem => {
    // A proxy may send the whole address instead of the path.
    const path = request.url.replace(/^https?:\/\/[^/]*/i, '').split('?', 1)[0]!;
    const methods = [...paths.values()].find(({ pattern }) => pattern.test(path))?.methods;
    if (!methods || methods.has(request.method)) return notHere();
    const headers = { allow: [...methods].sort().join(', ') };
    return new Problem('method_not_allowed', `${request.method} is not allowed here`, { headers });
  };
}

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

const isDay = (text: string): boolean => {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text;
};

/** Formats of the contract that JSON Schema doesn't have. */
export const FORMATS = {
  address: (text: string) => /^[^@\s]+@[^@\s]+$/.test(text),
  currency: (text: string) => CURRENCIES.has(text),
  surprise: (text: string) => text === '' || text === 'always' || isDay(text),
};
