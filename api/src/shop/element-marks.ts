import { BUY_LABEL } from './buy-words.ts';
import { BUY_NAME, ELSEWHERE_NAME, FORMER_NAME, OTHER_NAME, PRICE_NAME } from './class-names.ts';
import { type Element, shortTexts } from './page.ts';
import { oneLine } from './text.ts';

/** What classes and ids say: a price, a former price, a price of something else, or a part that isn't about the product. */
export interface Marks {
  price: boolean;
  former: boolean;
  other: boolean;
  elsewhere: boolean;
}

// A product's own header isn't the page's header, and "product-list-price" isn't a list of products.
const OWN_HEADER = /(?:pdp|product|item|detail|title|price|buy|summary)s?[-_]*(?:page[-_]*|box[-_]*)?header/i;
const withoutOwnParts = (named: string) =>
  (OWN_HEADER.test(named) ? named.replace(/header/gi, '') : named).replace(/list-?price/gi, 'price');

// Limits the time for one page, since others wait for their turn.
const LONGEST_NAME = 2_000;
const MOST_NAMES = 5_000;

export const classNamesOf = (attributes: Record<string, string>): string =>
  ['class', 'id', 'data-testid', 'data-test', 'data-hook']
    .map((key) => attributes[key]?.slice(0, LONGEST_NAME) ?? '')
    .join(' ');

/** Returns a function that reads each name once: most occur many times on a page. */
export function marksOfNames(): (named: string) => Marks {
  const known = new Map<string, Marks>();
  return (named) => {
    const found = known.get(named);
    if (found) return found;
    const marks = {
      price: PRICE_NAME.test(named),
      former: FORMER_NAME.test(named),
      other: OTHER_NAME.test(named),
      elsewhere: ELSEWHERE_NAME.test(withoutOwnParts(named)),
    };
    if (known.size < MOST_NAMES) known.set(named, marks);
    return marks;
  };
}

export const isHidden = (attributes: Record<string, string>): boolean =>
  'hidden' in attributes || /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attributes.style ?? '');

const TOO_LONG_FOR_LABEL = 60;

/** Returns a function that recognizes elements that add the product to the cart of the shop at `host`. */
export function buyButtons(host: string): (element: Element, named: string) => boolean {
  const shortText = shortTexts(TOO_LONG_FOR_LABEL - 1);
  const ownHost = host.replace(/^www\./, '');
  return (element, named) => {
    const { name: tag, attributes } = element;
    const isButton =
      tag === 'button' ||
      attributes.role === 'button' ||
      (tag === 'input' && /^(?:submit|button|image)$/i.test(attributes.type ?? ''));
    if (!isButton && tag !== 'a' && tag !== 'form') return false;
    // Articles link to other shops.
    const linkHost = /^(?:https?:)?\/\/([^/?#]+)/i.exec(attributes.href ?? '')?.[1];
    if (linkHost && !`.${linkHost}`.toLowerCase().endsWith(`.${ownHost}`)) return false;
    if (BUY_NAME.test(`${named} ${attributes.name ?? ''} ${attributes.action ?? ''}`)) return true;
    if (tag === 'form') return false;
    const shown = shortText(element);
    const labels = [attributes.value, attributes['aria-label'], attributes.title, shown && oneLine(shown)];
    return labels.some((label) => label && label.length < TOO_LONG_FOR_LABEL && BUY_LABEL.test(label));
  };
}
