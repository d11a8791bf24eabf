import type { Worker } from 'node:worker_threads';
import { startThread } from '../../lib/thread.ts';

/** The pages in the log, and how many of them are in the file, too. */
type Log = { pages: number; copied: number };

// More at once make a commit wait longer for the disk; fewer are more work.
const AT_ONCE = 500;

/** Copies what was committed from the log into the file. A thread does it: its syncs take as long as dozens of commits. */
export function checkpoints(path: string, look: () => Log) {
  let thread: Worker | undefined;
  let isCopying = false;
  // The pages that the log had when it was copied last: as long as someone reads what was there before, no more can be.
  let seen = 0;

  function start(): Worker {
    const started = startThread(new URL('./checkpoint-thread.ts', import.meta.url), { workerData: path });
    started.on('message', () => {
      isCopying = false;
    });
    // One that has failed is replaced when there is more to copy.
    started.on('exit', () => {
      [thread, isCopying] = [undefined, false];
    });
    // Listening to a thread keeps its process alive again.
    started.unref();
    return started;
  }

  return {
    committed(): void {
      if (isCopying) return;
      const { pages, copied } = look();
      if (pages < seen) seen = 0;
      if (pages - Math.max(copied, seen) < AT_ONCE) return;
      seen = pages;
      thread ??= start();
      isCopying = true;
      thread.postMessage('');
    },

    async end(): Promise<void> {
      await thread?.terminate();
    },
  };
}
