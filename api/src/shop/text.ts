import { decodeHTML } from 'entities/decode';

export const oneLine = (text: string) => text.replace(/[\s\u00a0\u200b\ufeff]+/g, ' ').trim();

/** The text of a piece of HTML, its entities decoded once and its tags left out. */
export function plainText(html: string): string {
  if (!/[&<]/.test(html)) return oneLine(html);
  const text = withoutComments(html.replace(/<(script|style)\b[^<>]*>[^<]*<\/\1>/gi, ' ')).replace(
    /<(?:\/?[a-z]|![a-z])[^<>]*>/gi,
    ' ',
  );
  return oneLine(decodeHTML(text));
}

/** No regular expression: it would search all of the rest for each comment without an end. */
function withoutComments(html: string): string {
  let rest = '';
  let from = 0;
  let end = -1;
  for (let at = html.indexOf('<!--'); at >= 0; at = html.indexOf('<!--', at + 1)) {
    if (at < from) continue;
    if (end < at) end = html.indexOf('>', at);
    if (end < 0) break;
    if (end - at < 6 || !html.startsWith('--', end - 2)) continue;
    rest += `${html.slice(from, at)} `;
    from = end + 1;
  }
  return rest + html.slice(from);
}

const LONGEST = 500;

/** A text that fits into a field, cut between words. */
export function shortened(text: string | null | undefined): string | null {
  const plain = plainText(text ?? '');
  if (plain.length < 3) return null;
  if (plain.length <= LONGEST) return plain;
  const cut = plain.slice(0, LONGEST - 1);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), LONGEST / 2)).replace(/[\ud800-\udbff]$/, '')}…`;
}
