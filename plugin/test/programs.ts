// Programs that some tests need beside Node.
import { spawnSync } from 'node:child_process';

/** Under CI a missing program is a failure, elsewhere a skipped test with a word. */
export function skipWithout(program: string): string | false {
  if (spawnSync(program, ['--version']).status === 0) return false;
  if (process.env.CI === 'true') throw new Error(`${program} is missing`);
  return `${program} is not installed`;
}
