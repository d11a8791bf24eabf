import assert from 'node:assert/strict';
import { test } from 'node:test';
import { skipWithoutWordPress, startWordPress } from '../../wordpress/wordpress.ts';
import { copyOfThisCheckout } from './repository.ts';

test('WordPress installs the packed plugin and theme, and shows a page with both', {
  skip: skipWithoutWordPress(),
  timeout: 300_000,
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
  const installed = await site.wp(`
    unlink( WP_PLUGIN_DIR . '/trousseau' );
    unlink( get_theme_root() . '/trousseau' );
    define( 'FS_METHOD', 'direct' );
    require_once ABSPATH . 'wp-admin/includes/admin.php';
    require_once ABSPATH . 'wp-admin/includes/class-wp-upgrader.php';
    $plugin    = ( new Plugin_Upgrader( new Automatic_Upgrader_Skin() ) )->install( '${zips[0]}' );
    $theme     = ( new Theme_Upgrader( new Automatic_Upgrader_Skin() ) )->install( '${zips[1]}' );
    $activated = activate_plugin( 'trousseau/trousseau.php' );
    switch_theme( 'trousseau' );
    echo wp_json_encode( array( $plugin, $theme, $activated, is_link( WP_PLUGIN_DIR . '/trousseau' ), wp_get_theme()->errors() ) );
  `);
  assert.deepEqual(JSON.parse(installed), [true, true, null, false, false]);

  const page = await fetch(site.url);
  assert.equal(page.status, 200);
  assert.match(await page.text(), /\/wp-content\/themes\/trousseau\//);
  const types = await fetch(`${site.url}/wp-json/wp/v2/types`);
  assert.ok(Object.hasOwn((await types.json()) as object, 'registry'));
  assert.doesNotMatch(site.log(), /\/trousseau\//, 'PHP complains about what was installed');
});
