// @again wordpress
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { skipWithoutWordPress, startWordPress } from '../../wordpress/wordpress.ts';
import { copyOfThisCheckout } from './repository.ts';

test('WordPress installs the packed plugin and theme, and shows a page with both', {
  skip: skipWithoutWordPress(),
  timeout: 900_000,
}, async (t) => {
  const repository = copyOfThisCheckout(t);
  const zips = ['plugin', 'theme'].map((component) => {
    const { status, stdout, stderr } = repository.run('pack', [component]);
    assert.equal(status, 0, stderr);
    return repository.path(stdout.trim());
  });
  const site = await startWordPress({ plugins: false });
  t.after(() => site.stop());

  // The zips replace the links to this checkout.
  const [plugin, theme] = zips;
  assert.deepEqual(await site.call('install_zips', plugin, theme), [true, true, null, false, false]);

  const page = await fetch(site.url);
  assert.equal(page.status, 200);
  assert.match(await page.text(), /\/wp-content\/themes\/trousseau\//);
  const types = await fetch(`${site.url}/wp-json/wp/v2/types`);
  assert.ok(Object.hasOwn((await types.json()) as object, 'registry'));
  assert.doesNotMatch(site.log(), /\/trousseau\//, 'PHP complains about what was installed');
});
