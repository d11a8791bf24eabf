<?php

declare(strict_types=1);

namespace Trousseau\PageCaching;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\PostType;
use Trousseau\Lists\SharedPages;
use Trousseau\Platform\Cookie;
use Trousseau\Platform\HealthCheck;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\Settings;
use Trousseau\Plugin;

// The visitor's part of a cached page, and the probe of the caches.
add_action( 'parse_request', static fn( $wp ) => isset( $wp->query_vars[ PageAddress::VISITOR ] ) && Plugin::get( VisitorAnswer::class )->answer( $wp ) );
add_action( 'parse_request', Plugin::hook_if( CacheProbe::class, 'answer', static fn( $wp ) => (bool) preg_grep( '/\./', array_filter( $wp->query_vars, 'is_string' ) ) ) );

// Cookies that tell a visitor's page from a stranger's, written before the router takes the message that waits.
add_action( 'template_redirect', static fn() => ( is_user_logged_in() || Cookie::are_among( $_COOKIE ) ) && Plugin::get( VisitorMarks::class )->write(), 0 );
add_action( 'trousseau_cookie_set', static fn() => Plugin::get( VisitorMarks::class )->write() );
add_action( 'set_logged_in_cookie', static fn() => Plugin::get( VisitorMarks::class )->write( true ) );
add_action( 'clear_auth_cookie', static fn() => Plugin::get( VisitorMarks::class )->write( false ) );

// Cached pages are cleared when strangers would be shown something else.
add_action( 'save_post_registry', Plugin::hook( PageCache::class, 'touch_post' ) );
foreach ( array( 'added', 'updated', 'deleted' ) as $trousseau_change ) {
	add_action( "{$trousseau_change}_post_meta", static fn( $meta, $id ) => Plugin::get( PageCache::class )->touch_post( (int) $id ), 10, 2 );
}
add_action( 'deleted_post', static fn( $id, $post ) => $post->post_type === PostType::NAME && Plugin::get( PageCache::class )->look( (int) $id ), 10, 2 );
add_action( 'add_option_' . Settings::ANONYMOUS_GIVING, Plugin::hook( PageCache::class, 'look_at_all' ) );
add_action( 'update_option_' . Settings::ANONYMOUS_GIVING, Plugin::hook( PageCache::class, 'look_at_all' ) );
add_action( 'trousseau_gifts_changed', Plugin::hook( PageCache::class, 'look' ) );
add_action( 'trousseau_list_closed', Plugin::hook( PageCache::class, 'look' ) );
add_action( 'trousseau_change_reported', Plugin::hook( PageCache::class, 'look_again' ) );
add_action( 'trousseau_pictures_fetched', Plugin::hook( PageCache::class, 'touch_post' ) );
add_action( 'shutdown', Plugin::hook_if_made( PageCache::class, 'look_at_touched' ), 0 );
add_filter( 'breeze_collect_urls_for_cache_purge', Plugin::hook( PageCache::class, 'add_urls' ), 10, 2 );

// The page of a public list is one for everyone.
Plugin::add( SharedPages::class, array( 'instead' => SharedListPage::class ) );

// Checks whether a cache stores what it must not.
Plugin::add( HealthCheck::class, array( 'page_cache' => CacheProbe::class ) );
