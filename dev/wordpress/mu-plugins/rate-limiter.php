<?php
/**
 * An address with `test_throttle` answers `yes` five times.
 */

if ( isset( $_GET['test_throttle'] ) ) {
	add_action( 'init', static fn() => die( \Trousseau\Plugin::get( Trousseau\Platform\RateLimiter::class )->allows( 'test', $_GET['test_throttle'], 5, 1000000000 ) ? 'yes' : 'no' ) );
}
