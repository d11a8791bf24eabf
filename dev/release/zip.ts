import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Zippable, zipSync } from 'fflate';
import type { ZipArtifact } from './components.ts';
import { type Repository, trackedFiles } from './git.ts';
import { Refusal } from './refusal.ts';

/** Makes the installable zip of a folder, including the license. Every build of a commit gives the same bytes. */
export function zipFolder({ git, root }: Repository, artifact: ZipArtifact, time: Date): Uint8Array {
  const { folder, top, ships, staysBehind, build } = artifact;
  const isIn = (places: string[], path: string) =>
    places.some((place) => (place.endsWith('/') ? path.startsWith(place) : path === place));
  const files = trackedFiles(git, folder)
    .map((path) => path.slice(folder.length + 1))
    .filter((path) => !isIn(staysBehind, path));
  const undecided = files.filter((path) => !isIn(ships, path));
  if (undecided.length)
    throw new Refusal(
      `Does it ship? Say so in dev/release/components.ts of ${folder}: ${undecided.join(', ')}.`,
    );
  if (build) run(join(root, build.script));
  const made = (build?.makes ?? []).flatMap((pattern) => {
    const found = globSync(pattern, { cwd: join(root, folder) });
    if (!found.length) throw new Refusal(`The build of ${folder} did not make ${pattern}.`);
    return found;
  });

  const sources = new Map([...files, ...made].map((path) => [path, join(root, folder, path)]));
  sources.set('LICENSE', join(root, 'LICENSE'));
  const zippable: Zippable = {};
  for (const [path, source] of [...sources].sort(([a], [b]) => (a < b ? -1 : 1)))
    zippable[top ? `${top}/${path}` : path] = [
      readFileSync(source),
      { mtime: time, os: 3, attrs: 0o100644 << 16, level: 9 },
    ];
  return zipSync(zippable);
}

function run(script: string): void {
  try {
    execFileSync(process.execPath, [script, '--release'], { encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    throw new Refusal(`The build failed:\n${(error as { stderr: string }).stderr.trim()}`);
  }
}
