/** Words by meaning, one row per language or shop system: `{ de: { former: 'UVP früher niedrigst*' } }`. */
export type WordTable<Meaning extends string> = Record<string, Partial<Record<Meaning, string>>>;

export const setOf = (list: string): Set<string> => new Set(list.split(' ').filter(Boolean));

// `\b` knows only ASCII letters, and would find no word boundary before "é" or "к".
const WORD = { start: '(?<!\\p{L})', end: '(?!\\p{L})', hyphen: '[ -]+', star: '\\p{L}*' };
const NAME = { start: '(?:^|[-_\\s/.])', end: '(?=$|[-_\\s/.\\d])', hyphen: '[-_]?', star: '' };
const PART = { ...NAME, start: '', end: '' };

/**
 * Makes regular expressions of a table's words: `<former lowest>` in a pattern becomes the words of both meanings. Lists have forms
 * like `list(-price)`, `add-to-cart|bag`, `versand*` and `page-was…not`; long words also match without their accents.
 */
export const patternsOf =
  <Meaning extends string>(table: WordTable<Meaning>) =>
  (source: string, flags = 'iu'): RegExp =>
    new RegExp(
      source.replace(/<([\w ]+)>/g, (_, meanings) => anyOf(wordsFor(table, meanings), WORD)),
      flags,
    );

const wordsFor = <Meaning extends string>(table: WordTable<Meaning>, meanings: string): string =>
  Object.values(table)
    .flatMap((row) => meanings.split(' ').map((meaning) => row[meaning as Meaning]))
    .join(' ');

/** Makes a pattern for names of classes, ids or files: `words` between hyphens, `parts` anywhere. A hyphen may be missing or be `_`. */
export const anyName = (words: string, parts = ''): RegExp =>
  new RegExp([words && anyOf(words, NAME), parts && anyOf(parts, PART)].filter(Boolean).join('|'), 'i');

/** Makes such a pattern, like `anyName`, of a table's meanings. */
export const namesOf =
  <Meaning extends string>(table: WordTable<Meaning>) =>
  (parts: Meaning, words?: Meaning): RegExp =>
    anyName(words ? wordsFor(table, words) : '', wordsFor(table, parts));

/** Joins a list's entries into alternatives. Entries with the same boundaries share one, which the engine tries at fewer places. */
function anyOf(list: string, style: typeof WORD): string {
  // A star that stands for letters reaches the word's boundary; in names it removes the boundary.
  const wordIn = (entry: string) => (style.star ? entry.replaceAll('*', '') : entry);
  const groups = Map.groupBy(setOf(list), (entry) =>
    [
      /^\(?[\p{L}\p{N}]/u.test(wordIn(entry)) ? style.start : '',
      /[\p{L}\p{N})]$/u.test(wordIn(entry)) ? style.end : '',
    ].join('…'),
  );
  const sources = [...groups].map(([edges, entries]) =>
    edges.replace('…', () => `(?:${entries.map((entry) => sourceOf(entry, style)).join('|')})`),
  );
  return sources.length === 1 ? sources[0]! : `(?:${sources.join('|')})`;
}

const PLAIN_LETTERS: Record<string, string> = { æ: 'a', ø: 'o', ł: 'l' };

function sourceOf(entry: string, { hyphen, star }: typeof WORD): string {
  const sources: Record<string, string> = {
    '<': '(?:',
    '>': ')',
    '(': '(?:',
    ')': ')?',
    '-': hyphen,
    '*': star,
    '…': '.{0,30}',
  };
  return entry
    .replace(/[^-()*…]+\|[^-()*…]+/g, '<$&>')
    .replace(/[^|]/gu, (sign) => {
      const plain = PLAIN_LETTERS[sign] ?? sign.normalize('NFD')[0]!;
      if (entry.length > 3 && plain !== sign && /[a-z]/.test(plain)) return `[${sign}${plain}]`;
      return sources[sign] ?? sign.replace(/[$.+?^[\]\\/]/, '\\$&');
    })
    .replace(/\(\?:(\p{L})\)\?/gu, '$1?');
}
