import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, FastifySchema } from 'fastify';
import type { Facts } from './routes.ts';

// What holds for more than one route.
const RULES = `
Items, registries, invitees and affiliate links of gift registries.

**Who.** Every endpoint but \`/\` and \`/health\` takes \`Authorization: Basic\`: a user name (or e-mail address) and an
application password of the registry host. Owner and admins write a registry, invitees read it. Admins get \`Item\`, everybody
else \`ItemPublic\`, which has no affiliate link.

**Failures** are \`{"detail": string}\`, always. An outage of the host is 502 or 504, never 401 and never an empty list.

**Types** are strict: \`"12"\` is no number, \`1.5\` no quantity. Lengths count characters (code points). Text must not hold NUL or
lone surrogates. Unknown fields are ignored. Timestamps are ISO 8601 in UTC with milliseconds.

**\`null\`** in a new item means the same as leaving the field out; in an update it clears the field, or brings its default
back. \`name\` and \`url\` refuse it.

**Deleting** an item sets \`is_active\` to false; it is then 404. \`PUT\` with \`is_active: true\` restores it. \`PUT\` with \`{}\` answers
the item unchanged.

**Concurrent changes.** Each answer with one item carries an \`ETag\`. \`PUT\` and \`DELETE\` with \`If-Match\` change only that state,
otherwise 412 with the current \`ETag\`. A \`POST\` with an \`Idempotency-Key\` may be sent again within 24 hours: it happens once and
gives the first answer; with another body it is 422.

**Registries.** A new one is private. \`registry_item_ids\` reorders: only active items of the registry, those left out keep their
order behind. \`registry_invitees\` replaces the list. Invitees are user names or e-mail addresses, matched without regard to case,
kept as given, once. What you read is what you may send.
`;

type Documented = FastifySchema & { security?: unknown[] };
type Header = { type: 'string'; description: string };
type Body = { type?: string; description?: string };

const header = (description: string): Header => ({ type: 'string', description });

const EVERY_ANSWER = {
  'X-Request-Id': header("The request's id in the log; the caller's own, when sensible"),
};
const RETRY = { 'Retry-After': header('Seconds to wait') };
const ETAG = { ETag: header("Names the item's state, for `If-Match` and `If-None-Match`") };
const TOTALS = {
  'X-Host-Total': header('How many there are on the host'),
  'X-Host-TotalPages': header('How many pages of this `limit` that makes'),
};

const FAILURES: Record<number, { description: string; headers?: Record<string, Header> }> = {
  400: { description: 'The body is not JSON' },
  401: {
    description: 'Credentials missing, malformed or rejected',
    headers: { 'WWW-Authenticate': header('`Basic realm="trousseau"`') },
  },
  403: { description: 'Signed in, but not allowed; or the gateway key is missing' },
  404: { description: 'Not there' },
  409: {
    description:
      'The registry holds as many items as it may, or the first request with this `Idempotency-Key` has no answer yet',
    headers: RETRY,
  },
  412: { description: '`If-Match` no longer matches', headers: ETAG },
  413: { description: 'The body is larger than 1 MiB' },
  415: { description: 'The body is not application/json' },
  422: { description: 'Fields against their constraints: `detail` names every one' },
  429: { description: 'Too many failed sign-ins', headers: RETRY },
  500: { description: 'A fault of the service' },
  502: { description: 'The registry host cannot be reached, or answers nonsense' },
  503: { description: 'The store cannot be reached, or the service is over its limits', headers: RETRY },
  504: { description: 'The registry host answers too late' },
};

const PARAMETERS: Record<string, object> = {
  id: { type: 'integer', minimum: 1, description: "The registry's id" },
  item_id: { type: 'integer', minimum: 1, description: "The item's id" },
  invitee: { type: 'string', description: 'A user name or an e-mail address' },
};

const TAGS: Facts['tag'][] = [
  'Health',
  'Items',
  'Registries',
  'Registry items',
  'Invitees',
  'Affiliate links',
];

const object = (properties: Record<string, unknown>, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
});

const response = (schema: Body, description: string, headers: Record<string, Header> = {}) => ({
  ...(schema.type === 'null' ? { type: 'null' } : { content: { 'application/json': { schema } } }),
  description,
  headers: { ...headers, ...EVERY_ANSWER },
});

