import assert from 'node:assert/strict';
import type { OpenStore } from './claim-service.ts';

/** Each change of an item and each entry of the ledger has one event, and no event is without. For stores that began empty. */
export async function eventsAgree({ query }: Pick<OpenStore, 'query'>): Promise<void> {
  const items = await query(`select i.id, i.version, count(e.number) as events from items i
    left join events e on e.item_id = i.id and e.claim_id is null
    group by i.id, i.version having count(e.number) <> i.version`);
  assert.deepEqual(items, [], 'an item has not as many events as changes');
  const entries = await query(`select l.claim_id, l.entry from claim_events l
    left join events e on e.claim_id = l.claim_id and e.entry = l.entry
    group by l.claim_id, l.entry having count(e.number) <> 1`);
  assert.deepEqual(entries, [], 'an entry of the ledger has not one event');
  const strays = await query(`select e.claim_id, e.entry from events e
    left join claim_events l on l.claim_id = e.claim_id and l.entry = e.entry
    where e.claim_id is not null and l.claim_id is null`);
  assert.deepEqual(strays, [], 'an event is about no entry of the ledger');
  const gaps = await query(`select registry_id from events where part = 0
    group by registry_id having count(*) <> max(number) - min(number) + 1`);
  assert.deepEqual(gaps, [], 'the events of a registry have a gap');
}
