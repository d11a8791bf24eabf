<?php
function from_environment( string $name, string $default ): string {
	$file = getenv( "{$name}_FILE" );
	return $file ? rtrim( file_get_contents( $file ), "\r\n" ) : ( getenv( $name ) ?: $default );
}
define( 'DB_NAME', from_environment( 'WORDPRESS_DB_NAME', 'wordpress' ) );
define( 'DB_USER', from_environment( 'WORDPRESS_DB_USER', 'example username' ) );
define( 'DB_PASSWORD', from_environment( 'WORDPRESS_DB_PASSWORD', 'example password' ) );
define( 'DB_HOST', from_environment( 'WORDPRESS_DB_HOST', 'mysql' ) );
define( 'DB_CHARSET', 'utf8mb4' );
define( 'AUTH_KEY', 'put your unique phrase here' );
define( 'SECURE_AUTH_KEY', 'put your unique phrase here' );
define( 'LOGGED_IN_KEY', 'put your unique phrase here' );
define( 'NONCE_KEY', 'put your unique phrase here' );
define( 'AUTH_SALT', 'put your unique phrase here' );
define( 'SECURE_AUTH_SALT', 'put your unique phrase here' );
define( 'LOGGED_IN_SALT', 'put your unique phrase here' );
define( 'NONCE_SALT', 'put your unique phrase here' );
$table_prefix = 'wp_';
if ( str_contains( $_SERVER['HTTP_X_FORWARDED_PROTO'] ?? '', 'https' ) ) {
	$_SERVER['HTTPS'] = 'on';
}
eval( from_environment( 'WORDPRESS_CONFIG_EXTRA', '' ) );
defined( 'ABSPATH' ) || define( 'ABSPATH', __DIR__ . '/' );
require_once ABSPATH . 'wp-settings.php';
