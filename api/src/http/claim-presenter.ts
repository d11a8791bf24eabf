import type { Claim } from '../contract/index.ts';
import type { StoredClaim } from '../domain/claims.ts';

const iso = (time: number) => new Date(time).toISOString();

export const presentClaim = (claim: StoredClaim): Claim => ({
  id: claim.id,
  registry_id: claim.registryId,
  item_id: claim.itemId,
  quantity: claim.quantity,
  state: claim.state,
  giver: claim.giver,
  message: claim.message,
  ...(claim.currency !== null && { buys: claim.buys, pay_to: claim.sendTo ?? null }),
  thanked_at: claim.thankedAt === null ? null : iso(claim.thankedAt),
  expires_at: claim.expiresAt === null ? null : iso(claim.expiresAt),
  created_at: iso(claim.createdAt),
  updated_at: iso(claim.updatedAt),
});
