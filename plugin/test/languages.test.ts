// Every text of plugin and theme in every language that they speak: nothing missing, nothing in doubt, and sound.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { mo } from 'gettext-parser';
import { type Entry, identity, placeholders, pluralRule, read, write } from '../../dev/languages/gettext.ts';
import { banned, glossary } from '../../dev/languages/glossary.ts';
import {
  assertTranslated,
  buildLanguages,
  lacking,
  localesOf,
  translationOf,
} from '../../dev/languages/languages.ts';
import { catalogueOf, countCalls, plugin, templateOf, theme } from '../../dev/languages/pot.ts';

const languages = ['ar', 'de_DE', 'es_ES', 'fr_FR'];
const numbers = Array.from({ length: 1001 }, (_, n) => n);

for (const component of [plugin, theme]) {
  test(`the catalogue of ${component.domain} fits the sources`, () => {
    const now = catalogueOf(component);
    assert.ok(readFileSync(templateOf(component), 'utf8') === write(now), 'run: npm run languages');
    const places = now.entries
      .filter(({ context }) => !context?.startsWith('Pattern '))
      .flatMap((entry) => entry.places)
      .filter((place) => place.endsWith('.php'));
    const calls = countCalls(component);
    const header = component === plugin ? 1 : 0; // The plugin's description is in its header, not in a call.
    assert.equal(places.length - header, calls, 'no text escapes the catalogue');
  });

  test(`${component.domain} speaks every language that it should`, () => {
    for (const locale of languages) assert.ok(localesOf(component).includes(locale), locale);
  });

  for (const locale of localesOf(component)) {
    describe(`${component.domain} in ${locale}`, () => {
      const translation = translationOf(component, locale);
      const { count, formOf } = pluralRule(translation);

      test('has no obsolete text', () => {
        const known = new Set(catalogueOf(component).entries.map(identity));
        const old = translation.entries.filter((entry) => !known.has(identity(entry)));
        assert.deepEqual(old, [], 'npm run languages takes them out');
      });

      test('has the plural forms of the language', () => {
        assert.equal(translation.header.get('Language'), locale);
        const rules = new Intl.PluralRules(locale.replace(/_.*/, ''));
        const forms = new Map<number, Set<string>>();
        for (const n of numbers)
          forms.set(formOf(n), (forms.get(formOf(n)) ?? new Set()).add(rules.select(n)));
        assert.deepEqual([...forms.keys()].sort(), [...Array(count).keys()]);
        for (const [form, categories] of forms) assert.equal(categories.size, 1, `form ${form}`);
        assert.equal(new Set([...forms.values()].flatMap((set) => [...set])).size, count);
        for (const { many, translations } of translation.entries)
          assert.ok([0, many === undefined ? 1 : count].includes(translations.filter(Boolean).length));
      });

      test('has the placeholders of the original in every sentence', () => {
        // A plural form for a single number may spell that number out.
        const single = [...Array(count).keys()].filter(
          (form) => numbers.filter((n) => formOf(n) === form).length === 1,
        );
        for (const { text, many, translations } of translation.entries)
          for (const [form, said] of translations.entries()) {
            if (said === '') continue;
            const wanted = placeholders(many ?? text).sort();
            const found = placeholders(said).sort();
            const [number = ''] = wanted;
            const inWords = many !== undefined && single.includes(form) && !found.includes(number);
            assert.deepEqual(found, inWords ? wanted.slice(1) : wanted, `${text}\n${said}`);
            assert.equal(said.replace(/%(\d\$)?[sd]/g, '').includes('%'), false, said);
          }
      });

      test('ends and begins as the text does, and keeps what is not to be translated', () => {
        const kept = /https?:\/\/(?:[\w.]*\w)?|[A-Z]+_[A-Z_]+(?:=\$1)?|x-api-key|\bJSON\b|\bHTTPS?\b/g;
        for (const { text, translations } of translation.entries)
          for (const said of translations.filter(Boolean)) {
            if (text === '%1$s: %2$s') assert.ok(said.startsWith('%1$s'), 'pages show the first part alone');
            assert.equal(said, said.trim());
            for (const word of text.match(kept) ?? []) assert.ok(said.includes(word), `${word}: ${said}`);
            assert.equal(/[.!?。؟]$/.test(said), /[.!?]$/.test(text), said);
          }
      });
    });
  }
}

