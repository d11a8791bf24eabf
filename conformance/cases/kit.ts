// Helpers for many cases.
import assert from 'node:assert/strict';
import type { Claim } from 'trousseau-client';
import type { Role } from '../accounts.ts';
import type { Answer } from '../answers.ts';
import { ok, unique, type World } from '../world.ts';

export const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
export const STRONG_ETAG = /^"[\x21\x23-\x7e]+"$/;
export const MAX_INTEGER = 2_147_483_647;
/** The longest time that a claim may be reserved, in seconds. */
export const DAYS_90 = 90 * 24 * 60 * 60;

export const etagOf = ({ headers }: Answer) => headers.get('etag') ?? '';
export const key = (text: string) => ({ 'idempotency-key': text });

/** An item with the required fields only. */
export const pan = { name: 'Pan', url: 'https://shop.example/pan' };

/** An item with all fields, as the service returns it. */
export const saucepan = {
  name: 'Copper saucepan',
  description: 'The 18 cm one',
  url: 'https://shop.example/saucepan',
  retailer: 'Kitchen & Co',
  affiliate_url: 'https://partner.example/?to=saucepan',
  affiliate_status: 'active',
  image_url: 'https://shop.example/saucepan.jpg',
  price: 129.5,
  quantity_needed: 3,
  quantity_purchased: 1,
  is_active: true,
};

export const idsOf = <Id>(entries: { id: Id }[]): Id[] => entries.map(({ id }) => id);

/** Returns the service's own time when it answered, to the second. */
const dateOf = ({ headers }: Answer) => Date.parse(headers.get('date') ?? '');

/** Checks that a timestamp is the answer's time, give or take the time to write both. */
export function isNow(timestamp: string, answer: Answer, after = 0): void {
  assert.match(timestamp, TIMESTAMP);
  const off = Math.abs(Date.parse(timestamp) - dateOf(answer) - after);
  assert.ok(off < 15_000, `${timestamp} is ${off} ms off`);
}

/** Sends the same request several times at once. */
export const atOnce = <T>(times: number, request: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: times }, (_, n) => request(n)));

export const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status).sort();

/** Makes a registry to which the stranger is also invited, with an item of many pieces. */
export async function aWish(world: World, fields: object = {}, meta: object = {}, owner: Role = 'owner') {
  const registry_invitees = [world.people.guest.username, world.people.stranger.username];
  const registry = await world.registry({ meta: { registry_invitees, ...meta } }, owner);
  const item = await world.item(registry, { quantity_needed: 4, ...fields });
  return { registry, item, to: `POST /registries/${registry.id}/items/${item.id}/claims` };
}

export const put = ({ call }: World, { id }: { id: number }, body: object, as: Role = 'owner') =>
  call(as, `PUT /items/${id}`, body);

export const patchClaim = ({ call }: World, { id }: { id: string }, body: object, as: Role = 'guest') =>
  call(as, `PATCH /claims/${id}`, body);

export const readClaim = async (
  { call }: World,
  { id }: { id: string },
  as: Role = 'guest',
): Promise<Claim> => ok(200, await call(as, `GET /claims/${id}`));

/** Invents a person for this case alone. */
export const anybody = () => ({ name: 'Aunt May', email: `may-${unique()}@example.invalid` });
