<?php
/**
 * Router of PHP's built-in server for a WordPress with pretty permalinks.
 *
 * Runs at the top level, because WordPress expects its files in the global scope.
 */

define( 'ABSPATH', $_SERVER['DOCUMENT_ROOT'] . '/' );

$trousseau_path = rawurldecode( (string) parse_url( $_SERVER['REQUEST_URI'], PHP_URL_PATH ) );
// Folders of a network's sites exist only in addresses, so they are removed from the path.
$trousseau_path = preg_replace( '#^/[\w-]+(?=/(?:wp-(?:admin|content|includes)/|[\w-]+\.php$))#', '', $trousseau_path, realpath( ABSPATH . $trousseau_path ) === false ? 1 : 0 );
$trousseau_file = realpath( ABSPATH . $trousseau_path ) === false ? null : rtrim( ABSPATH . ltrim( $trousseau_path, '/' ), '/' );

if ( $trousseau_file !== null && is_dir( $trousseau_file ) ) {
	if ( ! str_ends_with( $trousseau_path, '/' ) ) {
		header( 'Location: ' . $trousseau_path . '/', true, 301 );
		return true;
	}
	$trousseau_file .= '/index.php';
}

if ( $trousseau_file !== null && is_file( $trousseau_file ) && ! str_ends_with( $trousseau_file, '.php' ) ) {
	if ( is_file( ABSPATH . rawurldecode( (string) parse_url( $_SERVER['REQUEST_URI'], PHP_URL_PATH ) ) ) ) {
		return false;
	}
	// PHP's server doesn't know the folders of a network's sites.
	$trousseau_types = array(
		'css' => 'text/css',
		'js'  => 'text/javascript',
		'svg' => 'image/svg+xml',
	);
	header( 'Content-Type: ' . ( $trousseau_types[ pathinfo( $trousseau_file, PATHINFO_EXTENSION ) ] ?? mime_content_type( $trousseau_file ) ) );
	readfile( $trousseau_file );
	return true;
}

if ( $trousseau_file === null || ! is_file( $trousseau_file ) ) {
	$trousseau_file = ABSPATH . 'index.php';
}

$_SERVER['SCRIPT_FILENAME'] = $trousseau_file;
$_SERVER['SCRIPT_NAME']     = '/' . substr( $trousseau_file, strlen( ABSPATH ) );
$_SERVER['PHP_SELF']        = $_SERVER['SCRIPT_NAME'];
unset( $_SERVER['PATH_INFO'] );

chdir( dirname( $trousseau_file ) );
if ( $trousseau_path === '/wp-cron.php' ) {
	// wp-cron.php doesn't load WordPress if ABSPATH is defined, so this file does.
	require ABSPATH . 'wp-load.php';
}
require $trousseau_file;
