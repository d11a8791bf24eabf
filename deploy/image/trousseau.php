<?php
/**
 * Plugin Name: Trousseau's image
 * Description: Sets up plugin and theme when WordPress is installed, connects the site to its service, and sends mail as SMTP_URL says.
 */

declare(strict_types=1);

use Trousseau\Connections\Joining;
use Trousseau\Platform\Settings;
use Trousseau\Plugin;

defined( 'ABSPATH' ) || exit;

add_filter( 'trousseau_service', static fn() => (string) getenv( 'TROUSSEAU_SERVICE' ) );

add_action(
	'wp_install',
	static function (): void {
		require_once ABSPATH . 'wp-admin/includes/plugin.php';
		$GLOBALS['wp_rewrite']->set_permalink_structure( '/%postname%/' );
		switch_theme( 'trousseau' );
		activate_plugin( 'trousseau/trousseau.php' );
	}
);

// Until the set-up has succeeded, one request tries it every half minute. Others don't wait: the service calls this site, and so does the
// health check, over plain HTTP.
add_action(
	'wp_loaded',
	static function (): void {
		if ( class_exists( Plugin::class ) && wp_is_application_passwords_available() && ! get_option( Settings::USERNAME ) && ! get_transient( 'trousseau_image' ) ) {
			set_transient( 'trousseau_image', 'tries', 30 );
			Plugin::get( Joining::class )->join( (string) getenv( 'TROUSSEAU_SERVICE' ), '', Settings::value( Settings::API_KEY ) );
		}
	}
);

if ( getenv( 'SMTP_URL' ) ) {
	// WordPress would send as wordpress@localhost, which mail servers refuse.
	add_filter( 'wp_mail_from', static fn( $from ) => str_ends_with( $from, '@localhost' ) ? get_option( 'admin_email' ) : $from );
	add_action(
		'phpmailer_init',
		static function ( $mailer ): void {
			$server = wp_parse_url( getenv( 'SMTP_URL' ) );
			$server += array( 'port' => $server['scheme'] === 'smtps' ? 465 : 587, 'user' => '', 'pass' => '' );
			$mailer->isSMTP();
			$mailer->Host       = $server['host'];
			$mailer->Port       = $server['port'];
			$mailer->SMTPSecure = $server['scheme'] === 'smtps' ? 'ssl' : '';
			$mailer->SMTPAuth   = $server['user'] !== '';
			$mailer->Username   = rawurldecode( $server['user'] );
			$mailer->Password   = rawurldecode( $server['pass'] );
		}
	);
}
