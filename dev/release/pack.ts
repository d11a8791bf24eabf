// Makes a component's artifact in dist/ from the last commit: `npm run pack -- api`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findComponent } from './components.ts';
import { changedPaths, fileAt, openRepository } from './git.ts';
import { Refusal, runCommand } from './refusal.ts';
import { packTarball } from './tarball.ts';
import { readVersion, versionFiles } from './version.ts';
import { zipFolder } from './zip.ts';

// A zip stores local times, so the time zone is fixed.
process.env.TZ = 'UTC';

await runCommand(([name]) => {
  const component = findComponent(name);
  const repository = openRepository(process.cwd());
  const { git, root } = repository;
  const version = readVersion(
    component,
    versionFiles(component, (path) => fileAt(git, 'HEAD', path)),
  );
  const changed = changedPaths(git);
  if (changed.length)
    throw new Refusal(
      `Artifacts are made from the last commit, but these files are not committed: ${changed.join(', ')}.`,
    );
  const time = new Date(git(['log', '-1', '--format=%cI', '--', ...component.paths]).trim());
  const dist = join(root, 'dist');
  mkdirSync(dist, { recursive: true });
  for (const artifact of component.artifacts) {
    let file: string;
    if (artifact.kind === 'npm') file = packTarball(repository, artifact, dist);
    else {
      file = `trousseau-${component.name}-${version}.zip`;
      writeFileSync(join(dist, file), zipFolder(repository, artifact, time));
    }
    console.log(`dist/${file}`);
  }
});
