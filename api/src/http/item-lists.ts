import { LRUCache } from 'lru-cache';
import type { ItemList } from '../domain/item-lists.ts';
import { etagOfList } from './etag.ts';
import { presentItem } from './item-presenter.ts';

/** A list of items as bytes to send, with its ETag. */
export type PresentedList = { etag: string; json: Buffer };

type Remembered = PresentedList & { state: string };

// The memory for a list besides its text: its key and its entry.
const OVERHEAD_BYTES = 500;
const MOST_BYTES = 96 * 1024 * 1024;
// A larger list isn't remembered: it costs more to send than to make.
const MOST_BYTES_OF_ONE = 1024 * 1024;

/** The lists that were sent last to each kind of viewer, of all sites, bounded in bytes. */
export type RememberedLists = ReturnType<typeof rememberedLists>;

export const rememberedLists = (maxBytes = MOST_BYTES) =>
  new LRUCache<string, Remembered>({
    maxSize: maxBytes,
    maxEntrySize: MOST_BYTES_OF_ONE,
    sizeCalculation: ({ json }) => json.length + OVERHEAD_BYTES,
  });

/** Presents a site's lists, and sends the same bytes again while a list's state in the store is the same. */
export function listPresenter(remembered: RememberedLists, siteId: number) {
  return async (list: ItemList, admin: boolean): Promise<PresentedList> => {
    const key = `${siteId} ${list.name}${admin ? ' admin' : ''}`;
    const last = remembered.get(key);
    if (last?.state === list.state) return last;
    // The state was read before the items: after a change in between, the next request has a new state and reads them again.
    const { items, tag } = await list.read();
    const json = Buffer.from(`[${items.map((item) => JSON.stringify(presentItem(item, admin))).join(',')}]`);
    const presented = { etag: etagOfList(tag, json, admin), json, state: list.state };
    remembered.set(key, presented);
    return presented;
  };
}
