// Answers are kept for a day under an Idempotency-Key, so some are older than a release that requires one more field.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from './support.ts';

/** What answers to repeatable requests required when the last version was released. Claims are read anew, so they aren't here. */
const REQUIRED: Record<string, string> = {
  InviteesResponse: 'invitees',
  Item:
    'affiliate_status affiliate_url created_at description id image_url is_active name price quantity_needed quantity_purchased ' +
    'registry_id retailer updated_at url',
  ItemPublic:
    'created_at description id image_url is_active name price quantity_needed quantity_purchased registry_id retailer updated_at ' +
    'url',
  ItemPublicResponse: 'data message success',
  ItemResponse: 'data message success',
  Registry: 'created_at id meta permalink share_key slug status story title updated_at user_id',
  RegistryMeta:
    'registry_currency registry_event_date registry_event_type registry_invitees registry_item_ids registry_owners ' +
    'registry_pay_to registry_surprise_keeps registry_surprise_until',
  WebhookWithSecret: 'created_at disabled_at id registry_id secret types url',
};

type Schema = { $ref?: string; required?: string[]; [key: string]: unknown };
type Operation = { parameters?: { name: string }[]; responses: Record<string, unknown> };

const refsIn = (value: unknown): string[] =>
  [...JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name!);

test('an answer that is kept has every field that the contract requires', async () => {
  await using service = await startTestService();
  const { paths, components } = await (await fetch(`${service.url}/openapi.json`)).json();
  const operations = Object.values(paths as Record<string, Record<string, Operation>>).flatMap((path) =>
    Object.values(path),
  );
  const repeatable = operations.filter(({ parameters = [] }) =>
    parameters.some(({ name }) => name.toLowerCase() === 'idempotency-key'),
  );
  assert.ok(repeatable.length >= 6, `${repeatable.length} operations`);
  const schemas: Record<string, Schema> = components.schemas;
  const required: Record<string, string> = {};
  const queue = repeatable.flatMap(({ responses }) =>
    Object.entries(responses).flatMap(([status, answer]) => (status.startsWith('2') ? refsIn(answer) : [])),
  );
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (name in required || name.startsWith('Claim')) continue;
    required[name] = (schemas[name]!.required ?? []).toSorted().join(' ');
    queue.push(...refsIn(schemas[name]));
  }
  assert.deepEqual(
    required,
    REQUIRED,
    'A new field is required in an answer that may have been kept for an Idempotency-Key before the field was made. Make it ' +
      'optional in api/src/contract/, or let `recall` of its route add it to the kept text (as claims do), then list it here.',
  );
});
