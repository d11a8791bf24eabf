import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import Fastify, { type FastifyInstance, type FastifySchema, type RouteOptions } from 'fastify';
import { type RouteInfo, TAGS } from './routes.ts';

// The text above the routes: an example to copy, then the rules that hold for all of them. docs/contract has the others.
const INTRODUCTION = `
Make a list, add a gift and read the list back. This works as it is with \`npm start\` and its sample users. Elsewhere, set your own address, user name and
application password (*Users → Profile* in WordPress). The pages of \`docs/contract\` have every rule.

\`\`\`sh
API=http://127.0.0.1:8000
ME='alice:tick tock goes that late hare'
JSON='content-type: application/json'

LIST=$(curl -s -u "$ME" $API/registries -H "$JSON" -d '{"title":"Ann & Bob"}' | sed 's/^{"id":\\([0-9]*\\).*/\\1/')
curl -u "$ME" $API/registries/$LIST/items -H "$JSON" -d '{"name":"Copper saucepan","url":"https://shop.example/saucepan","price":129.5}'
curl -u "$ME" $API/registries/$LIST/items
\`\`\`

**Sign in** with \`Authorization: Basic\`, everywhere but at \`/\` and \`/health\`. Owners and admins change a registry, invitees read it. Admins get \`Item\`;
everyone else gets \`ItemPublic\`, which has no affiliate link.

**Errors** are always \`{"detail": string}\`, and name the field, the rule and the value. If the host is down you get 502 or 504, never a 401 or an empty list.

**Types are strict**: \`"12"\` isn't a number, and \`1.5\` isn't a quantity. Lengths count characters (code points). Text may not contain NUL or lone
surrogates. Unknown fields are ignored. Timestamps are ISO 8601 in UTC with milliseconds.

**null** in a new item means the same as leaving the field out. In an update it clears the field or restores its default; \`name\` and \`url\` can't be null.

**Send a request twice without doing it twice**: a \`POST\` with an \`Idempotency-Key\` may be repeated for 24 hours. It happens once, and every repetition gets the
first answer; with a different body it gets 422. A refused claim isn't remembered, so you can try it again.

**Don't overwrite others' changes**: an item, a claim and a list of items come with an \`ETag\`. Send it as \`If-Match\` with a \`PUT\`, \`PATCH\`,
\`DELETE\` or move, and you get 412 with the current \`ETag\` if someone was faster.
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

// Headers that a request may have, by what a route says of them.
const HONOURED = {
  honoursIfMatch: ['If-Match', 'Only if it is still in the state of this ETag'],
  repeatable: [
    'Idempotency-Key',
    'Names this request: should it arrive again within 24 hours, the first answer is given again',
  ],
  honoursLanguage: [
    'Accept-Language',
    'Passed on to the shop: the language of the site or the person asking',
  ],
  honoursPerson: [
    'Trousseau-For',
    'From an admin who asks for many people: any word of up to 64 letters, digits, `-` and `_` that stands for one person, so that one does not delay the others',
  ],
  honoursOwner: [
    'Trousseau-Owner',
    "From the host with its admin account and `Prefer: wait=0`: the id of the registry's owner, or 0 for anyone but this admin",
  ],
  honoursIfNoneMatch: ['If-None-Match', 'Answer 304 if it is still in the state of this ETag'],
} satisfies Partial<Record<keyof RouteInfo, [name: string, description: string]>>;

// Meanings of statuses: `usual` where a route gives none of its own, `also` in addition to it.
const FAILURES: Record<number, { usual?: string; also?: string; headers?: Record<string, Header> }> = {
  400: { usual: 'The body is not JSON' },
  401: {
    usual: 'Credentials missing, malformed or rejected',
    headers: { 'WWW-Authenticate': header('`Basic realm="trousseau"`') },
  },
  403: { usual: 'Signed in, but not allowed', also: 'the gateway key is missing' },
  404: { usual: 'Not there' },
  409: { also: 'the first request with this `Idempotency-Key` has no answer yet', headers: RETRY },
  410: {},
  412: { usual: '`If-Match` no longer matches', headers: ETAG },
  413: { usual: 'The body is larger than 1 MiB' },
  415: { usual: 'The body is not application/json' },
  422: { usual: 'Fields that break their constraints: `detail` names every one' },
  429: { also: 'too many failed sign-ins', headers: RETRY },
  500: { usual: 'A fault of the service' },
  502: { usual: 'The registry host cannot be reached, or answers nonsense' },
  503: { usual: 'The store cannot be reached, or the service is over its limits', headers: RETRY },
  504: { usual: 'The registry host answers too late' },
};

const PARAMETERS: Record<string, object> = {
  id: { type: 'integer', minimum: 1, description: "The registry's id" },
  item_id: { type: 'integer', minimum: 1, description: "The item's id" },
  claim_id: { type: 'string', description: "The claim's id" },
  webhook_id: { type: 'string', description: "The webhook's id" },
  user_id: { type: 'integer', description: "The user's id on the host" },
  invitee: { type: 'string', description: 'A user name or an email address' },
};

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

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const named = (examples: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(examples).map(([summary, value]) => [summary, { summary, value }]));

// Parts that all routes share; each route holds its own info.
function described(schema: Documented, info: RouteInfo, url: string, method: string) {
  const names = [...url.matchAll(/:(\w+)/g)].map(([, name]) => name!);
  const signedIn = schema.security === undefined;

  const statuses = [
    ...(signedIn ? [401, 403, 429, 500, 502, 503, 504] : [500, 503]),
    ...(names.length > 0 ? [404] : []),
    ...(method === 'GET' ? [] : [400, 413, 415]),
    ...(schema.body || schema.querystring ? [422] : []),
    ...(info.honoursIfMatch ? [412] : []),
    ...(info.repeatable ? [409] : []),
    ...Object.keys(info.refusals ?? {}).map(Number),
  ];
  const honoured = Object.entries(HONOURED).filter(([flag]) => info[flag as keyof typeof HONOURED]);
  const headers = Object.fromEntries(honoured.map(([, [name, description]]) => [name, header(description)]));
  const sent = { ...(info.answersEtag && ETAG), ...(info.answersTotals && TOTALS) };
  const successes = Object.entries(schema.response as Record<string, Body>).map(([status, body]) => [
    status,
    response(body, body.description ?? 'Success', sent),
  ]);
  const failures = statuses.map((status) => {
    const { usual, also, headers } = FAILURES[status]!;
    // Whether `also` can happen on this route. A 409 for any other reason would come again, so it has no Retry-After.
    const alsoApplies = status === 409 ? info.repeatable : status !== 429 || signedIn;
    const why = [info.refusals?.[status as 403] ?? usual, alsoApplies ? also : ''].filter((text) => text);
    const sent = status !== 409 || alsoApplies ? headers : {};
    return [status, response({ $ref: 'Error#' } as Body, sentence(why.join('; or ')), sent)];
  });

  return {
    ...schema,
    summary: info.summary,
    operationId: [method.toLowerCase(), ...(url.match(/\w+/g) ?? ['welcome'])].join('_'),
    tags: [info.tag],
    ...(info.examples && { body: { ...(schema.body as object), 'x-examples': named(info.examples) } }),
    ...(names.length > 0 && {
      params: object(Object.fromEntries(names.map((name) => [name, PARAMETERS[name]])), names),
    }),
    ...(Object.keys(headers).length > 0 && { headers: object(headers) }),
    response: {
      ...Object.fromEntries(successes),
      ...(info.honoursIfNoneMatch && { 304: response({ type: 'null' }, 'Not changed', ETAG) }),
      ...Object.fromEntries(failures),
    },
  };
}

// `list` in contract/common.ts checks its entries in two steps, which readers of the documentation needn't see.
const plainLists = (_key: string, value: { if?: unknown; then?: { items?: unknown } } | null) => {
  if (!value?.if || !value.then?.items) return value;
  const { if: _if, then, ...rest } = value;
  return { ...rest, items: then.items };
};

/** A server of its own for `/openapi.json`, which describes the routes from the contract, and for `/docs`, which reads it. */
export async function documentationOf(
  routes: RouteOptions[],
  shapes: Record<string, unknown>,
  version: string,
): Promise<FastifyInstance> {
  const app = Fastify({ exposeHeadRoutes: false });
  app.setValidatorCompiler(() => () => true).setSerializerCompiler(() => JSON.stringify);
  for (const shape of Object.values(shapes)) app.addSchema(shape);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Trousseau item service',
        version,
        description: INTRODUCTION,
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
      const info = (route.config as { info?: RouteInfo } | undefined)?.info;
      const method = String([route.method].flat()[0]);
      return { schema: info ? described(schema as Documented, info, url, method) : schema, url };
    },
    transformObject: (document) =>
      JSON.parse(JSON.stringify('openapiObject' in document ? document.openapiObject : {}, plainLists)),
  });
  for (const { method, url, schema = {}, config = {} } of routes)
    app.route({ method, url, schema, config, handler: () => undefined });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: { tryItOutEnabled: true, deepLinking: true, persistAuthorization: true },
    theme: {
      title: 'Trousseau item service',
      css: [{ filename: 'plain.css', content: '.swagger-ui .topbar { display: none }' }],
    },
  });
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
  await app.ready();
  return app;
}
