import * as words from './price-words.ts';

// What stands before the amount in "+ 5", "(5", "= 5" and "3 x 5", and a dash that turns a price into a discount.
const COUNTED = /(?:[+(=×]\s*|\d\s*[x×]\s*(?:de\s*)?|(?:^|\s)[-−–]\s*)$/i;

/** Reports whether the words around an amount say that it is a former price. */
export const isFormer = (before: string, behind: string): boolean =>
  words.BEFORE_LOWEST.test(before) ||
  ((words.BEFORE_FORMER.test(before) || words.BEHIND_FORMER.test(behind)) &&
    !words.BEFORE_REGULAR.test(before));

/** Reports whether an amount isn't the product's price, but that of a unit, a month, a delivery, a saving, or one before tax. */
export const isForOther = (before: string, behind: string): boolean =>
  words.BEFORE_OTHER.test(before) ||
  COUNTED.test(before) ||
  words.BEHIND_PER_UNIT.test(behind) ||
  words.BEHIND_OTHER.test(behind) ||
  words.BEHIND_UNTAXED.test(behind);

/** Reports whether an amount is one end of a range, or a "from" price. */
export const isOpen = (before: string, behind: string): boolean =>
  words.BEFORE_START.test(before) || words.BEHIND_START.test(behind) || words.BEHIND_OR_MORE.test(behind);

export const isRange = (between: string): boolean => words.BETWEEN_ENDS.test(between);

/** Returns a line without words that appear next to any price, such as those about tax. */
export const withoutTaxWords = (line: string): string => line.replace(words.BESIDE_ANY, '');
