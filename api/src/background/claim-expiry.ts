import { claimStore } from '../store/claims.ts';
import type { Database } from '../store/database.ts';

// Claims of one step; a longer step would hold up requests.
const BATCH = 500;

export type Expired = { pending: number; reserved: number };

/** Ends claims whose time is over, and counts them by the state they were in. */
export function claimExpiry(database: Database, now: () => number) {
  const expired: Expired = { pending: 0, reserved: 0 };
  return {
    expired,
    async expireClaims(siteId: number, isOver: () => boolean): Promise<void> {
      const claims = claimStore(database, siteId);
      for (;;) {
        const over = await claims.expire(now(), BATCH);
        for (const { state } of over) expired[state as keyof Expired]++;
        if (over.length < BATCH || isOver()) return;
      }
    },
  };
}
