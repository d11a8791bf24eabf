type Place = {
  running: number;
  held: Map<string, number>;
  /** By caller, the next one first. */
  waiting: Map<string, (() => void)[]>;
};

/** Admits `max` holders under each key, `maxOfOne` of one caller. Those who wait are served in rotation. */
export type Semaphore = ReturnType<typeof semaphore>;

export function semaphore(max: number, maxOfOne = max) {
  const places = new Map<string, Place>();
  const idleListeners: (() => void)[] = [];

  const isFree = (place: Place, caller: string) =>
    place.running < max && (place.held.get(caller) ?? 0) < maxOfOne;

  function admit(place: Place, caller: string): void {
    place.running++;
    place.held.set(caller, (place.held.get(caller) ?? 0) + 1);
  }

  function leave(key: string, place: Place, caller: string): void {
    place.running--;
    const held = place.held.get(caller)! - 1;
    if (held > 0) place.held.set(caller, held);
    else place.held.delete(caller);
    for (const [next, queue] of place.waiting) {
      if (!isFree(place, next)) continue;
      const proceed = queue.shift()!;
      // A caller with more of them goes to the end.
      place.waiting.delete(next);
      if (queue.length > 0) place.waiting.set(next, queue);
      admit(place, next);
      proceed();
      break;
    }
    if (place.running === 0 && place.waiting.size === 0) places.delete(key);
    if (places.size === 0) for (const listener of idleListeners.splice(0)) listener();
  }

  function nextTurn(place: Place, caller: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const queue = place.waiting.get(caller) ?? [];
      const proceed = () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      const abort = () => {
        queue.splice(queue.indexOf(proceed), 1);
        if (queue.length === 0) place.waiting.delete(caller);
        reject(signal?.reason);
      };
      queue.push(proceed);
      place.waiting.set(caller, queue);
      signal?.addEventListener('abort', abort, { once: true });
    });
  }

  return {
    /** Resolves when there is room, with the function that makes it free again; fails with the signal. */
    async enter(key: string, caller: string, signal?: AbortSignal): Promise<() => void> {
      signal?.throwIfAborted();
      const place: Place = places.get(key) ?? { running: 0, held: new Map(), waiting: new Map() };
      places.set(key, place);
      if (isFree(place, caller)) admit(place, caller);
      else await nextTurn(place, caller, signal);
      return () => leave(key, place, caller);
    },

    /** Resolves when nobody holds a place or waits for one. */
    async idle(): Promise<void> {
      while (places.size > 0) await new Promise<void>((resolve) => idleListeners.push(resolve));
    },
  };
}
