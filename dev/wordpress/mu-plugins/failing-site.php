<?php
/**
 * A test's option makes the site's requests to itself fail, from a given number on.
 */

$trousseau_left = (int) get_option( 'test_no_loopback' );
if ( $trousseau_left ) {
	add_filter(
		'pre_http_request',
		static function ( $answer, $arguments, $url ) use ( &$trousseau_left ) {
			return str_contains( $url, '/registry/' ) && --$trousseau_left <= 0 ? new WP_Error( 'http', 'No' ) : $answer;
		},
		10,
		3
	);
}
