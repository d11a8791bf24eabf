import { parentPort } from 'node:worker_threads';
import { valuesIn } from '../lib/json-depth.ts';
import { isText, parsed } from './json.ts';

// The most values in an answer. Each costs the thread that serves requests a microsecond for copying and reading: a hundred
// posts have their lists of items and guests, perhaps as JSON text, and this many entries in all.
const MOST_VALUES = 100_000;

/** Counts the values in texts that are JSON themselves, perhaps twice over. */
function valuesInTexts(value: unknown): number {
  if (isText(value)) {
    const [first] = value.trimStart();
    if (first === '"') return valuesInTexts(parsed(value));
    return first === '[' || first === '{' ? valuesIn(value) : 0;
  }
  if (typeof value !== 'object' || value === null) return 0;
  let values = 0;
  for (const each of Object.values(value)) values += valuesInTexts(each);
  return values;
}

parentPort!.on('message', (bytes: Uint8Array) => {
  const text = Buffer.from(bytes.buffer).toString();
  const values = valuesIn(text);
  const value = values > MOST_VALUES ? undefined : parsed(text);
  parentPort!.postMessage({ value: values + valuesInTexts(value) > MOST_VALUES ? undefined : value });
});
