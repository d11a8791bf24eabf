import { LRUCache } from 'lru-cache';

type Options = { ttlSeconds: number; most: number; clock: () => number };

// As parts of an answer's time: when it begins to be renewed behind its callers, and how soon after that once more.
const RENEW_FROM = 0.8;
const RENEW_AGAIN = 0.02;
const MOST_RENEWALS = 8;

type Entry<V> = { value: V; askedAt: number; renewAt: number };

/**
 * Answers that cost a request to the host, remembered for a while and bounded in number. Those who ask at the same
 * time share one request. Failures are not remembered.
 */
export class Remembered<V> {
  /** How often the host was spared, and how often it wasn't. */
  readonly counted = { hits: 0, misses: 0 };
  readonly #ttl: number;
  readonly #clock: () => number;
  readonly #values: LRUCache<string, Entry<V>>;
  readonly #loading = new Map<string, { promise: Promise<V>; askedAt: number }>();
  #renewals = 0;

  constructor({ ttlSeconds, most, clock }: Options) {
    this.#ttl = ttlSeconds * 1000;
    this.#clock = clock;
    this.#values = new LRUCache({ max: most });
  }

  /**
   * What is remembered and was asked for after `notBefore`, without waiting for anybody. Towards the end of its time
   * `renew` asks again behind the answer, so that nobody who comes later has to wait.
   */
  peek(key: string, notBefore = Number.NEGATIVE_INFINITY, renew?: () => Promise<V>): V | undefined {
    const found = this.#values.get(key);
    if (!found) return undefined;
    const now = this.#clock();
    // Counted from when the host was asked: its answer may be as old as that.
    if (now - found.askedAt < this.#ttl && found.askedAt > notBefore) {
      this.counted.hits++;
      if (renew && now >= found.renewAt) this.#renew(key, found, renew);
      return found.value;
    }
    this.#values.delete(key);
    return undefined;
  }

  /** What is remembered, or else what `load` finds out. */
  async get(key: string, load: () => Promise<V>, notBefore = Number.NEGATIVE_INFINITY): Promise<V> {
    return this.peek(key, notBefore) ?? this.#load(key, load, notBefore);
  }

  #renew(key: string, found: Entry<V>, load: () => Promise<V>): void {
    if (this.#renewals >= MOST_RENEWALS || this.#loading.has(key)) return;
    found.renewAt = this.#clock() + this.#ttl * RENEW_AGAIN;
    this.#renewals++;
    const done = () => void this.#renewals--;
    // An answer that could not be renewed stays until its time is over.
    this.#load(key, load, found.askedAt).then(done, done);
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
      if (this.#loading.get(key) === mine) {
        this.#values.set(key, { value, askedAt, renewAt: askedAt + this.#ttl * RENEW_FROM });
      }
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
