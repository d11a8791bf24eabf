import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { atMost } from './at-most.ts';
import type { FetchedPage, Reading } from './read-page.ts';

/** A message of the thread; `failed` is a fault of our own code. */
type FromThread = Reading | { failed: string };

type Options = {
  limitMs: number;
  /** Of a page that is unpacked. */
  bytes: number;
  log: Logger;
};

// Four MiB of a shop's page fit well, with little to spare: what is free is taken before anything is cleared away.
const HEAP_MB = 48;
const IDLE_MS = 60_000;

/**
 * Reads pages one at a time in a thread of its own: a page made for it can hold a parser for minutes and all memory,
 * and then only that thread is lost.
 */
export function pageReader({ limitMs, bytes, log }: Options) {
  const place = atMost(1);
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;

  function start(): Worker {
    // A thread looks for compiled code only where its environment says; to compile anew, and to load for it what reads
    // TypeScript, takes 25 MB. Of this process's environment it needs nothing else.
    const compiled = getCompileCacheDir();
    const started = new Worker(new URL('./reader-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 4 },
      env: compiled === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compiled) },
      workerData: { bytes },
    });
    // An idle thread must not keep the service from ending.
    started.unref();
    started.on('exit', () => {
      if (thread === started) thread = undefined;
    });
    return started;
  }

  async function end(): Promise<void> {
    const ended = thread;
    thread = undefined;
    await ended?.terminate();
  }

  function inThread(page: FetchedPage, signal: AbortSignal): Promise<FromThread> {
    thread ??= start();
    const reading = thread;
    return new Promise<FromThread>((resolve, reject) => {
      const giveUp = () => finish(() => resolve({ problem: 'late' }), true);
      const limit = setTimeout(giveUp, limitMs);
      const finish = (settle: () => void, ends: boolean) => {
        clearTimeout(limit);
        signal.removeEventListener('abort', giveUp);
        reading.off('message', answered).off('error', failed).unref();
        // A later error without a listener would end everything.
        reading.on('error', () => {});
        if (ends) end().then(settle, reject);
        else settle();
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
    async read(page: FetchedPage, signal: AbortSignal): Promise<Reading> {
      const leave = await place.enter('', signal);
      clearTimeout(idle);
      try {
        const answer = await inThread(page, signal);
        if ('failed' in answer) {
          log.error(
            { err: new Error(answer.failed), shop: new URL(page.address).hostname },
            'a page could not be read',
          );
          return { problem: 'not_a_page' };
        }
        return answer;
      } finally {
        leave();
        idle = setTimeout(end, IDLE_MS).unref();
      }
    },

    close: end,
  };
}
