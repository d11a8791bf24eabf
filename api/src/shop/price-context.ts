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

// "+ 5", "3 x 5", and a dash that makes a discount of a price.
const COUNTED = /(?:[+(=×]\s*|\d\s*[x×]\s*(?:de\s*)?|(?:^|\s)[-−–]\s*)$/i;

/** A price from before, by the words around an amount. */
export const isFormer = (before: string, behind: string): boolean =>
  BEFORE_LOWEST.test(before) ||
  ((BEFORE_FORMER.test(before) || BEHIND_FORMER.test(behind)) && !BEFORE_REGULAR.test(before));

/** A price for something else than the product: a unit, a month, a delivery, a saving. */
export const isForOther = (before: string, behind: string): boolean =>
  BEFORE_OTHER.test(before) ||
  COUNTED.test(before) ||
  BEHIND_PER_UNIT.test(behind) ||
  BEHIND_OTHER.test(behind) ||
  BEHIND_UNTAXED.test(behind);

/** One end of a range, or a "from" price. */
export const isOpen = (before: string, behind: string): boolean =>
  BEFORE_START.test(before) || BEHIND_START.test(behind) || BEHIND_OR_MORE.test(behind);

/** The text between two amounts makes a range of them. */
export const isRange = (between: string): boolean => BETWEEN_ENDS.test(between);

/** A line without the words that appear next to any price. */
export const withoutTaxWords = (line: string): string => line.replace(BESIDE_ANY, '');
