<?php
/**
 * Gives a site the plugin, the theme and the language that TROUSSEAU_DEV_DRESS names as JSON. Runs inside its WordPress.
 */

$settings = json_decode( (string) getenv( 'TROUSSEAU_DEV_DRESS' ), true );

require_once ABSPATH . 'wp-admin/includes/plugin.php';

if ( $settings['plugins'] ) {
	$result = activate_plugin( 'trousseau/trousseau.php' );
	if ( is_wp_error( $result ) ) {
		throw new RuntimeException( $result->get_error_message() );
	}
}
if ( ! wp_get_theme( $settings['theme'] )->exists() ) {
	throw new RuntimeException( 'no such theme: ' . $settings['theme'] );
}
switch_theme( $settings['theme'] );
update_option( 'WPLANG', $settings['locale'] === 'en_US' ? '' : $settings['locale'] );

// The next request recreates the rules, when every post type is registered.
delete_option( 'rewrite_rules' );
