type Place = { running: number; waiting: (() => void)[] };

/** Admits a number of holders at a time under each key; the others wait their turn. */
export type AtMost = ReturnType<typeof atMost>;

export function atMost(most: number) {
  const places = new Map<string, Place>();

  return {
    /** Resolves when there is room, with the function that makes it free again; fails with the signal. */
    async enter(key: string, signal: AbortSignal): Promise<() => void> {
      signal.throwIfAborted();
      const place = places.get(key) ?? { running: 0, waiting: [] };
      places.set(key, place);
      if (place.running < most) place.running++;
      else await nextTurn(place, signal);
      return () => {
        const next = place.waiting.shift();
        if (next) next();
        else if (--place.running === 0) places.delete(key);
      };
    },
  };
}

function nextTurn(place: Place, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const come = () => {
      signal.removeEventListener('abort', giveUp);
      resolve();
    };
    const giveUp = () => {
      place.waiting.splice(place.waiting.indexOf(come), 1);
      reject(signal.reason);
    };
    place.waiting.push(come);
    signal.addEventListener('abort', giveUp, { once: true });
  });
}
