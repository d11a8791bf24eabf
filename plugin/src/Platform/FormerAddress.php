<?php

declare(strict_types=1);

namespace Trousseau\Platform;

use WP;

/**
 * Leads from a former address to the present one, whatever follows the changed word: whether something is there isn't told. Forms
 * are taken at former addresses, too: email programs that unsubscribe someone follow no redirect.
 */
final class FormerAddress {

	public function lead_on( WP $wp ): void {
		$is_page = isset( $wp->query_vars[ PageAddress::PARAMETER ] );
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
