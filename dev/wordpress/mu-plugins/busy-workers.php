<?php
/**
 * A request with `hold` sends its headers, then waits for the file `release`. It answers whether the file was
 * already there, or never came.
 */

if ( isset( $_GET['hold'] ) ) {
	$trousseau_file = WP_CONTENT_DIR . '/release';
	echo file_exists( $trousseau_file ) ? 'late' : 'held';
	flush();
	$trousseau_turns = 6000;
	while ( --$trousseau_turns > 0 && ! file_exists( $trousseau_file ) ) {
		usleep( 10000 );
		clearstatcache();
	}
	exit( file_exists( $trousseau_file ) ? '' : ', in vain' );
}
