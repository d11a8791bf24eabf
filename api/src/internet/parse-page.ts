import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { decodePage, readShopPage, type ShopPage } from '../shop/index.ts';

export type FetchedPage = {
  address: string;
  bytes: Uint8Array<ArrayBuffer>;
  contentType: string | undefined;
  encoding: string | undefined;
};

export type ParseOutcome = { page: ShopPage } | { problem: 'late' | 'too_large' | 'not_a_page' };

/** Unpacks, decodes and parses a page that is no larger than `mostBytes` when unpacked. */
export function parsePage({ address, bytes, contentType, encoding }: FetchedPage, mostBytes: number) {
  let unpacked: Uint8Array;
  try {
    unpacked = unpack(bytes, encoding, mostBytes);
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    return { problem: isTooLarge ? 'too_large' : 'not_a_page' };
  }
  const html = decodePage(unpacked, contentType ?? null);
  if (!isHtml(html)) return { problem: 'not_a_page' };
  return { page: storable(readShopPage(html, address)) };
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

/** Removes fields that are longer than any of an item's, or have characters that none can store. */
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
