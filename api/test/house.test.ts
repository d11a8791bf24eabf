import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';

const source = join(import.meta.dirname, '../src');

// Each room and the rooms that it may import from, besides its own; `.` holds what starts the service.
const MAY_IMPORT: Record<string, string[]> = {
  lib: [],
  contract: [],
  shop: [],
  internet: ['lib', 'contract', 'shop'],
  store: ['lib', 'contract'],
  host: ['lib', 'contract'],
  domain: ['lib', 'contract', 'store', 'host', 'internet', 'shop'],
  http: ['lib', 'contract', 'domain', 'host'],
  background: ['lib', 'contract', 'domain', 'store', 'internet'],
  app: ['..', '.', 'lib', 'contract', 'store', 'host', 'internet', 'domain', 'http', 'background'],
  commands: ['.', 'lib', 'contract', 'store', 'host', 'internet', 'domain', 'app'],
  '.': ['lib', 'contract', 'app', 'commands'],
};

async function files(): Promise<{ path: string; text: string }[]> {
  const names = (await readdir(source, { recursive: true })).filter((name) => name.endsWith('.ts'));
  return Promise.all(names.map(async (path) => ({ path, text: await readFile(join(source, path), 'utf8') })));
}

const roomOf = (path: string) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '.');

const importsOf = (path: string, text: string) =>
  [...text.matchAll(/(?:from |import\()'(\.[^']+)'/g)].map(([, target]) =>
    relative('.', join(dirname(path), target!)),
  );
const isProgram = (target: string) => target.endsWith('.ts');

test('data flows one way: http → domain → store | host, and the contract knows nobody', async () => {
  let looked = 0;
  const wrong: string[] = [];
  for (const { path, text } of await files()) {
    const room = roomOf(path);
    const allowed = MAY_IMPORT[room];
    assert.ok(allowed, `${path} belongs to no room`);
    for (const target of importsOf(path, text).filter(isProgram)) {
      looked++;
      const other = roomOf(target);
      if (other !== room && !allowed.includes(other)) wrong.push(`${path} must not import ${target}`);
    }
  }
  assert.deepEqual(wrong, []);
  assert.ok(looked > 50, 'the imports were found');
});

test('only who opens a store knows what one engine needs', async () => {
  let looked = 0;
  for (const { path, text } of await files())
    for (const target of importsOf(path, text)) {
      const engine = /^store\/(?:postgres|sqlite)\//.exec(target)?.[0];
      if (engine === undefined || path.startsWith(engine)) continue;
      looked++;
      assert.ok(path === 'store/open.ts', `${path} must not import ${target}`);
    }
  assert.ok(looked > 0, 'the imports were found');
});

test('the contract needs TypeBox alone, and shop/ nothing of Node, so that a browser can run it', async () => {
  const needs: Record<string, string> = { contract: 'typebox', shop: 'htmlparser2' };
  let looked = 0;
  for (const { path, text } of await files()) {
    const need = needs[dirname(path)];
    if (!need) continue;
    looked++;
    const packages = [...text.matchAll(/(?:from |import\()'([^.'][^']*)'/g)].map(([, name]) => name);
    const strange = packages.filter((name) => name !== need);
    assert.deepEqual(strange, [], path);
    if (need === 'htmlparser2')
      assert.ok(!/\b(?:Buffer|process|__dirname|require)\b[.(]/.test(text), `${path} uses Node`);
  }
  assert.ok(looked > 15, 'the files were found');
});

// Statements over all sites, or about none.
const NAME_NO_SITE: Record<string, RegExp[]> = {
  'store/items.ts': [
    /^select \$\{\['id'/,
    /^select id, registry_id, version, claimed, claim_changes from items$/,
  ],
  'store/joining.ts': [/\bjoin_(codes|proofs)\b/],
  'store/postgres/leader.ts': [/./],
  'store/migrations.ts': [/./],
  'store/postgres/driver.ts': [/^select current_setting\(/, /\boldest_code\b/],
  'store/schema.ts': [/\boldest_code\b/],
  'store/sqlite/statistics.ts': [/^insert into sqlite_stat1 /],
  'store/webhooks.ts': [/^select count\(\*\), min\(at\) from deliveries where due_at is not null$/],
};

const SQL = /(['"`])\s*((?:select|insert into|update|delete from|with recursive|\$\{SELECT\w*\})\s.*?)\1/gs;

test('every SQL statement names the site, and none is one that only PostgreSQL itself knows', async () => {
  let looked = 0;
  for (const { path, text } of await files()) {
    if (path.startsWith('store/'))
      assert.doesNotMatch(text, /\bclock_timestamp\(|['"`]lock table\b|['"`]begin; /, path);
    for (const [, , statement] of text.matchAll(SQL)) {
      if (NAME_NO_SITE[path]?.some((exception) => exception.test(statement!))) continue;
      looked++;
      const parts = [...statement!.matchAll(/\$\{(\w+)/g)].map(
        ([, name]) =>
          new RegExp(`const ${name} = (?:\\([^)]*\\) =>\\s*)?(['"\`])(.*?)\\1`, 's').exec(text)?.[2],
      );
      assert.match([statement, ...parts].join(' '), /\bsite_id\b/, `${path}: ${statement}`);
    }
  }
  assert.ok(looked > 50, `${looked} statements were found`);
});

test('only what starts a process touches it', async () => {
  // A thread's own CPU time, too, is told by its process.
  const starters = ['main.ts', 'command.ts', 'app/workers.ts', 'internet/reader-thread.ts'];
  starters.push('commands/doctor.ts', 'commands/sites.ts');
  for (const { path, text } of await files()) {
    const touches = /\bprocess\.\w|from 'node:process'/.test(text);
    assert.ok(!touches || starters.includes(path), `${path} touches the process`);
  }
});
