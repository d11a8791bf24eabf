import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as others } from 'node:timers/promises';
import { semaphore } from '../src/lib/semaphore.ts';

describe('a semaphore', () => {
  it('serves waiting callers in rotation', async () => {
    const place = semaphore(2, 2);
    const order: string[] = [];
    const signal = new AbortController().signal;
    const leave: (() => void)[] = [];
    const enter = async (caller: string) => {
      const out = await place.enter('', caller, signal);
      order.push(caller);
      leave.push(out);
    };
    const all = ['a', 'a', 'a', 'a', 'a', 'a', 'b', 'b', 'c'].map(enter);
    for (let turns = 0; order.length < all.length && turns < all.length; turns++) {
      await others();
      leave.shift()?.();
    }
    assert.deepEqual(order, ['a', 'a', 'a', 'b', 'c', 'a', 'b', 'a', 'a']);
    await Promise.all(all);
  });

  it('forgets a caller who gives up', async () => {
    const place = semaphore(1);
    const leave = await place.enter('', 'a', new AbortController().signal);
    const gone = new AbortController();
    const waiting = place.enter('', 'b', gone.signal);
    gone.abort(new Error('gone'));
    await assert.rejects(waiting, /gone/);
    const next = place.enter('', 'c', new AbortController().signal);
    leave();
    (await next)();
    (await place.enter('', 'a', new AbortController().signal))();
  });

  it('is idle when the last holder has left', async () => {
    const place = semaphore(1);
    await place.idle();
    const leave = await place.enter('key', '');
    const next = place.enter('key', '').then((leaveToo) => leaveToo());
    let isIdle = false;
    const idle = place.idle().then(() => {
      isIdle = true;
    });
    await others();
    assert.equal(isIdle, false);
    leave();
    await Promise.all([next, idle]);
    assert.equal(isIdle, true);
  });
});
