<?php
/**
 * A request with `hold` sends its headers, then waits for the file `release`. It answers whether that file was
 * already there, or never came.
 */

if ( isset( $_GET['hold'] ) ) {
	$trousseau_file = WP_CONTENT_DIR . '/release';
	echo file_exists( $trousseau_file ) ? 'late' : 'held';
	flush();
	for ( $trousseau_turn = 0; $trousseau_turn < 6000 && ! file_exists( $trousseau_file ); $trousseau_turn++ ) {
		usleep( 10000 );
		clearstatcache();
	}
	exit( file_exists( $trousseau_file ) ? '' : ', in vain' );
}
