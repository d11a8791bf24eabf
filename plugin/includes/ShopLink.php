<?php

declare(strict_types=1);

namespace Trousseau;

use WP;

/**
 * A guest's way to the shop. An active affiliate link is never in a page's source: the guest follows an address of this
 * site, which checks what they may see and only then redirects.
 */
final class ShopLink {

	public const PARAMETER = 'trousseau_go';

	/** @param array<string, mixed> $item */
	public static function of( array $item, int $registry_id ): string {
		if ( Item::affiliate_url( $item ) === '' ) {
			return Item::web_address( $item['url'] ?? '' );
		}
		return add_query_arg(
			array(
				self::PARAMETER => (int) $item['id'],
				'registry'      => $registry_id,
			),
			home_url( '/' )
		);
	}

	public static function follow( WP $wp ): void {
		$item_id = $wp->query_vars[ self::PARAMETER ] ?? '';
		if ( $item_id === '' ) {
			return;
		}
		$registry = $wp->query_vars['registry'] ?? '';
		$post     = is_scalar( $registry ) ? Registry::find( (string) $registry ) : null;
		$item     = $post && is_scalar( $item_id ) ? Registry::item( $post, (int) $item_id ) : null;
		$target   = '';
		if ( is_array( $item ) ) {
			$affiliate = Item::affiliate_url( $item );
			$target    = $affiliate !== '' ? $affiliate : Item::web_address( $item['url'] ?? '' );
		}

		nocache_headers();
		header( 'Cache-Control: no-store, private' );
		header( 'Referrer-Policy: strict-origin' );
		header( 'X-Robots-Tag: noindex, nofollow' );
		if ( $target === '' ) {
			$down = is_wp_error( $item );
			wp_die(
				esc_html( $down ? __( 'The way to the shop is closed for a moment. Please try again later.', 'trousseau' ) : __( 'There is no such gift.', 'trousseau' ) ),
				'',
				array(
					'response'  => $down ? 503 : 404,
					'back_link' => true,
				)
			);
		}
		// Leading to a shop elsewhere is what it is for.
		wp_redirect( $target, 302, 'Trousseau' );
		exit;
	}
}
