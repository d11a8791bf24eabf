import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { unzipSync } from 'fflate';
import { cleanFolder } from './clean-folder.ts';
import { allComponents, linkModules, type Repository, temporaryRepository } from './repository.ts';

/** Returns a build script that also writes a translation. */
const build = (folder: string, names: string[]) => `import { mkdirSync, writeFileSync } from 'node:fs';
if (!process.argv.includes('--release')) throw new Error('A release must have all its translations.');
const folder = new URL('../../${folder}/', import.meta.url);
for (const made of ['languages', 'assets/readable']) mkdirSync(new URL(made, folder), { recursive: true });
for (const name of ${JSON.stringify(names)}) writeFileSync(new URL(name, folder), '${folder} ' + name);
`;
const scripts = ['trousseau', 'known', 'pages', 'editor', 'registry-editor', 'settings', 'bookmarklet'];
const pluginFiles = {
  'theme/.gitignore': 'languages/*.mo\n',
  'extension/.gitignore': '*.js\n',
  'extension/src/popup.ts': 'export {};\n',
  'extension/test/popup.test.ts': 'export {};\n',
  'extension/popup.html': '<main></main>\n',
  'extension/_locales/en/messages.json': '{}\n',
  'dev/build/extension.ts': build('extension', ['background.js', 'popup.js', 'reader.js', 'sites.js']),
  'dev/build/theme.ts': build('theme', ['languages/de_DE.mo']),
  'plugin/src/Lists/Meta.php': '<?php // meta\n',
  'plugin/src/Lists/RegistryView.php': '<?php // view\n',
  'plugin/src/Lists/templates/item.php': '<?php // item\n',
  'plugin/src/Lists/templates/mail/plain.php': '<?php // mail\n',
  'plugin/uninstall.php': '<?php // uninstall\n',
  'plugin/.gitignore': 'assets/*.js\nassets/readable/\nlanguages/*.mo\n',
  'dev/build/plugin.ts': build('plugin', [
    ...scripts.flatMap((name) => [`assets/${name}.js`, `assets/readable/${name}.js`]),
    'languages/trousseau-ar.mo',
    'languages/trousseau-de_DE.mo',
  ]),
  'plugin/assets/trousseau.css': 'p {}\n',
  'plugin/src/Lists/scripts/trousseau.ts': 'export {};\n',
  'plugin/test/meta.test.ts': 'export {};\n',
};

function pack(repository: Repository, component: string, env: NodeJS.ProcessEnv = {}): string[] {
  const { status, stdout, stderr } = repository.run('pack', [component], env);
  assert.equal(stderr, '');
  assert.equal(status, 0);
  return stdout.trim().split('\n');
}

function refuses(repository: Repository, component: string, message: RegExp) {
  const { status, stdout, stderr } = repository.run('pack', [component]);
  assert.match(stderr, message);
  assert.doesNotMatch(stderr, /^ +at /m, 'a refusal carries no stack');
  assert.equal(stdout, '');
  assert.equal(status, 1);
}

const sha256 = (repository: Repository, path: string) =>
  createHash('sha256')
    .update(readFileSync(repository.path(path)))
    .digest('hex');

/** Reads the entries of a zip's directory, by the offsets in its format. */
function directoryOf(zip: Buffer) {
  const entries: { name: string; system: number; mode: number; time: string }[] = [];
  for (let at = zip.indexOf('PK\x01\x02'); at >= 0; at = zip.indexOf('PK\x01\x02', at + 1)) {
    const [clock, day] = [zip.readUInt16LE(at + 12), zip.readUInt16LE(at + 14)];
    const two = (number: number) => String(number).padStart(2, '0');
    entries.push({
      name: zip.toString('utf8', at + 46, at + 46 + zip.readUInt16LE(at + 28)),
      system: zip.readUInt8(at + 5),
      mode: zip.readUInt32LE(at + 38) >>> 16,
      time: `${(day >> 9) + 1980}-${two((day >> 5) & 15)}-${two(day & 31)}T${two(clock >> 11)}:${two((clock >> 5) & 63)}:${two((clock & 31) * 2)}Z`,
    });
  }
  return entries;
}

