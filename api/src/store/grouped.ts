import { setImmediate as nextTick } from 'node:timers/promises';
import type { Unit, Write, Written } from './database.ts';

/** A unit that waits for its turn, since a time on the steady clock. */
export type Waiting = {
  unit: Unit;
  since: number;
  resolve(written: Written | Promise<Written>): void;
  reject(error: unknown): void;
};

type Options = { most?: number; atOnce?: number };

/**
 * Units in groups that share a commit, since to sync a disk costs a hundred times what a statement costs: all that
 * come in while others are stored, up to `most`, are the next group. Stores `atOnce` groups at the same time.
 */
export function grouped(
  store: (group: Waiting[]) => Promise<void>,
  { most = Number.POSITIVE_INFINITY, atOnce = 1 }: Options = {},
) {
  const queue: Waiting[] = [];
  let storing = 0;

  async function storeAll(): Promise<void> {
    storing++;
    await nextTick();
    while (queue.length > 0) {
      const group = queue.splice(0, most);
      try {
        await store(group);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    // No `await` since the queue was found empty: a write that comes from now on starts another run.
    storing--;
  }

  const write: Write = (...unit) =>
    new Promise((resolve, reject) => {
      queue.push({ unit, since: performance.now(), resolve, reject });
      if (storing < atOnce) void storeAll();
    });

  return {
    write,
    /** Resolves when everything that was to be written is. */
    async done() {
      while (storing > 0) await nextTick();
    },
  };
}
