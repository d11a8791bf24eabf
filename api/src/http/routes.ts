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

type Typed<S extends FastifySchema> = FastifyRequest<
  RouteGenericInterface,
  RawServerDefault,
  IncomingMessage,
  S,
  TypeBoxTypeProvider
>;

/** A route's contract and handler, the handler's types taken from the contract. */
export const route = <const S extends FastifySchema>(
  summary: string,
  schema: S,
  handler: (request: Typed<S>, reply: FastifyReply) => unknown,
) => ({ schema: { summary, ...schema }, handler: handler as never });

/** A path's `{id}`; what is no id names nothing. */
export function idIn(request: { params: unknown }, name: string, noun: string): number {
  const text = (request.params as Record<string, string>)[name] ?? '';
  const id = Number(text);
  if (!/^[1-9]\d{0,15}$/.test(text) || !Number.isSafeInteger(id))
    throw new Problem('not_found', `${noun} not found`);
  return id;
}
