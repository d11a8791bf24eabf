<?php

declare(strict_types=1);

namespace Trousseau\Admin;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\AdminAction;
use Trousseau\Platform\JobHandler;
use Trousseau\Platform\Network;
use Trousseau\Platform\Request;
use Trousseau\Platform\Settings;
use Trousseau\Plugin;
use const Trousseau\PLUGIN_FILE;

// For the site's administrator: Site Health and the command line.
add_filter( 'site_status_tests', Plugin::hook( SiteHealth::class, 'add_tests' ) );
add_action( 'rest_api_init', static fn() => Request::answer_at( 'checks/(?P<check>' . implode( '|', HealthChecks::slow() ) . ')', static fn(): bool => current_user_can( 'view_site_health_checks' ), static fn( $request ): array => Plugin::get( SiteHealth::class )->result( $request['check'] ) ) );
add_action( 'cli_init', static fn() => \WP_CLI::add_command( 'trousseau', Plugin::get( Commands::class ) ) );

add_action( 'admin_menu', Plugin::hook( JobsScreen::class, 'add_page' ) );

// Settings.
add_action( 'admin_notices', Plugin::hook( SetupNotice::class, 'remind' ) );
add_filter( 'show_admin_bar', static fn( $shown ) => $shown && Plugin::get( SetupNotice::class )->keeps_admin_bar() );
add_action( 'admin_init', Plugin::hook( SettingsPage::class, 'register' ) );
add_action( 'admin_menu', Plugin::hook( SettingsPage::class, 'add_page' ) );
add_action( 'load-options-permalink.php', Plugin::hook( PermalinkFields::class, 'show_and_save' ) );
add_filter( 'plugin_action_links_' . plugin_basename( PLUGIN_FILE ), array( SettingsPage::class, 'add_link' ) );

Plugin::add( JobHandler::class, array( 'sweep' => Sweep::class ) );

// The connection with the service, its test, and the account that it uses.
register_activation_hook( PLUGIN_FILE, static fn( bool $everywhere ) => Plugin::get( Network::class )->on_sites( $everywhere, Plugin::hook( ServiceAccount::class, 'add_role' ) ) );
add_action( 'rest_api_init', static fn() => Request::answer_at( ConnectionTest::PROBE, '__return_true', Plugin::hook( ConnectionTest::class, 'probe' ) ) );

// The password at the service isn't loaded with every page.
add_action( 'add_option_' . Settings::APP_PASSWORD, Plugin::hook( ServiceAccount::class, 'load_password_alone' ) );
add_action( 'update_option_' . Settings::APP_PASSWORD, Plugin::hook( ServiceAccount::class, 'load_password_alone' ) );

// An answer of the service shows that the connection works.
add_action( 'trousseau_gifts_received', static fn() => Plugin::get( ConnectionState::class )->succeeded() );

// The plugin's own account: nobody who has one of its passwords changes its profile or makes others.
add_filter( 'map_meta_cap', static fn( $caps, $cap, $user, $args ) => $args && preg_match( '/^edit_user$|_app_passwords?$/D', $cap ) ? ServiceAccount::keep_as_it_is( $caps, $cap, (int) $user, $args ) : $caps, PHP_INT_MAX, 4 );
add_filter( 'rest_request_before_callbacks', array( ServiceAccount::class, 'refuse_change' ), 11, 3 );
add_filter( 'allow_password_reset', array( ServiceAccount::class, 'refuse_reset' ), PHP_INT_MAX, 2 );

Plugin::add(
	AdminAction::class,
	array(
		'trousseau_jobs'         => JobsScreen::class,
		'trousseau_add_to_menu'  => MenuPages::class,
		'trousseau_make_account' => ServiceAccountButton::class,
	)
);
