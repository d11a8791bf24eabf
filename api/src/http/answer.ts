import type { FastifyReply } from 'fastify';

/** An answer whose JSON is already written. */
export type Answer = { status: number; json: string; etag?: string | undefined };

export function send(reply: FastifyReply, { status, json, etag }: Answer): FastifyReply {
  if (etag !== undefined) reply.header('etag', etag);
  return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(json);
}
