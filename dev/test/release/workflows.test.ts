import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, matchesGlob } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { componentNames } from '../../release/components.ts';
import { allComponents, temporaryFolder, temporaryRepository } from './repository.ts';

const top = join(import.meta.dirname, '../../..');
const folder = join(top, '.github/workflows');

type Step = { name?: string; uses?: string; run?: string };
type Job = {
  uses?: string;
  needs?: string | string[];
  steps?: Step[];
  permissions?: Record<string, string>;
};
interface Workflow {
  on: Record<string, { branches?: string[]; tags?: string[] } | null>;
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
}

const workflows = new Map<string, Workflow>();
for (const file of readdirSync(folder))
  workflows.set(file, parse(readFileSync(join(folder, file), 'utf8'), { strict: true, uniqueKeys: true }));
const jobs = [...workflows.values()].flatMap(({ jobs }) => Object.values(jobs));
const steps = jobs.flatMap((job) => job.steps ?? []);
const scripts = steps.flatMap(({ run }) => run ?? []).join('\n');

test('workflows call only scripts and files that exist', () => {
  const { scripts: known } = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8'));
  const called = [...scripts.matchAll(/npm run (\S+)/g)].map((match) => match[1]!);
  assert.deepEqual(called, ['pack']);
  for (const name of called) assert.ok(Object.hasOwn(known, name), `package.json has no script ${name}`);

  const files = [...scripts.matchAll(/\bbash (\S+)/g)].map((match) => match[1]!);
  assert.deepEqual(files, ['.ci/run', '.ci/night']);
  const local = jobs.flatMap(({ uses }) => uses ?? []);
  assert.deepEqual(local, ['./.github/workflows/check.yml', './.github/workflows/night.yml']);
  for (const file of [...files, ...local]) assert.ok(existsSync(join(top, file)), `${file} does not exist`);
});

test('checks run on every branch, every pull request and before a release', () => {
  const { on } = workflows.get('check.yml')!;
  assert.deepEqual(on.push?.branches, ['**']);
  assert.ok('pull_request' in on && 'workflow_call' in on);
  const { publish, images } = workflows.get('release.yml')!.jobs;
  for (const job of [publish, images]) assert.deepEqual(job!.needs, ['check', 'night']);
});

test('the rest runs every night', () => {
  const { on, jobs } = workflows.get('night.yml')!;
  assert.ok('schedule' in on && 'workflow_call' in on);
  assert.ok(jobs.night!.steps!.some(({ run }) => run === 'bash .ci/night'));
});

test('the tags of every component start a release, and no others do', () => {
  const patterns = workflows.get('release.yml')!.on.push!.tags!;
  const starts = (tag: string) => patterns.some((pattern) => matchesGlob(tag, pattern));
  for (const name of componentNames) assert.ok(starts(`${name}/v1.20.3`), name);
  for (const tag of ['v1.2.3', 'client/v1.2.3', 'api/1.2.3', 'x/api/v1.2.3']) assert.ok(!starts(tag), tag);
  assert.equal(patterns.length, componentNames.length);
});

