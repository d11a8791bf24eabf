import { setImmediate as nextTick } from 'node:timers/promises';
import type { Statement, Write, Written } from './database.ts';

/** A write that waits for its turn, since a time on the steady clock. */
export type Waiting = {
  statement: Statement;
  since: number;
  resolve(written: Written | Promise<Written>): void;
  reject(error: unknown): void;
};

type Options = { most?: number; atOnce?: number };

/**
 * Writes in groups that share a commit, since to sync a disk costs a hundred times what a statement costs: all that
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
    // In the same breath as the look at the queue: a write that comes later starts anew.
    storing--;
  }

  const write: Write = (...statement) =>
    new Promise((resolve, reject) => {
      queue.push({ statement, since: performance.now(), resolve, reject });
      if (storing < atOnce) void storeAll();
    });

  return {
    write,
    /** How many wait for their turn. */
    get waiting() {
      return queue.length;
    },
    /** Resolves when everything that was to be written is. */
    async done() {
      while (storing > 0) await nextTick();
    },
  };
}
