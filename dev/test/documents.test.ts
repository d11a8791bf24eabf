// The documents: links lead to files, pages are short, and the plots show the result files.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { Item, ItemCreate } from '../../api/src/contract/index.ts';
import { anchorsOf } from '../anchors.ts';
import { PLOTS, type Plot, savedResults } from '../bench/plot.ts';
import { banned, glossary } from '../languages/glossary.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const folders = '{api,client,conformance,deploy,dev,docs,extension,plugin,site,theme}';
const documents = globSync(`{*.md,${folders}/**/*.md}`, { cwd: root, exclude: ['**/node_modules'] })
  .sort()
  .map((path) => ({ path, text: read(path) }));

const withoutCode = (text: string) => text.replace(/^ *```.*?^ *```/gms, '').replace(/`[^`\n]*`/g, '`code`');

test('every link and picture of a document leads to a file or a heading', () => {
  let looked = 0;
  for (const { path, text } of documents) {
    for (const [, target] of withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target!)) continue;
      looked++;
      const [file, anchor] = target!.split('#') as [string, string?];
      const named = file ? normalize(join(dirname(path), file)) : path;
      assert.ok(existsSync(join(root, named)), `${path}: there is no ${target}`);
      if (anchor !== undefined)
        assert.ok(anchorsOf(read(named)).includes(anchor), `${path}: no heading for ${target}`);
    }
  }
  assert.ok(looked > 100, `${looked} links`);
});

test('the documents keep to the glossary', () => {
  const everywhere = glossary('en').filter(({ documents }) => documents);
  const readmes = ['plugin/readme.txt', 'theme/readme.txt'].map((path) => ({ path, text: read(path) }));
  const found = [...documents, ...readmes]
    .filter(({ path }) => path !== 'docs/languages.md')
    .flatMap(({ path, text }) =>
      withoutCode(text)
        .replace(/\]\([^)]*\)/g, ']')
        .split('\n')
        .flatMap((line) => banned(line, everywhere).map((fault) => `${path}: ${fault}`)),
    );
  assert.deepEqual(found, []);
});

test('the documents name buttons and pages by the words that they have', () => {
  // Names from WordPress, browsers, page caches and OpenID Connect Generic.
  const foreign = new Set(
    `Plugins, Add New, Upload Plugin, Replace current with uploaded, Users, Profile, Application Passwords, Tools, Site Health, Info,
    Settings, Permalinks, Network Admin, Export Personal Data, Erase Personal Data, Caching, Cache Rules, Eligible for cache,
    Ignore cache-control header, Extensions, Developer mode, Load unpacked, This Firefox, Load Temporary Add-on, Plugin Check,
    Stable tag, Security, General, Anyone can register, OpenID Connect Client, Redirect URI, Redirect Back to Origin Page, Link Existing Users`.split(
      /,\s+/,
    ),
  );
  const sources = ['plugin/languages/trousseau.pot', 'theme/languages/trousseau-theme.pot'];
  sources.push('extension/_locales/en/messages.json');
  const words = sources.map((path) => read(path).replaceAll('"\n"', '')).join();
  const unknown = documents.flatMap(({ path, text }) =>
    [...withoutCode(text).matchAll(/(?<![*\w])\*([A-Z][^*\n|]{2,60})\*(?!\*)/g)]
      .flatMap(([, name]) => name!.split(' → '))
      .filter(
        (name) => !foreign.has(name) && !words.includes(name.replaceAll("'", '’')) && !words.includes(name),
      )
      .map((name) => `${path}: ${name}`),
  );
  assert.deepEqual(unknown, []);
});

test('every page of docs/ is reached from the README', () => {
  const readme = read('README.md');
  for (const { path } of documents)
    if (path.startsWith('docs/')) assert.ok(readme.includes(`(${path})`), `README.md doesn’t name ${path}`);
});

test('a page of docs/ has at most 150 lines, the README at most 200', () => {
  assert.ok(documents.length > 25, `${documents.length} documents`);
  for (const { path, text } of documents) {
    const most = path === 'README.md' ? 200 : path.startsWith('docs/') ? 150 : undefined;
    const lines = text.trimEnd().split('\n').length;
    assert.ok(!most || lines <= most, `${path} has ${lines} lines`);
  }
});

test('docs/contract/items.md has every field of an item, with its limits', () => {
  const rows = read('docs/contract/items.md').split('\n## Fields\n')[1]!.split('\n## ')[0]!;
  const documented = new Map<string, string>();
  for (const [, names, limits] of rows.matchAll(/^\| (`[^|]+) \|.*\| ([^|]*)\|$/gm))
    for (const [, name] of names!.matchAll(/`(\w+)`/g)) documented.set(name!, limits!.replaceAll(',', ''));
  assert.deepEqual([...documented.keys()].sort(), Object.keys(Item.properties).sort());
  for (const [name, schema] of Object.entries(ItemCreate.properties))
    for (const [, limit] of JSON.stringify(schema).matchAll(/"(?:minL|maxL)ength":(\d+)/g))
      assert.match(documented.get(name)!, new RegExp(`\\b${limit}\\b`), name);
});

