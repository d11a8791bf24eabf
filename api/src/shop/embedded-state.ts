import { amountsIn, readMachinePrice } from './amounts.ts';
import { currencyNamed } from './currencies.ts';
import type { Page } from './page.ts';
import { isThing, jsonIn, readJsonLd, stringEnd, type Thing, typesOf } from './things.ts';
import { sameName } from './titles.ts';

// Real pages have fewer values; one with more must not delay other pages.
const MOST_VALUES = 50_000;
const DEEPEST = 40;
const MOST_COMPARED = 1_000;
const LONGEST_PRICE = 100;
const MOST_STREAMED = 20;
const LONGEST_STREAMED = 500_000;

/** Data in a page's scripts, from which the browser draws the page. */
export interface EmbeddedState {
  /** JSON in elements of their own, like Next.js' `__NEXT_DATA__`. */
  json: string[];
  /** The chunks that React streams into a page (`self.__next_f`), joined. */
  stream: string;
}

export function stateOf({ scripts }: Page): EmbeddedState {
  const state: EmbeddedState = { json: [], stream: '' };
  for (const { type, text } of scripts) {
    if (/^application\/json/i.test(type)) state.json.push(text);
    else state.stream += streamedIn(text);
  }
  return state;
}

const STREAMED = /^\s*self\.__next_f\.push\(\[1,\s*("[^"\\]*(?:\\.[^"\\]*)*")\s*\]\)\s*;?\s*$/s;

function streamedIn(script: string): string {
  const text = script.startsWith('self.__next_f') ? STREAMED.exec(script)?.[1] : undefined;
  return String(jsonIn(text ?? '') ?? '');
}

/** Finds the JSON-LD in React's stream, as text: it becomes an element only in the browser. */
function* jsonLdInStream(stream: string): Generator<string> {
  let found = 0;
  for (const { index } of stream.matchAll(/\{\s*\\?"@(?:context|type|graph)\\?"\s*:/g)) {
    if (++found > MOST_STREAMED) return;
    const escaped = stream.startsWith('\\', stream.indexOf('"', index) - 1);
    if (!escaped) {
      const end = objectEnd(stream, index);
      if (end > index) yield stream.slice(index, end);
    } else if (stream[index - 1] === '"') {
      const string = stream.slice(index - 1, stringEnd(stream, index - 1) + 1);
      if (string.length < LONGEST_STREAMED) yield String(jsonIn(string) ?? '');
    }
  }
}

function objectEnd(text: string, start: number): number {
  let depth = 0;
  const last = Math.min(text.length, start + LONGEST_STREAMED);
  for (let at = start; at < last; at++) {
    if (text[at] === '"') at = stringEnd(text, at);
    else if (text[at] === '{') depth++;
    else if (text[at] === '}' && --depth === 0) return at + 1;
  }
  return -1;
}

export interface StatePrice {
  value: number;
  currency: string;
}

/** Yields the objects in a page's state, up to a limit of depth and number. */
function* objectsIn(json: string[]): Generator<Thing> {
  let left = MOST_VALUES;
  for (const text of json) {
    const waiting: [value: unknown, depth: number][] = [[jsonIn(text), 0]];
    for (let next = waiting.pop(); next && left > 0; next = waiting.pop()) {
      const [value, depth] = next;
      left--;
      if (typeof value !== 'object' || value === null || depth > DEEPEST) continue;
      if (isThing(value)) yield value;
      for (const inner of Object.values(value).slice(0, left)) waiting.push([inner, depth + 1]);
    }
  }
}

function* thingsInState({ json }: EmbeddedState): Generator<Thing> {
  for (const thing of objectsIn(json.filter((text) => text.includes('schema.org'))))
    if (typesOf(thing).some((type) => /^(?:Product|ProductGroup)$/.test(type))) yield thing;
}

/** Returns the JSON-LD in a page's state. Elements of its own (`ld+json`) are read elsewhere. */
export const jsonLdInState = (state: EmbeddedState): unknown[] => [
  ...[...jsonLdInStream(state.stream)].map(readJsonLd),
  ...thingsInState(state),
];

const NAMES = ['name', 'title', 'productName', 'productTitle', 'displayName'];
const PRICES =
  /^(?:(?:current|sale|sales|final|selling|offer|discounted|actual|special|now)_?price|price|(?:formatted|display)_?price)$/i;
const AMOUNTS = /^(?:amount|value|price|current|currentprice|centamount|formatted|display|sale|now)$/i;
const CODES = /^(?:(?:price_?)?currency(?:_?(?:code|iso|id))?|currencyiso)$/i;

/** The price, in the page's state, of the product named like the page; null if there are several, or if it may be in cents. */
export function statePrice({ json }: EmbeddedState, called: string[]): StatePrice | null {
  const found = new Map<string, StatePrice>();
  let compared = 0;
  for (const thing of objectsIn(json)) {
    const isNamed = () =>
      NAMES.some((key) => {
        const name = thing[key];
        return typeof name === 'string' && name.length > 3 && called.some((text) => sameName(text, name));
      });
    const prices = [...pricesOf(thing)];
    if (prices.length === 0) continue;
    if (++compared > MOST_COMPARED) return null;
    if (isNamed()) for (const price of prices) found.set(`${price.value} ${price.currency}`, price);
  }
  const [only, ...more] = found.values();
  return only && more.length === 0 ? only : null;
}

function* pricesOf(thing: Thing): Generator<StatePrice> {
  const code = codeIn(thing);
  for (const [key, value] of Object.entries(thing)) {
    if (!PRICES.test(key)) continue;
    if (!isThing(value)) {
      yield* certain(value, code);
      continue;
    }
    const own = codeIn(value) ?? code;
    for (const [inner, amount] of Object.entries(value)) if (AMOUNTS.test(inner)) yield* certain(amount, own);
  }
}

function codeIn(thing: Thing): string | null {
  for (const [key, value] of Object.entries(thing))
    if (CODES.test(key) && typeof value === 'string' && /^[A-Z]{3}$/.test(value)) return currencyNamed(value);
  return null;
}

/** Yields a price that can be read in only one way: with its currency's code, and decimals or that currency's sign. */
function* certain(value: unknown, code: string | null): Generator<StatePrice> {
  if (typeof value !== 'string' && typeof value !== 'number') return;
  const text = String(value).trim();
  if (text.length > LONGEST_PRICE) return;
  if (/^\d+\.\d{1,2}$/.test(text)) {
    const [amount] = readMachinePrice(text, code);
    if (code && amount !== undefined) yield { value: amount, currency: code };
    return;
  }
  const [seen, ...more] = amountsIn(text);
  if (!seen || more.length > 0 || seen.start > 0 || seen.end < text.length) return;
  if (code && seen.currencies.includes(code)) yield { value: seen.value, currency: code };
}
