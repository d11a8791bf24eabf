// Reads planted faults: patches that each break one rule, which a test must catch. A patch begins with one sentence that says who
// would suffer, then `Tests:` with one or two files, and where they apply `Name:` (only tests with names that match), `Cases:` (only
// these conformance cases) and `Mended by:` (the commit that repaired the same fault). A diff of a few lines follows.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

export interface Hunk {
  file: string;
  before: string;
  after: string;
}

export interface Fault {
  name: string;
  /** A sentence that says which rule is broken, and who would suffer. */
  sentence: string;
  /** The test files nearest to the fault. */
  tests: string[];
  /** Runs only tests whose names match; all of them if undefined. */
  only: string | undefined;
  /** Runs only conformance cases whose ids contain one of these texts, or PHPUnit classes with these names, separated by commas. */
  cases: string | undefined;
  /** The commit that fixed this fault when it was a real one. */
  mendedBy: string | undefined;
  hunks: Hunk[];
}

export function readFaults(folder = import.meta.dirname): Fault[] {
  return globSync('*.patch', { cwd: folder })
    .sort()
    .map((file) => parseFault(basename(file, '.patch'), readFileSync(join(folder, file), 'utf8')));
}

export function parseFault(name: string, text: string): Fault {
  const start = text.search(/^diff --git /m);
  if (start < 0) throw new Error(`${name}: no diff`);
  const header = text.slice(0, start);
  const field = (key: string) => new RegExp(`^${key}: (.+)$`, 'm').exec(header)?.[1]?.trim();
  return {
    name,
    sentence: header
      .split(/\n\n|\n(?=[A-Z][a-z ]+: )/)[0]!
      .replaceAll('\n', ' ')
      .trim(),
    tests: field('Tests')?.split(/\s+/) ?? [],
    only: field('Name'),
    cases: field('Cases'),
    mendedBy: field('Mended by'),
    hunks: hunksOf(text.slice(start)),
  };
}

function hunksOf(diff: string): Hunk[] {
  return diff.split(/^diff --git /m).flatMap((part) => {
    const file = /^\+\+\+ b\/(.+)$/m.exec(part)?.[1];
    if (!file) return [];
    const [, ...bodies] = part.split(/^@@ .*\n/m);
    return bodies.map((body) => {
      const lines = body.replace(/\n$/, '').split('\n');
      const without = (sign: string) =>
        lines
          .filter((line) => !line.startsWith(sign))
          .map((line) => `${line.slice(1)}\n`)
          .join('');
      return { file, before: without('+'), after: without('-') };
    });
  });
}

/** Returns the text of each changed file under `root`. Throws if the lines that a hunk expects aren't there exactly once. */
export function plant({ hunks }: Fault, root: string): Map<string, string> {
  const changed = new Map<string, string>();
  for (const { file, before, after } of hunks) {
    const path = join(root, file);
    if (!existsSync(path)) throw new Error(`${file} is gone`);
    const text = changed.get(file) ?? readFileSync(path, 'utf8');
    const [start, end, ...others] = `\n${text}`.split(`\n${before}`);
    if (end === undefined) throw new Error(`${file} has no such lines:\n${before}`);
    if (others.length > 0) throw new Error(`${file} has these lines more than once:\n${before}`);
    changed.set(file, `${start}\n${after}${end}`.slice(1));
  }
  return changed;
}
