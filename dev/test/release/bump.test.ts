import assert from 'node:assert/strict';
import { chmodSync, rmSync } from 'node:fs';
import { describe, type TestContext, test } from 'node:test';
import { bump as bumpIn } from '../../release/bump.ts';
import {
  allComponents,
  printed,
  type Repository,
  refuses as refusesIn,
  temporaryFolder,
  temporaryRepository,
} from './repository.ts';

const repositoryWith = (t: TestContext, files = allComponents()) => temporaryRepository(t, files);

const bump = (repository: Repository, ...args: string[]) => printed(repository, 'bump', args);

function refuses(repository: Repository, args: string[], message: RegExp) {
  const before = repository.snapshot();
  refusesIn(repository, 'bump', args, message);
  assert.deepEqual(repository.snapshot(), before);
}

const files = (repository: Repository, commit: string) =>
  repository.git('show', '--name-only', '--format=', commit).split('\n').sort();

describe('a bump', () => {
  for (const [level, version] of Object.entries({ patch: '1.2.4', minor: '1.3.0', major: '2.0.0' }))
    test(`${level} turns 1.2.3 into ${version}`, (t) => {
      const repository = repositoryWith(t, allComponents('1.2.3'));
      bump(repository, 'theme', level);
      assert.ok(repository.read('theme/style.css').includes(`\nVersion: ${version}\n`));
      assert.equal(repository.git('cat-file', '-t', `theme/v${version}`), 'tag');
      assert.equal(repository.git('log', '-1', '--format=%B').trim(), `chore(release): theme v${version}`);
    });

  const touched = {
    plugin: ['plugin/readme.txt', 'plugin/trousseau.php'],
    api: ['api/package.json', 'client/package.json', 'package-lock.json'],
    theme: ['theme/style.css'],
  };
  for (const [component, paths] of Object.entries(touched))
    test(`edits only the version in ${paths.join(', ')} for ${component}`, (t) => {
      const repository = repositoryWith(t);
      bump(repository, component, 'minor');
      assert.deepEqual(files(repository, 'HEAD'), paths);
      for (const [path, text] of Object.entries(allComponents())) {
        const expected = paths.includes(path) ? text.replaceAll('0.1.0', '0.2.0') : text;
        assert.equal(repository.read(path), expected, path);
      }
      assert.equal(repository.git('status', '--porcelain'), '');
      assert.deepEqual(repository.git('tag').split('\n'), [`${component}/v0.2.0`]);
    });

  test('keeps the versions of other components: two releases in a row', (t) => {
    const repository = repositoryWith(t);
    repository.commit('feat(api): a', { 'api/src/a.ts': 'a' });
    bump(repository, 'api', 'minor');
    repository.commit('fix: b', { 'plugin/b.php': 'b' });
    bump(repository, 'plugin', 'patch');
    assert.match(bump(repository, 'api', 'patch'), /api 0\.2\.0 → 0\.2\.1/);
    assert.deepEqual(repository.git('tag').split('\n'), ['api/v0.2.0', 'api/v0.2.1', 'plugin/v0.1.1']);
    assert.match(repository.read('theme/style.css'), /Version: 0\.1\.0/);
    const contents = repository.git('tag', '-l', '--format=%(contents)', 'plugin/v0.1.1');
    assert.match(contents, /^plugin v0\.1\.1\n\n### Fixes\n\n- b/);
  });

  test('orders tags as versions, not as text, and ignores tags of another form', (t) => {
    const repository = repositoryWith(t, allComponents('0.10.0'));
    for (const tag of ['theme/v0.9.0', 'theme/v0.10.0', 'theme/vNext', 'theme/v99', 'v9.9.9'])
      repository.git('tag', tag);
    assert.match(bump(repository, 'theme', 'patch'), /theme 0\.10\.0 → 0\.10\.1/);
  });

  test('--dry-run prints the plan with the notes and changes nothing', (t) => {
    const repository = repositoryWith(t);
    repository.commit('feat: wishes', { 'api/src/a.ts': 'a' });
    const before = repository.snapshot();
    const plan = bump(repository, 'api', 'minor', '--dry-run');
    assert.deepEqual(repository.snapshot(), before);
    const words = ['api 0.1.0 → 0.2.0', 'chore(release): api v0.2.0', 'api/v0.2.0', '- wishes'];
    for (const word of [...words, ...touched.api]) assert.ok(plan.includes(word), word);
    bump(repository, 'api', 'minor');
    assert.equal(repository.git('tag'), 'api/v0.2.0');
  });
});

describe('a bump refuses', () => {
  test('an unknown component, level or option, and missing ones', (t) => {
    const unknown = /Unknown component "shop"; it is one of plugin, api, theme/;
    refuses(repositoryWith(t), ['shop', 'patch'], unknown);
    for (const [args, message] of [
      [['api', 'huge'], /Unknown level "huge"; it is one of patch, minor, major/],
      [['constructor', 'patch'], /Unknown component "constructor"/],
      [[], /No component given/],
      [['api'], /No level given/],
      [['api', 'patch', 'plugin'], /Name one component and one level/],
      [['api', 'patch', '--force'], /--force/],
    ] as const)
      assert.throws(() => bumpIn([...args], 'nowhere'), message);
  });

  test('a changed file, a staged one and one that was never added', (t) => {
    const repository = repositoryWith(t);
    repository.write({ LICENSE: 'other' });
    refuses(repository, ['api', 'patch'], /uncommitted changes: LICENSE\./);
    repository.git('add', 'LICENSE');
    refuses(repository, ['api', 'patch'], /uncommitted changes: LICENSE\./);
    repository.git('checkout', '--quiet', 'HEAD', '--', 'LICENSE');
    repository.write({ 'api/src/new file.ts': 'x' });
    refuses(repository, ['api', 'patch'], /uncommitted changes: api\/src\/new file\.ts\./);
  });

  test('a tag that exists, wherever it points, and leaves it there', (t) => {
    const repository = repositoryWith(t);
    repository.git('checkout', '--quiet', '-b', 'topic');
    const elsewhere = repository.commit('fix: x', { x: '1' });
    repository.git('tag', 'api/v0.1.1');
    repository.git('checkout', '--quiet', 'main');
    refuses(repository, ['api', 'patch'], /The tag api\/v0\.1\.1 exists already, and tags never move/);
    assert.equal(repository.git('rev-parse', 'api/v0.1.1'), elsewhere);
  });

  test('copies of the version that differ', (t) => {
    const repository = repositoryWith(t);
    repository.commit('chore: drift', { 'client/package.json': '{\n  "version": "0.0.9"\n}' });
    refuses(repository, ['api', 'patch'], /client\/package\.json says 0\.0\.9, but .* says 0\.1\.0/);
  });

  test('with a line for each of several faults', (t) => {
    const repository = repositoryWith(t);
    repository.git('tag', 'api/v0.3.0');
    repository.git('checkout', '--quiet', '-b', 'topic');
    repository.write({ LICENSE: 'other' });
    refuses(repository, ['api', 'patch'], /branch topic\.\n.*LICENSE.*\n.*newest tag is api\/v0\.3\.0\.\n$/);
  });
});

describe('with an origin, a bump', () => {
  function withOrigin(t: TestContext) {
    const repository = repositoryWith(t);
    const origin = temporaryFolder(t);
    repository.git('init', '--quiet', '--bare', '--initial-branch=main', origin);
    repository.git('remote', 'add', 'origin', origin);
    repository.git('push', '--quiet', 'origin', 'main');
    return { repository, origin };
  }

  test('names the push that publishes it, and that push works', (t) => {
    const { repository, origin } = withOrigin(t);
    const push = bump(repository, 'api', 'patch').match(/^Publish it with: git (.*)$/m)?.[1];
    assert.equal(push, 'push --atomic origin main api/v0.1.1');
    repository.git(...push.split(' '), '--quiet');
    assert.match(repository.git('ls-remote', origin), /refs\/tags\/api\/v0\.1\.1\^\{\}/);
    bump(repository, 'api', 'patch');
  });

  test('refuses a main that is behind, and tags that are missing here', (t) => {
    const { repository } = withOrigin(t);
    repository.commit('fix: x', { x: '1' });
    repository.git('tag', 'api/v0.1.1');
    repository.git('push', '--quiet', 'origin', 'main', 'api/v0.1.1');
    repository.git('tag', '--delete', 'api/v0.1.1');
    refuses(repository, ['api', 'patch'], /Origin has tags that are not here \(api\/v0\.1\.1\)/);
    repository.git('reset', '--quiet', '--hard', 'HEAD^');
    refuses(repository, ['api', 'patch'], /main is behind origin/);
  });
});

for (const [what, hook, script] of [
  ['commit', 'pre-commit', 'exit 1'],
  ['tag', 'reference-transaction', '[ "$1" = prepared ] && grep -q refs/tags/ && exit 1\nexit 0'],
] as const)
  test(`a bump whose ${what} fails is undone, and the next one works`, (t) => {
    const repository = repositoryWith(t);
    repository.write({ [`.git/hooks/${hook}`]: `#!/bin/sh\n${script}\n` });
    chmodSync(repository.path(`.git/hooks/${hook}`), 0o755);
    refuses(repository, ['api', 'minor'], new RegExp(`git ${what}`));
    rmSync(repository.path(`.git/hooks/${hook}`));
    assert.match(bump(repository, 'api', 'minor'), /0\.1\.0 → 0\.2\.0/);
    assert.equal(repository.git('tag'), 'api/v0.2.0');
  });
