import type { Worker } from 'node:worker_threads';
import { startThread } from '../../lib/thread.ts';

/** The pages in the log, and how many of them are in the file, too. */
type Log = { pages: number; copied: number };

// More at once make a commit wait longer for the disk; fewer are more work.
const AT_ONCE = 500;
// From so many pages on, writers wait for a copy: once all is copied, the log begins anew.
const LONG_LOG = 4_000;

/** Copies what was committed from the log into the file. A thread does it: its syncs take as long as dozens of commits. */
export function checkpoints(path: string, look: () => Log) {
  let thread: Worker | undefined;
  let copying: PromiseWithResolvers<void> | undefined;
  // The pages that the log had when it was copied last: as long as someone reads what was there before, no more can be.
  let seen = 0;

  function start(): Worker {
    const started = startThread(new URL('./checkpoint-thread.ts', import.meta.url), { workerData: path });
    started.on('message', ended);
    // One that has failed is replaced when there is more to copy.
    started.on('exit', () => {
      thread = undefined;
      ended();
    });
    return started;
  }
  function ended(): void {
    thread?.unref();
    copying?.resolve();
    copying = undefined;
  }

  return {
    /** Resolves when more may be written. */
    async committed(): Promise<void> {
      const { pages, copied } = look();
      if (pages < seen) seen = 0;
      if (!copying && pages - Math.max(copied, seen) >= AT_ONCE) {
        thread ??= start();
        seen = pages;
        copying = Promise.withResolvers();
        thread.ref();
        thread.postMessage('');
      }
      if (pages >= LONG_LOG) await copying?.promise;
    },

    async end(): Promise<void> {
      await thread?.terminate();
    },
  };
}
