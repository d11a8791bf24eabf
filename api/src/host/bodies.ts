import type { Clock } from '../lib/clock.ts';
import { type Arriving, OutboundError } from '../lib/outbound.ts';
import { semaphore } from '../lib/semaphore.ts';
import { threads } from '../lib/threads.ts';
import { parsed } from './json.ts';

// Parsing this many bytes takes a few hundredths of a second at worst. Larger bodies are parsed in a thread.
const SMALL = 256 * 1024;
// The most larger bodies in memory at once, of all hosts and of one. Others wait with what has arrived.
const LARGE = 12;
const LARGE_OF_ONE = 2;
const PARSE_MS = 2_000;
// Room for 8 MiB of JSON, as text and as values.
const HEAP_MB = 96;

/** Reads what hosts send; one for all hosts, since they share a thread. */
export type HostBodies = ReturnType<typeof hostBodies>;

export function hostBodies(clock: Pick<Clock, 'limit'>) {
  const large = semaphore(LARGE, LARGE_OF_ONE);
  const parsers = threads<Uint8Array, { value: unknown }>({
    program: new URL('./body-thread.ts', import.meta.url),
    most: 1,
    heapMb: HEAP_MB,
    limit: () => clock.limit(PARSE_MS),
  });

  async function parsedApart(bytes: Buffer<ArrayBuffer>, host: string, signal: AbortSignal) {
    const answer = await parsers.ask(bytes, [bytes.buffer], host, signal);
    if ('problem' in answer) throw new OutboundError(answer.problem);
    return answer.value;
  }

  return {
    /** The JSON of an answer of at most `most` bytes. Undefined if it has none that is acceptable. */
    async read(
      { header, body }: Arriving,
      most: number,
      host: string,
      signal: AbortSignal,
    ): Promise<unknown> {
      if (!/^application\/(\w+\+)?json\b/.test(header('content-type') ?? '')) {
        await body.dump({ limit: SMALL, signal });
        return undefined;
      }
      if (Number(header('content-length')) > most) throw new OutboundError('too_large');
      const pieces: Buffer[] = [];
      let size = 0;
      let leave: (() => void) | undefined;
      try {
        for await (const piece of body as AsyncIterable<Buffer>) {
          size += piece.length;
          if (size > most) throw new OutboundError('too_large');
          if (size > SMALL) leave ??= await large.enter('', host, signal);
          pieces.push(piece);
        }
        const bytes = Buffer.concat(pieces);
        return size > SMALL ? await parsedApart(bytes, host, signal) : parsed(bytes.toString());
      } finally {
        leave?.();
      }
    },

    /** How many threads there are. */
    get threads() {
      return parsers.count;
    },

    close: parsers.close,
  };
}
