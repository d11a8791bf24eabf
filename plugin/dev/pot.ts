// Writes languages/trousseau.pot: every text that the plugin translates, with the translators' notes before it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const plugin = join(import.meta.dirname, '..');
const call = /\b(?:esc_html__|esc_attr__|__)\(\s*'((?:[^'\\]|\\.)*)',\s*'trousseau',?\s*\)/g;
const note = /\/\* (translators: .*?) \*\/[^;]*$/;

/** The catalogue as it should be for the plugin's present sources. */
export function catalogue(): string {
  const files = [
    'trousseau.php',
    ...readdirSync(join(plugin, 'includes')).map((name) => `includes/${name}`),
    'assets/src/editor.ts',
  ].sort();
  const entries = new Map<string, { places: string[]; notes: Set<string> }>();
  for (const file of files) {
    const source = readFileSync(join(plugin, file), 'utf8');
    for (const match of source.matchAll(call)) {
      const text = match[1]!.replace(/\\(['\\])/g, '$1');
      const before = source.slice(0, match.index);
      const entry = entries.get(text) ?? { places: [], notes: new Set() };
      entry.places.push(`${file}:${before.split('\n').length}`);
      const found = note.exec(before.split('\n').slice(-2).join('\n'));
      if (found) entry.notes.add(found[1]!);
      entries.set(text, entry);
    }
  }
  const quote = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`;
  const blocks = [...entries].map(([text, { places, notes }]) =>
    [
      ...[...notes].map((words) => `#. ${words}`),
      ...places.map((place) => `#: ${place}`),
      ...(/%\d?\$?[sd]/.test(text) ? ['#, php-format'] : []),
      `msgid ${quote(text)}`,
      'msgstr ""',
    ].join('\n'),
  );
  const header = [
    'msgid ""',
    'msgstr ""',
    ...[
      'Project-Id-Version: Trousseau',
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=UTF-8',
      'Content-Transfer-Encoding: 8bit',
      'X-Domain: trousseau',
    ].map((line) => `"${line}\\n"`),
  ];
  return `${[header.join('\n'), ...blocks].join('\n\n')}\n`;
}

export const cataloguePath = join(plugin, 'languages/trousseau.pot');

if (import.meta.main) writeFileSync(cataloguePath, catalogue());
