import { setImmediate as nextTick } from 'node:timers/promises';
import type { Unit, Write, Written } from './database.ts';

/** A unit that waits to be stored. `since` is a time on the steady clock. */
export type Waiting = {
  unit: Unit;
  since: number;
  resolve(written: Written | Promise<Written>): void;
  reject(error: unknown): void;
};

/** Stores units in groups, one group at a time: its units share a commit, since a sync costs as much as a hundred statements. */
export function groupCommit(store: (group: Waiting[]) => Promise<void>, max = Number.POSITIVE_INFINITY) {
  const queue: Waiting[] = [];
  let storing = false;

  async function storeAll(): Promise<void> {
    storing = true;
    await nextTick();
    while (queue.length > 0) {
      const group = queue.splice(0, max);
      try {
        await store(group);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    // No `await` since the queue was found empty: a write that comes from now on starts another run.
    storing = false;
  }

  const write: Write = (...unit) =>
    new Promise((resolve, reject) => {
      queue.push({ unit, since: performance.now(), resolve, reject });
      if (!storing) void storeAll();
    });

  return {
    write,
    /** Resolves when everything that was to be written is. */
    async done() {
      while (storing) await nextTick();
    },
  };
}
