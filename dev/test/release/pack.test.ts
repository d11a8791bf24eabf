import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  allComponents,
  linkModules,
  type Repository,
  refuses as refusesIn,
  temporaryRepository,
} from './repository.ts';

const refuses = (repository: Repository, component: string, message: RegExp) =>
  refusesIn(repository, 'pack', [component], message);

test('packing refuses uncommitted changes, files in neither list, builds that fail, and an unknown component', (t) => {
  const repository = temporaryRepository(t, { ...allComponents(), 'dev/build/theme.ts': '' });
  refuses(repository, 'shop', /^Unknown component "shop"/);
  repository.write({ 'theme/style.css': 'changed', 'theme/new.php': '' });
  refuses(repository, 'theme', /not committed: theme\/style\.css, theme\/new\.php\./);
  repository.git('checkout', '--quiet', '--', 'theme/style.css');
  repository.commit('feat: new', {});
  refuses(repository, 'theme', /Does it ship\? .* of theme: new\.php\./);
  repository.git('rm', '--quiet', 'theme/new.php');
  repository.commit('fix: silent', {});
  refuses(repository, 'theme', /^The build of theme did not make languages\/\*\.mo\.\n$/);
  const broken = `console.error('no build today');\nprocess.exit(1);\n`;
  repository.commit('fix: broken', { 'dev/build/theme.ts': broken });
  refuses(repository, 'theme', /^The build failed:\nno build today\n$/);
});

test('packing refuses code that does not compile and imports that an installed package would miss', (t) => {
  const manifest = (name: string) =>
    `${JSON.stringify({ name, version: '0.1.0', type: 'module', exports: './src/index.ts' }, null, 2)}\n`;
  const source = 'export {};\n';
  const programs = ['api/src/main', 'api/src/command', 'api/emulator/server', 'conformance/main'];
  programs.push('client/src/index');
  const repository = temporaryRepository(t, {
    ...allComponents(),
    '.gitignore': 'dist/\nnode_modules/\n',
    'tsconfig.json': readFileSync(join(import.meta.dirname, '../../../tsconfig.json'), 'utf8'),
    'package.json': '{ "type": "module" }\n',
    'api/package.json': manifest('trousseau-api'),
    'client/package.json': manifest('trousseau-client'),
    ...Object.fromEntries(programs.map((name) => [`${name}.ts`, source])),
  });
  linkModules(repository);
  repository.commit('feat: wrong', { 'api/src/wrong.ts': `export const wrong: number = 'text';\n` });
  refuses(repository, 'api', /TypeScript does not compile:\n.*wrong\.ts/);
  repository.commit('fix: undeclared', { 'api/src/wrong.ts': `export { parse } from 'yaml';\n` });
  refuses(repository, 'api', /src\/wrong\.\S+ of trousseau imports "yaml", which the package lacks/);
  repository.commit('fix: not shipped', {
    'api/src/wrong.ts': `export * from '../test/a.test.ts';\n`,
    'api/test/a.test.ts': source,
  });
  const missing = /src\/wrong\.\S+ of trousseau imports "\.\.\/test\/a\.test\.js", which the package lacks/;
  refuses(repository, 'api', missing);
});
