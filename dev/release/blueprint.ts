// Makes the blueprint of the preview in WordPress's plugin directory: .wordpress-org/blueprints/blueprint.json.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const file = join(import.meta.dirname, '../../plugin/.wordpress-org/blueprints/blueprint.json');

/** PHP that makes a list of someone other than the visitor, with the gifts of the plugin's class Sample. */
const sample = `<?php
require '/wordpress/wp-load.php';
$owner = wp_insert_user( array( 'user_login' => 'amelie', 'user_pass' => wp_generate_password(), 'display_name' => 'Amélie', 'role' => 'subscriber' ) );
$id    = wp_insert_post(
	array(
		'post_type'    => 'registry',
		'post_title'   => 'Amélie & Jonas',
		'post_name'    => 'amelie-jonas',
		'post_content' => '<!-- wp:paragraph --><p>In June we marry in the garden, under the two cypresses.</p><!-- /wp:paragraph -->',
		'post_status'  => 'publish',
		'post_author'  => $owner,
	)
);
update_post_meta( $id, 'registry_event_type', 'Wedding' );
update_post_meta( $id, 'registry_event_date', gmdate( 'Y-m-d', time() + 200 * DAY_IN_SECONDS ) );
update_post_meta( $id, 'registry_currency', 'EUR' );
update_option( 'trousseau_sample', array( 'registry' => $id ), false );
`;

/** Returns the steps that WordPress's preview takes before it shows the plugin. */
export function blueprint(): object {
  return {
    $schema: 'https://playground.wordpress.net/blueprint-schema.json',
    meta: {
      title: 'Trousseau',
      description: 'A gift registry with sample gifts, without the item service',
      author: 'trousseau',
      categories: ['Gift registry'],
    },
    landingPage: '/registry/amelie-jonas/',
    preferredVersions: { php: '8.3', wp: 'latest' },
    features: { networking: false },
    login: true,
    siteOptions: { blogname: 'Trousseau', permalink_structure: '/%postname%/' },
    steps: [
      // The plugin makes its sample gifts only on a site of this type.
      { step: 'defineWpConfigConsts', consts: { WP_ENVIRONMENT_TYPE: 'local' } },
      {
        step: 'installPlugin',
        pluginData: { resource: 'wordpress.org/plugins', slug: 'trousseau' },
        options: { activate: true },
      },
      { step: 'runPHP', code: sample },
    ],
  };
}

if (import.meta.main) {
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, `${JSON.stringify(blueprint(), null, 2)}\n`);
}
