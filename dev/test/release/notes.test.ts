import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forgeOf, renderNotes } from '../../release/notes.ts';
import { allComponents, printed, refuses, temporaryRepository } from './repository.ts';

const commit = (subject: string, body = '') => ({ hash: 'a'.repeat(40), subject, body });
const noLinks = { forge: undefined, since: undefined, until: 'HEAD' };

test('notes tell users of the component what they notice, breaking changes first and once', () => {
  const notes = renderNotes(
    'api',
    'api v1.0.0',
    [
      commit('perf(store): one statement'),
      commit('fix(api): a leak', 'What it took to find it.'),
      commit('feat(http): etags'),
      commit('fix(api,plugin): one rule for addresses'),
      commit('fix(client, bench): a client that retries'),
      commit('feat!: no more XML'),
      commit('Fix: capitals too', 'Why it was so.\n\nReviewed-by: Ann'),
      commit('refactor: move', 'BREAKING CHANGE: the path\nis another one\n\nReviewed-by: Ann'),
      // Users of this component do not notice the following commits.
      commit('docs: say more'),
      commit('refactor(api): fewer files'),
      commit('test(api): more'),
      commit('ci: run less'),
      commit('chore(release): api v0.9.0'),
      commit('feat(bench): another peer'),
      commit('fix(test): wait for it'),
      commit('feat(plugin): in the plugin, with a file here'),
      commit('fix(theme, plugin): theirs'),
      commit('constructor: an odd type'),
      commit('no convention at all'),
    ],
    noLinks,
  );
  assert.equal(
    notes.replaceAll(' (aaaaaaa)', ''),
    `api v1.0.0

### Breaking changes

- no more XML
- move
  the path is another one

### Features

- **http:** etags

### Fixes

- a leak
- one rule for addresses
- **client, bench:** a client that retries
- capitals too

### Performance

- **store:** one statement
`,
  );
});

test('links lead to the forge of origin, without the credentials in its address, and nowhere else', () => {
  const github = 'https://github.com/acme/trousseau/commit/abc';
  const gitlab = 'https://gitlab.com/acme/tools/trousseau/-/commit/abc';
  for (const [remote, page] of [
    ['https://github.com/acme/trousseau.git', github],
    ['https://ann:secret@github.com/acme/trousseau', github],
    ['git@github.com:acme/trousseau.git', github],
    ['ssh://git@github.com/acme/trousseau', github],
    ['git@gitlab.com:acme/tools/trousseau.git', gitlab],
    ['https://gitlab.com/acme/tools/trousseau/', gitlab],
    ['https://git.example/acme/trousseau', undefined],
    ['https://github.com.evil.example/acme/trousseau', undefined],
    ['https://evil.example/github.com/acme/trousseau', undefined],
    ['/srv/git/trousseau.git', undefined],
    ['', undefined],
  ] as const)
    assert.equal(forgeOf(remote)?.commit('abc'), page, remote);
});

test('notes hold the commits that touched the component since its own last tag', (t) => {
  const repository = temporaryRepository(t, allComponents());
  const notes = (component: string) => printed(repository, 'notes', [component]);
  repository.commit('feat: old', { 'api/old.ts': '1' });
  repository.git('tag', 'api/v0.1.0');
  repository.git('tag', 'theme/v0.1.0');
  repository.commit('feat: in the client', { 'client/a.ts': '1' });
  repository.commit('fix: in both', { 'api/b.ts': '1', 'plugin/b.php': '1' });
  const plain = repository.commit('feat: in the plugin', { 'plugin/c.php': '1' });
  repository.commit('feat: nowhere', { 'README.md': '1' });
  repository.commit('refactor: move', { 'api/d.ts': '1', 'plugin/d.php': '1', 'theme/d.php': '1' });
  repository.commit('fix(plugin): quotes', { 'api/e.ts': '1', 'plugin/e.php': '1' });

  const own = /^api \(unreleased\)\n\n### Features\n\n- in the client \(\w{7}\)\n\n### Fixes\n\n- in both/;
  assert.match(notes('api'), own);
  assert.doesNotMatch(notes('api'), /old|plugin|nowhere|http|move|quotes/);
  assert.match(notes('plugin'), /- in the plugin[\s\S]*- quotes[\s\S]*- in both/);
  assert.doesNotMatch(notes('plugin'), /move/);
  const found = notes('theme');
  assert.equal(found, 'theme (unreleased)\n\nNothing that users notice has changed since theme/v0.1.0.\n');

  repository.git('remote', 'add', 'origin', 'https://ann:secret@github.com/acme/trousseau.git');
  const linked = notes('plugin');
  assert.ok(linked.includes(`([${plain.slice(0, 7)}](https://github.com/acme/trousseau/commit/${plain}))`));
  assert.doesNotMatch(linked, /secret/);
  const all = /\[All changes\]\(https:\/\/github\.com\/acme\/trousseau\/compare\/api\/v0\.1\.0\.\.\.\w{40}\)/;
  assert.match(notes('api'), all);
});

test('notes refuse an unknown component and a clone that lacks the older history', (t) => {
  const repository = temporaryRepository(t, allComponents());
  refuses(repository, 'notes', ['shop'], /^Unknown component "shop"/);
  repository.write({ '.git/shallow': repository.git('rev-parse', 'HEAD') });
  refuses(repository, 'notes', ['api'], /^This clone lacks the older history/);
  refuses(repository, 'bump', ['api', 'patch'], /^This clone lacks the older history/);
  assert.equal(repository.git('tag'), '');
});
