import { LRUCache } from 'lru-cache';
import type { Claims as Ledger } from '../store/claims.ts';
import type { Registries } from './registries.ts';

/** How often the host is asked about any registry, and how often about the same one. */
export type LookLimits = { everyMs: number; againMs: number };

const LIMITS: LookLimits = { everyMs: 20_000, againMs: 6 * 60 * 60_000 };
// The longest pause after a host that doesn't say.
const LONGEST_PAUSE_MS = 60 * 60_000;
// So that no step holds up the others.
const REGISTRIES_IN_A_STEP = 500;
// More than are looked at within `againMs`: a forgotten one may be looked at again.
const MOST_REMEMBERED = 5_000;

type Parts = {
  ledger: Pick<Ledger, 'registryAfter' | 'lastRegistry'>;
  finishIfGone: Registries['finishIfGone'];
  clock: () => number;
  limits?: Partial<LookLimits> | undefined;
};

/**
 * Looks for registries that are gone without anybody having said so: one after the other, and then again. The place isn't
 * stored: a process begins at a random one, so that all have their turn even where processes are often restarted.
 */
export function goneRegistries({ ledger, finishIfGone, clock, limits }: Parts) {
  const { everyMs, againMs } = { ...LIMITS, ...limits };
  const lookedAt = new LRUCache<number, number>({ max: MOST_REMEMBERED });
  let behind: number | undefined;
  let notBefore = Number.NEGATIVE_INFINITY;
  let silences = 0;

  /** One request to the host at most. */
  return async function look(): Promise<void> {
    if (clock() < notBefore) return;
    behind ??= Math.floor(Math.random() * (await ledger.lastRegistry()));
    const { id, last } = await ledger.registryAfter(behind, REGISTRIES_IN_A_STEP);
    if (id === undefined) {
      behind = last ?? 0;
      return;
    }
    const now = clock();
    if (now - (lookedAt.get(id) ?? Number.NEGATIVE_INFINITY) < againMs) return;
    behind = id;
    lookedAt.set(id, now);
    let isKnown = false;
    try {
      isKnown = (await finishIfGone(id)) !== undefined;
    } finally {
      silences = isKnown ? 0 : silences + 1;
      notBefore = now + Math.max(everyMs, Math.min(everyMs * 2 ** silences, LONGEST_PAUSE_MS));
    }
  };
}
