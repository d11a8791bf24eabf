import type { IncomingMessage } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  RawServerDefault,
  RouteGenericInterface,
} from 'fastify';
import type { Static, TSchema } from 'typebox';
import { Problem } from '../contract/problem.ts';
import type { RepeatableResponse } from '../domain/idempotency.ts';
import { idempotent, type Recall } from './idempotency.ts';
import { NO_CONTENT } from './response.ts';

/** The groups of routes in the documentation, in their order there. */
export const TAGS = [
  ...(['Health', 'Items', 'Registries', 'Registry items', 'Claims', 'Invitees', 'Events'] as const),
  ...(['Webhooks', 'Affiliate links', 'Lookups', 'Sites'] as const),
] as const;

/** Properties of a route besides its schema. Behaviour and documentation both come from here. */
export type RouteInfo = {
  tag: (typeof TAGS)[number];
  summary: string;
  /** Whether it concerns no site, in a service of many. */
  ofService?: true;
  answersEtag?: true;
  /** It changes only the state that `If-Match` names. */
  honoursIfMatch?: true;
  /** It answers 304 to callers who have the current state already, by `If-None-Match`. */
  honoursIfNoneMatch?: true;
  repeatable?: true;
  /** What error statuses mean on this route, instead of their usual meanings in openapi.ts. */
  refusals?: Partial<Record<403 | 404 | 409 | 410 | 429 | 502 | 504, string>>;
  /** Example bodies that can be sent as they are, by summaries of what they do. */
  examples?: Record<string, unknown>;
  honoursLanguage?: true;
  honoursPerson?: true;
  honoursOwner?: true;
  answersTotals?: true;
};

declare module 'fastify' {
  interface FastifyContextConfig {
    info?: RouteInfo;
  }
}

type Typed<S extends FastifySchema> = FastifyRequest<
  RouteGenericInterface,
  RawServerDefault,
  IncomingMessage,
  S,
  TypeBoxTypeProvider
>;

type Body<S> = S extends { body: infer B extends TSchema } ? Static<B> : never;
type RouteInfoOf<S> = Omit<RouteInfo, 'tag'> & { examples?: Record<string, Body<S>> };

/** How routes of one group are made. */
export function routesOf(tag: (typeof TAGS)[number]) {
  /** A route's info, contract and handler, the handler's types taken from the contract. */
  const route = <const S extends FastifySchema>(
    info: RouteInfoOf<S>,
    schema: S,
    handler: (request: Typed<S>, reply: FastifyReply) => unknown,
  ) => ({ config: { info: { tag, ...info } }, schema, handler: handler as never });

  /** A route whose requests may be repeated under an `Idempotency-Key`; `creationKey` is null for one without. */
  const repeatable = <const S extends FastifySchema>(
    info: RouteInfoOf<S>,
    schema: S,
    work: (request: Typed<S>, creationKey: string | null) => Promise<RepeatableResponse>,
    recall?: Recall,
  ) =>
    route({ ...info, repeatable: true }, schema, (request, reply) =>
      idempotent(request, reply, (creationKey) => work(request, creationKey), recall),
    );

  const emptyRoute = <const S extends Omit<FastifySchema, 'response'>>(
    info: RouteInfoOf<S>,
    work: (request: Typed<S>, reply: FastifyReply) => Promise<unknown>,
    schema = {} as S,
  ) =>
    route(info, { ...schema, response: NO_CONTENT }, async (request, reply) => {
      await work(request as Typed<S>, reply);
      return reply.code(204).send();
    });

  return { route, repeatable, emptyRoute };
}

/** A path's `{id}`; anything else in its place is 404. */
function idIn(params: unknown, name: string, noun: string): number {
  const text = (params as Record<string, string>)[name] ?? '';
  const id = Number(text);
  if (!/^[1-9]\d{0,15}$/.test(text) || !Number.isSafeInteger(id))
    throw new Problem('not_found', `${noun} not found`);
  return id;
}

export const registryId = (params: unknown) => idIn(params, 'id', 'Registry');
export const userId = (params: unknown) => idIn(params, 'user_id', 'User');
export const itemId = (params: unknown) => idIn(params, 'item_id', 'Item');

/** A path's id that nobody can guess. */
function tokenIn(params: unknown, name: string, noun: string): string {
  const token = (params as Record<string, string>)[name] ?? '';
  if (!/^[\w-]{22}$/.test(token)) throw new Problem('not_found', `${noun} not found`);
  return token;
}

export const claimId = (params: unknown) => tokenIn(params, 'claim_id', 'Claim');
export const webhookId = (params: unknown) => tokenIn(params, 'webhook_id', 'Webhook');
