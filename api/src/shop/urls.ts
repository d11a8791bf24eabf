/** Returns a web address made absolute; null for addresses of other kinds, or with a user name or password. */
export function absoluteUrl(address: string, base: string): string | null {
  const text = address.trim();
  if (!text || !URL.canParse(text, base)) return null;
  const url = new URL(text, base);
  return /^https?:$/.test(url.protocol) && !url.username && !url.password ? url.href : null;
}

/** Returns the page's canonical address, if it is on the same site and leads to the same product. */
export function canonicalUrl(canonical: string | null, address: URL): string | null {
  const named = canonical ? absoluteUrl(canonical, address.href) : null;
  if (!named || named.length > 2000) return null;
  const url = new URL(named);
  const host = ({ hostname }: URL) => hostname.replace(/^(?:www\d?|m|mobile)\./, '');
  if (host(url) !== host(address) || url.port !== address.port) return null;
  if (url.pathname === '/' && !url.search && (address.pathname !== '/' || address.search)) return null;
  // A canonical address without the variant leads to another product at another price.
  const variant = /[?&](?:variant|sku|color|size|variation|pid|attribute_\w+)=/i;
  if (variant.test(address.search) && !variant.test(url.search)) return null;
  url.hash = '';
  return url.href;
}

/** Returns the path of an address, for comparison. */
export const pathOf = (url: string, base: string) => {
  const parsed = URL.canParse(url, base) ? new URL(url, base) : null;
  return parsed ? parsed.pathname.replace(/\/$/, '') || '/' : '';
};
