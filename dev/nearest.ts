// Finds the test files nearest to changed files: those whose planted fault is in the file, those in a table, and those that import it.
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readFaults } from './planted/patches.ts';
import { importsOf, secondsOf } from './test-files.ts';

const root = join(import.meta.dirname, '..');

/** The sum of the recorded times of the files that `--changed` runs, which a busy machine exceeds by half. */
export const SECONDS_FOR_CHANGED = 35;

const PHP = ['unit', 'rooms', 'languages', 'code'].map((name) => `plugin/test/${name}.test.ts`);

/** Tests of files that no test imports. All matching rows count. */
const TABLE: [changed: RegExp, tests: string[]][] = [
  [/^api\/src\/(app|background|contract|domain|host|http|store)\//, ['conformance/test/embedded.test.ts']],
  [/^api\//, ['api/test/house.test.ts']],
  [/^api\/src\/config\.ts$|^docs\/settings\.md$/, ['api/test/config.test.ts', 'dev/test/documents.test.ts']],
  [/^plugin\/.*\.php$/, PHP],
  [/^plugin\/src\/Admin\//, ['plugin/test/doctor.test.ts', 'plugin/test/site-health.test.ts']],
  [/^plugin\/src\/(Abilities|Home)\//, ['plugin/test/wordpress.test.ts']],
  [/^plugin\/src\/Affiliate\//, ['plugin/test/wordpress.test.ts', 'plugin/test/affiliate.test.ts']],
  [/^plugin\/src\/Connections\//, ['plugin/test/connections.test.ts', 'plugin/test/calendar.test.ts']],
  [/^plugin\/src\/Gifts\//, ['plugin/test/from-shop.test.ts', 'plugin/test/gift-address.test.ts']],
  [/^plugin\/src\/Giving\//, ['plugin/test/giving.test.ts']],
  [/^plugin\/src\/GroupGifts\//, ['plugin/test/shares.test.ts', 'plugin/test/wordpress.test.ts']],
  [/^plugin\/src\/(Guests|Privacy)\//, ['plugin/test/wordpress.test.ts']],
  [/^plugin\/src\/(Display|Lists)\//, ['plugin/test/wordpress.test.ts', 'plugin/test/pages.test.ts']],
  [/^plugin\/src\/Owners\//, ['plugin/test/at-once.test.ts', 'plugin/test/wordpress.test.ts']],
  [/^plugin\/src\/PageCaching\//, ['plugin/test/visitor.test.ts']],
  [/^plugin\/src\/Platform\//, ['plugin/test/jobs.test.ts', 'plugin/test/wordpress.test.ts']],
  [/^plugin\/src\/Service\//, ['plugin/test/wordpress.test.ts', 'plugin/test/service.test.ts']],
  [/^plugin\/src\/Thanks\//, ['plugin/test/at-once.test.ts', 'plugin/test/wordpress.test.ts']],
  [/^plugin\/src\/Visibility\//, ['plugin/test/strangers.test.ts', 'plugin/test/wordpress.test.ts']],
  [
    /^plugin\/(src\/\w+\/(templates|scripts)|assets)\//,
    ['plugin/test/wordpress.test.ts', 'plugin/test/page-scripts.test.ts'],
  ],
  [/^plugin\/languages\/|^dev\/languages\//, ['plugin/test/languages.test.ts']],
  [/^theme\//, ['theme/test/design.test.ts']],
  [/^extension\//, ['extension/test/words.test.ts', 'extension/test/reader.test.ts']],
  [/^deploy\//, ['deploy/test/files.test.ts']],
  [/^dev\/planted\//, ['dev/test/planted.test.ts']],
  [/^docs\/contract\//, ['conformance/test/contract.test.ts']],
  [/\.md$/, ['dev/test/documents.test.ts']],
];

/** Returns files of the working tree that differ from the last commit, including new ones. */
export function changedFiles(): string[] {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\0');
  const changed = git('diff', '--name-only', '-z', '--no-renames', 'HEAD');
  return [...changed, ...git('ls-files', '-z', '--others', '--exclude-standard')].filter(Boolean);
}

/** Returns test files, nearest first: by the fewest imports, then by how often a test names the file. */
export function nearestTests(changed: string[]): string[] {
  const faults = readFaults();
  const named = changed.flatMap((path) => [
    ...(path.endsWith('.test.ts') ? [path] : []),
    ...faults.filter(({ hunks }) => hunks.some(({ file }) => file === path)).flatMap(({ tests }) => tests),
    ...TABLE.filter(([pattern]) => pattern.test(path)).flatMap(([, tests]) => tests),
  ]);
  const scripts = changed.filter((path) => path.endsWith('.ts'));
  const importing = globSync('*/test/**/*.test.ts', { cwd: root })
    .map((test) => ({ test, distance: distanceTo(scripts, test), names: timesNamed(scripts, test) }))
    .filter(({ distance }) => distance < Number.POSITIVE_INFINITY)
    .sort((a, b) => a.distance - b.distance || b.names - a.names || a.test.localeCompare(b.test));
  const tests = [...named, ...importing.map(({ test }) => test)];
  return [...new Set(tests)].filter((test) => existsSync(join(root, test)));
}

/** Splits sorted tests into those that fit into so many seconds and the others. */
export function fitInto(seconds: number, tests: string[]): { run: string[]; left: string[] } {
  const run: string[] = [];
  let sum = 0;
  for (const test of tests) {
    if (sum + secondsOf(test) > seconds) continue;
    sum += secondsOf(test);
    run.push(test);
  }
  return { run, left: tests.filter((test) => !run.includes(test)) };
}

/** Returns how many imports lead from a test to the nearest of these files. */
function distanceTo(targets: string[], test: string): number {
  let files = new Set([join(root, test)]);
  const seen = new Set(files);
  for (let distance = 0; files.size > 0; distance++) {
    if (targets.some((target) => files.has(join(root, target)))) return distance;
    const next = new Set<string>();
    for (const file of files)
      for (const imported of resolvedImports(file))
        if (!seen.has(imported)) {
          seen.add(imported);
          next.add(imported);
        }
    files = next;
  }
  return Number.POSITIVE_INFINITY;
}

const resolved = new Map<string, string[]>();

function resolvedImports(file: string): string[] {
  const known = resolved.get(file);
  if (known) return known;
  const paths = (existsSync(file) ? importsOf(file) : []).flatMap((name) => {
    if (name === 'trousseau-client') return [join(root, 'client/src/index.ts')];
    return name.startsWith('.') ? [join(dirname(file), name)] : [];
  });
  resolved.set(file, paths);
  return paths;
}

function timesNamed(changed: string[], test: string): number {
  const text = `${test}\n${readFileSync(join(root, test), 'utf8')}`;
  return changed.reduce((sum, path) => sum + text.split(basename(path, '.ts')).length - 1, 0);
}