test('a zip holds exactly what ships, sorted, with the time of the commit and one mode', (t) => {
  const repository = temporaryRepository(t, {});
  const files = { ...allComponents(), ...pluginFiles, '.gitignore': 'dist/\n' };
  repository.commit('feat: everything', files, '2026-07-01T12:34:56+02:00');
  repository.commit('feat: elsewhere', { 'api/a.ts': '' });
  assert.deepEqual(pack(repository, 'plugin'), ['dist/trousseau-plugin-0.1.0.zip']);
  const zip = readFileSync(repository.path('dist/trousseau-plugin-0.1.0.zip'));
  const names = [
    'trousseau/LICENSE',
    'trousseau/assets/bookmarklet.js',
    'trousseau/assets/editor.js',
    'trousseau/assets/known.js',
    'trousseau/assets/pages.js',
    ...scripts.toSorted().map((name) => `trousseau/assets/readable/${name}.js`),
    'trousseau/assets/registry-editor.js',
    'trousseau/assets/settings.js',
    'trousseau/assets/trousseau.css',
    'trousseau/assets/trousseau.js',
    'trousseau/languages/trousseau-ar.mo',
    'trousseau/languages/trousseau-de_DE.mo',
    'trousseau/readme.txt',
    'trousseau/src/Lists/Meta.php',
    'trousseau/src/Lists/RegistryView.php',
    'trousseau/src/Lists/templates/item.php',
    'trousseau/src/Lists/templates/mail/plain.php',
    'trousseau/trousseau.php',
    'trousseau/uninstall.php',
  ];
  const unix = 3;
  assert.deepEqual(
    directoryOf(zip),
    names.map((name) => ({ name, system: unix, mode: 0o100644, time: '2026-07-01T10:34:56Z' })),
  );
  const contents = unzipSync(zip);
  for (const name of names) {
    const source = name.replace('trousseau/', name.endsWith('LICENSE') ? '' : 'plugin/');
    assert.equal(Buffer.from(contents[name]!).toString(), repository.read(source));
  }
});

test('the extension’s zip has its manifest at the top, for the stores of browsers', (t) => {
  const repository = temporaryRepository(t, {});
  const files = { ...allComponents(), ...pluginFiles, '.gitignore': 'dist/\n' };
  repository.commit('feat: everything', files, '2026-07-01T12:34:56+02:00');
  assert.deepEqual(pack(repository, 'extension'), ['dist/trousseau-extension-0.1.0.zip']);
  const zip = readFileSync(repository.path('dist/trousseau-extension-0.1.0.zip'));
  assert.deepEqual(
    directoryOf(zip).map(({ name, time }) => [name, time]),
    [
      ...['LICENSE', '_locales/en/messages.json', 'background.js', 'manifest.json', 'popup.html'],
      ...['popup.js', 'reader.js', 'sites.js'],
    ].map((name) => [name, '2026-07-01T10:34:56Z']),
  );
});

test('a zip has the same bytes from another clone, time zone, mode and file time', (t) => {
  const one = temporaryRepository(t, { ...allComponents(), ...pluginFiles, '.gitignore': 'dist/\n' });
  const other = temporaryRepository(t, {});
  other.git('pull', '--quiet', '--allow-unrelated-histories', '--no-rebase', one.folder, 'main');
  other.git('reset', '--quiet', '--hard', one.git('rev-parse', 'HEAD'));
  chmodSync(other.path('plugin/trousseau.php'), 0o600);
  utimesSync(other.path('plugin/readme.txt'), 0, 0);
  for (const component of ['plugin', 'theme', 'extension']) {
    const [path = ''] = pack(one, component, { TZ: 'Asia/Kolkata' });
    pack(other, component, { TZ: 'America/Los_Angeles' });
    assert.equal(sha256(one, path), sha256(other, path));
  }
});

