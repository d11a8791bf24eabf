import type { FastifyReply } from 'fastify';

/** An answer whose JSON is already written. */
export type Answer = { status: number; json: string; etag?: string | undefined };

/** What a handler returns to give this answer. */
export function send(reply: FastifyReply, { status, json, etag }: Answer): string {
  if (etag !== undefined) reply.header('etag', etag);
  reply.code(status).header('content-type', 'application/json; charset=utf-8');
  return json;
}
