<?php
/**
 * Loads the WordPress in the folder TROUSSEAU_DEV_SITE once, and has it make all that a site makes only once: the plugin's
 * tables, the rewrite rules.
 */

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

// PHPUnit loads this file in a function, and WordPress expects these variables to be global.
// phpcs:ignore Squiz.PHP.GlobalKeyword
global $wpdb, $wp, $wp_query, $wp_the_query, $wp_rewrite, $wp_filter, $shortcode_tags, $wp_theme_directories, $table_prefix;

define( 'ABSPATH', rtrim( (string) getenv( 'TROUSSEAU_DEV_SITE' ), '/' ) . '/' );
define( 'WP_USE_THEMES', true );
$_SERVER = array(
	'HTTP_HOST'       => '127.0.0.1',
	'HTTP_USER_AGENT' => 'PHPUnit',
	'REMOTE_ADDR'     => '127.0.0.1',
	'REQUEST_METHOD'  => 'GET',
	'REQUEST_URI'     => '/',
	'SERVER_NAME'     => '127.0.0.1',
	'SERVER_PROTOCOL' => 'HTTP/1.1',
) + $_SERVER;
require ABSPATH . 'wp-load.php';
require_once ABSPATH . 'wp-admin/includes/admin.php';
require_once ABSPATH . 'wp-admin/includes/ajax-actions.php';
require_once ABSPATH . 'wp-admin/includes/dashboard.php';
require_once ABSPATH . 'wp-admin/includes/meta-boxes.php';
require_once ABSPATH . 'wp-includes/class-IXR.php';
require_once ABSPATH . 'wp-includes/class-wp-xmlrpc-server.php';
foreach ( array( 'PHPMailer', 'SMTP', 'Exception' ) as $trousseau_file ) {
	require_once ABSPATH . WPINC . "/PHPMailer/$trousseau_file.php";
}
$_SERVER['HTTP_HOST'] = preg_replace( '#^https?://#', '', home_url() );
flush_rewrite_rules( false );
// WordPress finds out only once what kind of site it is; a test may say something else.
// phpcs:ignore Squiz.PHP.Eval.Discouraged -- A function of another namespace.
eval( 'namespace Trousseau\Admin; function wp_get_environment_type(): string { return $GLOBALS["trousseau_environment"] ?? \wp_get_environment_type(); }' );
// The hours and days in which the plugin counts don't end during a test.
// phpcs:ignore Squiz.PHP.Eval.Discouraged -- A function of another namespace.
eval( 'namespace Trousseau\Platform; function intdiv( int $number, int $by ): int { return \intdiv( $by < HOUR_IN_SECONDS ? $number : (int) $GLOBALS["timestart"], $by ); }' );

spl_autoload_register(
	static function ( string $name ): void {
		$file = __DIR__ . strtr( substr( $name, strlen( __NAMESPACE__ ) ), '\\', '/' ) . '.php';
		str_starts_with( $name, __NAMESPACE__ ) && is_readable( $file ) && require $file;
	}
);
Complaints::listen();
Process::prepare();
