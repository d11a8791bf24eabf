<?php

declare(strict_types=1);

namespace Trousseau\Pages;

defined( 'ABSPATH' ) || exit;

use Trousseau\Jobs\AffiliateRules;
use Trousseau\Jobs\ShopClicks;
use Trousseau\Registry\GiftList;
use Trousseau\Registry\Registries;
use Trousseau\Service\Item;
use Trousseau\Support\Request;
use Trousseau\Support\ResponseHeaders;
use WP;

/**
 * A guest's way to the shop. An active affiliate link is never in a page's source: the guest follows an address of this
 * site, which checks what they may see and only then redirects. Where it leads an owner wrote, so whoever comes from
 * elsewhere, by a mail or another site, is told the shop's name and asked first.
 */
final class ShopRedirect {

	public const PARAMETER = 'trousseau_go';

	/**
	 * Nothing for a gift that no shop has: its address is that of its list.
	 *
	 * @param array<string, mixed> $item
	 */
	public static function of( array $item, int $registry_id ): string {
		if ( ( $item['url'] ?? '' ) === get_permalink( $registry_id ) ) {
			return '';
		}
		if ( Item::affiliate_url( $item ) === '' ) {
			return Item::web_address( $item['url'] ?? '' );
		}
		return self::address( (int) $item['id'], $registry_id );
	}

	public static function follow( WP $wp ): void {
		$item_id = $wp->query_vars[ self::PARAMETER ] ?? '';
		if ( $item_id === '' ) {
			return;
		}
		$registry = $wp->query_vars['registry'] ?? '';
		$post     = is_scalar( $registry ) ? Registries::find( (string) $registry ) : null;
		$item     = $post && is_scalar( $item_id ) ? GiftList::item( $post, (int) $item_id ) : null;
		$target   = '';
		if ( is_array( $item ) ) {
			$affiliate = Item::affiliate_url( $item );
			$target    = $affiliate !== '' ? $affiliate : Item::web_address( $item['url'] ?? '' );
		}

		ResponseHeaders::keep_secret( 'strict-origin' );
		if ( $target === '' ) {
			$back = $post ? (string) get_permalink( $post ) : '';
			Router::show( $wp, is_wp_error( $item ) ? new ErrorPage( __( 'The way to the shop is closed for a moment. Please try again later.', 'trousseau' ), 503, $back ) : new ErrorPage( __( 'There is no such gift.', 'trousseau' ), 404, $back ) );
			return;
		}
		if ( Request::is_from_here() ) {
			if ( $target === Item::affiliate_url( $item ) ) {
				ShopClicks::count( AffiliateRules::of_site()->shop_of( $item ) );
			}
			// Leading to a shop elsewhere is what it is for.
			wp_redirect( $target, 302, 'Trousseau' );
			exit;
		}
		Router::show( $wp, new LeaveForShopPage( $post, $item, self::address( (int) $item['id'], $post->ID ), (string) wp_parse_url( $target, PHP_URL_HOST ) ) );
	}

	private static function address( int $item_id, int $registry_id ): string {
		return add_query_arg(
			array(
				self::PARAMETER => $item_id,
				'registry'      => $registry_id,
			),
			home_url( '/' )
		);
	}
}
