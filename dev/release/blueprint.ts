// Makes the blueprint of the preview in WordPress's plugin directory: .wordpress-org/blueprints/blueprint.json.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const file = join(import.meta.dirname, '../../plugin/.wordpress-org/blueprints/blueprint.json');

const sample = `<?php
require '/wordpress/wp-load.php';
$id = wp_insert_post(
	array(
		'post_type'    => 'registry',
		'post_title'   => 'Amélie & Jonas',
		'post_name'    => 'amelie-jonas',
		'post_content' => 'In June we marry in the garden, under the two cypresses.',
		'post_status'  => 'publish',
		'post_author'  => 1,
	)
);
update_post_meta( $id, 'registry_event_type', 'Wedding' );
update_post_meta( $id, 'registry_event_date', gmdate( 'Y-m-d', time() + 200 * DAY_IN_SECONDS ) );
update_post_meta( $id, 'registry_currency', 'EUR' );
`;

/** The steps of WordPress's preview before it shows the plugin. */
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
      { step: 'mkdir', path: '/wordpress/wp-content/mu-plugins' },
      {
        step: 'writeFile',
        path: '/wordpress/wp-content/mu-plugins/trousseau-preview.php',
        data: readFileSync(join(import.meta.dirname, 'preview.php'), 'utf8'),
      },
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
