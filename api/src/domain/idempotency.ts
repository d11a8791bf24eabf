import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../contract/problem.ts';
import type { IdempotencyKeys, KeyHolder, StoredResponse } from '../store/idempotency.ts';

// How long a repeated request waits for the first one's response, and how often it checks for it.
const WAIT_MS = 5_000;
const LOOK_MS = 50;

/** A response that may be asked for again; `storedBody` is stored in place of its JSON. */
export type RepeatableResponse = StoredResponse & { storedBody?: string };

/** The work of a request; `creationKey` identifies a request that may arrive again, and is null for any other. */
export type Work = (creationKey: string | null) => Promise<RepeatableResponse>;

export type Repeats = ReturnType<typeof repeats>;

export function repeats(keys: IdempotencyKeys) {
  async function carryOut(attempt: KeyHolder, work: Work): Promise<StoredResponse> {
    using _renewal = keys.renewUntilDone(attempt);
    try {
      // The work stores this key with what it creates: a retry finds that even after a crash before the response.
      const { storedBody, ...response } = await work(`${attempt.key} ${attempt.firstSeen}`);
      await keys.storeResponse(attempt, { ...response, json: storedBody ?? response.json });
      return response;
    } catch (error) {
      if (attempt.isFirst && error instanceof Problem && !error.mayHaveHappened)
        await keys.deleteAttempt(attempt).catch(() => {});
      // The caller is not kept waiting for a store that has just failed. If this fails too, the attempt expires by itself.
      else void keys.expireAttempt(attempt).catch(() => {});
      throw error;
    }
  }

  return {
    /** Carries a request out, or, under a key seen before, gives the first response again. */
    async answer(
      key: string,
      fingerprint: string,
      work: Work,
      recall: (stored: StoredResponse) => Promise<StoredResponse>,
    ): Promise<StoredResponse> {
      for (const deadline = performance.now() + WAIT_MS; ; await sleep(LOOK_MS)) {
        // Reading costs no commit: many requests may wait for one response.
        const earlier = await keys.find(key);
        if (earlier && earlier.fingerprint !== fingerprint)
          throw new Problem('invalid', 'Idempotency-Key: was used with another request');
        if (earlier?.response) return recall(earlier.response);
        const attempt = earlier?.running ? undefined : await keys.begin(key, fingerprint);
        if (attempt) return carryOut(attempt, work);
        if (performance.now() > deadline)
          throw new Problem('conflict', 'The first request with this Idempotency-Key has no answer yet', {
            retryAfter: 10,
          });
      }
    },
  };
}
