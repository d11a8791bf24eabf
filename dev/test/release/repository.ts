import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

// The temporary repositories use neither the git settings of the user nor the GIT_DIR of a hook.
const environment = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))),
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
};

export type Repository = ReturnType<typeof temporaryRepository>;

export function printed(
  repository: Repository,
  tool: string,
  args: string[],
  env?: NodeJS.ProcessEnv,
): string {
  const { status, stdout, stderr } = repository.run(tool, args, env);
  assert.deepEqual([status, stderr], [0, '']);
  return stdout;
}

/** Runs one of the tools, which says why it does nothing. */
export function refuses(repository: Repository, tool: string, args: string[], message: RegExp): void {
  const { status, stdout, stderr } = repository.run(tool, args);
  assert.match(stderr, message);
  assert.doesNotMatch(stderr, /^ +at /m, 'a refusal carries no stack');
  assert.deepEqual([status, stdout], [1, '']);
}

type Ending = { after(end: () => void): void };

export function temporaryFolder(t: Ending): string {
  const folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'trousseau-release-')));
  t.after(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

// Equal first commits are made once and copied, because a copy costs less than the processes of git.
const beginnings = fs.mkdtempSync(join(tmpdir(), 'trousseau-release-'));
process.on('exit', () => fs.rmSync(beginnings, { recursive: true, force: true }));
const kept = new Map<string, string>();

function beginWith(folder: string, what: string, make: () => void): void {
  const known = kept.get(what);
  if (known) return void fs.cpSync(known, folder, { recursive: true });
  make();
  const copy = join(beginnings, String(kept.size));
  fs.cpSync(folder, copy, { recursive: true });
  kept.set(what, copy);
}

const LOOKS = ['for-each-ref', 'rev-parse HEAD', 'branch --show-current', 'status --porcelain', 'diff HEAD'];

/** Makes a real git repository with these files in its first commit, in which the release tool runs unchanged. */
export function temporaryRepository(t: Ending, files: Record<string, string>) {
  const folder = temporaryFolder(t);
  const path = (name: string) => join(folder, name);

  const spawn = (command: string, args: string[], env: NodeJS.ProcessEnv = {}) =>
    spawnSync(command, args, { cwd: folder, encoding: 'utf8', env: { ...environment, ...env } });

  const git = (...args: string[]): string => {
    const { status, stdout, stderr } = spawn('git', args);
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
    return stdout.trimEnd();
  };

  const write = (changes: Record<string, string>) => {
    for (const [name, text] of Object.entries(changes)) {
      fs.mkdirSync(dirname(path(name)), { recursive: true });
      fs.writeFileSync(path(name), text);
    }
  };

  const commit = (message: string, changes: Record<string, string>): string => {
    write(changes);
    git('add', '--all');
    git('commit', '--quiet', '--allow-empty', '-m', message);
    return git('rev-parse', 'HEAD');
  };

  beginWith(folder, JSON.stringify(files), () => {
    beginWith(folder, 'nothing', () => {
      git('init', '--quiet', '--initial-branch=main');
      git('config', 'user.name', 'Test');
      git('config', 'user.email', 'test@example.test');
    });
    commit('chore: start', files);
  });

  return {
    folder,
    path,
    git,
    write,
    commit,
    read: (name: string) => fs.readFileSync(path(name), 'utf8'),
    /** Returns everything that a command could change, to test that it changed nothing. */
    snapshot: () => LOOKS.map((command) => git(...command.split(' '))),
    /** Runs a script as a workflow's step does. */
    bash: (script: string, env: NodeJS.ProcessEnv) => spawn('bash', ['-eo', 'pipefail', '-c', script], env),
    run: (tool: string, args: string[], env?: NodeJS.ProcessEnv) =>
      spawn(process.execPath, [join(import.meta.dirname, '../../release', `${tool}.ts`), ...args], env),
  };
}

/** Returns the version files of all components, each with similar text that a bump must leave alone. */
export function allComponents(version = '0.1.0'): Record<string, string> {
  const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;
  const lock = {
    '': { name: 'trousseau', workspaces: ['api', 'client'] },
    api: { name: 'trousseau-api', version, dependencies: { fastify: '^5.0.0' } },
    client: { name: 'trousseau-client', version },
    'node_modules/fastify': { version: '5.0.0' },
  };
  return {
    'plugin/trousseau.php': `<?php\n/**\n * Plugin Name: Trousseau\n * Version:     ${version}\n * Requires PHP: 8.1\n */\nconst VERSION     = '${version}';\n`,
    'plugin/readme.txt': `=== Trousseau ===\nRequires at least: 6.1\nStable tag: ${version}\n`,
    'theme/style.css': `/*\nTheme Name: Trousseau\nVersion: ${version}\n*/\nbody { color: red }\n`,
    'extension/manifest.json': json({ manifest_version: 3, version, minimum_chrome_version: '121' }),
    'api/package.json': json({ name: 'trousseau-api', version, files: ['src'], engines: { node: '>=24' } }),
    'client/package.json': json({ name: 'trousseau-client', version }),
    'package-lock.json': json({ name: 'trousseau', lockfileVersion: 3, packages: lock }),
    LICENSE: 'MIT\n',
  };
}

const top = join(import.meta.dirname, '../../..');

/** Links this checkout's node_modules into the repository; workspaces lead to its own folders. */
export function linkModules(repository: Repository): void {
  const modules = join(top, 'node_modules');
  fs.mkdirSync(repository.path('node_modules'));
  for (const entry of fs.readdirSync(modules, { withFileTypes: true })) {
    const target = join(modules, entry.name);
    const to = entry.isSymbolicLink() ? fs.readlinkSync(target) : target;
    fs.symlinkSync(to, repository.path(`node_modules/${entry.name}`));
  }
}

/** Makes a repository with one commit: this checkout, including uncommitted changes. */
export function copyOfThisCheckout(t: Ending): Repository {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = spawnSync('git', args, { cwd: top, encoding: 'utf8' });
  if (files.status !== 0) throw new Error(files.stderr);
  const repository = temporaryRepository(t, {});
  for (const name of new Set(files.stdout.split('\0').filter(Boolean)))
    if (fs.existsSync(join(top, name))) fs.cpSync(join(top, name), repository.path(name));
  repository.commit('feat: everything', {});
  linkModules(repository);
  return repository;
}
