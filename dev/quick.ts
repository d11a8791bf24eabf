// Test files to run at each save: they and the modules that they import start no process, and they take a few seconds.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const STARTERS = /^(node:child_process|playwright-core|esbuild)$/;

/** Each of these files takes longer than a dozen others: it makes thousands of requests, histories or pages. */
const LONG = [
  'conformance/test/embedded',
  'conformance/test/wrong-service',
  'api/test/claims-histories',
  'api/test/claims-two-histories',
  'api/test/sites-fuzz',
  'api/test/shop/linear',
].map((name) => join(import.meta.dirname, '..', `${name}.test.ts`));

export function isQuick(file: string): boolean {
  const gone = LONG.find((name) => !existsSync(name));
  if (gone) throw new Error(`dev/quick.ts names ${gone}, which is gone`);
  return !LONG.includes(file) && !startsProcesses(file);
}

const starts = new Map<string, boolean>();

function startsProcesses(file: string): boolean {
  const known = starts.get(file);
  if (known !== undefined) return known;
  // Modules may import each other in a circle.
  starts.set(file, false);
  const found = importsOf(file).some((name) =>
    name.startsWith('.') ? startsProcesses(join(dirname(file), name)) : STARTERS.test(name),
  );
  starts.set(file, found);
  return found;
}

/** Modules that are loaded together with a file, without those that a function imports when it needs them. */
function importsOf(file: string): string[] {
  const imports = /^(?:import|export)\s(?!type\b)(?:[^;'"]*?\sfrom\s)?\s*'([^']+)'/gm;
  return [...readFileSync(file, 'utf8').matchAll(imports)].map(([, name]) => name!);
}
