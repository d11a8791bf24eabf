import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Parser } from 'htmlparser2';
import { decodePage, readShopPage, type ShopPage } from '../shop/index.ts';
import { isOtherPage, refreshedTo } from './refresh.ts';

export type FetchedPage = {
  address: string;
  bytes: Uint8Array<ArrayBuffer>;
  contentType: string | undefined;
  encoding: string | undefined;
};

/** The result of reading a page; `refresh` is the address to which the page redirects. */
export type ReadOutcome =
  | { page: ShopPage }
  | { refresh: string }
  | { problem: 'late' | 'too_large' | 'not_a_page' };

/** Unpacks, decodes and reads a page that is no larger than `mostBytes` when unpacked. */
export function readPage(
  { address, bytes, contentType, encoding }: FetchedPage,
  mostBytes: number,
): ReadOutcome {
  let unpacked: Uint8Array;
  try {
    unpacked = unpack(bytes, encoding, mostBytes);
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    return { problem: isTooLarge ? 'too_large' : 'not_a_page' };
  }
  const html = decodePage(unpacked, contentType ?? null);
  if (!isHtml(html)) return { problem: 'not_a_page' };
  const refresh = refreshOf(html);
  const next = refresh === undefined ? null : URL.parse(refresh, address);
  if (next && isOtherPage(next, new URL(address))) return { refresh: next.href };
  return { page: storable(readShopPage(html, address)) };
}

const HEAD = 64 * 1024;

/** Returns the address to which a page redirects at once, if it does. */
export function refreshOf(html: string): string | undefined {
  let found: string | undefined;
  // A refresh within `noscript` is for browsers without scripts; we want the page itself.
  let unscripted = 0;
  const parser = new Parser({
    onopentag(name, { 'http-equiv': header, content }) {
      if (name === 'noscript') unscripted++;
      if (name === 'meta' && unscripted === 0 && /^\s*refresh\s*$/i.test(header ?? ''))
        found ??= refreshedTo(content);
    },
    onclosetag(name) {
      if (name === 'noscript') unscripted--;
    },
  });
  parser.end(html.slice(0, HEAD));
  return found;
}

/** Unpacks what `accept-encoding` asks for. */
function unpack(bytes: Uint8Array, encoding: string | undefined, maxOutputLength: number): Uint8Array {
  const packed = (encoding ?? 'identity').trim().toLowerCase();
  if (packed === 'identity' || packed === '') return bytes;
  if (packed === 'gzip' || packed === 'x-gzip') return gunzipSync(bytes, { maxOutputLength });
  if (packed === 'br') return brotliDecompressSync(bytes, { maxOutputLength });
  throw new Error(`packed as ${packed}`);
}

// Some servers send pictures and archives as text/html.
const isHtml = (text: string) => !text.slice(0, 1_000).includes('\0') && /<[a-z!?]/i.test(text);

const LONGEST = 2_000;

/** Removes fields that no item could store: too long, or with invalid characters. */
function storable(page: ShopPage): ShopPage {
  for (const field of ['name', 'description', 'image_url', 'retailer'] as const) {
    const text = page[field];
    if (text === null) continue;
    if (text.length > LONGEST || text.includes('\0') || !text.isWellFormed()) {
      page[field] = null;
      delete page.sources[field];
    }
  }
  return page;
}
