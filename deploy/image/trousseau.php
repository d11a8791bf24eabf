<?php
/**
 * Plugin Name: Trousseau's image
 * Description: Sets up plugin and theme when WordPress is installed, and connects the site to its service.
 */

defined( 'ABSPATH' ) || exit;

add_filter( 'trousseau_service', static fn() => (string) getenv( 'TROUSSEAU_SERVICE' ) );

add_action(
	'wp_install',
	static function (): void {
		require_once ABSPATH . 'wp-admin/includes/plugin.php';
		$GLOBALS['wp_rewrite']->set_permalink_structure( '/%postname%/' );
		switch_theme( 'trousseau' );
		activate_plugin( 'trousseau/trousseau.php' );
	}
);

// The service asks this site back, so one request in half a minute tries, and only until it has worked once.
add_action(
	'wp_loaded',
	static function (): void {
		if ( ! class_exists( Trousseau\Plugin::class ) || get_option( Trousseau\Platform\Settings::BASE_URL ) || get_transient( 'trousseau_image' ) ) {
			return;
		}
		set_transient( 'trousseau_image', 'tries', 30 );
		Trousseau\Plugin::get( Trousseau\Connections\Joining::class )->join( (string) getenv( 'TROUSSEAU_SERVICE' ), '', Trousseau\Platform\Settings::value( Trousseau\Platform\Settings::API_KEY ) );
	}
);
