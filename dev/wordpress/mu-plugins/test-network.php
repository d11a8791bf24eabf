<?php
/**
 * A request's header sets the visitor's address, and options `test_limits_…` set the limits for uninvited visitors.
 */

add_filter( 'trousseau_visitor_address', static fn( $address ) => $_SERVER['HTTP_X_TEST_NETWORK'] ?? $address );
add_filter( 'trousseau_uninvited_limits', static fn( $limits, $way ) => (array) get_option( "test_limits_$way", array() ) + $limits, 10, 2 );
