import type { Registries } from '../host/registries.ts';
import type { Viewer } from './access.ts';

// How long a host that has no such route, being without the plugin, is told nothing.
const SILENCE_MS = 10 * 60_000;
// More notices than these at a time the host is too slow for: its pages find out by asking.
const MOST = 100;

type Log = { debug(details: object, message: string): void };
type Parts = { host: Registries; log: Log; clock: () => number };

/** Tells the host behind the answer which registry's items have changed: its pages then needn't wait to find out. */
export type Notices = ReturnType<typeof notices>;

export function notices({ host, log, clock }: Parts) {
  const telling = new Map<number, { next: string | undefined; done: Promise<void> }>();
  let silentUntil = Number.NEGATIVE_INFINITY;

  async function tell(id: number, authorization: string): Promise<void> {
    try {
      if (!(await host.tellChanged(authorization, id))) silentUntil = clock() + SILENCE_MS;
    } catch (error) {
      log.debug({ err: error, registry: id }, 'the host was not told of a change');
    }
    // What changed meanwhile is told at once, by one more request however much it was.
    const next = telling.get(id)!.next;
    telling.delete(id);
    if (next !== undefined) begin(id, next);
  }

  function begin(id: number, authorization: string): void {
    if (clock() < silentUntil || telling.size >= MOST) return;
    const notice = { next: undefined, done: Promise.resolve() };
    telling.set(id, notice);
    notice.done = tell(id, authorization);
  }

  return {
    changed({ authorization }: Viewer, id: number): void {
      const running = telling.get(id);
      if (running) running.next = authorization;
      else begin(id, authorization);
    },

    /** All that has been begun is told. */
    async settled(): Promise<void> {
      while (telling.size > 0) await Promise.all([...telling.values()].map(({ done }) => done));
    },
  };
}
