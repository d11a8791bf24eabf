<?php
/**
 * A badly written page cache, as a must-use plugin for tests: it caches pages for everyone, whatever headers, cookies and
 * constants say. In the folder that TROUSSEAU_CARELESS_CACHE names, the file `on` says which addresses it caches, as a
 * regular expression; without the file it does nothing. The file `status` names the only status that it caches.
 */

$trousseau_kept = getenv( 'TROUSSEAU_CARELESS_CACHE' );
$trousseau_page = $_SERVER['REQUEST_URI'] ?? '';
if ( $trousseau_kept && is_file( "$trousseau_kept/on" ) && ( $_SERVER['REQUEST_METHOD'] ?? '' ) === 'GET' && preg_match( '#' . file_get_contents( "$trousseau_kept/on" ) . '#', $trousseau_page ) ) {
	$trousseau_file = "$trousseau_kept/" . md5( $trousseau_page );
	if ( is_file( $trousseau_file ) ) {
		header( 'X-Careless-Cache: hit' );
		readfile( $trousseau_file );
		exit;
	}
	ob_start(
		static function ( string $html ) use ( $trousseau_kept, $trousseau_file ): string {
			$only = "$trousseau_kept/status";
			if ( ! is_file( $only ) || (int) file_get_contents( $only ) === http_response_code() ) {
				file_put_contents( $trousseau_file, $html );
			}
			return $html;
		}
	);
}
