<?php

declare(strict_types=1);

namespace Trousseau\Admin;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\ConnectionFindings;
use Trousseau\Platform\JobHandler;
use Trousseau\Plugin;
use const Trousseau\PLUGIN_FILE;

// For the site's keeper: Site Health and the command line.
add_filter( 'site_status_tests', Plugin::hook( SiteHealth::class, 'add_tests' ) );
add_filter( 'debug_information', Plugin::hook( SiteHealth::class, 'add_facts' ) );
add_action( 'rest_api_init', Plugin::hook( SiteHealth::class, 'register_route' ) );
add_action( 'cli_init', static fn() => \WP_CLI::add_command( 'trousseau', Plugin::get( Commands::class ) ) );

add_action( 'admin_menu', Plugin::hook( JobsScreen::class, 'add_page' ) );
add_action( 'admin_post_' . JobsScreen::ACTION, Plugin::hook( JobsScreen::class, 'handle' ) );
add_action( 'admin_post_nopriv_' . JobsScreen::ACTION, Plugin::hook( JobsScreen::class, 'handle' ) );

// Settings.
add_action( 'admin_notices', Plugin::hook( SetupNotice::class, 'remind' ) );
add_filter( 'show_admin_bar', static fn( $shown ) => $shown && Plugin::get( SetupNotice::class )->show_admin_bar( (bool) $shown ) );
add_action( 'admin_init', Plugin::hook( SettingsPage::class, 'register' ) );
add_action( 'admin_menu', Plugin::hook( SettingsPage::class, 'add_page' ) );
add_action( 'load-options-permalink.php', Plugin::hook( PermalinkFields::class, 'show_and_save' ) );
add_filter( 'plugin_action_links_' . plugin_basename( PLUGIN_FILE ), array( SettingsPage::class, 'add_link' ) );
add_action( 'admin_post_' . MenuPages::ACTION, Plugin::hook( MenuPages::class, 'handle' ) );
add_action( 'admin_post_nopriv_' . MenuPages::ACTION, Plugin::hook( MenuPages::class, 'handle' ) );

// Jobs.
Plugin::add( JobHandler::class, array( 'sweep' => Sweep::class ) );

// What else a test of the connection finds.
Plugin::add( ConnectionFindings::class, array( 'health' => HealthChecks::class ) );