test('only publishing may write, and actions are pinned to a commit', () => {
  for (const { permissions } of workflows.values()) assert.deepEqual(permissions, { contents: 'read' });
  const writing = jobs.filter(({ permissions }) => permissions);
  const { publish, images } = workflows.get('release.yml')!.jobs;
  assert.deepEqual(writing, [publish, images]);
  assert.deepEqual(publish!.permissions, { contents: 'write', 'id-token': 'write' });
  assert.deepEqual(images!.permissions, { contents: 'read', packages: 'write' });
  for (const { uses } of steps.filter((step) => step.uses))
    assert.match(uses!, /^actions\/[\w-]+@[0-9a-f]{40}$/);
  assert.doesNotMatch(scripts, /\$\{\{/, 'an expression in a script is a way in for whoever names a tag');
});

test('the publishing scripts hand over the artifact, the title and the annotated tag, or fail', (t) => {
  const repository = temporaryRepository(t, {
    ...allComponents(),
    'package.json': JSON.stringify({ scripts: { pack: `node ${join(top, 'dev/release/pack.ts')}` } }),
    '.gitignore': 'dist/\n*.mo\n',
    // The smallest build that makes the files for a theme's zip.
    'dev/build/theme.ts': `import { mkdirSync, writeFileSync } from 'node:fs';
      const folder = import.meta.dirname + '/../../theme/languages';
      mkdirSync(folder, { recursive: true });
      writeFileSync(folder + '/nl_NL.mo', '');`,
  });
  assert.equal(repository.run('bump', ['theme', 'minor']).status, 0);
  // A command that prints its arguments replaces gh.
  const bin = temporaryFolder(t);
  writeFileSync(join(bin, 'gh'), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 });
  const PATH = [bin, dirname(process.execPath), process.env.PATH].join(delimiter);
  const publish = (tag: string) =>
    ['Pack', 'Publish']
      .map((name) => steps.find((step) => step.name === name)!.run!)
      .map((script) => repository.bash(script, { PATH, GITHUB_REF_NAME: tag }));

  const [packed, published] = publish('theme/v0.2.0');
  assert.equal(packed!.status, 0, packed!.stderr);
  assert.deepEqual(published!.stdout.trim().split('\n'), [
    ...['release', 'create', 'theme/v0.2.0', 'dist/trousseau-theme-0.2.0.zip'],
    ...['--verify-tag', '--title', 'theme v0.2.0', '--notes-from-tag'],
  ]);
  assert.equal(published!.status, 0, published!.stderr);

  repository.git('tag', 'theme/v0.3.0');
  assert.notEqual(publish('theme/v0.3.0')[1]!.status, 0, 'a tag without notes');
  assert.notEqual(publish('shop/v0.2.0')[0]!.status, 0, 'a component that is none');
});

test('a release pushes the images of the compose file for both architectures, with their origin and contents', (t) => {
  const script = steps.find(({ name }) => name === 'Push')!.run!;
  const { services } = parse(readFileSync(join(top, 'compose.yaml'), 'utf8'));
  // Commands that print their arguments replace docker and sudo.
  const bin = temporaryFolder(t);
  for (const name of ['docker', 'sudo'])
    writeFileSync(join(bin, name), '#!/bin/sh\nprintf "%s " "$@"\necho\n', { mode: 0o755 });
  const repository = temporaryRepository(t, {});
  const push = (tag: string) => {
    const github = { GITHUB_REF_NAME: tag, GITHUB_REPOSITORY_OWNER: 'Trousseau', GITHUB_ACTOR: 'somebody' };
    const env = { PATH: [bin, process.env.PATH].join(delimiter), GH_TOKEN: 'secret', ...github };
    const { status, stdout, stderr } = repository.bash(script, env);
    assert.equal(status, 0, stderr);
    assert.doesNotMatch(stdout, /secret/);
    return stdout.split('\n').find((line) => line.startsWith('buildx build')) ?? '';
  };
  for (const [tag, service, tags] of [
    ['api/v1.2.0', 'api', ['1.2.0', 'latest']],
    ['plugin/v1.2.0', 'wordpress', ['1.2.0', 'latest']],
    ['theme/v1.3.0', 'wordpress', ['latest']],
  ] as const) {
    const { image, build } = services[service];
    const named = tags.map((one) => `--tag=${image.replace(/latest$/, one)}`).join(' ');
    const platforms = '--platform linux/amd64,linux/arm64 --provenance mode=max --sbom true --push';
    assert.equal(push(tag).trim(), `buildx build . --target ${build.target} ${named} ${platforms}`);
    assert.match(readFileSync(join(top, 'Dockerfile'), 'utf8'), new RegExp(` AS ${build.target}$`, 'm'));
  }
  assert.equal(push('extension/v1.2.0'), '');
});
