// Maintains the translations. `npm run languages` updates every language to the current texts, and lists texts without
// a translation; `npm run languages -- nl_NL 'nplurals=2; plural=(n != 1);'` adds a language.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  type Catalogue,
  compile,
  type Entry,
  identity,
  isTranslated,
  pluralRule,
  read,
  write,
} from './gettext.ts';
import { catalogueOf, plugin, type Translated, theme, writeTemplates } from './pot.ts';

/** Returns a component's languages besides English, as WordPress names them. */
export function localesOf({ folder, fileOf }: Translated): string[] {
  const [before = '', after = ''] = basename(fileOf('*')).split('*');
  return readdirSync(join(folder, 'languages'))
    .filter((name) => name.startsWith(before) && name.endsWith(after))
    .map((name) => name.slice(before.length, name.length - after.length))
    .sort();
}

export function translationOf({ folder, fileOf }: Translated, locale: string): Catalogue {
  return read(readFileSync(join(folder, fileOf(locale)), 'utf8'));
}

/** Writes the binary translation files that WordPress reads, and returns their names. */
export function buildLanguages(component: Translated): string[] {
  const folder = join(component.folder, 'languages');
  const made = localesOf(component).map((locale) => {
    const name = basename(component.fileOf(locale)).replace(/\.po$/, '.mo');
    const content = compile(translationOf(component, locale));
    const file = join(folder, name);
    if (!existsSync(file) || !readFileSync(file).equals(content)) writeFileSync(file, content);
    return name;
  });
  for (const name of readdirSync(folder))
    if (name.endsWith('.mo') && !made.includes(name)) rmSync(join(folder, name));
  return made.map((name) => `languages/${name}`);
}

/** Returns the texts whose translation in a language is missing or fuzzy. */
export function lacking(component: Translated, locale: string): Entry[] {
  const translation = translationOf(component, locale);
  const { count } = pluralRule(translation);
  const known = new Map(translation.entries.map((entry) => [identity(entry), entry]));
  return catalogueOf(component).entries.filter((entry) => {
    const found = known.get(identity(entry));
    return !found || found.many !== entry.many || !isTranslated(found, count);
  });
}

/** Refuses a release that would show English text in another language. */
export function assertTranslated(component: Translated): void {
  const missing = localesOf(component).flatMap((locale) =>
    lacking(component, locale).map(({ text }) => `${locale}: ${text}`),
  );
  if (missing.length) throw new Error(`Not translated (npm run languages):\n${missing.join('\n')}`);
}

/** Rewrites a language's catalogue: the current texts in order, each with its existing translation. */
function renew(component: Translated, locale: string): void {
  const { header, entries } = translationOf(component, locale);
  const { count } = pluralRule({ header, entries });
  const known = new Map(entries.map((entry) => [identity(entry), entry]));
  const renewed = catalogueOf(component).entries.map((entry) => ({
    ...entry,
    translations: known.get(identity(entry))?.translations ?? [],
    flags: [...new Set([...entry.flags, ...(known.get(identity(entry))?.flags ?? [])])].filter(
      (flag) => flag === 'fuzzy' || entry.flags.includes(flag),
    ),
  }));
  writeFileSync(join(component.folder, component.fileOf(locale)), write({ header, entries: renewed }, count));
}

function begin(component: Translated, locale: string, forms: string): void {
  const file = join(component.folder, component.fileOf(locale));
  const { header } = catalogueOf(component);
  header.set('Language', locale).set('Plural-Forms', forms);
  pluralRule({ header, entries: [] });
  mkdirSync(dirname(file), { recursive: true });
  if (!existsSync(file)) writeFileSync(file, write({ header, entries: [] }));
}

if (import.meta.main) {
  const [begun, forms] = process.argv.slice(2);
  writeTemplates();
  for (const component of [plugin, theme]) {
    if (begun) begin(component, begun, forms ?? '');
    for (const locale of localesOf(component)) {
      renew(component, locale);
      const missing = lacking(component, locale);
      console.log(`${component.domain}, ${locale}: ${missing.length || 'nothing'} to translate`);
      for (const { text, places } of missing) console.log(`  ${places[0]}: ${text}`);
    }
  }
}
