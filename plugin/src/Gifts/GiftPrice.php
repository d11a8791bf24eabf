<?php

declare(strict_types=1);

namespace Trousseau\Gifts;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\Meta;
use Trousseau\Platform\Currency;
use Trousseau\Platform\Language;
use Trousseau\Service\Item;
use WP_Post;

/** The price of a gift as pages show it. */
final class GiftPrice {

	/** The price in the registry's currency and the reader's language. Empty if the owner left it out. */
	public static function price( Item $item, WP_Post $post ): string {
		if ( $item->price === null ) {
			return '';
		}
		$text = Language::isolate( Currency::amount( $item->price, Meta::currency( $post->ID ) ) );
		/** Filters a price as it is shown. */
		return (string) apply_filters( 'trousseau_price', $text, $item->answer );
	}
}
