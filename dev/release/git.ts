import { execFileSync } from 'node:child_process';
import { Refusal } from './refusal.ts';

/** Runs git and gives back its output; a failure throws a `Refusal` with git's message. */
export type Git = (args: string[], input?: string) => string;

export interface Repository {
  git: Git;
  root: string;
}

// The notes must contain no signatures, even where the user has git show them in every log.
const settings = ['-c', 'log.showSignature=false'];

/** The repository around `folder`, whose git runs at its root. */
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

/** The output of git, or undefined where git fails: git answers some questions with “no” by failing. */
export function ask(git: Git, args: string[]): string | undefined {
  try {
    return git(args);
  } catch {
    return undefined;
  }
}

/** A file's text as a commit has it. */
export const fileAt = (git: Git, commit: string, path: string) => ask(git, ['show', `${commit}:${path}`]);

/** Paths that differ from the last commit, untracked files included. */
export const changedPaths = (git: Git) =>
  git(['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all'])
    .split('\0')
    .filter(Boolean)
    .map((entry) => entry.slice(3));

/** Every file below these paths that git knows. */
export const trackedFiles = (git: Git, ...paths: string[]) =>
  git(['ls-files', '-z', '--', ...paths])
    .split('\0')
    .filter(Boolean);
