<?php
/**
 * A test's options take away the site's application passwords, or the header that carries them.
 */

if ( get_option( 'test_drops_header' ) ) {
	unset( $_SERVER['HTTP_AUTHORIZATION'], $_SERVER['PHP_AUTH_USER'], $_SERVER['PHP_AUTH_PW'] );
}
add_filter( 'wp_is_application_passwords_available', static fn( $yes ) => $yes && ! get_option( 'test_no_passwords' ) );
