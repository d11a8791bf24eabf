import { execFileSync } from 'node:child_process';
import { Refusal } from './refusal.ts';

/** Runs git and returns its output; a failure throws a `Refusal` with git's message. */
export type Git = (args: string[], input?: string) => string;

export interface Repository {
  git: Git;
  root: string;
}

// The notes must not contain signatures, even if the user's git shows them in every log.
const settings = ['-c', 'log.showSignature=false'];

/** Opens the repository around `folder`; its git runs at the root. */
export function openRepository(folder: string): Repository {
  const gitIn =
    (cwd: string): Git =>
    (args, input = '') => {
      try {
        const options = { cwd, input, encoding: 'utf8', stdio: 'pipe', maxBuffer: 2 ** 28 } as const;
        return execFileSync('git', [...settings, ...args], options);
      } catch (error) {
        const { stderr, message } = error as Error & { stderr?: string };
        throw new Refusal(`git ${args[0]}: ${stderr?.trim() || message}`);
      }
    };
  const root = gitIn(folder)(['rev-parse', '--show-toplevel']).trimEnd();
  return { git: gitIn(root), root };
}

/** Returns git's output, or undefined if it fails, which is how git answers “no” to some questions. */
export function ask(git: Git, args: string[]): string | undefined {
  try {
    return git(args);
  } catch {
    return undefined;
  }
}

/** Returns a file's text in a commit. */
export const fileAt = (git: Git, commit: string, path: string) => ask(git, ['show', `${commit}:${path}`]);

/** Returns paths that differ from the last commit, including untracked files. */
export const changedPaths = (git: Git) =>
  git(['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all'])
    .split('\0')
    .filter(Boolean)
    .map((entry) => entry.slice(3));

/** Returns every tracked file below these paths. */
export const trackedFiles = (git: Git, ...paths: string[]) =>
  git(['ls-files', '-z', '--', ...paths])
    .split('\0')
    .filter(Boolean);
