// Writes the catalogues of plugin and theme: every translatable text, with the translators' notes.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Catalogue, type Entry, identity, placeholders, write } from './gettext.ts';

/** A component's sources, and the names of its translation files in WordPress. */
export interface Translated {
  folder: string;
  domain: string;
  sources: (string | { folder: string })[];
  fileOf(locale: string): string;
}

const root = join(import.meta.dirname, '../..');

export const plugin: Translated = {
  folder: join(root, 'plugin'),
  domain: 'trousseau',
  sources: ['trousseau.php', { folder: 'src' }, { folder: 'blocks' }],
  fileOf: (locale) => `languages/trousseau-${locale}.po`,
};

export const theme: Translated = {
  folder: join(root, 'theme'),
  domain: 'trousseau-theme',
  sources: ['style.css', 'theme.json', 'functions.php', { folder: 'patterns' }],
  fileOf: (locale) => `languages/${locale}.po`,
};

export const templateOf = ({ folder, domain }: Translated) => join(folder, `languages/${domain}.pot`);

const text = String.raw`'((?:[^'\\]|\\.)*)'`;
const functions = 'esc_html__|esc_attr__|esc_html_e|esc_attr_e|__|_n';
const note = /\/\* (translators: .*?) \*\/[^;]*$/;

type Found = Pick<Entry, 'text'> & Partial<Entry>;

/** Finds calls of translating functions in PHP: `_n` has a singular and a plural text, `_x` a text and its context. */
function* calls(source: string, domain: string): Generator<Found> {
  const call = new RegExp(
    String.raw`\b(?:(?:${functions})\(\s*${text},(?:\s*${text},.*?,)?|_x\(\s*${text},\s*${text},)\s*'${domain}',?\s*\)`,
    'g',
  );
  for (const match of source.matchAll(call)) {
    const [plain, many, inContext, context] = match
      .slice(1)
      .map((found) => found?.replace(/\\(['\\])/g, '$1'));
    const lines = source.slice(0, match.index).split('\n');
    const found = note.exec(lines.slice(-2).join('\n'));
    yield {
      text: (plain ?? inContext)!,
      ...(context !== undefined && { context }),
      ...(many !== undefined && { many }),
      ...(found && { notes: [found[1]!] }),
    };
  }
}

// Texts that WordPress translates on its own: parts of file headers, and names in theme.json.
const headers: [RegExp, string | undefined][] = [
  [/^[ \t/*]*Description: *(.*)$/gm, undefined],
  [/^ \* Title: (.*)$/gm, 'Pattern title'],
  [/^ \* Description: (.*)$/gm, 'Pattern description'],
];

function* wordPress(file: string, source: string): Generator<Found> {
  if (file === 'theme.json') {
    const { settings, templateParts } = JSON.parse(source);
    const named: [string, { name?: string; title?: string }[]][] = [
      ['Color name', settings.color.palette],
      ['Font size name', settings.typography.fontSizes],
      ['Template part name', templateParts],
    ];
    for (const [context, things] of named)
      for (const { name, title } of things) yield { context, text: (title ?? name)! };
    return;
  }
  if (file.endsWith('block.json')) {
    const { title, description, keywords } = JSON.parse(source);
    yield { context: 'block title', text: title };
    yield { context: 'block description', text: description };
    for (const text of keywords) yield { context: 'block keyword', text };
    return;
  }
  const isPattern = file.startsWith('patterns/');
  if (isPattern ? source.includes('* Inserter: no') : !/^(trousseau\.php|style\.css)$/.test(file)) return;
  for (const [pattern, context] of headers)
    if (isPattern === (context !== undefined))
      for (const match of source.matchAll(pattern))
        yield {
          text: match[1]!,
          ...(context !== undefined && { context }),
        };
}

/** Yields the files with texts, each with its content. */
function* filesOf({ folder, sources }: Translated): Generator<[name: string, source: string]> {
  const names = sources.flatMap((source) =>
    typeof source === 'string'
      ? [source]
      : readdirSync(join(folder, source.folder), { recursive: true, encoding: 'utf8' })
          .filter((name) => /\.php$|block\.json$/.test(name))
          .map((name) => `${source.folder}/${name}`),
  );
  for (const name of names.sort()) yield [name, readFileSync(join(folder, name), 'utf8')];
}

/** Returns the catalogue of the current sources. */
export function catalogueOf(component: Translated): Catalogue {
  const { domain } = component;
  const entries = new Map<string, Entry>();
  for (const [file, source] of filesOf(component)) {
    for (const found of [...wordPress(file, source), ...calls(source, domain)]) {
      const entry = entries.get(identity(found)) ?? {
        ...{ notes: [], places: [], translations: [] },
        ...{ ...found, flags: placeholders(found.text).length ? ['php-format'] : [] },
      };
      entry.places.push(file);
      entry.notes = [...new Set([...entry.notes, ...(found.notes ?? [])])];
      entries.set(identity(found), entry);
    }
  }
  const header = new Map([
    ['Project-Id-Version', 'Trousseau'],
    ['MIME-Version', '1.0'],
    ['Content-Type', 'text/plain; charset=UTF-8'],
    ['Content-Transfer-Encoding', '8bit'],
    ['X-Domain', domain],
  ]);
  return { header, entries: [...entries.values()] };
}

/** Counts the translating calls in a component's PHP, including those that `calls` can't read. */
export function countCalls(component: Translated): number {
  const any = new RegExp(String.raw`\b(?:${functions}|_e|_x|_nx|esc_html_x|esc_attr_x)\(`, 'g');
  const php = [...filesOf(component)].filter(([name]) => name.endsWith('.php'));
  return php.reduce((sum, [, source]) => sum + (source.match(any)?.length ?? 0), 0);
}

export function writeTemplates(): void {
  for (const component of [plugin, theme])
    writeFileSync(templateOf(component), write(catalogueOf(component)));
}

if (import.meta.main) writeTemplates();
