<?php
/**
 * A site whose salts are those of the fixture of version 0.2.0, and whose processes end after so many statements.
 */

add_filter( 'salt', static fn() => 'the salt of the fixture' );
add_filter(
	'query',
	static function ( $query ) {
		static $count = 0;
		return isset( $_GET['test_die'] ) && str_contains( $query, 'trousseau' ) && ++$count > (int) $_GET['test_die'] ? exit : $query;
	}
);
