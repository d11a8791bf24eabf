type Place = {
  running: number;
  held: Map<string, number>;
  /** By caller, the one whose turn is next first. */
  waiting: Map<string, (() => void)[]>;
};

/**
 * Admits a number of holders at a time under each key, and of one caller's no more than `mostOfOne`. The others wait, and
 * callers take turns: many of one's don't delay another's first.
 */
export type Semaphore = ReturnType<typeof semaphore>;

export function semaphore(most: number, mostOfOne = most) {
  const places = new Map<string, Place>();

  const isFree = (place: Place, caller: string) =>
    place.running < most && (place.held.get(caller) ?? 0) < mostOfOne;

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
      const come = queue.shift()!;
      // Behind all the others, should there be more of theirs.
      place.waiting.delete(next);
      if (queue.length > 0) place.waiting.set(next, queue);
      admit(place, next);
      come();
      break;
    }
    if (place.running === 0 && place.waiting.size === 0) places.delete(key);
  }

  function nextTurn(place: Place, caller: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const queue = place.waiting.get(caller) ?? [];
      const come = () => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        queue.splice(queue.indexOf(come), 1);
        if (queue.length === 0) place.waiting.delete(caller);
        reject(signal.reason);
      };
      queue.push(come);
      place.waiting.set(caller, queue);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  return {
    /** Resolves when there is room, with the function that makes it free again; fails with the signal. */
    async enter(key: string, caller: string, signal: AbortSignal): Promise<() => void> {
      signal.throwIfAborted();
      const place: Place = places.get(key) ?? { running: 0, held: new Map(), waiting: new Map() };
      places.set(key, place);
      if (isFree(place, caller)) admit(place, caller);
      else await nextTurn(place, caller, signal);
      return () => leave(key, place, caller);
    },
  };
}
