// Programs that some tests need beside Node.
import { spawnSync } from 'node:child_process';

/** Debian's packages with other names. */
const packages: Record<string, string> = {
  php: 'php-cli',
  phpcs: 'php-codesniffer',
  'systemd-analyze': 'systemd',
};

/** A missing program fails under CI and skips the test with a reason elsewhere. */
export function skipWithout(program: string): string | false {
  if (spawnSync(program, ['--version']).status === 0) return false;
  if (process.env.CI === 'true') throw new Error(`${program} is missing`);
  return `${program} is not installed; on Debian: apt-get install ${packages[program] ?? program}`;
}
