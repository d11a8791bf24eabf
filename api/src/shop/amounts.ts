import { currenciesOf, currencyNamed, hasThreeDecimals, SIGN } from './currencies.ts';

/** An amount of money in a text, with the currencies that its sign may stand for. */
export interface Amount {
  value: number;
  currencies: string[];
  start: number;
  end: number;
}

const GROUPED = /^\d{1,3}(?:([ '.,])\d{3})(?:\1\d{3})*(?:([.,])(\d{1,2}))?$/;
const INDIAN = /^\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d{1,2})?$/;
const DECIMAL = /^\d+(?:[.,]\d{1,2})?$/;
const THREE_DIGITS_LAST = /^\d{1,3}[.,]\d{3}$/;

const NUMBER =
  "\\d(?:[\\d.,]|['’´][\\d]|[ \\u00a0\\u2007\\u2009\\u202f](?=\\d{3}(?!\\d))){0,24}(?:\\s?[.,:]?[-–—]{1,2}(?!\\s*\\d)|:-)?";
// Marks the boundary between two elements; no number crosses it.
export const EDGE = '\ue000';
const GAP = `[\\s${EDGE}]{0,4}`;
const AMOUNT = new RegExp(
  `(?<![\\p{L}\\d]|\\d[.,]${EDGE}*|\\d${EDGE}+)(?:` +
    `(${SIGN})\\.?${GAP}(${NUMBER})(?=${SIGN}|\\P{L}|$)(?![.,]?${EDGE}*\\d)|` +
    `(${NUMBER})${GAP}(${SIGN})(\\d{2}(?!\\d))?(?!-\\p{L}|\\d))`,
  'gu',
);
// Real lines with prices are shorter; a longer one must not delay other pages.
export const LONGEST_LINE = 2000;
const LONGEST_PRICE = 100;
const SIGN_BEHIND = new RegExp(`^${GAP}(${SIGN})`, 'u');
const ALONE = new RegExp(`^(?:${SIGN}\\.?)?\\s*(${NUMBER})\\s*(?:${SIGN}\\.?)?$`, 'u');

/** Reads a number as people write it ("1.299" is 1299, except in dinars); null if malformed, zero or too large for a price. */
function readNumber(written: string, currencies: string[] = []): number | null {
  const text = written
    .replace(/[\u00a0\u2007\u2009\u202f]/g, ' ')
    .replace(/[’´`]/g, "'")
    .replace(/\s*(?:[.,:]\s*[-–—]+|:-)$/, '')
    .trim();
  if (DECIMAL.test(text)) return positive(Number(text.replace(',', '.')));
  if (INDIAN.test(text)) return positive(Number(text.replace(/,/g, '')));
  if (THREE_DIGITS_LAST.test(text)) {
    if (currencies.length > 0 && currencies.every((code) => hasThreeDecimals(code)))
      return positive(Number(text.replace(',', '.')));
    if (text.startsWith('0')) return null;
  }
  const [, group, point, decimals] = GROUPED.exec(text) ?? [];
  if (!group || text.startsWith('0') || point === group) return null;
  const whole = decimals ? text.slice(0, -decimals.length - 1) : text;
  return positive(Number(`${whole.replace(/[ '.,]/g, '')}.${decimals ?? 0}`));
}

const positive = (value: number) => (value > 0 && value < 1e10 ? value : null);

/** Returns what a machine-readable price may mean: two amounts for "1.299", which shops write for 1299, too. */
export function readMachinePrice(price: unknown, currency: string | null): number[] {
  if (typeof price === 'number') price = String(price);
  if (typeof price !== 'string') return [];
  const text = price.trim();
  if (text.length > LONGEST_PRICE) return [];
  const plain = /^\d+\.(\d+)$/.exec(text);
  if (plain && plain[1]!.length > 2) {
    const value = Number(text);
    if (!positive(value)) return [];
    if (hasThreeDecimals(currency)) return [Math.round(value * 1000) / 1000];
    if (plain[1]!.length > 3) return [Math.round(value * 100) / 100];
    const grouped = readNumber(text);
    return grouped === null ? [] : [value, grouped];
  }
  const number = ALONE.exec(text)?.[1];
  const value = number ? readNumber(number, currency ? [currency] : []) : null;
  return value === null ? [] : [value];
}

/** Finds every amount with a currency's sign or code in a text. */
export function amountsIn(text: string): Amount[] {
  if (!/\d/.test(text)) return [];
  const found: Amount[] = [];
  // The cut may go through a number, so one at the end is dropped.
  if (text.length > LONGEST_LINE) text = text.slice(0, LONGEST_LINE).replace(/[\d.,'’´\s]{1,30}$/, '');
  for (const match of text.matchAll(AMOUNT)) {
    const [all, signBefore, numberAfter, numberBefore, signAfter, cents] = match;
    const written = (numberAfter ?? numberBefore)!.replace(/[.,]$/, '');
    const currencies = currenciesOf((signBefore ?? signAfter)!);
    const value = readNumber(cents ? `${written}.${cents}` : written, currencies);
    // "$ 25.00 USD": the code after the amount tells which dollar the sign means.
    let known = currencies;
    const tail = SIGN_BEHIND.exec(text.slice(match.index + all.length, match.index + all.length + 12))?.[1];
    const named = tail ? currencyNamed(tail) : null;
    if (signBefore && named && currencies.includes(named)) known = [named];
    if (value === null) continue;
    found.push({ value, currencies: known, start: match.index, end: match.index + all.length });
  }
  return found;
}
