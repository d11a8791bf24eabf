import type { Source } from './facts.ts';

export interface ShopPage {
  url: string;
  name: string | null;
  description: string | null;
  image_url: string | null;
  price: number | null;
  currency: string | null;
  retailer: string | null;
  sources: { [field in 'name' | 'description' | 'image_url' | 'price' | 'currency' | 'retailer']?: Source };
  problem: { code: 'refused' | 'nothing_found'; detail: string } | null;
}

/** Returns the fields that an address alone gives, for a page that could not be fetched. */
export function fromAddress(address: string): ShopPage {
  const host = new URL(address).hostname.replace(/^www\d?\./, '');
  return {
    ...{ url: address, name: null, description: null, image_url: null, price: null, currency: null },
    ...{ retailer: host || null, sources: host ? { retailer: 'address' } : {}, problem: null },
  };
}
