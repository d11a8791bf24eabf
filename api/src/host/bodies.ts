import { isText, isTooDeep, jsonIn, parsed, valuesIn } from '../lib/json.ts';
import { type Arriving, OutboundError } from '../lib/outbound.ts';
import { semaphore } from '../lib/semaphore.ts';

// A body larger than SMALL is large. At most so many are in memory at once, of all hosts and of one; others wait, partly read.
const SMALL = 256 * 1024;
const MOST_LARGE = 12;
const MOST_LARGE_OF_ONE = 2;
// The most values in an answer: a hundred posts with a thousand items, a thousand guests and their owners each. 8 MiB of so many
// take at most three times as long to count and parse as one text of 8 MiB.
const MOST_VALUES = 250_000;

/** Counts the values in posts' `meta` that is JSON text, perhaps twice over. Text that is too deep has none: nobody parses it. */
function valuesInMeta(value: unknown, isMeta = false): number {
  if (isText(value)) {
    const [first] = isMeta ? value.trimStart() : '';
    if (first === '"') return valuesInMeta(parsed(value), isMeta);
    const values = first === '[' || first === '{' ? valuesIn(value, MOST_VALUES) : 0;
    return values > MOST_VALUES && isTooDeep(value) ? 0 : values;
  }
  if (typeof value !== 'object' || value === null) return 0;
  let values = 0;
  for (const [key, each] of Object.entries(value)) values += valuesInMeta(each, isMeta || key === 'meta');
  return values;
}

/** The value of an answer's JSON; undefined if it is invalid, too deep, or has too many values. */
function acceptedValue(json: string): unknown {
  const values = valuesIn(json, MOST_VALUES);
  const value = values > MOST_VALUES ? undefined : jsonIn(json);
  return values + valuesInMeta(value) > MOST_VALUES ? undefined : value;
}

/** Reads what hosts send; one for all hosts, since they share the memory. */
export type HostBodies = ReturnType<typeof hostBodies>;

export function hostBodies() {
  const large = semaphore(MOST_LARGE, MOST_LARGE_OF_ONE);

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
