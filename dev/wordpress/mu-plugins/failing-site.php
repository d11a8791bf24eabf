<?php
/**
 * An option of a test makes requests of the site to itself fail, from a number on.
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
