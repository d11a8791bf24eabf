import { CLAIM_STATES, EVENT_TYPES, MAX_CLAIMS, MAX_INTEGER } from '../contract/index.ts';
import { isTooDeep } from '../json-depth.ts';
import type { SITE_TABLES } from './migrations.ts';

// A service of many keeps its address in `sites`, leases belong to processes, and the secrets of webhooks open with the key of
// their service alone.
const LEFT_OUT = ['bindings', 'leases', 'webhooks', 'webhook_cursors', 'deliveries'] as const;
export type Table = Exclude<(typeof SITE_TABLES)[number], (typeof LEFT_OUT)[number]>;

export const isMoved = (table: (typeof SITE_TABLES)[number]): table is Table =>
  !(LEFT_OUT as readonly string[]).includes(table);

type Check = (value: unknown) => boolean;

const whole =
  (least: number, most: number): Check =>
  (value) =>
    Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const oneOf =
  (...values: unknown[]): Check =>
  (value) =>
    values.includes(value);
/** Up to so many characters, of which some take two places. */
const text =
  (most: number, pattern = /^/): Check =>
  (value) =>
    typeof value === 'string' &&
    value.length <= 2 * most &&
    value.isWellFormed() &&
    !value.includes('\0') &&
    pattern.test(value);

const hostId = whole(1, Number.MAX_SAFE_INTEGER);
// Numbers that count up leave room to do so.
const id = whole(1, 2 ** 52);
const long = whole(0, 2 ** 52);
const count = whole(0, 2 ** 30);
const quantity = whole(1, MAX_INTEGER);
const flag = oneOf(0, 1);
// Up to the year 9999.
const time = whole(0, 253_402_300_799_999);
const date: Check = (value) => text(40)(value) && !Number.isNaN(Date.parse(value as string));
const name = text(200);
const claimId = text(22, /^[\w-]{22}$/);
const currency = orNull(text(3, /^[A-Z]{3}$/));
const message = orNull(text(500));
const state = oneOf(...CLAIM_STATES);

/** Longer than what the service writes there: a list of a thousand numbers of items is shorter. */
const JSON_LENGTH = 64 * 1024;
const json =
  (isShape: (value: unknown) => boolean): Check =>
  (value) => {
    if (!text(JSON_LENGTH)(value) || isTooDeep(value as string)) return false;
    try {
      return isShape(JSON.parse(value as string));
    } catch {
      return false;
    }
  };
const object = json((value) => typeof value === 'object' && value !== null && !Array.isArray(value));
const ids = json((value) => Array.isArray(value) && value.every(hostId));
// An answer with a registry has its story.
const answer = text(1024 * 1024);

/** In each table the columns beside the site's number, and those that name a row of the site. */
type Moved = { columns: readonly string[]; checks: Record<string, Check>; key: readonly string[] };

const table = (checks: Record<string, Check>, ...key: string[]): Moved => ({
  columns: Object.keys(checks),
  checks,
  key,
});

export const MOVED: Record<Table, Moved> = {
  items: table(
    {
      ...{ id, registry_id: hostId, is_active: flag, version: count, claimed: whole(0, MAX_INTEGER) },
      ...{ claim_changes: count, quantity_needed: quantity, quantity_purchased: whole(0, MAX_INTEGER) },
      price: orNull((value) => Number.isFinite(value) && (value as number) > 0),
      ...{ name, description: orNull(text(500)), url: text(2000), retailer: orNull(text(2000)) },
      ...{ image_url: orNull(text(2000)), affiliate_url: orNull(text(2000)), affiliate_status: orNull(name) },
      ...{ created_at: date, updated_at: date, creation_key: orNull(name), currency },
    },
    'id',
  ),
  registries: table(
    { registry_id: hostId, active: count, version: long, claim_changes: long },
    'registry_id',
  ),
  claims: table(
    {
      ...{ id: claimId, registry_id: hostId, place: whole(1, MAX_CLAIMS), item_id: id, owner_id: long },
      ...{ recorded_by: orNull(long), quantity, state, giver_user_id: orNull(long), giver_name: name },
      ...{ giver_email: orNull(text(254)), giver_address: orNull(text(254)), message },
      ...{ thanked_at: orNull(time), expires_at: orNull(time), created_at: time, updated_at: time },
      ...{ version: count, creation_key: orNull(name), currency, buys: flag, pay_to: orNull(text(300)) },
    },
    'id',
  ),
  claim_events: table(
    {
      ...{ claim_id: claimId, entry: count, at: time },
      ...{ actor: oneOf('giver', 'owner', 'admin', 'clock', 'registry'), actor_id: orNull(long) },
      ...{ state, quantity, message, thanked_at: orNull(time), expires_at: orNull(time) },
    },
    'claim_id',
    'entry',
  ),
  idempotency_keys: table(
    {
      ...{ name, fingerprint: name, holder: name, expires_at: time, created_at: time },
      ...{ status: orNull(whole(200, 299)), json: orNull(answer), etag: orNull(text(200, /^[\x20-\x7e]*$/)) },
    },
    'name',
  ),
  deletions: table({ registry_id: hostId }, 'registry_id'),
  notices: table({ registry_id: hostId, times: count }, 'registry_id'),
  known_registries: table({ registry_id: hostId, post_type: name }, 'registry_id', 'post_type'),
  item_limits: table({ active: long, most: long }, 'active'),
  co_owners: table({ mark: name, registry_id: hostId }, 'mark', 'registry_id'),
  events: table(
    {
      ...{ registry_id: hostId, number: long, part: count, place: orNull(long), at: time, sorted_at: time },
      ...{ type: oneOf(...EVENT_TYPES), item_id: orNull(id), claimed: orNull(whole(0, MAX_INTEGER)) },
      ...{ data: orNull(object), claim_id: orNull(claimId), entry: orNull(count), concealed: orNull(flag) },
    },
    'registry_id',
    'number',
    'part',
  ),
  registry_states: table(
    {
      ...{ registry_id: hostId, seen_at: time, form: name, item_order: ids },
      surprise_until: orNull(text(10, /^(\d{4}-\d{2}-\d{2}|always)$/)),
      ...{ owner_id: orNull(long), surprise_keeps: orNull(oneOf('all', 'names')) },
    },
    'registry_id',
  ),
};
