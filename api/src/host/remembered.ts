import { LRUCache } from 'lru-cache';

type Options = { ttlSeconds: number; most: number; clock: () => number };

/**
 * Answers that cost a request to the host, remembered for a while and bounded in number. Those who ask at the same
 * time share one request. Failures are not remembered.
 */
export class Remembered<V> {
  /** How often the host was spared, and how often it wasn't. */
  readonly counted = { hits: 0, misses: 0 };
  readonly #ttl: number;
  readonly #clock: () => number;
  readonly #values: LRUCache<string, { value: V; askedAt: number }>;
  readonly #loading = new Map<string, { promise: Promise<V>; askedAt: number }>();

  constructor({ ttlSeconds, most, clock }: Options) {
    this.#ttl = ttlSeconds * 1000;
    this.#clock = clock;
    this.#values = new LRUCache({ max: most });
  }

  /** What is remembered and was asked for after `notBefore`, without asking anybody. */
  peek(key: string, notBefore = Number.NEGATIVE_INFINITY): V | undefined {
    const found = this.#values.get(key);
    if (!found) return undefined;
    // The time counts from the question: an answer may be as old as that.
    if (this.#clock() - found.askedAt < this.#ttl && found.askedAt > notBefore) {
      this.counted.hits++;
      return found.value;
    }
    this.#values.delete(key);
    return undefined;
  }

  /** What is remembered, or else what `load` finds out. */
  async get(key: string, load: () => Promise<V>, notBefore = Number.NEGATIVE_INFINITY): Promise<V> {
    return this.peek(key, notBefore) ?? this.#load(key, load, notBefore);
  }

  async #load(key: string, load: () => Promise<V>, notBefore: number): Promise<V> {
    const running = this.#loading.get(key);
    if (running && running.askedAt > notBefore) return running.promise;

    this.counted.misses++;
    const askedAt = this.#clock();
    const mine = { askedAt, promise: load() };
    this.#loading.set(key, mine);
    try {
      const value = await mine.promise;
      // Not if it was forgotten, or asked anew, while the answer was on its way.
      if (this.#loading.get(key) === mine) this.#values.set(key, { value, askedAt });
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
