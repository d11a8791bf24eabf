// How many of the plugin's objects a page makes that shows no list: a hook makes its object when there is something to do.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { skipWithoutWordPress, startWordPress } from '../../dev/wordpress/wordpress.ts';

const telling = `<?php
add_action( 'shutdown', static function () {
	echo '<!-- made: ' . implode( ' ', array_keys( ( new ReflectionProperty( 'Trousseau\\\\Plugin', 'made' ) )->getValue() ) ) . ' -->';
}, 0 );`;

test('the front page of a fresh site makes no more objects than it did', {
  skip: skipWithoutWordPress(),
}, async (t) => {
  const site = await startWordPress();
  t.after(() => site.stop());
  const folder = join(site.folder, 'wp-content/mu-plugins');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'objects-made.php'), telling);
  const page = await (await fetch(`${site.url}/`)).text();
  const [, list = ''] = /<!-- made: (.*) -->/.exec(page) ?? [];
  const made = list.split(' ').map((name) => name.replace('Trousseau\\', ''));
  assert.ok(made.includes('Lists\\Router'), page.slice(-500));
  // These wait for a parameter or an address of their own.
  for (const name of [
    'Gifts\\ShopRedirect',
    'Gifts\\FromShop',
    'PageCaching\\VisitorAnswer',
    'Connections\\ExtensionAnswer',
  ])
    assert.ok(!made.includes(name), name);
  assert.ok(made.length <= 48, `${made.length}: ${made.join(', ')}`);
});