test('packing refuses uncommitted changes, files in neither list, and an unknown component', (t) => {
  const repository = temporaryRepository(t, {
    ...allComponents(),
    ...pluginFiles,
    '.gitignore': 'dist/\n',
  });
  refuses(repository, 'shop', /^Unknown component "shop"/);
  repository.write({ 'plugin/readme.txt': 'changed', 'plugin/new.php': '' });
  refuses(repository, 'plugin', /not committed: plugin\/readme\.txt, plugin\/new\.php\./);
  repository.git('checkout', '--quiet', '--', 'plugin/readme.txt');
  repository.commit('feat: new', {});
  refuses(repository, 'plugin', /Does it ship\? .* of plugin: new\.php\./);
  repository.git('rm', '--quiet', 'plugin/new.php');
  repository.commit('fix: silent', { 'dev/build/plugin.ts': build('plugin', []) });
  refuses(repository, 'plugin', /^The build of plugin did not make assets\/bookmarklet\.js\.\n$/);
  repository.commit('fix: broken', {
    'dev/build/plugin.ts': `console.error('no build today');\nprocess.exit(1);\n`,
  });
  refuses(repository, 'plugin', /^The build failed:\nno build today\n$/);
  assert.ok(!repository.exists('dist/trousseau-plugin-0.1.0.zip'));
});

const manifest = (fields: object) =>
  `${JSON.stringify({ version: '0.1.0', type: 'module', ...fields }, null, 2)}\n`;

/** What the package needs for the parts that ship with the service. */
const BESIDE = {
  '@modelcontextprotocol/sdk': '^1.0.0',
  ajv: '^8.1.0',
  standardwebhooks: '^1.0.0',
  zod: '^4.0.0',
};

/** Makes a minimal service and client, with every way of referring to another file. */
function smallWorkspaces(t: TestContext) {
  const repository = temporaryRepository(t, {
    ...allComponents(),
    '.gitignore': 'dist/\nnode_modules/\n',
    'tsconfig.json': readFileSync(join(import.meta.dirname, '../../../tsconfig.json'), 'utf8'),
    'api/package.json': manifest({
      name: 'trousseau-api',
      scripts: { postinstall: 'exit 1' },
      devDependencies: { 'no-such-package': '1' },
      exports: { './contract': './src/contract/index.ts' },
    }),
    'package.json': `${JSON.stringify({ type: 'module', devDependencies: BESIDE })}\n`,
    'api/src/command.ts': 'export {};\n',
    'conformance/main.ts': `export const suite: string = 'asks';\n`,
    'conformance/users.example.json': '{}\n',
    'conformance/test/a.test.ts': 'export {};\n',
    'api/src/main.ts': `import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { name } from './contract/index.ts';
const page: string = readFileSync(new URL('./page.html', import.meta.url), 'utf8');
const { hello } = await import('../emulator/hello.ts');
new Worker(new URL('./worker.ts', import.meta.url)).on('message', (said: string) => console.log(name, hello, page, said));
`,
    'api/src/worker.ts': `import { parentPort } from 'node:worker_threads';\nparentPort!.postMessage('works' as string);\n`,
    'api/src/page.html': 'page',
    'api/src/contract/index.ts': `export const name: string = 'api';\ntype Static<T> = Partial<T>;
export const Item = { id: 1, price: 2 };
export type Item = Static<typeof Item>;
`,
    'api/emulator/hello.ts': `export const hello: string = 'hello';\n`,
    'api/test/a.test.ts': 'export {};\n',
    'client/package.json': manifest({ name: 'trousseau-client', exports: './src/index.ts' }),
    'client/mcp/main.ts': `import { priceOf } from '../src/index.ts';\nconsole.log(priceOf({ id: 1, price: 2 }));\n`,
    'client/test/a.test.ts': 'export {};\n',
    'client/src/index.ts': `import type { Item } from 'trousseau-api/contract';
export type * from 'trousseau-api/contract';
export const priceOf = (item: Item): number => item.price ?? 0;
`,
  });
  linkModules(repository);
  return repository;
}

