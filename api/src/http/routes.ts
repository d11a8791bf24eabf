import type { IncomingMessage } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  RawServerDefault,
  RouteGenericInterface,
} from 'fastify';
import { Problem } from '../problem.ts';
import type { Idempotent } from './idempotency.ts';
import type { JsonResponse } from './response.ts';

/** What is true of a route beside its schema: behaviour and documentation both come from here. */
export type Facts = {
  tag: 'Health' | 'Items' | 'Registries' | 'Registry items' | 'Invitees' | 'Affiliate links';
  summary: string;
  /** Its answer carries the `ETag` of an item. */
  answersEtag?: true;
  /** It changes only the state that `If-Match` names. */
  honoursIfMatch?: true;
  /** It answers 304 to who has the state that `If-None-Match` names. */
  honoursIfNoneMatch?: true;
  /** It may be sent again under an `Idempotency-Key`. */
  repeatable?: true;
  /** Its body names something that may not be there. */
  mayMiss?: true;
  /** It tells how many there are on the host. */
  answersTotals?: true;
};

declare module 'fastify' {
  interface FastifyContextConfig {
    facts?: Facts;
  }
}

type Typed<S extends FastifySchema> = FastifyRequest<
  RouteGenericInterface,
  RawServerDefault,
  IncomingMessage,
  S,
  TypeBoxTypeProvider
>;

/** A route's facts, contract and handler, the handler's types taken from the contract. */
export const route = <const S extends FastifySchema>(
  facts: Facts,
  schema: S,
  handler: (request: Typed<S>, reply: FastifyReply) => unknown,
) => ({ config: { facts }, schema, handler: handler as never });

/** A route that may be sent again under an `Idempotency-Key`; `creationKey` names such a request. */
export const repeatable = <const S extends FastifySchema>(
  idempotent: Idempotent,
  facts: Facts,
  schema: S,
  work: (request: Typed<S>, creationKey: string | null) => Promise<JsonResponse>,
) =>
  route({ ...facts, repeatable: true }, schema, (request, reply) =>
    idempotent(request as never, reply, (creationKey) => work(request, creationKey)),
  );

/** A path's `{id}`; what is no id names nothing. */
function idIn(request: { params: unknown }, name: string, noun: string): number {
  const text = (request.params as Record<string, string>)[name] ?? '';
  const id = Number(text);
  if (!/^[1-9]\d{0,15}$/.test(text) || !Number.isSafeInteger(id))
    throw new Problem('not_found', `${noun} not found`);
  return id;
}

export const registryId = (request: { params: unknown }) => idIn(request, 'id', 'Registry');
export const itemId = (request: { params: unknown }) => idIn(request, 'item_id', 'Item');
