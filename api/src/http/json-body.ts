import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../contract/problem.ts';
import { isTooDeep, MOST_LEVELS } from '../lib/json.ts';

/** Bodies are JSON in UTF-8, or empty; a route whose schema has a body refuses an empty one. */
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
