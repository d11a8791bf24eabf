import type { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { semaphore } from '../lib/semaphore.ts';
import { startThread } from '../lib/thread.ts';
import type { FetchedPage, ParseOutcome } from './parse-page.ts';

type Options = { readMs: number; readers: number; bytes: number; log: Logger };

// Just enough for a page of 4 MiB: V8 would fill a larger heap before it collects garbage.
const HEAP_MB = 48;
const IDLE_MS = 60_000;

/** Reads pages in threads: a page that blocks the parser for minutes or fills its memory costs only its own thread. */
export function pageReader({ readMs, readers, bytes, log }: Options) {
  const place = semaphore(readers);
  // The thread that was used last works next, so that the others become idle and end.
  const resting = new Map<Worker, NodeJS.Timeout>();
  const all = new Set<Worker>();

  function start(): Worker {
    const started = startThread(new URL('./reader-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 4 },
      workerData: { mostBytes: bytes },
    });
    all.add(started);
    started.on('exit', () => all.delete(wake(started)));
    return started;
  }

  function wake(thread: Worker): Worker {
    clearTimeout(resting.get(thread));
    resting.delete(thread);
    return thread;
  }

  function rest(thread: Worker): void {
    const end = () => void thread.terminate();
    if (all.has(thread)) resting.set(thread, setTimeout(end, IDLE_MS).unref());
  }

  function ask(thread: Worker, page: FetchedPage, signal: AbortSignal): Promise<ParseOutcome> {
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void, ends: boolean) => {
        signal.removeEventListener('abort', giveUp);
        thread.off('message', answered).off('error', failed).unref();
        if (!ends) return settle();
        thread.terminate().then(settle, reject);
      };
      const giveUp = () => finish(() => resolve({ problem: 'late' }), true);
      const answered = (outcome: ParseOutcome | { failed: string }) =>
        finish(() => resolve('failed' in outcome ? faulty(page, outcome.failed) : outcome), false);
      const failed = (error: NodeJS.ErrnoException) => {
        if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') finish(() => resolve({ problem: 'too_large' }), true);
        else finish(() => reject(error), true);
      };
      signal.addEventListener('abort', giveUp, { once: true });
      thread.ref();
      thread.on('message', answered).on('error', failed);
      thread.postMessage(page, [page.bytes.buffer]);
    });
  }

  /** Reports an error in our own code. */
  function faulty({ address }: FetchedPage, stack: string): ParseOutcome {
    log.error({ err: new Error(stack), shop: new URL(address).hostname }, 'a page could not be read');
    return { problem: 'not_a_page' };
  }

  return {
    /** Reads a page. Callers take turns where there are more pages than threads. */
    async read(page: FetchedPage, caller: string, signal: AbortSignal): Promise<ParseOutcome> {
      const leave = await place.enter('', caller, signal);
      const thread = wake([...resting.keys()].at(-1) ?? start());
      try {
        return await ask(thread, page, AbortSignal.any([signal, AbortSignal.timeout(readMs)]));
      } finally {
        rest(thread);
        leave();
      }
    },

    close: async () => void (await Promise.all([...all].map((thread) => thread.terminate()))),
  };
}
