import type { HostRegistries } from '../host/registries.ts';
import { coalescing } from '../lib/coalescing.ts';
import type { QueuedNotices } from '../store/notices.ts';
import type { Viewer } from './access.ts';

// Pause after a host without the plugin, which has no such route.
const PAUSE_MS = 10 * 60_000;
// The host is too slow for more notices at a time.
const MOST = 100;
// Notifies once more after this time: a page rendered during the change may have been cached after the first notice.
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

/** Tells the host after the response which registries changed, for its page caches; a job sends what it missed. */
export type HostNotices = ReturnType<typeof hostNotices>;

export function hostNotices({ host, queued, log, clock, now }: Parts) {
  const sending = coalescing<number>();
  const again = new Map<number, { timer: NodeJS.Timeout; isOutdated: boolean }>();
  let pausedUntil = Number.NEGATIVE_INFINITY;

  /** Whether nothing is left to send. */
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

  function begin(id: number, authorization: string | undefined): void {
    if (!sending.has(id) && (clock() < pausedUntil || sending.size() >= MOST)) return;
    // The next request covers all changes made during one.
    void sending.run(id, () => sendQueuedOf(id, authorization));
  }

  /** Sends a second notice later, without credentials: these are not kept so long. */
  function sendAgain(id: number): void {
    const waiting = again.get(id);
    if (waiting) {
      waiting.isOutdated = true;
      return;
    }
    const timer = setTimeout(() => {
      const { isOutdated } = again.get(id)!;
      again.delete(id);
      if (isOutdated || sending.size() >= MOST) sendAgain(id);
      begin(id, undefined);
    }, AGAIN_MS).unref();
    again.set(id, { timer, isOutdated: false });
  }

  return {
    changed({ authorization, skipsNotice }: Viewer, id: number): void {
      if (!skipsNotice) begin(id, authorization);
      sendAgain(id);
    },

    /** Sends notices that no request sent, or that the host missed. Returns false if the host is away. */
    async sendQueued(isOver = () => false): Promise<boolean> {
      const due = await queued.due(now(), MOST_QUEUED);
      const batch = due.filter(({ registryId }) => !sending.has(registryId));
      while (batch.length > 0 && !isOver()) {
        const sent = await Promise.all(
          batch.splice(0, QUEUED_AT_A_TIME).map(async (notice) => {
            const isSent = await send(notice.registryId, undefined);
            if (isSent) {
              await queued.remove(notice);
              sendAgain(notice.registryId);
            }
            return isSent;
          }),
        );
        if (sent.includes(false)) return false;
      }
      return true;
    },

    async settled(): Promise<void> {
      for (const { timer } of again.values()) clearTimeout(timer);
      again.clear();
      await sending.settled();
    },
  };
}
