import { type Item, type ItemPublic, MAX_INTEGER } from '../contract/index.ts';
import type { SeenItem } from '../domain/item-lists.ts';

export function presentItem({ item, claims }: SeenItem, admin: boolean): Item | ItemPublic {
  const { quantity_purchased: direct, claimed, affiliate_url, affiliate_status } = item;
  return {
    id: item.id,
    registry_id: item.registry_id,
    name: item.name,
    description: item.description,
    url: item.url,
    retailer: item.retailer,
    image_url: item.image_url,
    price: item.price,
    quantity_needed: item.quantity_needed,
    quantity_purchased: claims === 'hidden' ? direct : Math.min(direct + claimed, MAX_INTEGER),
    is_active: item.is_active,
    created_at: item.created_at,
    updated_at: item.updated_at,
    ...(item.currency && { unit: 'money' }),
    ...(admin && { affiliate_url, affiliate_status }),
  };
}
