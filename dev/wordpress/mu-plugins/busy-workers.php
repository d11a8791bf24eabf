<?php
/**
 * An address with `count` waits until so many requests run at once, and then a little for one too many; it answers how many
 * did.
 */

if ( isset( $_GET['count'] ) ) {
	$trousseau_file = fopen( WP_CONTENT_DIR . '/count', 'c+' );
	$trousseau_add  = static function ( int $by ) use ( $trousseau_file ): int {
		flock( $trousseau_file, LOCK_EX );
		rewind( $trousseau_file );
		list( $now, $most ) = sscanf( fgets( $trousseau_file ) ?: '0 0', '%d %d' );
		$now               += $by;
		$most               = max( $now, $most );
		rewind( $trousseau_file );
		fwrite( $trousseau_file, sprintf( '%3d %3d', $now, $most ) );
		fflush( $trousseau_file );
		flock( $trousseau_file, LOCK_UN );
		return $most;
	};
	$trousseau_now  = $trousseau_add( 1 );
	for ( $trousseau_turn = 0; $trousseau_turn < 200 && $trousseau_now < (int) $_GET['count']; $trousseau_turn++ ) {
		usleep( 10000 );
		$trousseau_now = $trousseau_add( 0 );
	}
	usleep( 100000 );
	exit( (string) $trousseau_add( -1 ) );
}
