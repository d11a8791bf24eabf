import type { RegistryRules } from '../domain/registries.ts';
import { bounded } from '../lib/cache.ts';
import type { ClaimStore } from '../store/claims.ts';

// Pause between two requests about the same registry.
const AGAIN_MS = 6 * 60 * 60_000;
// A larger step would hold up other statements.
const REGISTRIES_IN_A_STEP = 500;
// More than are checked within `againMs`, so dropping the oldest is harmless: it may be checked again.
const MOST_CHECKED = 5_000;

type Parts = {
  claims: Pick<ClaimStore, 'registryAfter' | 'lastRegistry'>;
  registries: Pick<RegistryRules, 'deleteIfGoneOnHost'>;
  clock: () => number;
  againMs?: number | undefined;
};

/**
 * Checks registries with claims one by one for deletions that the site did not report. Starts at a random id after each
 * restart, so that all are checked even where processes are often restarted.
 */
export function deletionScan({ claims, registries, clock, againMs = AGAIN_MS }: Parts) {
  const checkedAt = bounded<number, number>(MOST_CHECKED);
  let after: number | undefined;

  /** Makes at most one request to the host. Returns false if that was not answered. */
  return async function scan(): Promise<boolean> {
    after ??= Math.floor(Math.random() * (await claims.lastRegistry()));
    const { id, last } = await claims.registryAfter(after, REGISTRIES_IN_A_STEP);
    if (id === undefined) {
      after = last ?? 0;
      return true;
    }
    const now = clock();
    if (now - (checkedAt.get(id) ?? Number.NEGATIVE_INFINITY) < againMs) return true;
    after = id;
    checkedAt.set(id, now);
    return (await registries.deleteIfGoneOnHost(id)) !== undefined;
  };
}
