// How a gift's fields travel to the page that adds it: behind the "#" of its address, which no server is told and no log
// keeps. The bookmarklet writes them, that page reads them; what is in an address anyone may have written.

/** The known fields of a gift before it is added: always its link, perhaps the others. */
export interface GiftFields {
  url: string;
  name?: string;
  description?: string;
  image_url?: string;
  price?: number;
  currency?: string;
  retailer?: string;
}

const TEXTS = { name: 500, description: 500, retailer: 200 };
const LONGEST_ADDRESS = 2_000;
// Tells this fragment from one that leads to a place on the page.
const MARK = 'gift';

/** The fragment, without its "#", that holds these fields. */
export function giftFragment(fields: { [Field in keyof GiftFields]: GiftFields[Field] | null }): string {
  const text = new URLSearchParams({ [MARK]: '1' });
  for (const [field, value] of Object.entries(fields))
    if (value !== undefined && value !== null && value !== '') text.append(field, String(value));
  return text.toString();
}

/** The fields in a fragment, with or without its "#"; null where it holds none. A field that cannot be one is left out. */
export function giftIn(fragment: string): GiftFields | null {
  const text = new URLSearchParams(fragment.replace(/^#/, ''));
  const url = text.has(MARK) ? webAddress(text.get('url')) : undefined;
  if (!url) return null;
  const fields: GiftFields = { url };
  for (const [field, longest] of Object.entries(TEXTS) as [keyof typeof TEXTS, number][]) {
    const value = text
      .get(field)
      ?.replace(/\p{Cc}+/gu, ' ')
      .trim();
    if (value) fields[field] = [...value].slice(0, longest).join('');
  }
  const image = webAddress(text.get('image_url'));
  if (image) fields.image_url = image;
  const price = text.get('price') ?? '';
  if (/^\d{1,10}(?:\.\d{1,3})?$/.test(price) && Number(price) > 0) fields.price = Number(price);
  const currency = text.get('currency') ?? '';
  if (/^[A-Z]{3}$/.test(currency)) fields.currency = currency;
  return fields;
}

function webAddress(text: string | null): string | undefined {
  const address = (text ?? '').trim();
  if (!/^https?:\/\/[^\s]+$/i.test(address) || address.length > LONGEST_ADDRESS) return;
  try {
    const url = new URL(address);
    return url.username || url.password ? undefined : url.href;
  } catch {
    return;
  }
}
