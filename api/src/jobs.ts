import type { Clock } from './clock.ts';
import { deletionScan, type ScanLimits } from './domain/deletion-scan.ts';
import type { HostNotices } from './domain/host-notices.ts';
import type { RegistryRules } from './domain/registries.ts';
import type { Job } from './job-runner.ts';
import type { Bindings } from './store/bindings.ts';
import type { ClaimStore } from './store/claims.ts';
import type { Deletions } from './store/deletions.ts';
import type { IdempotencyKeys } from './store/idempotency.ts';

// Rows of one step; a longer step would hold up requests.
const BATCH = 500;

type Parts = {
  idempotency: IdempotencyKeys;
  deletions: Deletions;
  claims: ClaimStore;
  registries: RegistryRules;
  notices: HostNotices;
  binding: Bindings;
  clock: Clock;
  scanLimits?: Partial<ScanLimits> | undefined;
};

/** The service's background work. */
export function backgroundJobs(parts: Parts) {
  const { idempotency, deletions, claims, registries, notices, binding, clock, scanLimits } = parts;
  const expired = { pending: 0, reserved: 0 };
  // Not at each run: a service with nothing to do would write four times a minute.
  let expiryRecordedAt = Number.NEGATIVE_INFINITY;

  const jobs: Job[] = [
    {
      name: 'forget old idempotency keys',
      everyMs: 60_000,
      run: async () => {
        while ((await idempotency.forgetOld(BATCH)) === BATCH);
      },
    },
    {
      name: 'finish deletions',
      everyMs: 20_000,
      run: async () => {
        for (const id of await deletions.unfinished(BATCH)) await registries.resumeDeletion(id);
      },
    },
    {
      name: 'expire claims',
      // Visitors see the change within ten seconds, also through a cache.
      everyMs: 5_000,
      run: async () => {
        for (;;) {
          const over = await claims.expire(clock.wall(), BATCH);
          for (const { state } of over) expired[state as keyof typeof expired]++;
          if (over.length < BATCH) break;
        }
        await notices.sendQueued();
        if (clock.steady() - expiryRecordedAt < 60_000) return;
        await binding.claimsExpired(clock.wall());
        expiryRecordedAt = clock.steady();
      },
    },
    {
      name: 'release claims of registries that are gone',
      // The scan itself limits how often the host is asked.
      everyMs: 5_000,
      run: deletionScan({
        claims,
        deleteIfGoneOnHost: registries.deleteIfGoneOnHost,
        clock: clock.steady,
        limits: scanLimits,
      }),
    },
  ];
  return { jobs, counters: { expired } };
}
