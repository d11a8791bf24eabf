import { EDGE, LONGEST_LINE } from './amounts.ts';
import type { Element } from './page.ts';

/** Appends a text to a line. Decimals are often in an element of their own: 24<sup>90</sup>. `named`: its classes and ids. */
export function joinedTo(line: string, text: string, { name }: Element, named: string): string {
  // Only the ends are examined: a line may be long, and this runs for every piece of it.
  const start = text.trimStart();
  if (!/^(?:[.,]|\d{2})/.test(start) || text.length > LONGEST_LINE || line.length > LONGEST_LINE)
    return line + text;
  const decimals = /^[.,]?(\d{2})\s*$/.exec(start)?.[1];
  const isForDecimals =
    name === 'sup' || /(?<!ac|de|per|re)cent(?!er|r)|frac|decimal|superscript|kop/i.test(named);
  const bare = line.slice(-40).replaceAll(EDGE, '').trimEnd();
  if (decimals && isForDecimals && /\d[.,]?$/.test(bare)) {
    const untilGap = withoutGap(line);
    const whole = withoutGap(/[.,]$/.test(untilGap) ? untilGap.slice(0, -1) : untilGap);
    return `${whole}${/\d\.\d{3}$/.test(whole.slice(-8)) ? ',' : '.'}${decimals}`;
  }
  // "12" "." "99" and "1.299" ",00" in elements of their own.
  const continued = /^[.,]\d{2}(?!\d)/.test(text) || /^[.,]$/.test(text.trim());
  if (continued && /\d$/.test(bare)) return withoutGap(line, /\ue000/) + start;
  if (/^\d{2}(?!\d)/.test(text) && /\d[.,]$/.test(bare)) return withoutGap(line, /\ue000/) + text;
  return line + text;
}

/** Removes edges (`EDGE` is U+E000) and spaces from the end. One expression would take quadratic time on runs of spaces. */
function withoutGap(line: string, gap = /[\ue000\s]/): string {
  let end = line.length;
  while (end > 0 && gap.test(line[end - 1]!)) end--;
  return line.slice(0, end);
}
