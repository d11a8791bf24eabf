import type { Registries } from '../host/registries.ts';
import type { OwedNotices } from '../store/notices.ts';
import type { Viewer } from './access.ts';

// How long a host that has no such route, being without the plugin, is told nothing.
const SILENCE_MS = 10 * 60_000;
// The host is too slow for more notices at a time.
const MOST = 100;
// A page that the host was making during a change may have been kept by a cache since: it looks once more.
const AGAIN_MS = 3_000;
// How many owed notices are given in one run, so that the host heeds them all, and how many at a time.
const MOST_OWED = 50;
const OWED_AT_A_TIME = 5;

type Log = { debug(details: object, message: string): void };
type Parts = { host: Registries; owed: OwedNotices; log: Log; clock: () => number };

/**
 * Tells the host, after the answer, which registry's items have changed. Its pages then needn't wait to find out, and pages
 * that a cache has kept can be cleared. A notice that could not be given is owed, and given later.
 */
export type Notices = ReturnType<typeof notices>;

export function notices({ host, owed, log, clock }: Parts) {
  const telling = new Map<number, { next: (() => void) | undefined; done: Promise<void> }>();
  const again = new Map<number, { timer: NodeJS.Timeout; isOutdated: boolean }>();
  let silentUntil = Number.NEGATIVE_INFINITY;

  /** Whether nothing is left to tell. */
  async function give(id: number, authorization: string | undefined): Promise<boolean> {
    if (clock() < silentUntil) return true;
    try {
      if (!(await host.tellChanged(authorization, id))) silentUntil = clock() + SILENCE_MS;
      return true;
    } catch (error) {
      log.debug({ err: error, registry: id }, 'the host was not told of a change');
      return false;
    }
  }

  async function tell(id: number, authorization: string | undefined): Promise<void> {
    if (!(await give(id, authorization)))
      await owed
        .owe(id)
        .catch((error) => log.debug({ err: error, registry: id }, 'the host stays untold of a change'));
    // What changed meanwhile is told at once, by one more request however much it was.
    const { next } = telling.get(id)!;
    telling.delete(id);
    next?.();
  }

  function begin(id: number, authorization: string | undefined): void {
    const running = telling.get(id);
    if (running) {
      running.next = () => begin(id, authorization);
      return;
    }
    if (clock() < silentUntil || telling.size >= MOST) return;
    const notice = { next: undefined, done: Promise.resolve() };
    telling.set(id, notice);
    notice.done = tell(id, authorization);
  }

  /** Without credentials: they aren't kept for that long. */
  function lookAgain(id: number): void {
    const waiting = again.get(id);
    if (waiting) {
      waiting.isOutdated = true;
      return;
    }
    const timer = setTimeout(() => {
      const { isOutdated } = again.get(id)!;
      again.delete(id);
      if (isOutdated || telling.size >= MOST) lookAgain(id);
      begin(id, undefined);
    }, AGAIN_MS).unref();
    again.set(id, { timer, isOutdated: false });
  }

  return {
    changed({ authorization, looksItself }: Viewer, id: number): void {
      if (!looksItself) begin(id, authorization);
      lookAgain(id);
    },

    /** Gives some of the notices that are owed: what the clock has changed, and what the host could not be told. */
    async giveOwed(): Promise<void> {
      if (clock() < silentUntil) return;
      const owing = await owed.some(MOST_OWED);
      while (owing.length > 0) {
        const given = await Promise.all(
          owing.splice(0, OWED_AT_A_TIME).map(async (notice) => {
            const isGiven = await give(notice.registryId, undefined);
            if (isGiven) {
              await owed.given(notice);
              lookAgain(notice.registryId);
            }
            return isGiven;
          }),
        );
        // The host is away: the next run tries again.
        if (given.includes(false)) return;
      }
    },

    /** All that has been begun is told. */
    async settled(): Promise<void> {
      for (const { timer } of again.values()) clearTimeout(timer);
      again.clear();
      while (telling.size > 0) await Promise.all([...telling.values()].map(({ done }) => done));
    },
  };
}
