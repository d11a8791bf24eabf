<?php

declare(strict_types=1);

namespace Trousseau\Connections;

defined( 'ABSPATH' ) || exit;

use Trousseau\Admin\SettingsPage;
use Trousseau\Admin\SettingsSection;
use Trousseau\Admin\SettingsTab;
use Trousseau\Lists\DetailsSection;
use Trousseau\Lists\OwnersOwn;
use Trousseau\Lists\Page;
use Trousseau\Platform\AdminAction;
use Trousseau\Platform\JobHandler;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\Request;
use Trousseau\Plugin;
use const Trousseau\PLUGIN_FILE;

// The browser extension.
add_action( 'parse_request', Plugin::hook_if( ExtensionAnswer::class, 'answer', static fn( $wp ) => ( $wp->query_vars[ PageAddress::PARAMETER ] ?? '' ) === 'add' && isset( $_GET['extension'] ) ) );

// A service for many sites: this site joins it, or each site of a network does by itself.
add_action( 'rest_api_init', static fn() => Request::answer_at( Joining::TOKEN, '__return_true', Plugin::hook( Joining::class, 'answer' ) ) );
add_action( 'network_admin_menu', Plugin::hook( NetworkScreen::class, 'add_page' ) );
add_action( 'network_admin_notices', Plugin::hook( NetworkScreen::class, 'remind' ) );
add_filter( 'network_admin_plugin_action_links_' . plugin_basename( PLUGIN_FILE ), static fn( array $links ): array => SettingsPage::add_link( $links, NetworkScreen::url() ) );
add_action( 'init', static fn() => is_multisite() && Plugin::get( NetworkJoin::class )->plan(), 20 );
add_action( 'wp_initialize_site', static fn( $site ) => Plugin::get( NetworkJoin::class )->expect( (int) $site->blog_id ), 200 );
add_action( 'shutdown', Plugin::hook_if_made( NetworkJoin::class, 'visit' ), 20 );

Plugin::add( Page::class, array( 'calendar' => CalendarPage::class ) );

// The calendar, among a list's details.
Plugin::add( DetailsSection::class, array( 'calendar' => CalendarLink::class ) );
Plugin::add( OwnersOwn::class, array( 'calendar' => CalendarLink::class ) );

Plugin::add( JobHandler::class, array( 'join' => Joining::class ) );

Plugin::add( SettingsTab::class, array( 'connections' => ConnectionsScreen::class ) );
Plugin::add( SettingsSection::class, array( 'join' => JoinForm::class ) );

Plugin::add(
	AdminAction::class,
	array(
		'trousseau_connections'     => ConnectionsScreen::class,
		'trousseau_join'            => JoinForm::class,
		'trousseau_leave'           => JoinForm::class,
		'trousseau_network_service' => NetworkScreen::class,
	)
);
