// Reads the glossaries in docs/languages.md: for each language the words to use, and those that no text may contain.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Rule {
  say: string;
  not: string;
  pattern: RegExp;
  /** Whether the rule also applies to the documents. */
  documents: boolean;
}

const page = readFileSync(join(import.meta.dirname, '../../docs/languages.md'), 'utf8');

const wholeWords = (...words: string[]) => {
  const alternatives = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|');
  return new RegExp(String.raw`(?<![\p{L}\p{N}_=/-])(?:${alternatives})(?![\p{L}\p{N}_-]|\.\p{L})`, 'iu');
};

/** Returns the rules of a language; English is `en`. The last column of its table lists the forbidden words. */
export function glossary(language: string): Rule[] {
  const [, table] =
    new RegExp(String.raw`^### .*\(${language}\)\n([^]*?)(?=\n#|$(?![^]))`, 'm').exec(page) ?? [];
  if (!table) throw new Error(`docs/languages.md has no glossary of ${language}`);
  return [...table.matchAll(/^\| (?!-)(.*) \|$/gm)].slice(1).flatMap(([, row]) => {
    const cells = row!.split(' | ');
    const [say, words] = cells.slice(-2) as [string, string];
    return words.split(', ').map((not) => ({
      say,
      not,
      pattern: wholeWords(not),
      documents: language === 'en' && cells[0] === 'everywhere',
    }));
  });
}

// Nearly every text is without fault, which one pattern finds sooner than a hundred.
const patterns = new WeakMap<Rule[], RegExp>();

/** Returns what is wrong with a text: each word that these rules forbid, with the word to use. */
export function banned(text: string, rules: Rule[]): string[] {
  let any = patterns.get(rules);
  if (!any) {
    any = wholeWords(...rules.map(({ not }) => not));
    patterns.set(rules, any);
  }
  if (!any.test(text)) return [];
  return rules
    .filter(({ pattern }) => pattern.test(text))
    .map(({ say, not }) => `“${not}” in “${text.trim().slice(0, 100)}”: say “${say}”`);
}
