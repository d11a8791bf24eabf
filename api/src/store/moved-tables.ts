import { FORMATS } from '../contract/formats.ts';
import { CLAIM_STATES, EVENT_TYPES, ItemCreate, MAX_CLAIMS, MAX_INTEGER } from '../contract/index.ts';
import { isObject, jsonIn } from '../lib/json.ts';
import type { Row, Value } from './database.ts';
import type { ItemFields } from './items.ts';
import type { SITE_TABLES } from './schema.ts';

/** Bytes of the longest line that the service writes, except for the kept answer to a request. */
export const LONGEST_LINE = 64 * 1024;

// A service of many keeps its address in `sites`, leases belong to processes, and the secrets of webhooks open with the key of
// their service alone.
export type Table = Exclude<keyof typeof SITE_TABLES, 'bindings' | 'leases' | 'webhooks' | 'deliveries'>;

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
const userId = whole(0, Number.MAX_SAFE_INTEGER);
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
const address = text(254, /^[^@\s]+@[^@\s]+$/);
const claimId = text(22, /^[\w-]{22}$/);
const currency = orNull(text(3, /^[A-Z]{3}$/));
const message = orNull(text(500));
const state = oneOf(...CLAIM_STATES);

const areIds: Check = (value) => Array.isArray(value) && value.every(hostId);

/** An object with these fields and no others; a missing one counts as null. */
const fields =
  (checks: Record<string, Check>): Check =>
  (value) =>
    isObject(value) &&
    Object.keys(value).every((name) => Object.hasOwn(checks, name)) &&
    Object.entries(checks).every(([name, check]) => check(value[name] ?? null));

const site = fields({
  ...{ key: text(22, /^(?!-)[\w-]{22}$/), url: text(2_000), item_access: text(2_000) },
  admin_roles: (value) => Array.isArray(value) && value.every(text(200)),
  ...{ state: oneOf('active', 'suspended'), created_at: date },
});

export type SiteInFile = Record<'key' | 'url' | 'item_access' | 'created_at', string> & {
  admin_roles: string[];
  state: 'active' | 'suspended';
};

export const isSiteInFile = (value: unknown): value is SiteInFile => site(value);

// An answer with a registry has its story.
const answer = text(1024 * 1024);

type TextShape = {
  type: string | string[];
  pattern: string;
  minLength?: number;
  maxLength: number;
  format?: keyof typeof FORMATS;
};

/** Checks a text of an item as the API does. */
function field(name: keyof typeof ItemCreate.properties): Check {
  const shape = ItemCreate.properties[name] as unknown as TextShape;
  const { minLength = 0, maxLength, format } = shape;
  const pattern = new RegExp(shape.pattern, 'u');
  const isFormat = format === undefined ? () => true : FORMATS[format];
  const check: Check = (value) => {
    if (typeof value !== 'string' || !pattern.test(value) || !isFormat(value)) return false;
    const characters = [...value].length;
    return characters >= minLength && characters <= maxLength;
  };
  return Array.isArray(shape.type) ? orNull(check) : check;
}

const itemFields = {
  ...{ registry_id: hostId, name: field('name'), description: field('description'), url: field('url') },
  ...{ retailer: field('retailer'), image_url: field('image_url') },
  price: orNull((value) => Number.isFinite(value) && (value as number) > 0),
  ...{ quantity_needed: quantity, quantity_purchased: whole(0, MAX_INTEGER) },
  ...{ created_at: date, updated_at: date },
  ...{ affiliate_url: field('affiliate_url'), affiliate_status: orNull(name), currency },
} satisfies Record<Exclude<keyof ItemFields, 'is_active'>, Check>;

