<?php

declare(strict_types=1);

namespace Trousseau\Gifts;

use Trousseau\Lists\Registries;
use Trousseau\Platform\PageAddress;
use Trousseau\Service\Item;

/** A gift's link to its shop, as pages and emails show it. They never hold an active affiliate link. */
final class ShopLink {

	/** A gift's link. Empty without a shop, since then its link is the list's own. */
	public static function of( Item $item, int $registry_id ): string {
		if ( Registries::is_own_address( $item->url, $registry_id, $item->has_shop() ) ) {
			return '';
		}
		if ( $item->affiliate_url() === '' ) {
			return Item::web_address( $item->url );
		}
		return self::through_this_site( $item->id, $registry_id );
	}

	/** What guests read next to a link that may earn something. Empty for other links. */
	public static function disclosure( string $link ): string {
		return self::earns( $link ) ? __( 'If you buy something through a shop link here, this site or the list’s owner may earn a commission. You pay the same price.', 'trousseau' ) : '';
	}

	/** The link's `rel` for search engines. */
	public static function relation( string $link ): string {
		return self::earns( $link ) ? 'sponsored nofollow noopener' : 'nofollow noopener';
	}

	private static function earns( string $link ): bool {
		return str_contains( $link, PageAddress::SHOP . '=' ) && str_starts_with( $link, home_url( '/' ) );
	}

	/** A URL of this site that redirects those who may see the gift to its shop. */
	public static function through_this_site( int $item_id, int $registry_id ): string {
		return add_query_arg( array( PageAddress::SHOP => $item_id, 'registry' => $registry_id ), home_url( '/' ) );
	}

	/** Whether it is money for the owners, and no thing that one of the givers could buy: no shop has it. */
	public static function is_fund( Item $item, int $registry_id ): bool {
		return $item->is_money() && (string) ( $item->answer['retailer'] ?? '' ) === '' && self::of( $item, $registry_id ) === '';
	}
}
