<?php
/**
 * Router of a PHP server that runs a test's code inside the site's WordPress. Starting a PHP process for each call, and reading
 * WordPress's compiled code from files, takes several times as long.
 *
 * The code runs as on a command line: no request, no visitor, and no time limit.
 */

if ( ! hash_equals( (string) getenv( 'TROUSSEAU_DEV_SECRET' ), $_SERVER['HTTP_X_SECRET'] ?? '' ) ) {
	http_response_code( 403 );
	exit;
}

$trousseau_load = $_SERVER['HTTP_X_LOAD'];

define( 'ABSPATH', $_SERVER['DOCUMENT_ROOT'] . '/' );
$_SERVER = array(
	'REQUEST_TIME'       => $_SERVER['REQUEST_TIME'],
	'REQUEST_TIME_FLOAT' => $_SERVER['REQUEST_TIME_FLOAT'],
	'PHP_SELF'           => '',
	'SCRIPT_NAME'        => '',
	'SCRIPT_FILENAME'    => '',
	'HTTP_HOST'          => $_SERVER['HTTP_X_SITE'],
	'REQUEST_URI'        => $_SERVER['HTTP_X_AT'],
);
chdir( ABSPATH );

// The answer waits for everything that runs at shutdown, and says whether PHP ended without an error.
ob_start();
register_shutdown_function(
	static fn() => register_shutdown_function(
		static function (): void {
			$fatal = E_ERROR | E_PARSE | E_CORE_ERROR | E_COMPILE_ERROR | E_USER_ERROR | E_RECOVERABLE_ERROR;
			header_remove();
			http_response_code( ( error_get_last()['type'] ?? 0 ) & $fatal ? 500 : 200 );
		}
	)
);

if ( 'nothing' !== $trousseau_load ) {
	if ( 'installing' === $trousseau_load ) {
		define( 'WP_INSTALLING', true );
	}
	require ABSPATH . 'wp-load.php';
	remove_action( 'shutdown', 'wp_ob_end_flush_all', 1 );
}
// phpcs:ignore Squiz.PHP.Eval.Discouraged -- Running a test's code is its purpose.
eval( file_get_contents( 'php://input' ) );
