import type { RegistryEvent } from '../contract/index.ts';
import { idOf, type SeenEvent, subjectOf } from '../domain/events.ts';
import { presentClaim } from './claim-presenter.ts';
import { presentItem } from './item-presenter.ts';

export function presentEvent({ event, claims }: SeenEvent, admin: boolean): RegistryEvent {
  const { claim, item, kept } = subjectOf(event);
  return {
    id: idOf(event),
    type: event.type,
    time: new Date(event.at).toISOString(),
    registry_id: event.registryId,
    item_id: event.itemId,
    claim_id: event.claimId,
    data: claim ? presentClaim(claim) : item ? presentItem({ item, claims }, admin) : kept,
  };
}