test('the texts keep to the glossary of their language', () => {
  // Addresses of pages keep their words, and people search for blocks by others.
  const isTold = ({ context }: Entry) => context !== 'address' && context !== 'block keyword';
  const english = glossary('en');
  for (const component of [plugin, theme]) {
    const said = catalogueOf(component)
      .entries.filter(isTold)
      .flatMap(({ text, many = '' }) => [text, many]);
    const faults = said.flatMap((text) => banned(text, english));
    for (const locale of localesOf(component)) {
      const rules = glossary(locale);
      const told = translationOf(component, locale).entries.filter(isTold);
      faults.push(...told.flatMap(({ translations }) => translations.flatMap((text) => banned(text, rules))));
    }
    assert.deepEqual(faults, []);
  }
  assert.equal(banned('Your mails', glossary('en')).length, 1);
  assert.equal(banned('Deine Mailadresse', glossary('de_DE')).length, 1);
  assert.deepEqual(banned('Deine E-Mail-Adresse', glossary('de_DE')), []);
});

test('a text without a translation is shown in English and listed, and refuses only a release', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'languages-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const name of ['src', 'languages']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'src/page.php'), "<?php __( 'Save', 'x' ); __( 'Remove', 'x' );");
  const fileOf = (locale: string) => `languages/${locale}.po`;
  const small = { folder, domain: 'x', sources: [{ folder: 'src' }], fileOf };
  const translate = (save: string, remove: string) => {
    const said = new Map(Object.entries({ Save: save, Remove: remove }));
    const { header, entries } = catalogueOf(small);
    header.set('Language', 'de_DE').set('Plural-Forms', 'nplurals=2; plural=(n != 1);');
    const translated = entries.map((entry) => ({ ...entry, translations: [said.get(entry.text)!] }));
    writeFileSync(join(folder, small.fileOf('de_DE')), write({ header, entries: translated }));
    buildLanguages(small);
    return Object.keys(mo.parse(readFileSync(join(folder, 'languages/de_DE.mo'))).translations[''] ?? {});
  };
  assert.deepEqual(translate('Speichern', ''), ['', 'Save']);
  const texts = lacking(small, 'de_DE').map(({ text }) => text);
  assert.deepEqual(texts, ['Remove']);
  assert.throws(() => assertTranslated(small), /de_DE: Remove$/);
  assert.deepEqual(translate('Speichern', 'Entfernen'), ['', 'Remove', 'Save']);
  assertTranslated(small);
});

test('plugin and theme say the same in the same words', () => {
  for (const locale of languages) {
    const words = new Map<string, Entry>();
    for (const entry of translationOf(plugin, locale).entries) words.set(identity(entry), entry);
    for (const entry of translationOf(theme, locale).entries) {
      const same = words.get(identity(entry));
      if (same) assert.deepEqual(entry.translations, same.translations, entry.text);
    }
  }
});

test('a catalogue of another program is read: folded lines, old entries, doubts', () => {
  const { header, entries } = read(`# Somebody, 2027.
msgid ""
msgstr ""
"Language: nl_NL\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

#: a.php:1 b.php:2
#, fuzzy, php-format
#| msgid "before"
msgctxt "state"
msgid ""
"Say \\"%s\\"\\n"
"twice"
msgstr "Zeg \\"%s\\"\\ntwee keer"

#~ msgid "old"
#~ msgstr "oud"
`);
  assert.deepEqual([...header.values()], ['nl_NL', 'nplurals=2; plural=(n != 1);']);
  const words = { context: 'state', text: 'Say "%s"\ntwice', translations: ['Zeg "%s"\ntwee keer'] };
  const marks = { notes: [], places: ['a.php:1', 'b.php:2'], flags: ['fuzzy', 'php-format'] };
  assert.deepEqual(entries, [{ ...words, ...marks }]);
  assert.deepEqual(read(write({ header, entries })), { header, entries });
});
