import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { asDeclaration, asJavaScript, asTypes, compile, inferredShapes } from './compile.ts';
import type { NpmArtifact } from './components.ts';
import { type Repository, trackedFiles } from './git.ts';
import { Refusal } from './refusal.ts';

/** Writes the npm tarball of a workspace, and returns its name. */
export function packTarball(repository: Repository, artifact: NpmArtifact, dist: string): string {
  const scratch = mkdtempSync(join(tmpdir(), 'trousseau-pack-'));
  try {
    const stage = join(scratch, 'package');
    stagePackage(repository, artifact, stage, scratch);
    refuseMissingImports(stage);
    const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', dist];
    return execFileSync('npm', pack, { cwd: stage, encoding: 'utf8' }).trim();
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * Lays out the package. Node doesn't run TypeScript below node_modules, so the package contains JavaScript and declarations. The
 * shapes of a contract are spelled out, so that the package needs neither the contract's workspace nor TypeBox.
 */
function stagePackage(
  { git, root }: Repository,
  artifact: NpmArtifact,
  stage: string,
  scratch: string,
): void {
  const { folder, name, sources, beside, bin = {}, contract } = artifact;
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(stage, path)), { recursive: true });
    writeFileSync(join(stage, path), content);
  };

  const folders = sources.map((source) => join(root, folder, source));
  const shapes = join(scratch, 'contract.ts');
  if (contract) {
    const modules = trackedFiles(git, contract.folder).map((path) => join(root, path));
    writeFileSync(shapes, inferredShapes(modules, join(root, contract.folder, 'index.ts')));
    folders.push(shapes);
  }
  const compiled = compile(root, scratch, folders);
  if (contract) write('contract.d.ts', asTypes(compiled(asDeclaration(shapes))));

  for (const path of trackedFiles(git, ...sources.map((source) => `${folder}/${source}`))) {
    const inside = posix.relative(folder, path);
    if (!path.endsWith('.ts')) write(inside, readFileSync(join(root, path)));
    else
      for (const output of [asJavaScript, asDeclaration])
        write(
          output(inside),
          withSpecifiers(compiled(join(root, output(path))), inside, contract?.specifier),
        );
  }
  if (beside) {
    // Compiled separately: otherwise their imports would refer to types of the service.
    const asRun = compile(
      root,
      scratch,
      beside.folders.map((besides) => join(root, besides)),
    );
    for (const path of trackedFiles(git, ...beside.folders)) {
      if (/^[^/]+\/test\//.test(path)) continue;
      if (path.endsWith('.ts')) write(asJavaScript(path), asRun(join(root, asJavaScript(path))));
      else write(path, readFileSync(join(root, path)));
    }
  }
  for (const source of Object.values(bin)) {
    const command = asJavaScript(source);
    const text = readFileSync(join(stage, command), 'utf8');
    write(command, text.startsWith('#!') ? text : `#!/usr/bin/env node\n${text}`);
  }
  const { scripts, devDependencies, ...manifest } = readManifest(join(root, folder));
  const commands = Object.entries(bin).map(([name, source]) => [name, asJavaScript(source)]);
  const published = {
    ...manifest,
    ...(name && { name }),
    ...repositoryOf(folder),
    ...(beside && { dependencies: { ...manifest.dependencies, ...versionsOf(root, beside.dependencies) } }),
    exports: withDeclarations(manifest.exports),
    ...(commands.length && { bin: Object.fromEntries(commands) }),
  };
  write('package.json', `${JSON.stringify(published, null, 2)}\n`);
  copyFileSync(join(root, 'LICENSE'), join(stage, 'LICENSE'));
}

/** Rewrites paths to the package's files where the compiler doesn't: in declarations and in `new URL`. */
function withSpecifiers(text: string, path: string, specifier: string | undefined): string {
  const toContract = posix.relative(posix.dirname(path), 'contract.js');
  return text
    .replace(/(["'])(\.{1,2}\/[^"'\n]*)\.ts\1/g, '$1$2.js$1')
    .replaceAll(`'${specifier}'`, `'${toContract.startsWith('.') ? '' : './'}${toContract}'`);
}

type Exports = string | { [condition: string]: Exports };

interface Manifest {
  name: string;
  exports: Exports;
  scripts?: unknown;
  devDependencies?: Record<string, string>;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** Returns the repository that builds the release; npm compares it with the package's provenance. */
function repositoryOf(directory: string): object {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = process.env;
  if (!GITHUB_SERVER_URL || !GITHUB_REPOSITORY) return {};
  return { repository: { type: 'git', url: `git+${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}.git`, directory } };
}

/** Returns the versions that the repository uses. */
function versionsOf(root: string, names: string[]): Record<string, string> {
  const { devDependencies = {} } = readManifest(root);
  return Object.fromEntries(names.map((name) => [name, devDependencies[name]!]));
}

const withDeclarations = (exports: Exports): Exports =>
  typeof exports === 'string'
    ? { types: asDeclaration(exports), default: asJavaScript(exports) }
    : Object.fromEntries(Object.entries(exports).map(([key, value]) => [key, withDeclarations(value)]));

/** Refuses a package that imports a missing file or an undeclared dependency. */
function refuseMissingImports(stage: string): void {
  const { name, dependencies, optionalDependencies, peerDependencies } = readManifest(stage);
  const packages = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  for (const path of readdirSync(stage, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(js|d\.ts)$/.test(path)) continue;
    const text = readFileSync(join(stage, path), 'utf8');
    for (const [, , specifier = ''] of text.matchAll(/\b(?:from|import)\s*\(?\s*(["'])([^"'\s]+)\1/g)) {
      const target = join(stage, dirname(path), specifier);
      const found = specifier.startsWith('.')
        ? existsSync(path.endsWith('.d.ts') ? target.replace(/\.js$/, '.d.ts') : target)
        : isBuiltin(specifier) || packages.some((known) => `${specifier}/`.startsWith(`${known}/`));
      if (!found) throw new Refusal(`${path} of ${name} imports "${specifier}", which the package lacks.`);
    }
  }
}
