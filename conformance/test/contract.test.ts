// Each case names a section of docs/contract, and each section has a case or another test.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { ItemCreate } from '../../api/src/contract/index.ts';
import { startTestService } from '../../api/test/support.ts';
import { anchorsOf } from '../../dev/anchors.ts';
import { cases } from '../cases/index.ts';

const root = join(import.meta.dirname, '../..');

/** Sections that can't be tested on an arbitrary deployment, with the tests that cover them. */
const ELSEWHERE: Record<string, string> = {
  'registries.md#reports-from-the-host': 'api/test/webhooks-looks.test.ts',
  'sites.md#base-urls': 'api/test/sites.test.ts',
  'sites.md#separation': 'api/test/sites-shares.test.ts',
  'sites.md#joining': 'api/test/joining.test.ts',
};

/** Paths of which a table gives only the ends. */
const ENDINGS = ['/{webhook_id}', '/{webhook_id}/test', '/{webhook_id}/deliveries'];

const sections = globSync('docs/contract/*.md', { cwd: root }).flatMap((path) =>
  anchorsOf(readFileSync(join(root, path), 'utf8'), 2).map((anchor) => `${basename(path)}#${anchor}`),
);

test('each case names a section of docs/contract', () => {
  for (const { id, section } of cases) assert.ok(sections.includes(section), id);
});

test('each field of an item has a case for its limits', () => {
  const names = new Set(cases.map(({ id }) => id.split(' ')[1]));
  for (const field of Object.keys(ItemCreate.properties)) {
    // These have cases of their own.
    if (field === 'unit' || field === 'registry_id') continue;
    assert.ok(names.has(`item-field-${field.replaceAll('_', '-')}-both-edges`), field);
  }
});

test('each section of docs/contract has a case, or a test that is named here', () => {
  assert.ok(sections.length > 35, `${sections.length} sections`);
  const held = new Set<string>(cases.map(({ section }) => section));
  const found = sections.filter((section) => !held.has(section)).sort();
  assert.deepEqual(found, Object.keys(ELSEWHERE).sort(), 'sections without a case');
  for (const path of Object.values(ELSEWHERE)) assert.ok(existsSync(join(root, path)), path);
});

test('each route of the service is in docs/contract', async () => {
  await using service = await startTestService();
  const { paths } = await (await fetch(`${service.url}/openapi.json`)).json();
  const plain = (path: string) => path.replaceAll(/\{\w+\}/g, '{}');
  const text = globSync('docs/contract/*.md', { cwd: root })
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n');
  const written = new Set([...text.matchAll(/\/[\w/{}-]*/g)].map(([path]) => plain(path)));
  for (const path of Object.keys(paths))
    assert.ok(written.has(plain(path)) || ENDINGS.some((end) => path.endsWith(end)), path);
});