// What all routes share is said here once; what is true of one stands on it.
function described(
  schema: Documented,
  facts: Facts,
  url: string,
  method: string,
): Documented & Record<string, unknown> {
  const names = [...url.matchAll(/:(\w+)/g)].map(([, name]) => name!);
  const signedIn = schema.security === undefined;

  const statuses = [
    ...(signedIn ? [401, 403, 429, 500, 502, 503, 504] : [500, 503]),
    ...(names.length > 0 || facts.mayMiss ? [404] : []),
    ...(schema.body || method === 'DELETE' ? [400, 413, 415] : []),
    ...(schema.body || schema.querystring ? [422] : []),
    ...(facts.honoursIfMatch ? [412] : []),
    ...(facts.repeatable ? [409] : []),
  ];
  const headers = {
    ...(facts.honoursIfMatch && {
      'If-Match': header('Only if the item is still in the state of this ETag'),
    }),
    ...(facts.repeatable && {
      'Idempotency-Key': header(
        'Names this request: should it arrive again within 24 hours, the first answer is given again',
      ),
    }),
    ...(facts.honoursIfNoneMatch && {
      'If-None-Match': header('Answer 304 if the item is still in the state of this ETag'),
    }),
  };
  const sent = { ...(facts.answersEtag && ETAG), ...(facts.answersTotals && TOTALS) };
  const successes = Object.entries(schema.response as Record<string, Body>).map(([status, body]) => [
    status,
    response(body, body.description ?? 'Success', sent),
  ]);
  const failures = statuses.map((status) => {
    const { description, headers } = FAILURES[status]!;
    return [status, response({ $ref: 'Error#' } as Body, description, headers)];
  });

  return {
    ...schema,
    summary: facts.summary,
    operationId: [method.toLowerCase(), ...(url.match(/\w+/g) ?? ['welcome'])].join('_'),
    tags: [facts.tag],
    ...(names.length > 0 && {
      params: object(Object.fromEntries(names.map((name) => [name, PARAMETERS[name]])), names),
    }),
    ...(Object.keys(headers).length > 0 && { headers: object(headers) }),
    response: {
      ...Object.fromEntries(successes),
      ...(facts.honoursIfNoneMatch && { 304: response({ type: 'null' }, 'Not changed', ETAG) }),
      ...Object.fromEntries(failures),
    },
  };
}

// `list` checks its entries in two steps; to a reader it is a list with entries.
const plainLists = (_key: string, value: { if?: unknown; then?: { items?: unknown } } | null) => {
  if (!value?.if || !value.then?.items) return value;
  const { if: _if, then, ...rest } = value;
  return { ...rest, items: then.items };
};

/** Describes every route that comes after it, from the contract. */
export async function describeRoutes(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Trousseau item service',
        version,
        description: RULES,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/' }],
      components: {
        securitySchemes: {
          basic: {
            type: 'http',
            scheme: 'basic',
            description: 'A user name and an application password of the registry host',
          },
          gatewayKey: {
            type: 'apiKey',
            in: 'header',
            name: 'x-api-key',
            description: 'The gateway key, where one is asked for',
          },
        },
      },
      security: [{ basic: [] }, { basic: [], gatewayKey: [] }],
      tags: TAGS.map((name) => ({ name })),
    },
    refResolver: { buildLocalReference: (json) => String(json.$id) },
    transform: ({ schema, url, route }) => {
      const facts = (route.config as { facts?: Facts } | undefined)?.facts;
      const method = String([route.method].flat()[0]);
      return { schema: facts ? described(schema as Documented, facts, url, method) : schema, url };
    },
    transformObject: (document) =>
      JSON.parse(JSON.stringify('openapiObject' in document ? document.openapiObject : {}, plainLists)),
  });
}

/** `/openapi.json`, and `/docs` that reads it. Neither needs any other server. */
export async function documentation(app: FastifyInstance): Promise<void> {
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: { tryItOutEnabled: true, deepLinking: true, persistAuthorization: true },
    theme: {
      title: 'Trousseau item service',
      css: [{ filename: 'plain.css', content: '.swagger-ui .topbar { display: none }' }],
    },
  });
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
}
