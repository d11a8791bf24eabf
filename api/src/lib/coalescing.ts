/** Runs work for each key one at a time. All requests that come during a run are served by one more, with the latest request's work. */
export function coalescing<K>() {
  type Running = { next: (() => Promise<void>) | undefined; done: Promise<void> };
  const running = new Map<K, Running>();

  async function finish(key: K, own: Running): Promise<void> {
    try {
      for (let current = own.next; current; current = own.next) {
        own.next = undefined;
        await current();
      }
    } finally {
      running.delete(key);
    }
  }

  /** Resolves when this work, or what replaced it, is done. The work must never fail: what waits behind it would be dropped. */
  function run(key: K, work: () => Promise<void>): Promise<void> {
    const before = running.get(key);
    if (before) {
      before.next = work;
      return before.done;
    }
    const own: Running = { next: work, done: Promise.resolve() };
    running.set(key, own);
    own.done = finish(key, own);
    return own.done;
  }

  return {
    run,
    has: (key: K): boolean => running.has(key),
    size: (): number => running.size,
    async settled(): Promise<void> {
      while (running.size > 0) await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}
