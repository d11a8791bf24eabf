import type { Static } from 'typebox';
import { Id, nullable, oneOf, ref, sample, Timestamp, text } from './common.ts';
import { described, shape } from './shape.ts';
import { Type } from './typebox.ts';

export const EVENT_TYPES = [
  'item.created',
  'item.updated',
  'item.deleted',
  'item.restored',
  'items.reordered',
  'registry.updated',
  'registry.deleted',
  'claim.created',
  'claim.updated',
  'claim.released',
  'claim.expired',
  'claim.thanked',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const RegistryEvent = shape('Event', {
  id: sample('evt_3Vd0TtMkQh2xVw9sYb3LnA', 'Unique; in no order'),
  type: oneOf(EVENT_TYPES, { examples: ['item.updated'] }),
  time: Timestamp,
  registry_id: Id,
  item_id: nullable(Id),
  claim_id: nullable(sample('7Jd0TtMkQh2xVw9sYb3LnA')),
  data: Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    description:
      'The item, the claim, or the registry without story and people, as the API would have answered it then; null after a deletion',
    examples: [null],
  }),
});
export type RegistryEvent = Static<typeof RegistryEvent>;

export const Events = described('Events', 'Oldest first; none where there is nothing new', {
  events: Type.Array(ref(RegistryEvent)),
  next: sample(
    'evc_MTIuNS4wLjE3OTU3_1xVw9sYb3Ln',
    'The cursor for what comes after these, given also where there is nothing new',
  ),
});
export type Events = Static<typeof Events>;

export const EventQuery = Type.Object({
  after: Type.Optional(text({}, 'evc_MTIuNS4wLjE3OTU3_1xVw9sYb3Ln', '`next` of an earlier answer')),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      default: 100,
      description: 'A page of more than 200 ends once it has 512 kB',
    }),
  ),
});
export type EventQuery = Static<typeof EventQuery>;