test('tarballs hold JavaScript and declarations, install without a registry, run, and have the same bytes every time', (t) => {
  const repository = smallWorkspaces(t);
  const tarballs = pack(repository, 'api');
  assert.deepEqual(tarballs, ['dist/trousseau-0.1.0.tgz', 'dist/trousseau-client-0.1.0.tgz']);
  const clean = cleanFolder(t);
  for (const [name, range] of Object.entries(BESIDE)) {
    mkdirSync(join(clean.folder, name), { recursive: true });
    clean.write(`${name}/package.json`, JSON.stringify({ name, version: range.slice(1) }));
  }
  const beside = Object.keys(BESIDE).map((name) => `./${name}`);
  clean.install('--offline', ...beside, ...tarballs.map(repository.path));

  assert.deepEqual(clean.filesOf('trousseau'), [
    ...['LICENSE', 'client/mcp/main.js', 'client/package.json', 'client/src/index.js'],
    ...['conformance/main.js', 'conformance/users.example.json'],
    ...['emulator/hello.d.ts', 'emulator/hello.js', 'package.json'],
    ...['src/command.d.ts', 'src/command.js'],
    ...['src/contract/index.d.ts', 'src/contract/index.js', 'src/main.d.ts', 'src/main.js'],
    ...['src/page.html', 'src/worker.d.ts', 'src/worker.js'],
  ]);
  assert.deepEqual(JSON.parse(clean.read('node_modules/trousseau/package.json')), {
    name: 'trousseau',
    version: '0.1.0',
    type: 'module',
    dependencies: BESIDE,
    exports: { './contract': { types: './src/contract/index.d.ts', default: './src/contract/index.js' } },
    bin: { trousseau: 'src/command.js', 'trousseau-api': 'src/main.js' },
  });
  assert.equal(clean.run('node_modules/.bin/trousseau-api'), 'api hello page works\n');
  assert.equal(clean.run(process.execPath, 'node_modules/trousseau/client/mcp/main.js'), '2\n');

  assert.deepEqual(clean.filesOf('trousseau-client'), [
    ...['LICENSE', 'contract.d.ts', 'package.json', 'src/index.d.ts', 'src/index.js'],
  ]);
  clean.write(
    'use.ts',
    `import { type Item, priceOf } from 'trousseau-client';
const item: Item = { price: 3 };
// @ts-expect-error the types are known, not \`any\`
item.price = 'three';
console.log(priceOf({ price: 3 }));
`,
  );
  clean.typeCheck('use.ts');
  assert.equal(clean.run(process.execPath, 'use.ts'), '3\n');

  const before = tarballs.map((tarball) => sha256(repository, tarball));
  utimesSync(repository.path('api/src/main.ts'), 0, 0);
  pack(repository, 'api', { TZ: 'Asia/Kolkata' });
  assert.deepEqual(
    tarballs.map((tarball) => sha256(repository, tarball)),
    before,
  );
});

test('packing refuses code that does not compile and imports that an installed package would miss', (t) => {
  const repository = smallWorkspaces(t);
  repository.commit('feat: wrong', { 'api/src/wrong.ts': `export const wrong: number = 'text';\n` });
  refuses(repository, 'api', /TypeScript does not compile:\n.*wrong\.ts/);
  repository.commit('fix: undeclared', { 'api/src/wrong.ts': `export { parse } from 'yaml';\n` });
  refuses(repository, 'api', /src\/wrong\.\S+ of trousseau imports "yaml", which the package lacks/);
  repository.commit('fix: not shipped', { 'api/src/wrong.ts': `export * from '../test/a.test.ts';\n` });
  refuses(
    repository,
    'api',
    /src\/wrong\.\S+ of trousseau imports "\.\.\/test\/a\.test\.js", which the package lacks/,
  );
});
