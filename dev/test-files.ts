// Lists the test files, what each says about itself in its first lines, and how long it took when times were last recorded.
//   // @slow                       not for `npm test -- --quick`: thousands of requests, histories or pages
//   // @again postgres workers     runs once more, at every push, on PostgreSQL and in two processes
//   // @never workers: reason      doesn't run there, not even at night
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const recorded = join(import.meta.dirname, 'test-times.json');

const STARTS_WORDPRESS = /\b(skipWithoutWordPress|describeSite|describeWordPress)\(/;

/** The other places in which tests run again, with the environment that selects each, and the files that could run there. */
export const PLACES = {
  postgres: { env: { TEST_STORE: 'postgres' }, folders: /^(api|client)\//, uses: /\bstartTestService\(/ },
  workers: { env: { TEST_WORKERS: '2' }, folders: /^(api|client)\//, uses: /\bstartTestService\(/ },
  /** The WordPress that TROUSSEAU_DEV_WORDPRESS names. */
  wordpress: { env: {}, folders: /^(?!dev\/)/, uses: STARTS_WORDPRESS },
  /** The WebAssembly PHP that TROUSSEAU_DEV_PHP names. */
  php: { env: {}, folders: /^(?!dev\/)/, uses: STARTS_WORDPRESS },
} as const;

export type Place = keyof typeof PLACES;

export interface Selection {
  names?: string[] | undefined;
  /** A pattern that must match the file's text. */
  using?: string | undefined;
  quick?: boolean | undefined;
  /** Files that say they run again in this place. */
  again?: Place | undefined;
  /** The other files that could run in this place, for a run at night. */
  rest?: Place | undefined;
  /** `2/3` is the second of three parts that take about the same time. */
  shard?: string | undefined;
}

/** Returns the selected files in the order to run them: first those that start no process, then the slowest ones. */
export function selectFiles({ names, using, quick, again, rest, shard }: Selection): string[] {
  const patterns = names?.length ? names : ['*/test/**/*.test.ts'];
  const missing = patterns.filter((name) => globSync(name, { cwd: root }).length === 0);
  if (missing.length > 0) throw new Error(`No test file is called ${missing.join(' or ')}`);
  const times = recordedTimes();
  const files = globSync(patterns, { cwd: root })
    .map(describeFile)
    .filter(({ text }) => !using || new RegExp(using).test(text))
    .filter(({ isSlow, starts }) => !quick || !(isSlow || starts))
    .filter((file) => !again || file.again.has(again))
    .filter((file) => !rest || isRestOf(rest, file))
    .sort(
      (one, other) =>
        Number(one.starts) - Number(other.starts) ||
        // A file without a recorded time might be the slowest.
        (times.get(other.path) ?? 1_000) - (times.get(one.path) ?? 1_000) ||
        one.path.localeCompare(other.path),
    )
    .map(({ path }) => path);
  const part = shard ? partOf(files, shard) : files;
  if (part.length === 0) throw new Error('No test file matches');
  return part;
}

/** Reports whether a file starts something that differs in this place. */
export function isEligible(place: Place, path: string, text: string): boolean {
  return PLACES[place].folders.test(path) && PLACES[place].uses.test(text);
}

function isRestOf(place: Place, { again, never, text, path }: TestFile): boolean {
  return isEligible(place, path, text) && !again.has(place) && !never.has(place);
}

function partOf(files: string[], shard: string): string[] {
  const [, part, parts] = /^(\d+)\/(\d+)$/.exec(shard)?.map(Number) ?? [];
  if (!part || !parts || part > parts) throw new Error(`--shard ${shard}: write it like 1/3`);
  return files.filter((_, n) => n % parts === part - 1);
}

export interface TestFile {
  path: string;
  text: string;
  isSlow: boolean;
  /** Whether the file or a module that it imports may start a process. */
  starts: boolean;
  again: Set<string>;
  never: Set<string>;
}

/** Reads what a test file says about itself. */
export function describeFile(path: string): TestFile {
  const text = readFileSync(join(root, path), 'utf8');
  const marks = [
    ...text
      .split('\n', 12)
      .join('\n')
      .matchAll(/^\/\/ @(\w+)(.*)$/gm),
  ];
  const placesAfter = (mark: string): Set<string> =>
    new Set(
      marks
        .filter(([, name]) => name === mark)
        .flatMap(([, , places]) => places!.replace(/:.*/, '').trim().split(' ')),
    );
  const [again, never] = [placesAfter('again'), placesAfter('never')];
  const unknown = [
    ...marks.map(([, name]) => name!).filter((name) => !['slow', 'again', 'never'].includes(name)),
    ...[...again, ...never].filter((place) => !(place in PLACES)),
  ];
  if (unknown.length > 0) throw new Error(`${path}: unknown mark ${unknown.join(', ')}`);
  const isSlow = marks.some(([, name]) => name === 'slow');
  return { path, text, isSlow, starts: startsProcesses(join(root, path)), again, never };
}

function recordedTimes(): Map<string, number> {
  return new Map(Object.entries(existsSync(recorded) ? JSON.parse(readFileSync(recorded, 'utf8')) : {}));
}

/** Returns the seconds that a file probably takes; without a recorded time, by its kind. */
export function secondsOf(path: string): number {
  const { isSlow, starts } = describeFile(path);
  return recordedTimes().get(path) ?? (isSlow ? 60 : starts ? 10 : 3);
}

/** Records the seconds that files took; files that are gone are dropped. */
export function recordTimes(taken: Map<string, number>): void {
  const all = [...recordedTimes(), ...taken]
    .filter(([path]) => existsSync(join(root, path)))
    .map(([path, seconds]) => [path, Math.round(seconds)] as const);
  const times = Object.fromEntries([...new Map(all)].sort());
  writeFileSync(recorded, `${JSON.stringify(times, null, 2)}\n`);
}

const STARTERS = /^(node:child_process|playwright-core|esbuild)$/;
const starters = new Map<string, boolean>();

function startsProcesses(file: string): boolean {
  const known = starters.get(file);
  if (known !== undefined) return known;
  // Modules may import each other in a cycle.
  starters.set(file, false);
  const found = importsOf(file).some((name) =>
    name.startsWith('.') ? startsProcesses(join(dirname(file), name)) : STARTERS.test(name),
  );
  starters.set(file, found);
  return found;
}

/** Returns the modules that a file imports statically. */
export function importsOf(file: string): string[] {
  const imports = /^(?:import|export)\s(?!type\b)(?:[^;'"]*?\sfrom\s)?\s*'([^']+)'/gm;
  return [...readFileSync(file, 'utf8').matchAll(imports)].map(([, name]) => name!);
}
