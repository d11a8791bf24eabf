/** Words by meaning, one row a language or a shop system: `{ de: { former: 'UVP früher niedrigst*' } }`. */
export type WordTable<Meaning extends string> = Record<string, Partial<Record<Meaning, string>>>;

export const setOf = (list: string): Set<string> => new Set(list.split(' ').filter(Boolean));

// `\b` knows ASCII letters only, and would find no edge before "é" or "к".
const WORD = { start: '(?<!\\p{L})', end: '(?!\\p{L})', hyphen: '[ -]+', star: '\\p{L}*' };
const NAME = { start: '(?:^|[-_\\s/.])', end: '(?=$|[-_\\s/.\\d])', hyphen: '[-_]?', star: '' };
const PART = { ...NAME, start: '', end: '' };

/**
 * Makes regular expressions of a table's words: in `<former lowest>\\s*$` the list of these meanings is put in. Lists have forms
 * like `list(-price)`, `add-to-cart|bag`, `versand*` and `page-was…not`; long words count without their accents too.
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

/** Finds names of classes, ids or files: `words` between hyphens, `parts` anywhere. A hyphen may be missing or be `_`. */
export const anyName = (words: string, parts = ''): RegExp =>
  new RegExp([words && anyOf(words, NAME), parts && anyOf(parts, PART)].filter(Boolean).join('|'), 'i');

/** The same for meanings of a table. */
export const namesOf =
  <Meaning extends string>(table: WordTable<Meaning>) =>
  (parts: Meaning, words?: Meaning): RegExp =>
    anyName(words ? wordsFor(table, words) : '', wordsFor(table, parts));

/** One alternative holds all entries with the same edges: the engine tries it at fewer places. */
function anyOf(list: string, style: typeof WORD): string {
  // A star that stands for letters reaches to the word's edge; in names it lifts the edge.
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
