/** An address of the web, absolute; null for every other kind. */
export function absoluteUrl(address: string, base: string): string | null {
  const text = address.trim();
  if (!text || !URL.canParse(text, base)) return null;
  const url = new URL(text, base);
  return /^https?:$/.test(url.protocol) && !url.username && !url.password ? url.href : null;
}

/** The page's own canonical address, where it stays on the same site and leads to the same thing. */
export function canonicalUrl(canonical: string | null, address: URL): string | null {
  const named = canonical ? absoluteUrl(canonical, address.href) : null;
  if (!named || named.length > 2000) return null;
  const url = new URL(named);
  const host = ({ hostname }: URL) => hostname.replace(/^(?:www\d?|m|mobile)\./, '');
  if (host(url) !== host(address) || url.port !== address.port) return null;
  if (url.pathname === '/' && !url.search && (address.pathname !== '/' || address.search)) return null;
  // A canonical address without the variant is another thing at another price.
  if (/[?&](?:variant|sku|color|size|variation|pid|attribute_\w+)=/i.test(address.search) && !url.search)
    return null;
  url.hash = '';
  return url.href;
}

/** The path of an address, to compare by. */
export const pathOf = (url: string, address: string) => {
  const parsed = URL.canParse(url, address) ? new URL(url, address) : null;
  return parsed ? parsed.pathname.replace(/\/$/, '') || '/' : '';
};
