import { type Amount, amountsIn, EDGE, LONGEST_LINE } from './amounts.ts';
import type { Element } from './page.ts';
import { isFormer, isForOther, isOpen, isRange, withoutTaxWords } from './price-context.ts';
import { joinedTo } from './split-amounts.ts';
import { oneLine } from './text.ts';

export interface VisibleAmount {
  value: number;
  currencies: string[];
  /** Whether it is struck through or called a former price. */
  old: boolean;
  /** Whether it is another price: per unit or month, of a delivery or another product, or before tax. */
  other: boolean;
  /** Whether it is one end of a range, or a "from" price. */
  open: boolean;
  /** Whether it is in an element that is called a price. */
  strong: boolean;
  /** The number of characters of text before it. */
  at: number;
  /** Whether its line has at most a word or two besides it. */
  alone: boolean;
  box: Element;
}

/** Marks that a text inherits from the elements around it. */
export interface InheritedMarks {
  old: boolean;
  other: boolean;
  /** Levels of nesting that still count as part of an element called a price. */
  price: number;
}

const MOST_AMOUNTS = 2000;
export const LONGEST_TEXT = 10_000;

/** Joins a page's texts into lines, as people read them, and finds the amounts. `isElsewhere`: in another product's box. */
export function lineCollector(isElsewhere: (element: Element) => boolean) {
  const amounts: VisibleAmount[] = [];
  const lines: string[] = [];
  let line = '';
  let pieces: { from: number; element: Element; marks: InheritedMarks }[] = [];
  let lengthBefore = 0;
  /** The previous line, which may be the label of an amount on a line of its own. */
  let label = '';

  function endLine(): void {
    if (!line) return;
    readAmounts();
    const words = oneLine(line.replaceAll(EDGE, ''));
    if (words) {
      lines.push(words);
      lengthBefore += words.length + 1;
      label = words;
    }
    line = '';
    pieces = [];
  }

  function readAmounts(): void {
    if (amounts.length > MOST_AMOUNTS) return;
    const found = amountsIn(line);
    if (found.length === 0) return;
    const words = found.reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), line);
    const alone = withoutTaxWords(words).replace(/[^\p{L}]/gu, '').length <= 12;
    let from = 0;
    for (const amount of found) {
      amounts.push(visibleAmount(amount, from, alone));
      from = amount.end;
    }
  }

  /** `from` is the end of the previous amount on the same line. */
  function visibleAmount({ value, currencies, start, end }: Amount, from: number, alone: boolean) {
    const digit = line.slice(start, end).search(/\d/) + start;
    const { element, marks } = pieces.findLast((piece) => piece.from <= digit) ?? pieces[0]!;
    const own = line.slice(Math.max(from, start - 80), start).replaceAll(EDGE, ' ');
    const isLabelled = !own.trim() && from === 0 && label.length < 40 && !/\d/.test(label);
    const before = isLabelled ? `${label} ` : own;
    const behind = line.slice(end, end + 40).replaceAll(EDGE, ' ');
    return {
      value,
      currencies,
      old: marks.old || isFormer(before, behind),
      other: marks.other || isElsewhere(element) || isForOther(before, behind),
      open: (from > 0 && isRange(line.slice(from, start))) || isOpen(before, line.slice(end, end + 20)),
      strong: marks.price > 0,
      at: lengthBefore + start,
      alone,
      box: element,
    };
  }

  return {
    amounts,
    add(text: string, element: Element, named: string, marks: InheritedMarks): void {
      if (line.length > LONGEST_TEXT) endLine();
      // Amounts beyond this length of a line aren't read.
      if (line.length <= LONGEST_LINE) pieces.push({ from: line.length, element, marks });
      line = joinedTo(line, text.slice(0, LONGEST_TEXT).replace(/\s+/g, ' '), element, named);
    },
    endLine,
    /** Marks the edge of an element within a line. */
    endPiece(): void {
      if (line) line += EDGE;
    },
    place: () => lengthBefore + line.length,
    forgetLabel(): void {
      label = '';
    },
    text(): string {
      endLine();
      return lines.join('\n');
    },
  };
}
