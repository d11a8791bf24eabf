import type { HostRegistries } from '../host/registries.ts';
import { coalescing } from '../lib/coalescing.ts';
import type { QueuedNotices } from '../store/notices.ts';
import type { Viewer } from './access.ts';

// How long a host is told nothing after it has turned out not to have the plugin's route.
const PAUSE_MS = 10 * 60_000;
// With more registries than this at a time, the host is too slow: the job tells it of the others.
const MOST_AT_A_TIME = 100;
// Notifies once more after this time, even if the first notice was skipped: a page may have been cached during the change.
const AGAIN_MS = 3_000;
// The most queued notices of one run, so that the host can process all, and how many are sent at a time.
const MOST_QUEUED = 50;
const QUEUED_AT_A_TIME = 5;

type Log = { debug(details: object, message: string): void };
type Parts = {
  host: HostRegistries;
  queued: QueuedNotices;
  log: Log;
  clock: () => number;
  now: () => number;
};

/** Tells the host which registries changed, for its page caches. No response waits for it; a job sends what the host missed. */
export type HostNotices = ReturnType<typeof hostNotices>;

export function hostNotices({ host, queued, log, clock, now }: Parts) {
  const sending = coalescing<number>();
  const again = new Map<number, { timer: NodeJS.Timeout; needsAnother: boolean }>();
  let pausedUntil = Number.NEGATIVE_INFINITY;

  /** Returns false if the host must still be told. One without the plugin need not be. */
  async function send(id: number, authorization: string | undefined): Promise<boolean> {
    if (clock() < pausedUntil) return true;
    try {
      if (!(await host.tellChanged(authorization, id))) pausedUntil = clock() + PAUSE_MS;
      return true;
    } catch (error) {
      log.debug({ err: error, registry: id }, 'the host was not told of a change');
      return false;
    }
  }

  async function sendQueuedOf(id: number, authorization: string | undefined): Promise<void> {
    try {
      const notice = await queued.of(id);
      if ((await send(id, authorization)) && notice) await queued.remove(notice);
    } catch (error) {
      log.debug({ err: error, registry: id }, 'the host is told of a change later');
    }
  }

  function startSending(id: number, authorization: string | undefined): void {
    if (!sending.has(id) && (clock() < pausedUntil || sending.size() >= MOST_AT_A_TIME)) return;
    // While a request for this registry runs, this asks for one more, which covers all changes made meanwhile.
    void sending.run(id, () => sendQueuedOf(id, authorization));
  }

  /** Sends a notice again later, without credentials, which aren't kept so long; twice if the host may have missed the first. */
  function sendAgainLater(id: number, isMissed = false): void {
    const waiting = again.get(id);
    if (waiting) {
      waiting.needsAnother = true;
      return;
    }
    const timer = setTimeout(() => {
      const { needsAnother } = again.get(id)!;
      again.delete(id);
      if (needsAnother || sending.size() >= MOST_AT_A_TIME) sendAgainLater(id);
      startSending(id, undefined);
    }, AGAIN_MS).unref();
    again.set(id, { timer, needsAnother: isMissed });
  }

  return {
    changed({ authorization, skipsNotice }: Viewer, id: number): void {
      if (!skipsNotice) startSending(id, authorization);
      sendAgainLater(id);
    },

    /** Sends notices that no request sent, or that the host missed. Returns false if the host is away. */
    async sendQueued(isOver = () => false): Promise<boolean> {
      const due = await queued.due(now(), MOST_QUEUED);
      const batch = due.filter(({ registryId }) => !sending.has(registryId));
      while (batch.length > 0 && !isOver()) {
        const sent = await Promise.all(
          batch.splice(0, QUEUED_AT_A_TIME).map(async (notice) => {
            if (!(await send(notice.registryId, undefined))) return false;
            await queued.remove(notice);
            // The plugin may have ignored it: without credentials it takes one notice of a list in two seconds.
            sendAgainLater(notice.registryId, true);
            return true;
          }),
        );
        if (sent.includes(false)) return false;
      }
      return true;
    },

    async close(): Promise<void> {
      for (const { timer } of again.values()) clearTimeout(timer);
      again.clear();
      await sending.settled();
    },
  };
}
