import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { ExportRequest, Imported, MoveEnd } from '../contract/index.ts';
import { Type } from '../contract/typebox.ts';
import type { MoveRules } from '../domain/moving.ts';
import { Problem } from '../problem.ts';
import { NO_CONTENT } from './response.ts';
import { route } from './routes.ts';
import { networkOf } from './sign-in-limits.ts';

const GZIP = 'application/gzip';
const tag = 'Sites';
const hasMoved = 'The site has moved to another service';
const file = Type.String({ format: 'binary', description: 'The file of `npm run sites -- export`, gzipped' });

/** A site moves from one service to another; its WordPress carries the file. */
export function moving(rules: MoveRules) {
  return {
    export: route(
      {
        tag,
        summary: 'Closes a site for ten minutes and gives all its rows (admins only)',
        answersFile: GZIP,
        servedWhile: ['moving'],
        refusals: {
          403: 'Not an admin, or the site does not show this token at its own address',
          409: 'The move was ended, or begun anew, before the file was written',
          410: hasMoved,
          429: 'More than 10 attempts in an hour from one address',
        },
      },
      { body: ExportRequest, response: { 200: file } },
      async ({ viewer, site, body, ip }, reply) => {
        const packed = await rules.export(viewer, site.key!, body.token, networkOf(ip));
        return reply.type(GZIP).send(packed);
      },
    ),

    end: route(
      {
        tag,
        summary: 'Ends a move: the site is at another service for good, or stays (admins only)',
        servedWhile: ['moving', 'moved'],
        refusals: {
          403: 'Not an admin',
          409: '`moved`: the site was not exported in the last ten minutes',
          410: `\`kept\`: ${hasMoved.toLowerCase()}`,
        },
      },
      { body: MoveEnd, response: NO_CONTENT },
      async ({ viewer, site, body }, reply) => {
        await rules.end(viewer, site.key!, body.state);
        return reply.code(204).send();
      },
    ),

    import: route(
      {
        tag,
        summary: 'Fills an empty site with the rows of such a file, all or none (admins only)',
        takesFile: GZIP,
        servedWhile: ['moving'],
        refusals: {
          403: 'Not an admin',
          409: 'The site has gifts or webhooks, or the file more active items than the site may have',
          410: hasMoved,
          413: 'The file is larger than 64 MiB, packed or unpacked, or has more than 200,000 rows',
          415: 'The body is not application/gzip',
          422: 'The file is cut off, changed, of another site or of a newer service',
        },
      },
      { response: { 200: Imported } },
      ({ viewer, site, body }) => rules.import(viewer, site.key!, body as Readable),
    ),
  };
}

/** Bodies in this scope are files, which are read as they come. */
export function acceptFilesOnly(app: FastifyInstance): void {
  const refusal = () => new Problem('unsupported_media_type', `The body must be ${GZIP}`);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(GZIP, (_request, payload, done) => done(null, payload));
  app.addContentTypeParser('*', (_request, _payload, done) => done(refusal()));
  app.addHook('preValidation', (request, _reply, done) =>
    done(request.body === undefined ? refusal() : undefined),
  );
}
