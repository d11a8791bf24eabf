<?php
/**
 * Plugin Name:       Trousseau
 * Description:       Gift registries: private or public, with their items kept by the Trousseau item service.
 * Version:           0.1.0
 * Requires at least: 6.1
 * Requires PHP:      8.1
 * Author:            The Trousseau contributors
 * License:           MIT
 * License URI:       https://opensource.org/license/mit
 * Text Domain:       trousseau
 * Domain Path:       /languages
 *
 * Every hook of the plugin is on this page.
 */

declare(strict_types=1);

namespace Trousseau;

defined( 'ABSPATH' ) || exit;

const VERSION     = '0.1.0';
const PLUGIN_FILE = __FILE__;

spl_autoload_register(
	static function ( string $name ): void {
		if ( str_starts_with( $name, __NAMESPACE__ . '\\' ) ) {
			$file = __DIR__ . '/includes/' . substr( $name, strlen( __NAMESPACE__ ) + 1 ) . '.php';
			if ( is_file( $file ) ) {
				require $file;
			}
		}
	}
);

// The next request writes the rewrite rules again, with or without the plugin's.
register_activation_hook( __FILE__, static fn() => delete_option( 'rewrite_rules' ) );
register_deactivation_hook( __FILE__, static fn() => delete_option( 'rewrite_rules' ) );

add_action( 'init', static fn() => load_plugin_textdomain( 'trousseau', false, dirname( plugin_basename( __FILE__ ) ) . '/languages' ) );

// Registries: the post type, its meta and who may do what.
// Early, so that themes can ask for the addresses of registries on `init`.
add_action( 'init', array( PostType::class, 'register' ), 5 );
add_action( 'init', array( Meta::class, 'register' ) );
add_filter( 'is_protected_meta', array( Meta::class, 'protect' ), 10, 2 );
add_filter( 'user_has_cap', array( Access::class, 'grant' ), 10, 4 );
add_filter( 'map_meta_cap', array( Access::class, 'let_invitees_read' ), 10, 4 );
add_filter( 'rest_registry_query', array( Access::class, 'restrict_rest_list' ), 10, 2 );
add_action( 'pre_get_posts', array( Access::class, 'restrict_query' ) );
add_filter( 'registration_errors', array( Identity::class, 'refuse_foreign_name' ), 10, 3 );
add_filter( 'rest_request_before_callbacks', array( Identity::class, 'refuse_unconfirmed_address' ), 10, 3 );

// Pages: blocks, shortcodes, the query parameter, links to shops, and marking a gift as given.
add_action( 'init', array( Pages::class, 'register' ) );
add_action( 'enqueue_block_editor_assets', array( Pages::class, 'enqueue_editor' ) );
add_action( 'wp_enqueue_scripts', array( Pages::class, 'enqueue' ) );
add_filter( 'the_content', array( Pages::class, 'complete' ), 20 );
add_action( 'template_redirect', static fn() => add_filter( 'private_title_format', array( Pages::class, 'plain_title' ), 10, 2 ) );
add_filter( 'query_vars', static fn( array $names ): array => array( ...$names, 'registry', ShopLink::PARAMETER ) );
add_filter( 'request', array( Registry::class, 'open_from_query' ) );
add_action( 'parse_request', array( ShopLink::class, 'follow' ) );
add_action( 'admin_post_' . Giving::ACTION, array( Giving::class, 'handle' ) );
add_action( 'admin_post_nopriv_' . Giving::ACTION, array( Giving::class, 'handle' ) );

// Settings and the connection test.
add_action( 'admin_init', array( Settings::class, 'register' ) );
add_action( 'admin_menu', array( Settings::class, 'add_page' ) );
add_filter( 'plugin_action_links_' . plugin_basename( __FILE__ ), array( Settings::class, 'add_link' ) );
add_action( 'admin_post_' . ConnectionTest::ACTION, array( ConnectionTest::class, 'handle' ) );
add_action( 'rest_api_init', array( ConnectionTest::class, 'register_probe' ) );
