import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../problem.ts';
import type { Answers, Claim } from '../store/answers.ts';
import { type Answer, type Sent, send } from './answer.ts';

// How long a repeated request waits for the first one's answer, and how often it looks for it.
const WAIT_MS = 8_000;
const LOOK_MS = 50;
const CLEAN_UP_EVERY_MS = 10 * 60 * 1000;

/** Carries a request out, or, under an `Idempotency-Key` seen before, gives the first answer again. */
export type Once = (
  request: FastifyRequest,
  reply: FastifyReply,
  work: (origin: string | null) => Promise<Answer>,
) => Promise<Sent>;

export function onlyOnce(answers: Answers, clock: () => number): Once {
  let cleanedAt = clock();

  async function carryOut(claim: Claim, work: (origin: string) => Promise<Answer>): Promise<Answer> {
    try {
      // The origin outlives a crash between the work and its answer: what is done again finds what was done.
      const answer = await work(`${claim.name} ${claim.firstSeen}`);
      await answers.keep(claim, answer);
      return answer;
    } catch (error) {
      const nothingCameOfIt = error instanceof Problem && !error.mayHaveHappened;
      await (nothingCameOfIt ? answers.release(claim) : answers.giveUp(claim)).catch(() => {});
      throw error;
    }
  }

  async function firstAnswer(name: string, fingerprint: string, work: (origin: string) => Promise<Answer>) {
    for (const deadline = clock() + WAIT_MS; ; await sleep(LOOK_MS)) {
      const claim = await answers.claim(name, fingerprint);
      if (claim) return carryOut(claim, work);
      const earlier = await answers.find(name);
      if (earlier && earlier.fingerprint !== fingerprint) {
        throw new Problem('invalid', 'Idempotency-Key: was used with another request');
      }
      if (earlier?.answer) return earlier.answer;
      if (clock() > deadline) {
        const headers = { 'retry-after': '10' };
        throw new Problem('conflict', 'The first request with this Idempotency-Key has no answer yet', {
          headers,
        });
      }
    }
  }

  return async (request, reply, work) => {
    const header = request.headers['idempotency-key'];
    if (header === undefined) return send(reply, await work(null));

    const key = keyIn(String(header));
    const digest = (...parts: unknown[]) => hash('sha256', JSON.stringify(parts), 'base64url');
    const name = digest(request.viewer.id, key);
    const fingerprint = digest(request.method, request.url, request.body);
    if (clock() - cleanedAt > CLEAN_UP_EVERY_MS) {
      cleanedAt = clock();
      await answers.forgetOld();
    }
    return send(reply, await firstAnswer(name, fingerprint, work));
  };
}

// The draft writes it as a quoted string; many clients leave the quotes out.
function keyIn(header: string): string {
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header;
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new Problem('invalid', 'Idempotency-Key: must be 1 to 255 printable characters');
  }
  return key;
}
