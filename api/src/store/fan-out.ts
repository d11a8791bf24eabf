import type { Statement } from './database.ts';

// `item.created` is of the family `item.*`: without its last word, it ends in the dot.
const FAMILY = "rtrim(events.type, 'abcdefghijklmnopqrstuvwxyz') || '*'";
const asksFor = (type: string) => `',' || webhooks.types || ',' like '%,' || ${type} || ',%'`;

/** Gives events after a place to the webhooks that ask for their types. Who may see them is decided on sending. */
export const fanOut = (siteId: number, after: number, now: number): Statement[] => [
  [
    `insert into deliveries (site_id, webhook_id, place, registry_id, number, part, at, due_at)
     select $1, webhooks.id, events.place, events.registry_id, events.number, events.part, events.at, $3
     from events join webhooks on webhooks.site_id = $1 and webhooks.registry_id in (0, events.registry_id)
       and webhooks.disabled_at is null and webhooks.ended = 0
       and (webhooks.types = '' or ${asksFor('events.type')} or ${asksFor(FAMILY)})
     where events.site_id = $1 and events.place > $2
     on conflict do nothing`,
    [siteId, after, now],
  ],
  // A registry's webhooks end with its last event, and are removed once that was delivered or given up.
  [
    `update webhooks set ended = 1 where site_id = $1 and registry_id in (
       select registry_id from events where site_id = $1 and place > $2 and type = 'registry.deleted')`,
    [siteId, after],
  ],
];