test('the tests that SECURITY.md names are there', () => {
  const names = [...read('SECURITY.md').matchAll(/`([\w./-]+(?:\.ts|Test\.php))`/g)].map(([, name]) => name!);
  assert.ok(names.length > 50, `${names.length} names`);
  for (const name of names) {
    const isThere = ['', 'api/test', 'conformance'].some((folder) => existsSync(join(root, folder, name)));
    assert.ok(isThere, name);
  }
});

test('CONTRIBUTING.md gives a reason for every dependency', () => {
  const table = read('CONTRIBUTING.md').split('\n## Dependencies\n')[1]!;
  for (const path of ['package.json', 'api/package.json', 'client/package.json']) {
    const { dependencies = {}, devDependencies = {}, optionalDependencies = {} } = JSON.parse(read(path));
    for (const name of Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })) {
      // Types and workspaces are covered by what they belong to.
      if (/^@types\/|^trousseau-|-socket$/.test(name)) continue;
      assert.ok(table.includes(`\`${name}\``) || table.includes(`[${name}]`), `${path}: ${name}`);
    }
  }
});

test('the plots are drawn from the result files', () => {
  for (const plot of Object.keys(PLOTS) as Plot[]) {
    const { picture, draw } = PLOTS[plot];
    assert.equal(read(picture), draw(savedResults(plot)), `${picture}: run node dev/bench/plot.ts`);
  }
});

test('docs/performance.md has the medians of the result files', () => {
  const page = read('docs/performance.md');
  const saved = savedResults('peers');
  for (const [peer, routes] of Object.entries(saved.ratios)) {
    const cells = Object.values(routes).map(
      ([median, least, most]) => `**${median.toFixed(2)}** (${least.toFixed(2)}–${most.toFixed(2)})`,
    );
    assert.ok(page.includes(`| Trousseau to ${peer} | ${cells.join(' | ')} |`), peer);
  }
});

test('docs/settings.md names every setting of the service and no other', () => {
  const table = read('docs/settings.md').split('\n## ')[1]!;
  const documented = [...table.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, names]) =>
    [...names!.matchAll(/`(\w+)`/g)].map(([, name]) => name!),
  );
  const known = [...read('api/src/config.ts').matchAll(/setting\(\s*'([A-Z_]+)'/g)].map(([, name]) => name!);
  assert.deepEqual(documented.sort(), known.sort());
});

test('the README begins with the film, which is small, moves by itself and asks nobody for anything', () => {
  const film = read('docs/screenshots/film.svg');
  assert.match(read('README.md').split('```sh')[0]!, /!\[[^\]]+\]\(docs\/screenshots\/film\.svg\)/);
  assert.ok(Buffer.byteLength(film) < 1.5e6);
  const scenes = film.match(/data:image\/webp;base64,/g)!.length;
  assert.ok(scenes >= 8);
  assert.equal(film.match(/@keyframes/g)!.length, scenes - 1);
  assert.match(film, /prefers-reduced-motion/);
  assert.doesNotMatch(film, /<script|(href|src)="(?!data:)|url\((?!#)/);
});
