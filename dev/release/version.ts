import type { Component, VersionPlace } from './components.ts';
import { Refusal } from './refusal.ts';

export const levels = ['major', 'minor', 'patch'] as const;
export type Level = (typeof levels)[number];

export function parseLevel(text: string | undefined): Level {
  const level = levels.find((candidate) => candidate === text);
  if (!level) {
    const problem = text === undefined ? 'No level given' : `Unknown level "${text}"`;
    throw new Refusal(`${problem}; it is one of patch, minor, major.`);
  }
  return level;
}

const semver = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;

const isVersion = (text: string) => semver.test(text);

const numbers = (version: string) => version.split('.').map(Number) as [number, number, number];

export function nextVersion(version: string, level: Level): string {
  const [major, minor, patch] = numbers(version);
  if (level === 'major') return `${major + 1}.0.0`;
  return level === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

function compareVersions(a: string, b: string): number {
  const right = numbers(b);
  return numbers(a).reduce((order, number, i) => order || number - right[i]!, 0);
}

export const tagOf = (component: string, version: string) => `${component}/v${version}`;

/** Returns the versions in tags such as `api/v1.2.3`, oldest first. Other tags are ignored. */
export function taggedVersions(component: string, tags: string[]): string[] {
  const prefix = tagOf(component, '');
  return tags
    .filter((tag) => tag.startsWith(prefix))
    .map((tag) => tag.slice(prefix.length))
    .filter(isVersion)
    .sort(compareVersions);
}

/** The contents of a component's version files, by path. */
export type VersionFiles = Map<string, string | undefined>;

export const versionFiles = (
  { source, copies }: Component,
  readFile: (path: string) => string | undefined,
): VersionFiles => new Map([source, ...copies].map(({ path }) => [path, readFile(path)]));

/** Returns the component's version. If its source and its copies disagree, the refusal names every mistake. */
export function readVersion({ name, source, copies }: Component, files: VersionFiles): string {
  const faults: string[] = [];
  const read = ({ path, pattern }: VersionPlace, role: string) => {
    const text = files.get(path);
    const version = text?.match(pattern)?.groups?.version;
    if (text === undefined) faults.push(`${path}, the ${role} of ${name}, is missing.`);
    else if (version === undefined) faults.push(`${path}, the ${role} of ${name}, names no version.`);
    else if (!isVersion(version)) faults.push(`${path} says "${version}", which is no version like 1.2.3.`);
    return version ?? '';
  };
  const version = read(source, 'version source');
  for (const place of faults.length ? [] : copies) {
    const copy = read(place, 'version copy');
    if (!faults.length && copy !== version)
      faults.push(`${place.path} says ${copy}, but ${source.path} says ${version}.`);
  }
  if (faults.length) throw new Refusal(faults.join('\n'));
  return version;
}

/** Returns the version files with a new version; `readVersion` must have accepted `files`. */
export function writeVersion({ source, copies }: Component, files: VersionFiles, version: string) {
  const edited = new Map<string, string>();
  for (const { path, pattern } of [source, ...copies]) {
    const text = edited.get(path) ?? files.get(path)!;
    const [start, end] = text.match(new RegExp(pattern, `${pattern.flags}d`))!.indices!.groups!.version!;
    edited.set(path, text.slice(0, start) + version + text.slice(end));
  }
  return edited;
}
