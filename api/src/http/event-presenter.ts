import type { RegistryEvent } from '../contract/index.ts';
import { idOf, type SeenEvent, subjectOf } from '../domain/events.ts';
import { presentClaim } from './claim-presenter.ts';
import { presentItem } from './item-presenter.ts';

export function presentEvent(seen: SeenEvent, admin: boolean): RegistryEvent {
  const { event } = seen;
  const { registryId, itemId, claimId } = event;
  return {
    id: idOf(event),
    type: event.type,
    time: new Date(event.at).toISOString(),
    registry_id: registryId,
    item_id: itemId,
    claim_id: claimId,
    data: dataOf(seen, admin),
  };
}

function dataOf({ event, claims }: SeenEvent, admin: boolean) {
  const { claim, item, kept } = subjectOf(event);
  if (claim) return presentClaim(claim);
  return item ? presentItem({ item, claims }, admin) : kept;
}
