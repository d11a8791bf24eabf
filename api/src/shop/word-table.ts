/** Words by meaning, one row per language or shop system: `{ de: { former: 'früher' } }`. `patternsOf` explains the marks. */
export type WordTable<Meaning extends string> = Record<string, Partial<Record<Meaning, string>>>;

export const setOf = (list: string): Set<string> => new Set(list.split(' ').filter(Boolean));

// `\b` knows only ASCII letters, and would find no word boundary before "é" or "к".
const WORD = { start: '(?<!\\p{L})', end: '(?!\\p{L})', hyphen: '[ -]+', star: '\\p{L}*' };
const NAME = { start: '(?:^|[-_\\s/.])', end: '(?=$|[-_\\s/.\\d])', hyphen: '[-_]?', star: '' };
const PART = { ...NAME, start: '', end: '' };

/**
 * Makes regular expressions of a table's words: `<former lowest>` in a pattern becomes the words of both meanings. In lists, `-` is a
 * space or hyphen, `(x)` is optional, `a|b` either, `*` any letters, `…` up to 30 characters. From 4 on, accents may be missing.
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

/** Makes a pattern like `anyName`, for meanings of a table, but takes the parts first. */
export const namesOf =
  <Meaning extends string>(table: WordTable<Meaning>) =>
  (parts: Meaning, words?: Meaning): RegExp =>
    anyName(words ? wordsFor(table, words) : '', wordsFor(table, parts));

/** Joins a list's entries into alternatives. Entries with the same boundaries share them, so that the engine tries fewer places. */
function anyOf(list: string, style: typeof WORD): string {
  // In texts a star stands for letters up to a boundary, which is still required; in names it lifts that requirement.
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
    .replace(/[^|]/gu, (char) => {
      const plain = PLAIN_LETTERS[char] ?? char.normalize('NFD')[0]!;
      if (entry.length > 3 && plain !== char && /[a-z]/.test(plain)) return `[${char}${plain}]`;
      return sources[char] ?? char.replace(/[$.+?^[\]\\/]/, '\\$&');
    })
    .replace(/\(\?:(\p{L})\)\?/gu, '$1?');
}
