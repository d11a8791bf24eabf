<?php
/**
 * Each request of the site names its time-out in a header. A visitor who sends the header `X-Hurry` gets the
 * time-outs that the plugin ships with.
 */

add_filter( 'trousseau_patience', static fn( $seconds ) => isset( $_SERVER['HTTP_X_HURRY'] ) ? $seconds / get_option( 'dev_patience', 10 ) : $seconds );
add_filter(
	'http_request_args',
	static fn( $request ) => array( 'headers' => array( 'X-Time-Out' => (string) $request['timeout'] ) + (array) $request['headers'] ) + $request,
	99
);
