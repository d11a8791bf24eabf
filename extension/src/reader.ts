// Runs in the tab in which the person pressed the button, and reads the shop's page as they see it. It changes and sends nothing.
import { fieldsOf } from '../../api/src/shop/fields.ts';
import { livePage } from '../../api/src/shop/live-page.ts';
import { shownPicture } from './shown-picture.ts';
import { chosenVariant } from './variant.ts';
import { type Listed, listedGifts } from './wish-list.ts';

/** A page, as the reader reports it to the extension. */
export interface Reading {
  address: string;
  name: string;
  description: string;
  image: string;
  price: number | null;
  currency: string;
  retailer: string;
  variant: string;
  /** The position of the picture in the tab, as fractions of its width and height; null if it is out of view. */
  seen: { left: number; top: number; width: number; height: number } | null;
  /** The door of a site with lists, if this is one of its pages. */
  door: string;
  /** The gifts of a wish list; none on a page about one product. */
  gifts: Listed[];
}

/** Machine-readable facts, which pages seldom update when someone chooses another variant. */
const FOR_MACHINES = 'script, meta[property*="price" i], meta[itemprop="price"], meta[name^="twitter:" i]';

export function read(): Reading {
  const address = new URL(location.href);
  const root = document.documentElement;
  const told = fieldsOf(livePage(root), address);
  const variant = chosenVariant(document);
  // If a variant's price contradicts these facts, the visible one is what people mean.
  const { price, currency } =
    told.price === null && variant
      ? fieldsOf(
          livePage(root, (element) => element.matches(FOR_MACHINES)),
          address,
        )
      : told;
  const picture = shownPicture(document, told.image_url);
  const isOther = picture && (variant || !told.image_url);
  return {
    address: told.url,
    name: told.name ?? '',
    description: told.description ?? '',
    image: (isOther ? picture.currentSrc : told.image_url) ?? '',
    price,
    currency: currency ?? '',
    retailer: told.retailer ?? '',
    variant,
    seen: picture && placeOf(picture),
    door: document.querySelector<HTMLLinkElement>('link[rel="trousseau-add"]')?.href ?? '',
    gifts: listedGifts(document),
  };
}

function placeOf(picture: HTMLImageElement): Reading['seen'] {
  const { left, top, right, bottom } = picture.getBoundingClientRect();
  const [across, down] = [innerWidth, innerHeight];
  const [x, y] = [Math.max(0, left), Math.max(0, top)];
  const [width, height] = [Math.min(right, across) - x, Math.min(bottom, down) - y];
  if (width < 40 || height < 40) return null;
  return { left: x / across, top: y / down, width: width / across, height: height / down };
}
