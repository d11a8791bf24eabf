// The extension's texts in all languages, and the permissions that its manifest asks for.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { banned, glossary } from '../../dev/languages/glossary.ts';

const folder = join(import.meta.dirname, '..');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
type Messages = Record<string, { message: string; placeholders?: object }>;
const messagesIn = (language: string): Messages => JSON.parse(read(`_locales/${language}/messages.json`));
const languages = globSync('*', { cwd: join(folder, '_locales') }).sort();
const english = messagesIn('en');

test('each language has every word, with the same names in it', () => {
  assert.deepEqual(languages, ['ar', 'de', 'en', 'es', 'fr']);
  const names = (text: string) => [...text.matchAll(/\$([A-Z]+)\$/g)].map(([, name]) => name).sort();
  for (const language of languages) {
    const messages = messagesIn(language);
    assert.deepEqual(Object.keys(messages), Object.keys(english), language);
    assert.equal(messages.language!.message, language);
    assert.equal(messages.direction!.message, language === 'ar' ? 'rtl' : 'ltr');
    for (const [key, { message, placeholders }] of Object.entries(messages)) {
      assert.ok(message.trim(), `${language} ${key}`);
      assert.deepEqual(names(message), names(english[key]!.message), `${language} ${key}`);
      assert.deepEqual(placeholders, english[key]!.placeholders, `${language} ${key}`);
    }
    // The stores don't accept longer ones.
    assert.ok(messages.description!.message.length <= 132 && messages.name!.message.length <= 75, language);
  }
  assert.doesNotMatch(JSON.stringify(messagesIn('de')), /\bIhr(?:e[nmrs]?)?\b|en Sie\b/, 'German says “du”');
});

test('no text has a word that the glossaries in docs/languages.md replace', () => {
  const glossaries = { ar: 'ar', de: 'de_DE', en: 'en', es: 'es_ES', fr: 'fr_FR' };
  for (const [language, name] of Object.entries(glossaries)) {
    const rules = glossary(name);
    for (const { message } of Object.values(messagesIn(language)))
      assert.deepEqual(banned(message, rules), [], language);
  }
});

test('every word is used, and every used word is there', () => {
  const sources = globSync('{src/*.ts,*.html,manifest.json}', { cwd: folder }).map(read).join('\n');
  const used = new Set<string>();
  const mentions = /words\(([^)]*)\)|data-words="(\w+)"|__MSG_(\w+)__/g;
  for (const [, call = '', attribute, message] of sources.matchAll(mentions))
    for (const name of [attribute, message, ...[...call.matchAll(/'(\w+)'/g)].map(([, name]) => name)])
      if (name) used.add(name);
  assert.deepEqual([...used].sort(), Object.keys(english).sort());
});

test('the manifest asks for the tab that is pressed, and for sites only when a person adds one', () => {
  const manifest = JSON.parse(read('manifest.json'));
  assert.deepEqual(manifest.permissions, ['activeTab', 'scripting', 'storage']);
  assert.deepEqual(manifest.optional_host_permissions, ['https://*/*', 'http://*/*']);
  for (const more of [
    'host_permissions',
    'content_scripts',
    'optional_permissions',
    'externally_connectable',
  ])
    assert.equal(manifest[more], undefined, more);
  assert.doesNotMatch(manifest.content_security_policy.extension_pages, /unsafe|script-src [^;]*http/);
  assert.match(manifest.browser_specific_settings.gecko.id, /^[\w.-]+@[\w.-]+$/);
});
