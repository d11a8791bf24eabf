// The structure of the repository: which top folder may import which.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const PRODUCTS = ['api', 'client', 'plugin', 'theme', 'conformance', 'extension'];

const textOf = (path: string) => readFileSync(join(root, path), 'utf8');
const topOf = (path: string) => path.slice(0, path.indexOf('/'));
const isTest = (path: string) => /^[^/]+\/test\//.test(path);

/** Returns the files that each file imports, as paths from the top; a workspace counts as the file that it exports. */
function importsOfAll(): Map<string, string[]> {
  const folders = '{api,client,conformance,deploy,dev,extension,plugin,site,theme}';
  const paths = globSync(`${folders}/**/*.ts`, { cwd: root, exclude: ['**/node_modules', '**/peers'] });
  const entries = new Map([
    ['trousseau-client', 'client/src/index.ts'],
    ['trousseau-api/contract', 'api/src/contract/index.ts'],
  ]);
  return new Map(
    paths.map((path) => {
      const named = [
        ...textOf(path).matchAll(/(?:^(?:import|export)\b[^;'"]*|\bimport\()['"]([^'"\n]+)['"]/gm),
      ];
      const targets = named.map(([, name]) =>
        name!.startsWith('.') ? join(dirname(path), name!) : (entries.get(name!) ?? ''),
      );
      // Some tests contain a program as text, whose imports name files that do not exist here.
      return [path, targets.filter((target) => target.endsWith('.ts') && existsSync(join(root, target)))];
    }),
  );
}

const imports = importsOfAll();

const importsBetween = (isFrom: (path: string) => boolean, isTo: (target: string) => boolean) =>
  [...imports].flatMap(([path, targets]) =>
    isFrom(path) ? targets.filter(isTo).map((target) => `${path} → ${target}`) : [],
  );

function circle(arrows: Map<string, Iterable<string>>): string | undefined {
  const clear = new Set<string>();
  const visit = (place: string, way: string[]): string | undefined => {
    if (way.includes(place)) return [...way.slice(way.indexOf(place)), place].join(' → ');
    if (clear.has(place)) return undefined;
    for (const next of arrows.get(place) ?? []) {
      const found = visit(next, [...way, place]);
      if (found) return found;
    }
    clear.add(place);
    return undefined;
  };
  for (const place of arrows.keys()) {
    const found = visit(place, []);
    if (found) return found;
  }
  return undefined;
}

test('imports of every kind are found', () => {
  assert.ok(imports.size > 300, `${imports.size} files`);
  const all = [...imports.values()].flat().length;
  assert.ok(all > 1000, `${all} imports`);
  assert.ok(imports.get('api/src/store/open.ts')!.includes('api/src/store/postgres/driver.ts'), 'import()');
  assert.ok(imports.get('site/sample.ts')!.includes('client/src/index.ts'), 'a workspace');
});

test('shipped files of products import nothing from dev, site or tests', () => {
  const isOfProduct = (path: string) => PRODUCTS.includes(topOf(path)) && !isTest(path);
  const isForTests = (path: string) => ['dev', 'site'].includes(topOf(path)) || isTest(path);
  assert.deepEqual(importsBetween(isOfProduct, isForTests), []);
});

test('only tools for assistants load what assistants need', () => {
  const paths = globSync('{api/{src,emulator},client/src}/**/*.ts', { cwd: root });
  assert.ok(paths.length > 100);
  const loaded = paths.filter((path) => /['"](@modelcontextprotocol\/|zod)/.test(textOf(path)));
  assert.deepEqual(loaded, [], 'loaded by every start');
});

test('top folders import one another in one direction', () => {
  const arrows = new Map<string, Set<string>>();
  for (const [path, targets] of imports)
    for (const target of targets)
      if (!isTest(path) && !isTest(target) && topOf(path) !== topOf(target))
        arrows.set(topOf(path), (arrows.get(topOf(path)) ?? new Set()).add(topOf(target)));
  assert.equal(circle(arrows), undefined);
  assert.ok(arrows.get('site')!.has('dev'), 'the arrows were found');
});

test('imports form no circle, tests included', () => {
  assert.equal(circle(imports), undefined);
  const arrows = new Map(Object.entries({ a: ['b'], b: ['c'], c: ['b'] }));
  assert.equal(circle(arrows), 'b → c → b');
});

test('a program of dev says its purpose in its first line', () => {
  const { scripts } = JSON.parse(textOf('package.json'));
  const programs = [...JSON.stringify(scripts).matchAll(/\bdev\/[\w/-]+\.ts\b/g)].map(([path]) => path);
  assert.ok(programs.length > 8);
  for (const path of programs) assert.match(textOf(path), /^\/\/ [A-Z]\w+s /, path);
});

test('nothing imports a test file: shared code stands beside the tests or in dev', () => {
  const isTestFile = (path: string) => path.endsWith('.test.ts');
  assert.deepEqual(importsBetween(Boolean, isTestFile), []);
});

test('no block starts anything while its file is collected: left out, it would never stop it', () => {
  const starting = /\b(describe|suite)\(\s*('[^']+'|[^,']+),(\s*\{[^}]*\},)?\s*async\b/;
  assert.match("describe(\n  'this, too',\n  { skip },\n  async () => {", starting);
  assert.deepEqual(
    [...imports.keys()].filter((path) => starting.test(textOf(path))),
    [],
  );
});
