import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { semaphore } from '../semaphore.ts';
import type { FetchedPage, ReadOutcome } from './read-page.ts';

/** A message of the thread; `failed` is a fault of our own code. */
type FromThread = ReadOutcome | { failed: string };

type Options = {
  readMs: number;
  cpuMs: number;
  readers: number;
  /** The largest page, unpacked. */
  bytes: number;
  log: Logger;
};

// Room for a page of 4 MiB and little more: V8 fills a larger heap before it collects garbage.
const HEAP_MB = 48;
const IDLE_MS = 60_000;

/**
 * Reads pages in threads of their own, one page at a time in each: a hostile page can block a parser for minutes or fill its
 * memory, and then only that thread is lost.
 */
export function pageReader({ readMs, cpuMs, readers, bytes, log }: Options) {
  const place = semaphore(readers);
  // The thread that was used last reads next, so that the others become idle and end.
  const resting: Worker[] = [];
  const idle = new Map<Worker, NodeJS.Timeout>();
  const all = new Set<Worker>();

  function start(): Worker {
    // A thread looks for compiled code only where its environment says; to compile anew, and to load for it what reads
    // TypeScript, takes 25 MB. It needs nothing else of this process's environment.
    const compiled = getCompileCacheDir();
    const started = new Worker(new URL('./reader-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 4 },
      env: compiled === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compiled) },
      workerData: { bytes, cpuMs },
    });
    // An idle thread must not keep the service from ending.
    started.unref();
    all.add(started);
    started.on('exit', () => forget(started));
    return started;
  }

  function forget(thread: Worker): void {
    all.delete(thread);
    clearTimeout(idle.get(thread));
    idle.delete(thread);
    const at = resting.indexOf(thread);
    if (at >= 0) resting.splice(at, 1);
  }

  function rest(thread: Worker): void {
    if (!all.has(thread)) return;
    resting.push(thread);
    const end = () => void thread.terminate();
    idle.set(thread, setTimeout(end, IDLE_MS).unref());
  }

  async function inThread(reading: Worker, page: FetchedPage, signal: AbortSignal): Promise<FromThread> {
    return new Promise<FromThread>((resolve, reject) => {
      const giveUp = () => finish(() => resolve({ problem: 'late' }), true);
      const limit = setTimeout(giveUp, readMs);
      const finish = (settle: () => void, ends: boolean) => {
        clearTimeout(limit);
        signal.removeEventListener('abort', giveUp);
        reading.off('message', answered).off('error', failed).unref();
        // A later error without a listener would end everything.
        reading.on('error', () => {});
        if (!ends) return settle();
        forget(reading);
        reading.terminate().then(settle, reject);
      };
      const answered = (answer: FromThread) => finish(() => resolve(answer), false);
      const failed = (error: NodeJS.ErrnoException) => {
        if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') finish(() => resolve({ problem: 'too_large' }), true);
        else finish(() => reject(error), true);
      };
      signal.addEventListener('abort', giveUp, { once: true });
      reading.ref();
      reading.on('message', answered).on('error', failed);
      reading.postMessage(page, [page.bytes.buffer]);
    });
  }

  return {
    async read(page: FetchedPage, caller: string, signal: AbortSignal): Promise<ReadOutcome> {
      const leave = await place.enter('', caller, signal);
      const thread = resting.pop() ?? start();
      clearTimeout(idle.get(thread));
      try {
        const answer = await inThread(thread, page, signal);
        if ('failed' in answer) {
          log.error(
            { err: new Error(answer.failed), shop: new URL(page.address).hostname },
            'a page could not be read',
          );
          return { problem: 'not_a_page' };
        }
        return answer;
      } finally {
        rest(thread);
        leave();
      }
    },

    close: async () => void (await Promise.all([...all].map((thread) => thread.terminate()))),
  };
}
