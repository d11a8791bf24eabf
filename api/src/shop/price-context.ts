import {
  BEFORE_FORMER,
  BEFORE_LOWEST,
  BEFORE_OTHER,
  BEFORE_REGULAR,
  BEFORE_START,
  BEHIND_FORMER,
  BEHIND_OR_MORE,
  BEHIND_OTHER,
  BEHIND_PER_UNIT,
  BEHIND_START,
  BEHIND_UNTAXED,
  BESIDE_ANY,
  BETWEEN_ENDS,
} from './price-words.ts';

// "+ 5", "3 x 5", and a dash that turns a price into a discount.
const COUNTED = /(?:[+(=×]\s*|\d\s*[x×]\s*(?:de\s*)?|(?:^|\s)[-−–]\s*)$/i;

/** Reports whether the words around an amount say that it is a former price. */
export const isFormer = (before: string, behind: string): boolean =>
  BEFORE_LOWEST.test(before) ||
  ((BEFORE_FORMER.test(before) || BEHIND_FORMER.test(behind)) && !BEFORE_REGULAR.test(before));

/** Reports whether an amount is something other than the product's price: that of a unit, a month, a delivery, or a saving. */
export const isForOther = (before: string, behind: string): boolean =>
  BEFORE_OTHER.test(before) ||
  COUNTED.test(before) ||
  BEHIND_PER_UNIT.test(behind) ||
  BEHIND_OTHER.test(behind) ||
  BEHIND_UNTAXED.test(behind);

/** Reports whether an amount is one end of a range, or a "from" price. */
export const isOpen = (before: string, behind: string): boolean =>
  BEFORE_START.test(before) || BEHIND_START.test(behind) || BEHIND_OR_MORE.test(behind);

export const isRange = (between: string): boolean => BETWEEN_ENDS.test(between);

/** Returns a line without words that appear next to any price, such as those about tax. */
export const withoutTaxWords = (line: string): string => line.replace(BESIDE_ANY, '');
