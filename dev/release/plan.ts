import type { Component } from './components.ts';
import { type Level, levels, nextVersion, tagOf, type VersionFiles, writeVersion } from './version.ts';

export const mainBranch = 'main';

/** Everything a bump looks at, read once. Versions are those of the last commit, not of the working tree. */
export interface State {
  version: string;
  files: VersionFiles;
  /** A release commit that an interrupted run left without its tag. */
  untagged: { commit: string; from: string } | undefined;
  newestTagged: string | undefined;
  tags: string[];
  branch: string;
  changed: Map<string, string | undefined>;
  identity: string | undefined;
  /** The state of origin, where there is one and it answers. */
  origin: { behind: boolean; tags: string[] } | undefined;
}

/** A bump's changes. With a `commit` it only tags that one; without, it edits and commits first. */
export interface Plan {
  component: string;
  from: string;
  version: string;
  tag: string;
  subject: string;
  edits: Map<string, string>;
  commit: string | undefined;
}

export const releaseSubject = (component: string, version: string) =>
  `chore(release): ${component} v${version}`;
const rerun = (component: string, level: Level) => `npm run bump -- ${component} ${level}`;

export function planBump(component: Component, level: Level, state: State): Plan {
  const { untagged } = state;
  const from = untagged?.from ?? state.version;
  const version = untagged ? state.version : nextVersion(from, level);
  return {
    component: component.name,
    from,
    version,
    tag: tagOf(component.name, version),
    subject: releaseSubject(component.name, version),
    edits: untagged ? new Map() : writeVersion(component, state.files, version),
    commit: untagged?.commit,
  };
}

/** Whether the only changes are the edits of this bump: an earlier run stopped before its commit. */
const isHalfDone = (state: State, { edits }: Plan) =>
  [...state.changed].every(([path, text]) => text !== undefined && edits.get(path) === text);

type Check = (state: State, plan: Plan, component: Component, level: Level) => string | false | undefined;

/** Checks before anything is changed. Each gives the reason to refuse, or undefined. */
export const preflight: Record<string, Check> = {
  branch: ({ branch }) =>
    branch !== mainBranch &&
    `Releases are made on ${mainBranch}; this is ${branch ? `branch ${branch}` : 'no branch'}.`,

  'clean tree': (state, plan, component, level) => {
    if (isHalfDone(state, plan)) return undefined;
    const paths = [...state.changed.keys()];
    const other = levels.find(
      (candidate) => candidate !== level && isHalfDone(state, planBump(component, candidate, state)),
    );
    return other
      ? `A ${other} bump of ${component.name} stopped before its commit: finish it with "${rerun(component.name, other)}", or undo it with "git restore --staged --worktree ${paths.join(' ')}".`
      : `There are uncommitted changes: ${paths.join(', ')}. Commit, stash or undo them first.`;
  },

  'unfinished release': ({ untagged }, { from, version }, component, level) => {
    if (!untagged || nextVersion(from, level) === version) return undefined;
    const begun = levels.find((candidate) => nextVersion(from, candidate) === version);
    const finish = begun
      ? `finish it with "${rerun(component.name, begun)}"`
      : `and no bump leads there from ${from}`;
    return `${component.name} v${version} is committed (${untagged.commit.slice(0, 7)}) but not tagged: ${finish}.`;
  },

  'newest tag': ({ newestTagged }, { from }, component) =>
    newestTagged !== undefined &&
    newestTagged !== from &&
    `${component.source.path} says ${from}, but the newest tag is ${tagOf(component.name, newestTagged)}.`,

  'free tag': ({ tags }, { tag }) =>
    tags.includes(tag) && `The tag ${tag} exists already, and tags never move.`,

  identity: ({ identity }) =>
    identity === undefined && 'Git does not know who you are: set user.name and user.email.',

  origin: ({ origin, tags }) => {
    if (!origin) return undefined;
    if (origin.behind) return `${mainBranch} is behind origin: pull first.`;
    const missing = origin.tags.filter((tag) => !tags.includes(tag));
    return (
      missing.length > 0 && `Origin has tags that are not here (${missing.join(', ')}): fetch them first.`
    );
  },
};

export function describe({ component, from, version, tag, subject, edits, commit }: Plan): string {
  const steps = commit
    ? [`commit  already made: ${commit.slice(0, 7)} ${subject}`]
    : [...[...edits.keys()].map((path) => `edit    ${path}`), `commit  ${subject}`];
  return [`${component} ${from} → ${version}`, ...steps, `tag     ${tag}`].join('\n  ');
}
