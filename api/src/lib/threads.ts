import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { type Transferable, Worker } from 'node:worker_threads';
import { semaphore } from './semaphore.ts';

type Options = {
  /** The program of a thread, which answers each message with one. */
  program: URL;
  /** As many threads as this at most. */
  most: number;
  heapMb: number;
  workerData?: unknown;
  /** Ends the work on one message. */
  limit: () => AbortSignal;
};

/** The thread did not answer in time, or needed more memory than it has. */
export type ThreadLost = { problem: 'late' | 'too_large' };

const IDLE_MS = 60_000;

/**
 * Threads for work that strangers could make long, one message at a time in each: what blocks or fills its memory loses that
 * thread alone. They start when they are needed and end when they are idle.
 */
export function threads<Message, Answer>({ program, most, heapMb, workerData, limit }: Options) {
  const place = semaphore(most);
  // The thread that was used last works next, so that the others become idle and end.
  const resting: Worker[] = [];
  const idle = new Map<Worker, NodeJS.Timeout>();
  const all = new Set<Worker>();

  function start(): Worker {
    // A thread looks for compiled code only where its environment says; to compile anew, and to load for it what reads
    // TypeScript, takes 25 MB. It needs nothing else of this process's environment.
    const compiled = getCompileCacheDir();
    const started = new Worker(program, {
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 4 },
      env: compiled === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compiled) },
      workerData,
    });
    // An idle thread must not keep the service from ending.
    started.unref();
    all.add(started);
    started.on('exit', () => forget(started));
    // An error without a listener would end everything.
    started.on('error', () => {});
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

  function ask(thread: Worker, message: Message, transferred: Transferable[], signals: AbortSignal[]) {
    return new Promise<Answer | ThreadLost>((resolve, reject) => {
      const giveUp = () => finish(() => resolve({ problem: 'late' }), true);
      const finish = (settle: () => void, ends: boolean) => {
        for (const signal of signals) signal.removeEventListener('abort', giveUp);
        thread.off('message', answered).off('error', failed).unref();
        if (!ends) return settle();
        forget(thread);
        thread.terminate().then(settle, reject);
      };
      const answered = (answer: Answer) => finish(() => resolve(answer), false);
      const failed = (error: NodeJS.ErrnoException) => {
        if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') finish(() => resolve({ problem: 'too_large' }), true);
        else finish(() => reject(error), true);
      };
      for (const signal of signals) signal.addEventListener('abort', giveUp, { once: true });
      thread.ref();
      thread.on('message', answered).on('error', failed);
      thread.postMessage(message, transferred);
    });
  }

  return {
    /** A thread's answer. Callers take turns where there are more messages than threads. */
    async ask(
      message: Message,
      transferred: Transferable[],
      caller: string,
      signal: AbortSignal,
    ): Promise<Answer | ThreadLost> {
      const leave = await place.enter('', caller, signal);
      const thread = resting.pop() ?? start();
      clearTimeout(idle.get(thread));
      try {
        return await ask(thread, message, transferred, [signal, limit()]);
      } finally {
        rest(thread);
        leave();
      }
    },

    /** How many there are at the moment. */
    get count() {
      return all.size;
    },

    close: async () => void (await Promise.all([...all].map((thread) => thread.terminate()))),
  };
}
