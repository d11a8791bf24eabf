import { isText, jsonIn, parsed, valuesIn } from '../lib/json.ts';
import { type Arriving, OutboundError } from '../lib/outbound.ts';
import { semaphore } from '../lib/semaphore.ts';

// The most larger bodies in memory at once, of all hosts and of one. Others wait with what has arrived.
const SMALL = 256 * 1024;
const LARGE = 12;
const LARGE_OF_ONE = 2;
// The most values in an answer: a hundred posts have their lists of items and guests, perhaps as JSON text. With fewer, 8 MiB
// take 27 ms to count and parse at worst.
const MOST_VALUES = 100_000;

/** Counts the values in texts that are JSON themselves, perhaps twice over. */
function valuesInTexts(value: unknown): number {
  if (isText(value)) {
    const [first] = value.trimStart();
    if (first === '"') return valuesInTexts(parsed(value));
    return first === '[' || first === '{' ? valuesIn(value, MOST_VALUES) : 0;
  }
  if (typeof value !== 'object' || value === null) return 0;
  let values = 0;
  for (const each of Object.values(value)) values += valuesInTexts(each);
  return values;
}

/** The value of an answer's JSON; undefined if it is invalid, too deep, or has too many values. */
function acceptedValue(json: string): unknown {
  const values = valuesIn(json, MOST_VALUES);
  const value = values > MOST_VALUES ? undefined : jsonIn(json);
  return values + valuesInTexts(value) > MOST_VALUES ? undefined : value;
}

/** Reads what hosts send; one for all hosts, since they share the memory. */
export type HostBodies = ReturnType<typeof hostBodies>;

export function hostBodies() {
  const large = semaphore(LARGE, LARGE_OF_ONE);

  return {
    /** The JSON of an answer of at most `most` bytes. Undefined if it has none that is acceptable. */
    async read({ header, body }: Arriving, most: number, host: string, signal: AbortSignal) {
      if (!/^application\/(\w+\+)?json\b/.test(header('content-type') ?? '')) {
        await body.dump({ limit: SMALL, signal });
        return undefined;
      }
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
        return acceptedValue(Buffer.concat(pieces).toString());
      } finally {
        leave?.();
      }
    },
  };
}
