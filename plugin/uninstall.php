<?php
/**
 * Deleting the plugin keeps registries and settings, unless the settings ask for their removal.
 * Items stay in the item service in either case.
 */

declare(strict_types=1);

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

require_once __DIR__ . '/includes/PostType.php';
require_once __DIR__ . '/includes/Settings.php';

if ( get_option( Trousseau\Settings::REMOVE_DATA ) ) {
	$trousseau_posts = get_posts(
		array(
			'post_type'   => Trousseau\PostType::NAME,
			'post_status' => array_keys( get_post_stati() ),
			'numberposts' => -1,
			'fields'      => 'ids',
		)
	);
	foreach ( $trousseau_posts as $trousseau_post ) {
		wp_delete_post( $trousseau_post, true );
	}
	array_map( 'delete_option', Trousseau\Settings::ALL );
}
