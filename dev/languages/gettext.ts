// Gettext's files: catalogues of texts (.pot), their translations (.po), and what WordPress reads of those (.mo).

export interface Entry {
  /** What tells two equal texts apart. */
  context?: string;
  text: string;
  /** The text for many, where there is one. */
  many?: string;
  /** What translators should know. */
  notes: string[];
  /** Where it stands. */
  places: string[];
  flags: string[];
  /** One for each plural form of the language; empty: none yet. */
  translations: string[];
}

export interface Catalogue {
  /** The header's fields, in their order. */
  header: Map<string, string>;
  entries: Entry[];
}

/** What makes an entry the same one in another file. */
export const identity = ({ context, text }: Pick<Entry, 'context' | 'text'>) =>
  context === undefined ? text : `${context}\u0004${text}`;

/** Whether it holds placeholders of `sprintf`. */
export const placeholders = (text: string): string[] => text.match(/%(?:\d+\$)?[sd]/g) ?? [];

/** How many plural forms a language has, and which one a number takes. */
export function pluralRule({ header }: Catalogue): { count: number; formOf(n: number): number } {
  const [, count, expression] =
    /^nplurals=(\d); *plural=([n\d\s()<>=!?:%&|]+);$/.exec(header.get('Plural-Forms') ?? '') ?? [];
  if (!expression) throw new Error('The header says no Plural-Forms such as nplurals=2; plural=(n != 1);');
  const rule = new Function('n', `return Number(${expression})`) as (n: number) => number;
  return { count: Number(count), formOf: rule };
}

const escapes: Record<string, string> = { '\n': '\\n', '\t': '\\t', '"': '\\"', '\\': '\\\\' };
const quote = (text: string) => `"${text.replace(/[\n\t"\\]/g, (sign) => escapes[sign]!)}"`;
const unquote = (text: string) =>
  text.replace(/\\(.)/g, (_, sign) => ({ n: '\n', t: '\t' })[sign as string] ?? sign);

/** A catalogue as text. Without translations it is a template. */
export function write({ header, entries }: Catalogue, forms = 2): string {
  const blocks = entries.map(({ context, text, many, notes, places, flags, translations }) =>
    [
      ...notes.map((words) => `#. ${words}`),
      ...places.map((place) => `#: ${place}`),
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

/** A catalogue from its text, as this or any other program has written it. Old entries that are commented out are dropped. */
export function read(source: string): Catalogue {
  const entries: Entry[] = [];
  for (const block of source.split(/\n\s*\n/)) {
    const entry: Entry = { text: '', notes: [], places: [], flags: [], translations: [] };
    let add = (_: string) => {};
    let isEntry = false;
    for (const line of block.split('\n').map((line) => line.trim())) {
      const [, sign, words = ''] = /^#([.:,~|]?) ?(.*)$/.exec(line) ?? [];
      if (sign === '.') entry.notes.push(words);
      else if (sign === ':') entry.places.push(...words.split(' '));
      else if (sign === ',') entry.flags.push(...words.split(',').map((flag) => flag.trim()));
      if (sign !== undefined) continue;
      const [, keyword, form, text] = /^(?:(msg\w+)(?:\[(\d)\])? *)?"(.*)"$/.exec(line) ?? [];
      if (text === undefined) {
        if (line) throw new Error(`Not a line of a catalogue: ${line}`);
        continue;
      }
      isEntry = true;
      if (keyword === 'msgctxt') add = (more) => (entry.context = (entry.context ?? '') + more);
      else if (keyword === 'msgid') add = (more) => (entry.text += more);
      else if (keyword === 'msgid_plural') add = (more) => (entry.many = (entry.many ?? '') + more);
      else if (keyword === 'msgstr') {
        const n = Number(form ?? 0);
        add = (more) => (entry.translations[n] = (entry.translations[n] ?? '') + more);
      } else if (keyword) throw new Error(`Not a line of a catalogue: ${line}`);
      add(unquote(text));
    }
    if (isEntry) entries.push(entry);
  }
  const [head, ...rest] = entries[0]?.text === '' ? entries : [undefined, ...entries];
  const fields = (head?.translations[0] ?? '').split('\n').filter(Boolean);
  const header = new Map(
    fields.map((field) => [field.split(':')[0]!, field.slice(field.indexOf(':') + 1).trim()]),
  );
  return { header, entries: rest as Entry[] };
}

/** The binary form: what is translated and not in doubt, sorted, for WordPress to look things up in. */
export function compile({ header, entries }: Catalogue): Buffer {
  const head = [...header].map(([name, value]) => `${name}: ${value}\n`).join('');
  const rows = entries
    .filter(({ translations, flags }) => translations.some(Boolean) && !flags.includes('fuzzy'))
    .map((entry) => [
      entry.many === undefined ? identity(entry) : `${identity(entry)}\0${entry.many}`,
      entry.translations.join('\0'),
    ]);
  const sorted = [['', head], ...rows]
    .map((row) => row.map((text) => Buffer.from(text)) as [Buffer, Buffer])
    .sort(([a], [b]) => a.compare(b));

  const start = 28;
  const table = (column: 0 | 1) => start + column * 8 * sorted.length;
  const index = Buffer.alloc(start + 16 * sorted.length);
  [0x950412de, 0, sorted.length, table(0), table(1), 0, index.length].forEach((value, n) => {
    index.writeUInt32LE(value, 4 * n);
  });
  const texts: Buffer[] = [];
  let at = index.length;
  for (const column of [0, 1] as const)
    for (const [n, row] of sorted.entries()) {
      index.writeUInt32LE(row[column].length, table(column) + 8 * n);
      index.writeUInt32LE(at, table(column) + 8 * n + 4);
      texts.push(row[column], Buffer.from([0]));
      at += row[column].length + 1;
    }
  return Buffer.concat([index, ...texts]);
}
