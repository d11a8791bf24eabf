import type { FastifyReply } from 'fastify';
import { Type } from '../contract/typebox.ts';

export const NO_CONTENT = { 204: Type.Null({ description: 'Done' }) };

export type JsonBody = string | Buffer;

/** A response whose JSON is already written. */
export type JsonResponse = { status: number; json: string; etag?: string | undefined };

/** Sets the response's status and headers, and returns its body: Fastify sends what the handler returns. */
export function send(
  reply: FastifyReply,
  { status, json, etag }: Omit<JsonResponse, 'json'> & { json: JsonBody },
): JsonBody {
  if (etag !== undefined) reply.header('etag', etag);
  reply.code(status).header('content-type', 'application/json; charset=utf-8');
  return json;
}
