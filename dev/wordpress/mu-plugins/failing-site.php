<?php
/**
 * Options of a test make requests of the site to itself fail, from a number on, and mails.
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
if ( get_option( 'test_no_mail' ) ) {
	add_filter(
		'pre_wp_mail',
		static function (): bool {
			do_action( 'wp_mail_failed', new WP_Error( 'wp_mail_failed', 'Refused: <aunt@example.org> is unknown' ) );
			return false;
		}
	);
}
