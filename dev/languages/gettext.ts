// Gettext's files: catalogues of texts (.pot), translations (.po), and their binary form for WordPress (.mo).
import { type GetTextTranslation, mo, po } from 'gettext-parser';

export interface Entry {
  /** A word that distinguishes two identical texts. */
  context?: string;
  text: string;
  /** The plural form, if there is one. */
  many?: string;
  /** Notes for translators. */
  notes: string[];
  /** The files with this text. Gettext's files name each once, without line numbers, which would change with every commit. */
  places: string[];
  flags: string[];
  /** One for each plural form of the language; empty if missing. */
  translations: string[];
}

export interface Catalogue {
  /** The header's fields, in their order. */
  header: Map<string, string>;
  entries: Entry[];
}

/** Returns the key that an entry has in every file. */
export const identity = ({ context, text }: Pick<Entry, 'context' | 'text'>) =>
  context === undefined ? text : `${context}\u0004${text}`;

/** Returns the placeholders of `sprintf` in a text. */
export const placeholders = (text: string): string[] => text.match(/%(?:\d+\$)?[sd]/g) ?? [];

/** Returns how many plural forms a language has, and which one a number takes. */
export function pluralRule({ header }: Catalogue): { count: number; formOf(n: number): number } {
  const [, count, expression] =
    /^nplurals=(\d); *plural=([n\d\s()<>=!?:%&|]+);$/.exec(header.get('Plural-Forms') ?? '') ?? [];
  if (!expression) throw new Error('The header has no Plural-Forms such as nplurals=2; plural=(n != 1);');
  const rule = new Function('n', `return Number(${expression})`) as (n: number) => number;
  return { count: Number(count), formOf: rule };
}

const escapes: Record<string, string> = { '\n': '\\n', '\t': '\\t', '"': '\\"', '\\': '\\\\' };
const quote = (text: string) => `"${text.replace(/[\n\t"\\]/g, (sign) => escapes[sign]!)}"`;

/**
 * Returns a catalogue as text; without translations it is a template. Entries keep the order of the sources, with notes before
 * places: the library would put texts with a context last, and places first.
 */
export function write({ header, entries }: Catalogue, forms = 2): string {
  const blocks = entries.map(({ context, text, many, notes, places, flags, translations }) =>
    [
      ...notes.map((words) => `#. ${words}`),
      ...[...new Set(places)].map((place) => `#: ${place}`),
      ...(flags.length ? [`#, ${flags.join(', ')}`] : []),
      ...(context === undefined ? [] : [`msgctxt ${quote(context)}`]),
      `msgid ${quote(text)}`,
      ...(many === undefined
        ? [`msgstr ${quote(translations[0] ?? '')}`]
        : [
            `msgid_plural ${quote(many)}`,
            ...Array.from({ length: forms }, (_, n) => `msgstr[${n}] ${quote(translations[n] ?? '')}`),
          ]),
    ].join('\n'),
  );
  const fields = [...header].map(([name, value]) => quote(`${name}: ${value}\n`));
  return `${[['msgid ""', 'msgstr ""', ...fields].join('\n'), ...blocks].join('\n\n')}\n`;
}

/** Reads a catalogue, written by this or any other program. Drops old entries that are commented out. */
export function read(source: string): Catalogue {
  const { headers, translations } = po.parse(source);
  const entries = Object.values(translations).flatMap((ofContext) => Object.values(ofContext));
  return {
    header: new Map(Object.entries(headers)),
    entries: entries.filter(({ msgid }) => msgid !== '').map(entryOf),
  };
}

function entryOf({ msgctxt, msgid, msgid_plural, msgstr, comments = {} }: GetTextTranslation): Entry {
  const { extracted, reference, flag } = comments;
  return {
    ...(msgctxt !== undefined && { context: msgctxt }),
    text: msgid,
    ...(msgid_plural !== undefined && { many: msgid_plural }),
    notes: extracted?.split('\n') ?? [],
    places: reference?.split(/\s+/) ?? [],
    flags: flag?.split(/\s*[,\n]\s*/) ?? [],
    translations: msgstr,
  };
}

/** Reports whether an entry has every plural form and isn't fuzzy. WordPress shows the English text of the others. */
export const isTranslated = ({ many, translations, flags }: Entry, forms: number): boolean =>
  !flags.includes('fuzzy') &&
  Array.from({ length: many === undefined ? 1 : forms }, (_, n) => translations[n]).every(Boolean);

/** Returns the binary form for WordPress, with only the finished translations. */
export function compile({ header, entries }: Catalogue): Buffer {
  const { count } = pluralRule({ header, entries });
  const translated = entries.filter((entry) => isTranslated(entry, count));
  const byContext = Object.entries(Object.groupBy(translated, ({ context = '' }) => context));
  const translations = Object.fromEntries(
    byContext.map(([context, those = []]) => [
      context,
      Object.fromEntries(those.map((entry) => [entry.text, compiled(entry)])),
    ]),
  );
  return mo.compile({ charset: 'utf-8', headers: Object.fromEntries(header), translations });
}

const compiled = ({ context, text, many, translations }: Entry): GetTextTranslation => ({
  ...(context !== undefined && { msgctxt: context }),
  msgid: text,
  ...(many !== undefined && { msgid_plural: many }),
  msgstr: translations,
});
