import { LRUCache } from 'lru-cache';

/** A map that drops its least recently used values. Bounded by `maxSize`, since `max` would allocate every place at once. */
export const bounded = <K extends {}, V extends {}>(max: number, sizeOf: (value: V) => number = () => 1) =>
  new LRUCache<K, V>({ maxSize: max, sizeCalculation: sizeOf });

/** `max` counts values; with `byLength` it counts the characters of their JSON, for values that others send. */
type Options = {
  ttlSeconds: number;
  max: number;
  byLength?: boolean;
  clock: () => number;
  counters?: { hits: number; misses: number };
};

// Fractions of the TTL: when the first renewal begins, and the pause between two.
const RENEW_FROM = 0.8;
const RENEW_AGAIN = 0.02;
const MOST_RENEWALS = 8;

type Entry<V> = { value: V; askedAt: number; renewAt: number };

/** Caches the answers of slow requests, but not failures. Concurrent callers share one request. */
export class LoadingCache<V> {
  readonly #counters: { hits: number; misses: number };
  readonly #ttl: number;
  readonly #clock: () => number;
  readonly #values: LRUCache<string, Entry<V>>;
  readonly #loading = new Map<string, { promise: Promise<V>; askedAt: number }>();
  #renewals = 0;

  constructor({ ttlSeconds, max, byLength = false, clock, counters = { hits: 0, misses: 0 } }: Options) {
    this.#counters = counters;
    this.#ttl = ttlSeconds * 1000;
    this.#clock = clock;
    this.#values = bounded(max, byLength ? ({ value }) => JSON.stringify(value).length : undefined);
  }

  /** Returns the cached value if asked for after `notBefore`. Near the end of the TTL, `renew` refreshes it in the background. */
  peek(key: string, renew?: () => Promise<V>, notBefore = Number.NEGATIVE_INFINITY): V | undefined {
    const found = this.#values.get(key);
    if (!found) return undefined;
    const now = this.#clock();
    // The TTL begins with the request: the answer may be as old as that.
    if (now - found.askedAt < this.#ttl && found.askedAt > notBefore) {
      this.#counters.hits++;
      if (renew && now >= found.renewAt) this.#renew(key, found, renew);
      return found.value;
    }
    this.#values.delete(key);
    return undefined;
  }

  async get(key: string, load: () => Promise<V>, notBefore = Number.NEGATIVE_INFINITY): Promise<V> {
    return this.peek(key, undefined, notBefore) ?? this.#load(key, load, notBefore);
  }

  #renew(key: string, found: Entry<V>, load: () => Promise<V>): void {
    if (this.#renewals >= MOST_RENEWALS || this.#loading.has(key)) return;
    found.renewAt = this.#clock() + this.#ttl * RENEW_AGAIN;
    this.#renewals++;
    const done = () => void this.#renewals--;
    // An answer that can't be renewed stays cached until its TTL ends.
    this.#load(key, load, found.askedAt).then(done, done);
  }

  async #load(key: string, load: () => Promise<V>, notBefore: number): Promise<V> {
    const running = this.#loading.get(key);
    if (running && running.askedAt > notBefore) return running.promise;

    this.#counters.misses++;
    const askedAt = this.#clock();
    const mine = { askedAt, promise: load() };
    this.#loading.set(key, mine);
    try {
      const value = await mine.promise;
      // Not if it was forgotten, or asked for anew, while the answer was on its way.
      if (this.#loading.get(key) === mine)
        this.#values.set(key, { value, askedAt, renewAt: askedAt + this.#ttl * RENEW_FROM });
      return value;
    } finally {
      if (this.#loading.get(key) === mine) this.#loading.delete(key);
    }
  }

  forget(key: string): void {
    this.#values.delete(key);
    this.#loading.delete(key);
  }
}
