import { buyButtons, classNamesOf, isHidden, marksOfNames } from './element-marks.ts';
import { type Element, headingText } from './page.ts';
import { type InheritedMarks, LONGEST_TEXT, lineCollector, type VisibleAmount } from './visible-lines.ts';
import { setOf } from './word-table.ts';

export interface VisiblePage {
  amounts: VisibleAmount[];
  /** Where the product's heading ends, or -1. Counted in characters of visible text, as `buyAt` is. */
  titleEnd: number;
  heading: string;
  buyAt: number[];
  text: string;
}

const BLOCKS = setOf(
  'address article aside blockquote body br button dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr ' +
    'label li main nav ol p section select option table tbody td th thead tr ul',
);
const UNSEEN = setOf('script noscript head textarea title video audio');
const STRUCK = setOf('del s strike');
const BESIDE_THE_PRODUCT = setOf('header footer nav aside option dialog');
const WHOLE_PAGE = setOf('html body main');

// An amount counts as a price up to this many levels below an element whose name says "price".
const PRICE_LEVELS = 5;

/** Finds all visible amounts of money on a page, classified by the elements and words around them. */
export function scanVisible(root: Element, title: Element | null, host: string): VisiblePage {
  const aroundTitle = new Set<Element>();
  for (let element = title; element; element = element.parent) aroundTitle.add(element);
  let titleEnd = -1;
  const buyAt: number[] = [];
  let lastHeading: Element | null = null;
  const marksOf = marksOfNames();
  const isBuy = buyButtons(host);
  // A price in a box with a heading of its own belongs to another product.
  const lines = lineCollector((element) => {
    const box = lastHeading?.parent;
    const boxes = [box, box?.parent].filter((box) => box && !aroundTitle.has(box));
    for (let at: Element | null = element; at && !aroundTitle.has(at); at = at.parent)
      if (boxes.includes(at)) return true;
    return false;
  });

  function walk(element: Element, above: InheritedMarks): void {
    const { name, attributes } = element;
    if (UNSEEN.has(name) || isHidden(attributes)) return;
    const { style = '', href = '', itemprop = '' } = attributes;
    const named = classNamesOf(attributes);
    const own = marksOf(named);
    const isPrice = own.price || marksOf(itemprop).price || 'data-price' in attributes;
    const outside = !aroundTitle.has(element) && !WHOLE_PAGE.has(name);
    const buys = isBuy(element, named);
    const isElsewhere =
      (name === 'button' && !buys) ||
      BESIDE_THE_PRODUCT.has(name) ||
      own.elsewhere ||
      own.other ||
      (name === 'a' && /^(?:https?:|\/)/.test(href)) ||
      /isRelatedTo|isSimilarTo/.test(itemprop);
    const marks: InheritedMarks = {
      old: above.old || STRUCK.has(name) || (outside && own.former) || /line-through/.test(style),
      other: above.other || (outside && isElsewhere),
      price: isPrice && outside ? PRICE_LEVELS : Math.max(0, above.price - 1),
    };
    const edge = BLOCKS.has(name) ? lines.endLine : lines.endPiece;
    edge();
    if (buys && !above.other && !(outside && own.elsewhere)) buyAt.push(lines.place());
    if (name !== 'select') {
      for (const child of element.children) {
        if (typeof child === 'string') lines.add(child, element, named, marks);
        else walk(child, marks);
      }
    }
    edge();
    if (/^h[2-6]$/.test(name) && element !== title && titleEnd >= 0) lastHeading = element;
    if (element === title) {
      titleEnd = lines.place();
      lines.forgetLabel();
    }
  }

  walk(root, { old: false, other: false, price: 0 });
  const heading = title ? headingText(title).slice(0, LONGEST_TEXT) : '';
  return { amounts: lines.amounts, titleEnd, heading, buyAt, text: lines.text() };
}
