// Raises a component's version: edits it, commits and tags. `npm run bump -- api minor`; --dry-run prints the plan.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Component, findComponent } from './components.ts';
import { ask, changedPaths, fileAt, type Git, openRepository } from './git.ts';
import { notesUpTo } from './notes.ts';
import { Refusal, runCommand } from './refusal.ts';
import {
  nextVersion,
  parseLevel,
  readVersion,
  taggedVersions,
  tagOf,
  versionFiles,
  writeVersion,
} from './version.ts';

const MAIN = 'main';

/** Yields the reasons not to release now. */
function* reasons(git: Git, { name, source }: Component, from: string, tag: string) {
  const branch = git(['branch', '--show-current']).trim();
  if (branch !== MAIN)
    yield `Releases are made on ${MAIN}; this is ${branch ? `branch ${branch}` : 'no branch'}.`;
  const changed = changedPaths(git);
  if (changed.length > 0)
    yield `There are uncommitted changes: ${changed.join(', ')}. Commit, stash or undo them first.`;
  const newest = taggedVersions(name, git(['tag', '--merged']).split('\n')).at(-1);
  if (newest !== undefined && newest !== from)
    yield `${source.path} says ${from}, but the newest tag is ${tagOf(name, newest)}.`;
  const tags = git(['tag', '--list', tagOf(name, '*')]).split('\n');
  if (tags.includes(tag)) yield `The tag ${tag} exists already, and tags never move.`;
  if (ask(git, ['var', 'GIT_COMMITTER_IDENT']) === undefined)
    yield 'Git does not know who you are: set user.name and user.email.';
  if (ask(git, ['remote', 'get-url', 'origin']) !== undefined) yield* differences(git, name, tags);
}

function* differences(git: Git, name: string, tags: string[]) {
  let answer: string;
  try {
    answer = git(['ls-remote', '--refs', 'origin', `refs/heads/${MAIN}`, `refs/tags/${tagOf(name, '*')}`]);
  } catch (error) {
    // The push checks this as well: git refuses to move a branch or tag of origin unless forced.
    console.warn(`Cannot reach origin, so nothing was compared with it. ${(error as Error).message}`);
    return;
  }
  const refs = answer.split('\n').map((line) => line.split('\t') as [string, string?]);
  const head = refs.find(([, ref]) => ref?.startsWith('refs/heads/'))?.[0];
  if (head && ask(git, ['merge-base', '--is-ancestor', head, 'HEAD']) === undefined)
    yield `${MAIN} is behind origin: pull first.`;
  const missing = refs
    .flatMap(([, ref]) => ref?.match(/^refs\/tags\/(.*)/)?.[1] ?? [])
    .filter((tag) => !tags.includes(tag));
  if (missing.length > 0)
    yield `Origin has tags that are not here (${missing.join(', ')}): fetch them first.`;
}

/** Makes a release, and returns the text to print. A release that can't be finished is undone. */
export function bump(args: string[], folder: string): string {
  const { positionals, values } = parseCommandLine(args);
  const component = findComponent(positionals[0]);
  const level = parseLevel(positionals[1]);
  if (positionals.length > 2) throw new Refusal('Name one component and one level.');
  const { git, root } = openRepository(folder);
  if (ask(git, ['rev-parse', '--verify', '--quiet', 'HEAD']) === undefined)
    throw new Refusal('There is no commit yet.');
  const files = versionFiles(component, (path) => fileAt(git, 'HEAD', path));
  const paths = [...files.keys()];
  const from = readVersion(component, files);
  const version = nextVersion(from, level);
  const tag = tagOf(component.name, version);
  const subject = `chore(release): ${component.name} v${version}`;
  const faults = [...reasons(git, component, from, tag)];
  if (faults.length > 0 && !values['dry-run']) throw new Refusal(faults.join('\n'));
  const notes = notesUpTo(git, component, 'HEAD', version);
  const steps = [...paths.map((path) => `edit    ${path}`), `commit  ${subject}`, `tag     ${tag}`];
  const plan = [`${component.name} ${from} → ${version}`, ...steps].join('\n  ');
  if (values['dry-run'])
    return [plan, '', notes, 'Nothing was changed.', ...faults.map((fault) => `Not yet: ${fault}`)].join(
      '\n',
    );
  const head = git(['rev-parse', 'HEAD']).trim();
  try {
    for (const [path, text] of writeVersion(component, files, version)) writeFileSync(join(root, path), text);
    git(['commit', '--quiet', '-m', subject, '--', ...paths]);
    // `verbatim` keeps the headings of the notes, which git would drop as comments.
    git(['tag', '--annotate', '--cleanup=verbatim', '--file=-', tag], notes);
  } catch (error) {
    git(['reset', '--quiet', '--soft', head]);
    git(['restore', '--staged', '--worktree', '--', ...paths]);
    throw error;
  }
  return `${plan}\n\nPublish it with: git push --atomic origin ${MAIN} ${tag}`;
}

function parseCommandLine(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options: { 'dry-run': { type: 'boolean' } } });
  } catch (error) {
    throw new Refusal((error as Error).message);
  }
}

if (import.meta.main) await runCommand((args) => console.log(bump(args, process.cwd())));
