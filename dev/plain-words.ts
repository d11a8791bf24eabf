// Finds sentences that begin with "What", "Who", "Whose", "That", "Of" or "Nor" in comments, test titles, documents and texts that
// people see. `npm run check` fails where one stands.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const UNCLEAR = /^(?:What|Who|Whoever|Whose|That|Of|Nor)\b/;
const FILES =
  '{api,client,conformance,deploy,dev,docs,extension,plugin,site,theme}/**/*.{ts,js,php,css,sh,yml,md}';
const SKIPPED = ['**/node_modules', '**/languages/*.php', 'plugin/assets/*.js', '**/dist', '**/data'];

interface Found {
  line: number;
  sentence: string;
}

/** The sentences of consecutive lines. */
function sentencesOf(lines: { line: number; text: string }[]): Found[] {
  const whole = lines.map(({ text }) => text).join('\n');
  return [
    ...whole.matchAll(
      /(?:^|[.!?:]["”’)`*]*\s+|\n\s*(?:@\w+|[-*]|\d+\.|\|)\s+|\|\s+)(?=["“*`]*([A-Z][^.!?]*))/g,
    ),
  ].map(({ index, 0: before, 1: sentence }) => ({
    line: lines[whole.slice(0, index + before.length).split('\n').length - 1]!.line,
    sentence: sentence!.replaceAll('\n', ' '),
  }));
}

/** The text of a comment on a line, or undefined. */
function commentOn(line: string, path: string): string | undefined {
  const mark = /\.(?:sh|yml)$/.test(path)
    ? /(?:^|\s)#+ (.*)$/
    : /^\s*(?:\/\/|\/\*\*?|\*)(?: (.*?))?(?:\*\/)?$/;
  const behind = /[;,{)\]]\s+\/\/ (.*)$/.exec(line);
  return (mark.exec(line) ?? behind)?.[1]?.trim();
}

function blocksOf(text: string, path: string): { line: number; text: string }[][] {
  const blocks: { line: number; text: string }[][] = [[]];
  for (const [at, whole] of text.split('\n').entries()) {
    const line = path.endsWith('.md') ? whole.replace(/^#+ /, '').trim() : commentOn(whole, path);
    if (line) blocks.at(-1)!.push({ line: at + 1, text: line });
    else blocks.push([]);
  }
  return blocks;
}

const TITLE = /\b(?:test|it|describe|suite)(?:\.\w+)?\(\s*(['"`])(.+?)\1/g;
const SEEN =
  /(?:\b(?:__|_e|_x|_n|_nx|esc_(?:html|attr)_(?:_|e|x))\(\s*|\b(?:description|summary|detail|title):\s*)(['"`])(.+?)\1/g;

function unclearIn(path: string): Found[] {
  const text = readFileSync(join(root, path), 'utf8');
  const found = blocksOf(text, path).flatMap(sentencesOf);
  for (const pattern of [TITLE, SEEN]) {
    for (const { index, 2: said } of text.matchAll(pattern)) {
      const sentence = `${said![0]!.toUpperCase()}${said!.slice(1)}`;
      found.push({ line: text.slice(0, index).split('\n').length, sentence });
    }
  }
  return found.filter(({ sentence }) => UNCLEAR.test(sentence));
}

const found = globSync([FILES, '*.{ts,md}'], { cwd: root, exclude: SKIPPED })
  .sort()
  .flatMap((path) =>
    unclearIn(path).map(({ line, sentence }) => `${path}:${line}: ${sentence.slice(0, 100)}`),
  );
if (found.length) {
  console.error(`${found.length} sentences begin unclearly:\n${found.join('\n')}`);
  process.exitCode = 1;
}
