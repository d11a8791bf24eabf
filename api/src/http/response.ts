import type { FastifyReply } from 'fastify';
import { Type } from '../contract/typebox.ts';

export const NO_CONTENT = { 204: Type.Null({ description: 'Done' }) };

export type Sent = string | Buffer;

/** A response whose JSON is already written. */
export type JsonResponse = { status: number; json: string; etag?: string | undefined };

/** The value that a handler returns to give this response. */
export function send(
  reply: FastifyReply,
  { status, json, etag }: Omit<JsonResponse, 'json'> & { json: Sent },
): Sent {
  if (etag !== undefined) reply.header('etag', etag);
  reply.code(status).header('content-type', 'application/json; charset=utf-8');
  return json;
}
