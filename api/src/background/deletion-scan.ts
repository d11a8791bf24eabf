import type { RegistryRules } from '../domain/registries.ts';
import { bounded } from '../lib/cache.ts';
import type { ClaimStore } from '../store/claims.ts';

/** Pause between two requests to the host, and between two about the same registry. */
export type ScanLimits = { everyMs: number; againMs: number };

const DEFAULT_PAUSES: ScanLimits = { everyMs: 20_000, againMs: 6 * 60 * 60_000 };
// The longest pause after a host that gives no answer.
const LONGEST_PAUSE_MS = 60 * 60_000;
// A larger step would delay the others.
const REGISTRIES_IN_A_STEP = 500;
// More than are checked within `againMs`, so dropping the oldest is harmless: it may be checked again.
const MOST_CHECKED = 5_000;

type Parts = {
  claims: Pick<ClaimStore, 'registryAfter' | 'lastRegistry'>;
  deleteIfGoneOnHost: RegistryRules['deleteIfGoneOnHost'];
  clock: () => number;
  limits?: Partial<ScanLimits> | undefined;
};

/**
 * Checks registries with claims one by one for deletions that the site did not report. Starts at a random id after each
 * restart, so that all are checked even where processes are often restarted.
 */
export function deletionScan({ claims, deleteIfGoneOnHost, clock, limits }: Parts) {
  const { everyMs, againMs } = { ...DEFAULT_PAUSES, ...limits };
  const checkedAt = bounded<number, number>(MOST_CHECKED);
  let behind: number | undefined;
  let notBefore = Number.NEGATIVE_INFINITY;
  let unanswered = 0;

  return async function scan(): Promise<void> {
    if (clock() < notBefore) return;
    behind ??= Math.floor(Math.random() * (await claims.lastRegistry()));
    const { id, last } = await claims.registryAfter(behind, REGISTRIES_IN_A_STEP);
    if (id === undefined) {
      behind = last ?? 0;
      return;
    }
    const now = clock();
    if (now - (checkedAt.get(id) ?? Number.NEGATIVE_INFINITY) < againMs) return;
    behind = id;
    checkedAt.set(id, now);
    let isKnown = false;
    try {
      isKnown = (await deleteIfGoneOnHost(id)) !== undefined;
    } finally {
      unanswered = isKnown ? 0 : unanswered + 1;
      notBefore = now + Math.max(everyMs, Math.min(everyMs * 2 ** unanswered, LONGEST_PAUSE_MS));
    }
  };
}