const itemData = fields({ ...itemFields, is_active: oneOf(true, false) });
// The host alone limits these.
const hostText = text(LONGEST_LINE);
const registryData = fields({
  ...{ id: hostId, user_id: userId, title: hostText, status: oneOf('publish', 'private') },
  ...{ permalink: hostText, share_key: hostId, slug: hostText, created_at: date, updated_at: date },
  meta: fields({
    ...{ registry_item_ids: areIds, registry_event_type: orNull(hostText) },
    ...{ registry_event_date: orNull(hostText), registry_currency: currency },
    ...{ registry_surprise_until: orNull(hostText), registry_surprise_keeps: orNull(oneOf('all', 'names')) },
  }),
});

function isDataOf(type: string, data: Value): boolean {
  if (type.startsWith('claim.')) return data === null || data === '{"buys":true}';
  if (type.endsWith('.deleted')) return data === null;
  return (type.startsWith('item.') ? itemData : registryData)(jsonIn(data as string));
}

/** A table's columns besides the site's number, and its key within a site. */
type Moved = { columns: readonly string[]; checks: Record<string, Check>; key: readonly string[] };

const table = (checks: Record<string, Check>, ...key: string[]): Moved => ({
  columns: Object.keys(checks),
  checks,
  key,
});

export const MOVED: Record<Table, Moved> = {
  items: table(
    {
      ...{ id, ...itemFields, is_active: flag, version: count, claimed: whole(0, MAX_INTEGER) },
      ...{ claim_changes: count, creation_key: orNull(name) },
    },
    'id',
  ),
  registries: table(
    { registry_id: hostId, active: count, version: long, claim_changes: long },
    'registry_id',
  ),
  claims: table(
    {
      ...{ id: claimId, registry_id: hostId, place: whole(-MAX_INTEGER, MAX_CLAIMS), item_id: id },
      ...{ owner_id: userId, recorded_by: orNull(userId), quantity, state },
      ...{ giver_user_id: orNull(userId), giver_name: name },
      ...{ giver_email: orNull(address), giver_address: orNull(text(254)), message },
      ...{ thanked_at: orNull(time), expires_at: orNull(time), created_at: time, updated_at: time },
      ...{ version: count, creation_key: orNull(name), currency, buys: flag, pay_to: orNull(text(300)) },
    },
    'id',
  ),
  claim_events: table(
    {
      ...{ claim_id: claimId, entry: count, at: time },
      ...{ actor: oneOf('giver', 'owner', 'admin', 'clock', 'registry'), actor_id: orNull(userId) },
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
  notices: table({ registry_id: hostId, times: count, due_at: time }, 'registry_id'),
  known_registries: table({ registry_id: hostId, post_type: name }, 'registry_id', 'post_type'),
  item_ids: table({ last: id }, 'last'),
  item_limits: table({ active: long, most: long }, 'active'),
  co_owners: table({ mark: name, registry_id: hostId }, 'mark', 'registry_id'),
  events: table(
    {
      ...{ registry_id: hostId, number: long, part: count, place: orNull(long), at: time, sorted_at: time },
      ...{ type: oneOf(...EVENT_TYPES), item_id: orNull(id), claimed: orNull(whole(0, MAX_INTEGER)) },
      ...{ data: orNull(hostText), claim_id: orNull(claimId), entry: orNull(count), concealed: orNull(flag) },
    },
    'registry_id',
    'number',
    'part',
  ),
  registry_states: table(
    {
      ...{ registry_id: hostId, seen_at: time, form: name },
      item_order: (value) => areIds(jsonIn(value as string)),
      surprise_until: orNull(text(24, /^(\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}\.\d{3}Z)?|always)$/)),
      ...{ owner_id: orNull(userId), surprise_keeps: orNull(oneOf('all', 'names')) },
    },
    'registry_id',
  ),
};

/** Returns the first column of a row whose value the service could not have written. */
export function faultIn(table: Table, columns: readonly string[], row: Row): string | undefined {
  const { checks } = MOVED[table];
  const fault = columns.find((column, i) => !checks[column]!(row[i]));
  if (fault !== undefined || table !== 'events') return fault;
  const [type, data = null] = ['type', 'data'].map((column) => row[columns.indexOf(column)]);
  return isDataOf(String(type), data) ? undefined : 'data';
}
