<?php
/**
 * Faults of real sites, each of which a test can switch on.
 */

if ( get_option( 'test_no_passwords' ) ) {
	add_filter( 'wp_is_application_passwords_available', '__return_false' );
}
if ( get_option( 'test_drop_header' ) ) {
	unset( $_SERVER['PHP_AUTH_USER'], $_SERVER['PHP_AUTH_PW'], $_SERVER['HTTP_AUTHORIZATION'] );
}
if ( get_option( 'test_no_loopback' ) ) {
	add_filter( 'pre_http_request', static fn( $answer, $request, string $url ) => str_starts_with( $url, home_url() ) ? new WP_Error( 'closed', 'closed' ) : $answer, 10, 3 );
}
