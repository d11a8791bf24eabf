import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LoadingCache } from '../src/lib/cache.ts';

describe('an answer in the cache', () => {
  const open = (max = 3) => {
    let now = 0;
    let asked = 0;
    const cache = new LoadingCache<number>({ ttlSeconds: 10, max, clock: () => now });
    const ask = async () => ++asked;
    const at = (time: number) => {
      now = time;
    };
    return { cache, ask, asked: () => asked, at };
  };

  it('is one of a bounded number: the least recently used goes first', async () => {
    const { cache, ask, asked } = open();
    for (const key of ['a', 'b', 'c']) await cache.get(key, ask);
    cache.peek('a');
    await cache.get('d', ask);
    const found = ['a', 'b', 'c', 'd'].map((key) => cache.peek(key));
    assert.deepEqual(found, [1, undefined, 3, 4]);
    assert.equal(asked(), 4);
  });

  it('does not outlive being forgotten, and neither does one that was under way then', async () => {
    const { cache, ask } = open();
    const answer = Promise.withResolvers<number>();
    const first = cache.get('a', () => answer.promise);
    cache.forget('a');
    answer.resolve(0);
    assert.equal(await first, 0);
    assert.equal(cache.peek('a'), undefined);
    assert.equal(await cache.get('a', ask), 1);
    assert.equal(await cache.get('a', ask), 1);
  });

  it('is loaded anew for a caller who needs one that is newer', async () => {
    const { cache, ask, at } = open();
    assert.equal(await cache.get('a', ask), 1);
    at(5);
    assert.equal(await cache.get('a', ask, 0), 2);
    assert.equal(await cache.get('a', ask, 4), 2);
    assert.equal(await cache.get('a', ask, 5), 3);
  });

  it('is renewed along with seven others at most at a time', async () => {
    const { cache, ask, at } = open(100);
    const keys = Array.from({ length: 50 }, (_, n) => `key ${n}`);
    for (const key of keys) await cache.get(key, ask);
    at(9e3);
    const held = Promise.withResolvers<number>();
    let renewals = 0;
    for (const key of keys) {
      cache.peek(key, () => {
        renewals++;
        return held.promise;
      });
    }
    assert.equal(renewals, 8);
    held.resolve(0);
  });
});
