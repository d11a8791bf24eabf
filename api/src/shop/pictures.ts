import { NO_PICTURE, PICTURE_NAME } from './class-names.ts';
import { type Element, textOf } from './page.ts';
import { readJsonLd, said } from './things.ts';
import { sameName } from './titles.ts';
import { absoluteUrl } from './urls.ts';
import { setOf } from './word-table.ts';

export interface Picture {
  address: string;
  width: number;
}

/** Finds the pictures that a page names for previews of its link. */
export function sharedPictures(elements: Element[]): Picture[] {
  const pictures: Picture[] = [];
  const others: Picture[] = [];
  for (const { name, attributes } of elements) {
    if (name !== 'meta') continue;
    const key = (attributes.property ?? attributes.name ?? '').toLowerCase();
    const content = (attributes.content ?? '').trim();
    if (!content) continue;
    if (/^og:image(?::(?:secure_)?url)?$/.test(key)) {
      if (pictures.at(-1)?.address !== content) pictures.push({ address: content, width: 0 });
    } else if (key === 'og:image:width' && pictures.length > 0)
      pictures.at(-1)!.width = Number.parseInt(content, 10) || 0;
    else if (/^twitter:image(?::src)?$/.test(key)) others.push({ address: content, width: 0 });
  }
  return [...pictures, ...others];
}

// Enough to find the product's pictures, which come before those of other products.
const MOST_LOOKED_AT = 300;
const MOST_NAMED = 500;
const SOURCES = setOf('data-old-hires data-zoom-image data-large_image data-large-image data-src src');

/** Finds pictures of the product in the page itself, for pages whose markup names none. */
export function shownPictures(elements: Element[], heading: Element | null, name: string | null): Picture[] {
  const pictures: Picture[] = [];
  const headline = heading && textOf(heading);
  let looked = 0;
  for (const { name: tag, attributes } of elements) {
    if (tag !== 'img') continue;
    if (++looked > MOST_LOOKED_AT) break;
    const names = `${attributes.id ?? ''} ${attributes.class ?? ''}`;
    const alt = attributes.alt ?? '';
    const titled = alt && ((name && sameName(alt, name)) || (headline && sameName(alt, headline)));
    if (!titled && !PICTURE_NAME.test(names)) continue;
    const sizesText = attributes['data-a-dynamic-image'];
    if (sizesText) {
      const sizes = readJsonLd(sizesText);
      for (const [address, size] of Object.entries((sizes ?? {}) as Record<string, unknown>))
        pictures.push({ address, width: Number(said((size as unknown[] | null)?.[0])) || 0 });
    }
    for (const key of SOURCES) {
      // All but `data-src` and `src` name an enlarged picture, whose width is unknown.
      if (attributes[key]) pictures.push({ address: attributes[key], width: /src$/.test(key) ? 0 : 9999 });
    }
    if (pictures.length > 0) break;
  }
  return pictures;
}

const DRAWING = /\.svg$/i;

/** Returns the largest picture, or the first if that has no size. */
export function bestPicture(pictures: Picture[], base: string): string | null {
  const usable = pictures.slice(0, MOST_NAMED).flatMap(({ address, width }) => {
    const url = absoluteUrl(address, base);
    if (!url || url.length > 2000) return [];
    const { pathname } = new URL(url);
    return pathname.length > 1 && !NO_PICTURE.test(pathname) && !DRAWING.test(pathname)
      ? [{ url, width }]
      : [];
  });
  const [first] = usable;
  if (!first) return null;
  return usable.reduce((best, next) => (best.width > 0 && next.width > best.width ? next : best), first).url;
}
