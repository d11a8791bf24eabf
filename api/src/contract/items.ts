import type { Static } from 'typebox';
import {
  Id,
  MAX_INTEGER,
  maybe,
  nullable,
  oneOf,
  pagination,
  ref,
  sample,
  Timestamp,
  text,
} from './common.ts';
import { shape } from './shape.ts';
import { Type } from './typebox.ts';

export const MAX_ACTIVE_ITEMS = 1000;

// Bounded so that an answer with a thousand items doesn't become too large.
const FREE_TEXT = 2000;

const name = text({ minLength: 1, maxLength: 100 }, 'Copper saucepan');
const description = nullable(text({ maxLength: 500 }, 'The 18 cm one'));
const url = text({ minLength: 10, maxLength: 2000 }, 'https://shop.example/saucepan');
const retailer = nullable(text({ maxLength: FREE_TEXT }, 'Kitchen & Co'));
const imageUrl = nullable(text({ maxLength: FREE_TEXT }, 'https://shop.example/saucepan.jpg'));
const price = nullable(Type.Number({ exclusiveMinimum: 0, examples: [129.5] }));
const unit = oneOf(['money'], {
  description:
    '`money`: several pay for it. Its pieces are minor units of the currency of its registry, `quantity_needed` is the goal',
  examples: ['money'],
});
const quantityNeeded = Type.Integer({ minimum: 1, maximum: MAX_INTEGER, examples: [2] });
const quantityPurchased = Type.Integer({ minimum: 0, maximum: MAX_INTEGER, examples: [0] });
const affiliateUrl = nullable(text({ maxLength: FREE_TEXT }, 'https://partner.example/?to=saucepan'));
const affiliateStatus = oneOf(['active', 'inactive', 'expired', 'none'], { examples: ['active'] });
const isActive = oneOf([true, false, 0, 1], { description: '`false` or 0: deleted', examples: [true] });

const publicFields = {
  id: Id,
  registry_id: Id,
  name,
  description,
  url,
  retailer,
  image_url: imageUrl,
  price,
  unit: Type.Optional(unit),
  quantity_needed: quantityNeeded,
  quantity_purchased: quantityPurchased,
  is_active: Type.Boolean({ description: '`false`: deleted', examples: [true] }),
  created_at: Timestamp,
  updated_at: Timestamp,
};

/** An item as everyone but an admin sees it. */
export const ItemPublic = shape('ItemPublic', publicFields);
export type ItemPublic = Static<typeof ItemPublic>;

/** An item as an admin sees it. */
export const Item = shape('Item', {
  ...publicFields,
  affiliate_url: affiliateUrl,
  // The affiliate endpoints store free text here, so an answer may hold more than the four values.
  affiliate_status: nullable(sample('active')),
});
export type Item = Static<typeof Item>;

const envelope = <T extends typeof Item | typeof ItemPublic>(data: T, $id: string) =>
  shape($id, {
    success: Type.Boolean({ examples: [true] }),
    data: ref(data),
    message: sample('Item retrieved successfully'),
  });

export const ItemResponse = envelope(Item, 'ItemResponse');
export type ItemResponse = Static<typeof ItemResponse>;

export const ItemPublicResponse = envelope(ItemPublic, 'ItemPublicResponse');
export type ItemPublicResponse = Static<typeof ItemPublicResponse>;

// Absent and `null` mean the same when an item is made: empty, or the default.
const creatable = {
  name,
  url,
  description: Type.Optional(description),
  retailer: Type.Optional(retailer),
  image_url: Type.Optional(imageUrl),
  price: Type.Optional(price),
  unit: maybe(unit),
  quantity_needed: maybe({ ...quantityNeeded, default: 1 }),
  quantity_purchased: maybe({ ...quantityPurchased, default: 0 }),
  is_active: maybe({ ...isActive, default: true }),
  affiliate_url: Type.Optional(affiliateUrl),
  affiliate_status: maybe(affiliateStatus),
};

export const ItemRegistryCreate = shape('ItemRegistryCreate', creatable);
export type ItemRegistryCreate = Static<typeof ItemRegistryCreate>;

export const ItemCreate = shape('ItemCreate', { registry_id: Id, ...creatable });
export type ItemCreate = Static<typeof ItemCreate>;

/** Only supplied keys change; `null` clears an optional field, or brings its default back. */
export const ItemUpdate = Type.Partial(Type.Object(creatable), { $id: 'ItemUpdate' });
export type ItemUpdate = Static<typeof ItemUpdate>;

export const ItemMove = shape('ItemMove', { registry_id: Id });
export type ItemMove = Static<typeof ItemMove>;

export const AffiliateUpdate = shape('AffiliateUpdate', {
  affiliate_url: text({ minLength: 10, maxLength: 500 }, 'https://partner.example/?to=saucepan'),
  affiliate_status: maybe({ ...text({ maxLength: 50 }), default: 'active' }),
});
export type AffiliateUpdate = Static<typeof AffiliateUpdate>;

export const Affiliate = shape('Affiliate', {
  affiliate_url: nullable(sample('https://partner.example/?to=saucepan')),
  affiliate_status: nullable(sample('active')),
});
export type Affiliate = Static<typeof Affiliate>;

export const ItemQuery = pagination(1000);
export type ItemQuery = Static<typeof ItemQuery>;
