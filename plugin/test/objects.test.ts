// How many of the plugin's objects a request makes that has nothing to do with lists: a hook makes its object when there is something to do.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { skipWithoutWordPress, startWordPress } from '../../dev/wordpress/wordpress.ts';

const telling = `<?php
add_action( 'shutdown', static function () {
	echo '<!-- made: ' . implode( ' ', array_keys( ( new ReflectionProperty( 'Trousseau\\\\Plugin', 'made' ) )->getValue() ) ) . ' -->';
}, 0 );`;

test('a page that shows no list, and a REST request that is not ours, make few objects', {
  skip: skipWithoutWordPress(),
}, async (t) => {
  const site = await startWordPress();
  t.after(() => site.stop());
  const folder = join(site.folder, 'wp-content/mu-plugins');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'objects-made.php'), telling);
  const madeFor = async (path: string) => {
    const page = await (await fetch(site.url + path)).text();
    const [, list] = /<!-- made: (.*) -->/.exec(page) ?? assert.fail(page.slice(-500));
    return list!.split(' ').map((name) => name.replace('Trousseau\\', ''));
  };
  const page = await madeFor('/');
  // WordPress queries posts, among which may be lists that the visitor must not see.
  assert.ok(page.includes('Visibility\\QueryFilter'), page.join(', '));
  for (const name of [
    'Lists\\Router',
    'Display\\RegistryView',
    'PageCaching\\PageCache',
    'Service\\GiftCache',
  ])
    assert.ok(!page.includes(name), name);
  assert.ok(page.length <= 9, `${page.length}: ${page.join(', ')}`);
  const rest = await madeFor('/?rest_route=/wp/v2/types/post');
  assert.ok(rest.length <= 11, `${rest.length}: ${rest.join(', ')}`);
});
