import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../problem.ts';
import type { IdempotencyKeys, KeyHolder } from '../store/idempotency.ts';
import { type JsonResponse, type Sent, send } from './response.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it came, on requests that carry an `Idempotency-Key`. */
    rawBody?: Buffer;
  }
}

// How long a repeated request waits for the first one's response, and how often it looks for it.
const WAIT_MS = 5_000;
const LOOK_MS = 50;

/** A response that may be asked for again; `storedBody` is stored in place of its JSON. */
export type RepeatableResponse = JsonResponse & { storedBody?: string };

/** Makes the first response's JSON again from the stored body. */
export type Recall = (
  storedBody: string,
  request: FastifyRequest,
) => Promise<Pick<JsonResponse, 'json' | 'etag'>>;

/** The work of a request; `creationKey` names the request where it may arrive again. */
export type Work = (creationKey: string | null) => Promise<RepeatableResponse>;

async function carryOut(keys: IdempotencyKeys, attempt: KeyHolder, work: Work): Promise<JsonResponse> {
  const stop = keys.renewUntilDone(attempt);
  try {
    // Stored with what the work creates: after a crash before the response, the repeated work finds it.
    const response = await work(`${attempt.key} ${attempt.firstSeen}`);
    await keys.storeResponse(attempt, { ...response, json: response.storedBody ?? response.json });
    return response;
  } catch (error) {
    if (error instanceof Problem && !error.mayHaveHappened) await keys.deleteAttempt(attempt).catch(() => {});
    // The caller is not kept waiting for a store that has just failed.
    else void keys.expireAttempt(attempt);
    throw error;
  } finally {
    stop();
  }
}

async function firstResponse(
  request: FastifyRequest,
  key: string,
  fingerprint: string,
  work: Work,
  recall: Recall = async (json) => ({ json }),
): Promise<JsonResponse> {
  const keys = request.site.idempotency;
  for (const deadline = performance.now() + WAIT_MS; ; await sleep(LOOK_MS)) {
    // Reading costs no commit: many requests may wait for one response.
    const earlier = await keys.find(key);
    if (earlier && earlier.fingerprint !== fingerprint) {
      throw new Problem('invalid', 'Idempotency-Key: was used with another request');
    }
    if (earlier?.response) return { ...earlier.response, ...(await recall(earlier.response.json, request)) };
    const attempt = earlier?.running ? undefined : await keys.begin(key, fingerprint);
    if (attempt) return carryOut(keys, attempt, work);
    if (performance.now() > deadline) {
      const headers = { 'retry-after': '10' };
      throw new Problem('conflict', 'The first request with this Idempotency-Key has no answer yet', {
        headers,
      });
    }
  }
}

/** Carries a request out, or, under an `Idempotency-Key` seen before, gives the first response again. */
export async function idempotent(
  request: FastifyRequest,
  reply: FastifyReply,
  work: Work,
  recall?: Recall,
): Promise<Sent> {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return send(reply, await work(null));

  const key = hash('sha256', JSON.stringify([request.viewer.id, keyIn(String(header))]), 'base64url');
  const body = request.rawBody ?? Buffer.alloc(0);
  const line = Buffer.from(`${request.method} ${request.url}\n`);
  const fingerprint = hash('sha256', Buffer.concat([line, body]), 'base64url');
  return send(reply, await firstResponse(request, key, fingerprint, work, recall));
}

// The draft writes it as a quoted string; many clients leave the quotes out.
function keyIn(header: string): string {
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header;
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new Problem('invalid', 'Idempotency-Key: must be 1 to 255 printable characters');
  }
  return key;
}
