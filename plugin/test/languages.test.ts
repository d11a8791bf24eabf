// Every text of plugin and theme in every language that they speak: nothing missing, nothing in doubt, and sound.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { type Entry, identity, placeholders, pluralRule, read, write } from '../../dev/languages/gettext.ts';
import { lacking, localesOf, translationOf } from '../../dev/languages/languages.ts';
import { catalogueOf, countCalls, plugin, templateOf, theme } from '../../dev/languages/pot.ts';

const languages = ['ar', 'de_DE', 'es_ES', 'fr_FR'];
const numbers = Array.from({ length: 1001 }, (_, n) => n);

for (const component of [plugin, theme]) {
  test(`the catalogue of ${component.domain} fits the sources`, () => {
    const now = catalogueOf(component);
    assert.equal(readFileSync(templateOf(component), 'utf8'), write(now), 'run: npm run languages');
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

      test('lacks no text, and has no obsolete one', () => {
        const missing = lacking(component, locale).map(({ text }) => text);
        assert.deepEqual(missing, [], 'npm run languages lists them');
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
          assert.equal(translations.length, many === undefined ? 1 : count);
      });

      test('has the placeholders of the original in every sentence', () => {
        // A plural form for a single number may spell that number out.
        const single = [...Array(count).keys()].filter(
          (form) => numbers.filter((n) => formOf(n) === form).length === 1,
        );
        for (const { text, many, translations } of translation.entries)
          for (const [form, said] of translations.entries()) {
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
          for (const said of translations) {
            if (text === '%1$s: %2$s') assert.ok(said.startsWith('%1$s'), 'pages show the first part alone');
            assert.equal(said, said.trim());
            for (const word of text.match(kept) ?? []) assert.ok(said.includes(word), `${word}: ${said}`);
            assert.equal(/[.!?。؟]$/.test(said), /[.!?]$/.test(text), said);
          }
      });
    });
  }
}

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
  assert.deepEqual(Object.fromEntries(header), {
    Language: 'nl_NL',
    'Plural-Forms': 'nplurals=2; plural=(n != 1);',
  });
  assert.deepEqual(entries, [
    {
      context: 'state',
      text: 'Say "%s"\ntwice',
      notes: [],
      places: ['a.php:1', 'b.php:2'],
      flags: ['fuzzy', 'php-format'],
      translations: ['Zeg "%s"\ntwee keer'],
    },
  ]);
  assert.deepEqual(read(write({ header, entries })), { header, entries });
});
