<?php

declare(strict_types=1);

namespace Trousseau\Platform;

defined( 'ABSPATH' ) || exit;

use Trousseau\Plugin;
use const Trousseau\PLUGIN_FILE;

// Activation and deactivation: the next request writes the rewrite rules anew and makes missing tables; no event stays behind.
register_activation_hook( PLUGIN_FILE, static fn( bool $everywhere ) => Plugin::get( Network::class )->on_sites( $everywhere, static fn() => array_map( 'delete_option', array( 'rewrite_rules', Tables::SCHEMA ) ) ) );
register_deactivation_hook( PLUGIN_FILE, static fn( bool $everywhere ) => Plugin::get( Network::class )->on_sites( $everywhere, static fn() => array( delete_option( 'rewrite_rules' ), wp_unschedule_hook( JobQueue::HOOK ) ) ) );

// The application password is stored encrypted.
add_filter( 'option_' . Settings::APP_PASSWORD, array( Settings::class, 'open_password' ) );
add_filter( 'sanitize_option_' . Settings::APP_PASSWORD, array( Settings::class, 'seal_password' ), PHP_INT_MAX );

// Translations in the reader's language load before anything uses a name.
add_action( 'init', array( Language::class, 'load' ), 1 );
// Before WordPress 6.5, a plugin without a translation in a request's first language gets none in others either.
add_action( 'change_locale', array( Language::class, 'load' ) );
add_filter( 'load_textdomain_mofile', array( Language::class, 'nearest' ), 10, 2 );

// The addresses of the pages, and those that they had.
add_filter( 'query_vars', static fn( array $names ): array => array( ...$names, PageAddress::PARAMETER, PageAddress::SHOP, PageAddress::VISITOR ) );
add_action( 'parse_request', Plugin::hook_if( FormerAddress::class, 'lead_on', static fn() => Slugs::are_chosen() ), 1 );

// Cookies by which devices are remembered, and headers for caches, search engines and other sites.
add_filter( 'litespeed_vary_cookies', array( Cookie::class, 'add_names' ) );
add_filter( 'litespeed_vary_curr_cookies', array( Cookie::class, 'add_names' ) );
add_filter( 'nocache_headers', Plugin::hook_if_made( ResponseHeaders::class, 'against_caches' ), PHP_INT_MAX );
add_filter( 'wp_robots', Plugin::hook_if_made( ResponseHeaders::class, 'robots' ) );

// Fetching from shops connects only to the address that was checked.
add_action( 'http_api_curl', array( PublicWeb::class, 'connect_there' ), 10, 2 );

// Work behind the pages: one event runs the jobs of all features. The tables are made outside of anyone's transaction.
add_action( 'init', Plugin::hook_if( Tables::class, 'are_there', static fn() => (string) get_option( Tables::SCHEMA ) === '' ), 0 );
add_filter( 'wpmu_drop_tables', Plugin::hook( Tables::class, 'drop_with_site' ), 10, 2 );
add_action( 'init', array( JobQueue::class, 'keep_going' ) );
add_action( JobQueue::HOOK, static fn() => Plugin::get( JobRunner::class )->run() );

// New words in addresses are rewritten at the end of the request.
add_action( 'shutdown', Plugin::hook_if_made( Slugs::class, 'renew_rules' ) );

// Forms of the administration, which people may send who are signed out by now.
add_action(
	'admin_init',
	static function (): void {
		foreach ( Plugin::parts( AdminAction::class ) as $action => $screen ) {
			add_action( "admin_post_$action", Plugin::hook( $screen, 'handle' ) );
			add_action( "admin_post_nopriv_$action", Plugin::hook( $screen, 'handle' ) );
		}
	}
);
