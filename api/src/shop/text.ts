export const oneLine = (text: string) => text.replace(/[\s\u00a0\u200b\ufeff]+/g, ' ').trim();

// HTML's names from U+00A0 on, in order. A library's full table would make the bookmarklet longer than browsers allow.
const SIGNS =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para ' +
  'middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest';
const OTHERS =
  'amp=& lt=< gt=> quot=" apos=\' ndash=– mdash=— lsquo=‘ rsquo=’ sbquo=‚ ldquo=“ rdquo=” bdquo=„ ' +
  'lsaquo=‹ rsaquo=› hellip=… bull=• euro=€ trade=™ times=× divide=÷ szlig=ß aelig=æ AElig=Æ oslash=ø ' +
  'Oslash=Ø eth=ð ETH=Ð thorn=þ THORN=Þ prime=′ Prime=″ oelig=œ OElig=Œ';
const INVISIBLE = { ensp: ' ', emsp: ' ', thinsp: ' ', zwnj: '\u200c', zwj: '\u200d' };
const NAMED = new Map<string, string>([
  ...SIGNS.split(' ').map((name, at): [string, string] => [name, String.fromCharCode(160 + at)]),
  ...OTHERS.split(' ').map((entry) => entry.split('=') as [string, string]),
  ...Object.entries(INVISIBLE),
]);

// Combining accents: "eacute" is "e" with U+0301.
const ACCENTS: Record<string, number> = {
  grave: 0x300,
  acute: 0x301,
  circ: 0x302,
  tilde: 0x303,
  uml: 0x308,
  ring: 0x30a,
  caron: 0x30c,
  cedil: 0x327,
};

function signNamed(name: string): string | undefined {
  const accent = Object.hasOwn(ACCENTS, name.slice(1)) && ACCENTS[name.slice(1)];
  return NAMED.get(name) ?? (accent ? (name[0] + String.fromCharCode(accent)).normalize() : undefined);
}

// What HTML takes the numbers from 128 on for: windows-1252.
const FROM_128 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** Returns the text of a piece of HTML: entities decoded once, tags removed. */
export function plainText(html: string): string {
  if (!/[&<]/.test(html)) return oneLine(html);
  const text = html
    .replace(/<(script|style)\b[^<>]*>[^<]*<\/\1>/gi, ' ')
    .replace(/<(?:\/?[a-z]|![a-z-])[^<>]*>/gi, ' ')
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,8}));?/gi, (all, decimal, hex, name) => {
      if (name) return signNamed(name) ?? all;
      const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
      const known = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
      return known ? (FROM_128[code - 128] ?? String.fromCodePoint(code)) : '\ufffd';
    });
  return oneLine(text);
}

const LONGEST = 500;

/** Returns the plain text of HTML, cut between words to fit into a field; null if hardly any text is there. */
export function shortened(text: string | null | undefined): string | null {
  const plain = plainText(text ?? '');
  if (plain.length < 3) return null;
  if (plain.length <= LONGEST) return plain;
  const cut = plain.slice(0, LONGEST - 1);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), LONGEST / 2)).replace(/[\ud800-\udbff]$/, '')}…`;
}
