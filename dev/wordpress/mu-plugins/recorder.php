<?php
/**
 * While the option `test_asked` holds a list, every DELETE of the site adds its address to it.
 */

add_filter(
	'pre_http_request',
	static function ( $answer, $arguments, $url ) {
		$asked = get_option( 'test_asked' );
		if ( is_array( $asked ) && $arguments['method'] === 'DELETE' ) {
			update_option( 'test_asked', array( ...$asked, $url ) );
		}
		return $answer;
	},
	10,
	3
);
