<?php

declare(strict_types=1);

namespace Trousseau\Connections;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\DetailsSection;
use Trousseau\Lists\OwnersOwn;
use Trousseau\Lists\Page;
use Trousseau\Platform\JobHandler;
use Trousseau\Platform\Network;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\Settings;
use Trousseau\Plugin;
use const Trousseau\PLUGIN_FILE;

register_activation_hook( PLUGIN_FILE, static fn( bool $everywhere ) => Plugin::get( Network::class )->on_sites( $everywhere, Plugin::hook( ServiceAccount::class, 'add_role' ) ) );

// The password at the service isn't loaded with every page.
add_action( 'add_option_' . Settings::APP_PASSWORD, Plugin::hook( ServiceAccount::class, 'load_password_alone' ) );
add_action( 'update_option_' . Settings::APP_PASSWORD, Plugin::hook( ServiceAccount::class, 'load_password_alone' ) );

// The browser extension.
add_action( 'parse_request', static fn( $wp ) => isset( $wp->query_vars[ PageAddress::PARAMETER ] ) && Plugin::get( ExtensionAnswer::class )->answer( $wp ) );

// An answer of the service shows that the connection stands.
add_action( 'trousseau_gifts_received', static fn() => Plugin::get( ConnectionState::class )->succeeded() );

// The screens of the connection, and its test.
add_action( 'admin_post_' . ConnectionPanel::ACTION, Plugin::hook( ConnectionPanel::class, 'handle' ) );
add_action( 'admin_post_nopriv_' . ConnectionPanel::ACTION, Plugin::hook( ConnectionPanel::class, 'handle' ) );
add_action( 'admin_post_' . ConnectionsScreen::ACTION, Plugin::hook( ConnectionsScreen::class, 'handle' ) );
add_action( 'admin_post_nopriv_' . ConnectionsScreen::ACTION, Plugin::hook( ConnectionsScreen::class, 'handle' ) );
add_action( 'admin_post_' . ServiceAccountButton::ACTION, Plugin::hook( ServiceAccountButton::class, 'handle' ) );
add_action( 'admin_post_nopriv_' . ServiceAccountButton::ACTION, Plugin::hook( ServiceAccountButton::class, 'handle' ) );
add_action( 'rest_api_init', Plugin::hook( ConnectionTest::class, 'register_probe' ) );

// A service for many sites: this site joins it, or each site of a network does by itself.
add_action( 'rest_api_init', Plugin::hook( SiteProof::class, 'register_route' ) );
add_action( 'admin_post_' . JoinForm::ACTION, Plugin::hook( JoinForm::class, 'handle' ) );
add_action( 'admin_post_nopriv_' . JoinForm::ACTION, Plugin::hook( JoinForm::class, 'handle' ) );
add_action( 'admin_post_' . JoinForm::LEAVE, Plugin::hook( JoinForm::class, 'handle_leaving' ) );
add_action( 'admin_post_nopriv_' . JoinForm::LEAVE, Plugin::hook( JoinForm::class, 'handle_leaving' ) );
add_action( 'network_admin_menu', Plugin::hook( NetworkScreen::class, 'add_page' ) );
add_action( 'network_admin_notices', Plugin::hook( NetworkScreen::class, 'remind' ) );
add_filter( 'network_admin_plugin_action_links_' . plugin_basename( PLUGIN_FILE ), array( NetworkScreen::class, 'add_link' ) );
add_action( 'admin_post_' . NetworkScreen::ACTION, Plugin::hook( NetworkScreen::class, 'handle' ) );
add_action( 'admin_post_nopriv_' . NetworkScreen::ACTION, Plugin::hook( NetworkScreen::class, 'handle' ) );
add_action( 'init', static fn() => is_multisite() && Plugin::get( NetworkJoin::class )->plan(), 20 );
add_action( 'trousseau_join_network', Plugin::hook( Joining::class, 'join_network' ) );
add_action( 'wp_initialize_site', static fn( $site ) => Plugin::get( NetworkJoin::class )->expect( (int) $site->blog_id ), 200 );
add_action( 'shutdown', Plugin::hook_if_made( NetworkJoin::class, 'visit' ), 20 );

// The plugin's own account: nobody who has one of its passwords changes its profile or makes others.
add_filter( 'map_meta_cap', array( ServiceAccountGuard::class, 'keep_as_it_is' ), PHP_INT_MAX, 4 );
add_filter( 'rest_request_before_callbacks', array( ServiceAccountGuard::class, 'refuse_change' ), 11, 3 );
add_filter( 'allow_password_reset', array( ServiceAccountGuard::class, 'refuse_reset' ), PHP_INT_MAX, 2 );

// Pages.
Plugin::add( Page::class, array( 'calendar' => CalendarPage::class ) );

// The calendar, among a list's details.
Plugin::add( DetailsSection::class, array( 'calendar' => CalendarSection::class ) );
Plugin::add( OwnersOwn::class, array( 'calendar' => CalendarLink::class ) );

// Jobs.
Plugin::add( JobHandler::class, array( 'join' => NetworkJoin::class ) );
