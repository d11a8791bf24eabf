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
import { idempotent, type Recall, type RepeatableResponse } from './idempotency.ts';

/** Properties of a route beside its schema: behaviour and documentation both come from here. */
export type RouteInfo = {
  tag:
    | 'Health'
    | 'Items'
    | 'Registries'
    | 'Registry items'
    | 'Claims'
    | 'Invitees'
    | 'Events'
    | 'Webhooks'
    | 'Affiliate links'
    | 'Lookups'
    | 'Sites';
  summary: string;
  /** It is about no site, in a service of many. */
  ofService?: true;
  /** Its answer carries the `ETag` of an item or a claim. */
  answersEtag?: true;
  /** It changes only the state that `If-Match` names. */
  honoursIfMatch?: true;
  /** It answers 304 to callers who have the current state already, by `If-None-Match`. */
  honoursIfNoneMatch?: true;
  /** It may be sent again under an `Idempotency-Key`. */
  repeatable?: true;
  /** Further meanings of error statuses on this route. */
  refusals?: Partial<Record<403 | 404 | 409 | 410 | 429 | 502 | 504, string>>;
  /** Bodies that it takes as they are, each under what it does. */
  examples?: Record<string, unknown>;
  /** It honours `Accept-Language`. */
  honoursLanguage?: true;
  /** It honours `Trousseau-For`. */
  honoursPerson?: true;
  /** It honours `Trousseau-Owner`. */
  honoursOwner?: true;
  /** It tells how many there are on the host. */
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

/** A path's `{id}`; anything else in its place is 404. */
function idIn(request: { params: unknown }, name: string, noun: string): number {
  const text = (request.params as Record<string, string>)[name] ?? '';
  const id = Number(text);
  if (!/^[1-9]\d{0,15}$/.test(text) || !Number.isSafeInteger(id))
    throw new Problem('not_found', `${noun} not found`);
  return id;
}

export const registryId = (request: { params: unknown }) => idIn(request, 'id', 'Registry');
export function claimId(request: { params: unknown }): string {
  const { claim_id = '' } = request.params as Record<string, string>;
  if (!/^[\w-]{22}$/.test(claim_id)) throw new Problem('not_found', 'Claim not found');
  return claim_id;
}
export const userId = (request: { params: unknown }) => idIn(request, 'user_id', 'User');
export const itemId = (request: { params: unknown }) => idIn(request, 'item_id', 'Item');
