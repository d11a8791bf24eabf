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
  /** Further meanings of error statuses on this route. */
  refusals?: Partial<Record<403 | 404 | 409 | 410 | 429 | 502 | 504, string>>;
  /** Bodies that it takes as they are, each under what it does. */
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
type RouteInfoOf<S> = RouteInfo & { examples?: Record<string, Body<S>> };

/** A route's info, contract and handler, the handler's types taken from the contract. */
export const route = <const S extends FastifySchema>(
  info: RouteInfoOf<S>,
  schema: S,
  handler: (request: Typed<S>, reply: FastifyReply) => unknown,
) => ({ config: { info }, schema, handler: handler as never });

/** A route that may be sent again under an `Idempotency-Key`; `creationKey` names such a request. */
export const repeatable = <const S extends FastifySchema>(
  info: RouteInfoOf<S>,
  schema: S,
  work: (request: Typed<S>, creationKey: string | null) => Promise<RepeatableResponse>,
  recall?: Recall,
) =>
  route({ ...info, repeatable: true }, schema, (request, reply) =>
    idempotent(request, reply, (creationKey) => work(request, creationKey), recall),
  );

export const emptyRoute = <const S extends Omit<FastifySchema, 'response'>>(
  info: RouteInfoOf<S>,
  schema: S,
  work: (request: Typed<S>, reply: FastifyReply) => Promise<unknown>,
) =>
  route(info, { ...schema, response: NO_CONTENT }, async (request, reply) => {
    await work(request as Typed<S>, reply);
    return reply.code(204).send();
  });

/** A path's `{id}`; anything else in its place is 404. */
function idIn(request: { params: unknown }, name: string, noun: string): number {
  const text = (request.params as Record<string, string>)[name] ?? '';
  const id = Number(text);
  if (!/^[1-9]\d{0,15}$/.test(text) || !Number.isSafeInteger(id))
    throw new Problem('not_found', `${noun} not found`);
  return id;
}

export const registryId = (request: { params: unknown }) => idIn(request, 'id', 'Registry');
export const userId = (request: { params: unknown }) => idIn(request, 'user_id', 'User');
export const itemId = (request: { params: unknown }) => idIn(request, 'item_id', 'Item');

/** A path's id that nobody can guess. */
function tokenIn(request: { params: unknown }, name: string, noun: string): string {
  const token = (request.params as Record<string, string>)[name] ?? '';
  if (!/^[\w-]{22}$/.test(token)) throw new Problem('not_found', `${noun} not found`);
  return token;
}

export const claimId = (request: { params: unknown }) => tokenIn(request, 'claim_id', 'Claim');
export const webhookId = (request: { params: unknown }) => tokenIn(request, 'webhook_id', 'Webhook');
