import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../contract/problem.ts';
import type { Work } from '../domain/idempotency.ts';
import { type JsonBody, type JsonResponse, send } from './response.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it came, on requests that carry an `Idempotency-Key`. */
    rawBody?: Buffer;
  }
}

/** Makes the first response again from what was stored of it. */
export type Recall = (stored: JsonResponse, request: FastifyRequest) => Promise<JsonResponse>;

/** Carries a request out, or, under an `Idempotency-Key` seen before, gives the first response again. */
export async function idempotent(
  request: FastifyRequest,
  reply: FastifyReply,
  work: Work,
  recall: Recall = async (stored) => stored,
): Promise<JsonBody> {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return send(reply, await work(null));

  const key = hash('sha256', JSON.stringify([request.viewer.id, keyIn(String(header))]), 'base64url');
  const body = request.rawBody ?? Buffer.alloc(0);
  const line = Buffer.from(`${request.method} ${request.url}\n`);
  const fingerprint = hash('sha256', Buffer.concat([line, body]), 'base64url');
  const again = (stored: JsonResponse) => recall(stored, request);
  return send(reply, await request.site.repeats.answer(key, fingerprint, work, again));
}

// The IETF's draft of this header has the key in quotes; many clients leave them out.
function keyIn(header: string): string {
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header;
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw new Problem('invalid', 'Idempotency-Key: must be 1 to 255 visible ASCII characters');
  return key;
}
