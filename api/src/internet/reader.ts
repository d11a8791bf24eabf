import type { Logger } from 'pino';
import { threads } from '../lib/threads.ts';
import type { FetchedPage, ReadOutcome } from './read-page.ts';

type Options = {
  readMs: number;
  readers: number;
  /** The largest page, unpacked. */
  bytes: number;
  log: Logger;
};

// Just enough for a page of 4 MiB: V8 would fill a larger heap before it collects garbage.
const HEAP_MB = 48;

/** Reads pages in threads: a hostile page can block a parser for minutes or fill its memory. */
export function pageReader({ readMs, readers, bytes, log }: Options) {
  /** `failed` is an error in our own code. */
  const { ask, close } = threads<FetchedPage, ReadOutcome | { failed: string }>({
    program: new URL('./reader-thread.ts', import.meta.url),
    most: readers,
    heapMb: HEAP_MB,
    workerData: { bytes },
    limit: () => AbortSignal.timeout(readMs),
  });

  return {
    async read(page: FetchedPage, caller: string, signal: AbortSignal): Promise<ReadOutcome> {
      const answer = await ask(page, [page.bytes.buffer as ArrayBuffer], caller, signal);
      if (!('failed' in answer)) return answer;
      const shop = new URL(page.address).hostname;
      log.error({ err: new Error(answer.failed), shop }, 'a page could not be read');
      return { problem: 'not_a_page' };
    },

    close,
  };
}
