<?php
/**
 * Makes Site Health show only the plugin's checks: the others are about the machine used for a trial or a screenshot.
 */

add_filter(
	'site_status_tests',
	static fn( $tests ) => array_map(
		static fn( $some ) => array_filter( $some, static fn( $name ) => str_starts_with( $name, 'trousseau_' ), ARRAY_FILTER_USE_KEY ),
		$tests
	),
	99
);
