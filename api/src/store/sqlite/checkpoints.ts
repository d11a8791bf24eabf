import type { Worker } from 'node:worker_threads';
import { startThread } from '../../lib/thread.ts';

/** The pages in the log, and how many of them have been copied into the file. */
type Log = { pages: number; copied: number };

// Pages that start a copy. With more, a commit waits longer for the disk; with fewer, there is more work.
const AT_ONCE = 500;
// From this many pages on, writers wait for a running copy: once everything is copied, the log starts over.
const LONG_LOG = 4_000;

/** Copies what was committed from the log into the file. A thread does it: its syncs take as long as dozens of commits. */
export function checkpoints(path: string, look: () => Log) {
  let thread: Worker | undefined;
  let copying: PromiseWithResolvers<void> | undefined;
  // The log's pages when the last copy began. What it left out, since someone still reads an older state, isn't retried at once.
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
