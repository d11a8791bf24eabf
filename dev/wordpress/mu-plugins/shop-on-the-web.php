<?php
/**
 * Lets the site fetch pictures and pages from the test's shop, which is on this machine.
 */

add_filter( 'http_request_host_is_external', '__return_true' );
add_filter( 'http_allowed_safe_ports', static fn( $ports, $host, $url ) => array( ...$ports, (int) wp_parse_url( $url, PHP_URL_PORT ) ), 10, 3 );
