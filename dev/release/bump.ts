// Raises a component's version: edits it, commits and tags. `npm run bump -- api minor`; --dry-run prints the plan.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Component, findComponent } from './components.ts';
import { ask, changedPaths, fileAt, type Git, openRepository, type Repository } from './git.ts';
import { notesUpTo } from './notes.ts';
import { describe, mainBranch, type Plan, planBump, preflight, releaseSubject, type State } from './plan.ts';
import { Refusal, runCommand } from './refusal.ts';
import { parseLevel, readVersion, taggedVersions, tagOf, versionFiles } from './version.ts';

function readState({ git, root }: Repository, component: Component): State {
  if (!ask(git, ['rev-parse', '--verify', '--quiet', 'HEAD'])) throw new Refusal('There is no commit yet.');
  const filesAt = (commit: string) => versionFiles(component, (path) => fileAt(git, commit, path));
  const files = filesAt('HEAD');
  const version = readVersion(component, files);
  const tags = git(['tag', '--list', tagOf(component.name, '*')]).split('\n');
  const commit = tags.includes(tagOf(component.name, version))
    ? undefined
    : commitOf(git, releaseSubject(component.name, version));
  return {
    version,
    files,
    untagged: commit ? { commit, from: readVersion(component, filesAt(`${commit}^`)) } : undefined,
    newestTagged: taggedVersions(component.name, git(['tag', '--merged']).split('\n')).at(-1),
    tags,
    branch: git(['branch', '--show-current']).trim(),
    changed: new Map(changedPaths(git).map((path) => [path, readText(join(root, path))])),
    identity: ask(git, ['var', 'GIT_COMMITTER_IDENT']),
    origin: ask(git, ['remote', 'get-url', 'origin']) ? readOrigin(git, component) : undefined,
  };
}

const commitOf = (git: Git, subject: string) =>
  git(['log', '--fixed-strings', `--grep=${subject}`, '--format=%H\t%s'])
    .split('\n')
    .map((line) => line.split('\t'))
    .find(([, found]) => found === subject)?.[0];

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function readOrigin(git: Git, component: Component): State['origin'] {
  let answer: string;
  try {
    const tags = `refs/tags/${tagOf(component.name, '*')}`;
    answer = git(['ls-remote', '--refs', 'origin', `refs/heads/${mainBranch}`, tags]);
  } catch (error) {
    // A push compares again: git refuses to move a branch or a tag of origin unasked.
    console.warn(`Origin does not answer, so nothing is compared with it. ${(error as Error).message}`);
    return undefined;
  }
  const refs = answer.split('\n').map((line) => line.split('\t'));
  const head = refs.find(([, ref]) => ref?.startsWith('refs/heads/'))?.[0];
  return {
    behind: head !== undefined && ask(git, ['merge-base', '--is-ancestor', head, 'HEAD']) === undefined,
    tags: refs.flatMap(([, ref]) => ref?.match(/^refs\/tags\/(.*)/)?.[1] ?? []),
  };
}

function apply({ git, root }: Repository, plan: Plan, notes: string): void {
  for (const [path, text] of plan.edits) writeFileSync(join(root, path), text);
  if (!plan.commit) git(['commit', '--quiet', '-m', plan.subject, '--', ...plan.edits.keys()]);
  // Verbatim keeps the headings of the notes, which git would drop as comments.
  git(['tag', '--annotate', '--cleanup=verbatim', '--file=-', plan.tag, plan.commit ?? 'HEAD'], notes);
}

await runCommand((args) => {
  const { positionals, values } = parseCommandLine(args);
  const component = findComponent(positionals[0]);
  const level = parseLevel(positionals[1]);
  if (positionals.length > 2) throw new Refusal('One component and one level at a time.');
  const repository = openRepository(process.cwd());
  const state = readState(repository, component);
  const plan = planBump(component, level, state);
  const refusals = Object.entries(preflight).flatMap(([name, check]) => {
    const refusal = check(state, plan, component, level);
    return refusal ? `${name}: ${refusal}` : [];
  });
  // A dry run shows the plan even while files are changed.
  const inTheWay = values['dry-run'] ? refusals.filter((refusal) => refusal.startsWith('clean tree: ')) : [];
  if (refusals.length > inTheWay.length) throw new Refusal(refusals.join('\n'));
  const notes = notesUpTo(repository.git, component, plan.commit ?? 'HEAD', plan.version);
  console.log(describe(plan));
  if (values['dry-run']) {
    const until = inTheWay.map((refusal) => `\nNot yet, ${refusal}`).join('');
    return console.log(`\n${notes}\nNothing was changed.${until}`);
  }
  apply(repository, plan, notes);
  console.log(`\nPublish it with: git push --atomic origin ${mainBranch} ${plan.tag}`);
});

function parseCommandLine(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options: { 'dry-run': { type: 'boolean' } } });
  } catch (error) {
    throw new Refusal((error as Error).message);
  }
}
