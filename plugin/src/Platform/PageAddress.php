<?php

declare(strict_types=1);

namespace Trousseau\Platform;

defined( 'ABSPATH' ) || exit;

use WP;

/** The addresses of the plugin's own pages, such as `/registries/12/gifts/`, and the way from former ones to these. */
final class PageAddress {

	public const PARAMETER = 'trousseau_page';

	/** What other addresses ask for: the way to a shop, and the visitor's part of a cached page. */
	public const SHOP    = 'trousseau_go';
	public const VISITOR = 'trousseau_visitor';

	/** Whether WordPress shows one of the plugin's own pages. */
	public static function is_open(): bool {
		return get_query_var( self::PARAMETER ) !== '';
	}

	public static function of( string $name, int $registry = 0, array $parameters = array() ): string {
		if ( get_option( 'permalink_structure' ) ) {
			$path = rawurlencode( Slugs::of( Slugs::PAGES ) ) . ( $registry ? "/$registry/$name/" : "/$name/" );
			return add_query_arg( array_map( 'rawurlencode', array_map( 'strval', $parameters ) ), home_url( user_trailingslashit( $path ) ) );
		}
		$own = array( self::PARAMETER => $name ) + ( $registry ? array( 'registry' => $registry ) : array() );
		return add_query_arg( array_map( 'rawurlencode', array_map( 'strval', $own + $parameters ) ), home_url( '/' ) );
	}

	/**
	 * Leads from a former address to the present one, whatever follows the changed word: whether something is there isn't told. Forms
	 * are taken at former addresses, too: email programs that unsubscribe someone follow no redirect.
	 */
	public function lead_on( WP $wp ): void {
		$is_page = isset( $wp->query_vars[ self::PARAMETER ] );
		$which   = $is_page ? Slugs::PAGES : Slugs::LISTS;
		$parts   = explode( '/', (string) $wp->request );
		// Addresses of lists begin as those of posts do.
		$place = $is_page ? 0 : count( array_filter( explode( '/', $GLOBALS['wp_rewrite']->front ) ) );
		$reads = in_array( $_SERVER['REQUEST_METHOD'] ?? '', array( 'GET', 'HEAD' ), true );
		if ( ! $reads || ! Slugs::is_former( $which, urldecode( $parts[ $place ] ?? '' ) ) || get_page_by_path( $wp->request ) ) {
			return;
		}
		$parts[ $place ] = rawurlencode( Slugs::of( $which ) );
		$query           = $_SERVER['QUERY_STRING'] ?? '';
		// Browsers that kept it would go in circles when a word comes back.
		nocache_headers();
		wp_safe_redirect( home_url( user_trailingslashit( implode( '/', $parts ) ) ) . ( $query === '' ? '' : "?$query" ), 301, 'Trousseau' );
		exit;
	}
}
