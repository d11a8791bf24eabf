<?php

declare(strict_types=1);

namespace Trousseau\Lists;

use Trousseau\Service\GiftCache;
use Trousseau\Service\Item;
use WP_Error;

/**
 * A registry can't change its currency while it has group gifts: shares are amounts in that currency. Shares of removed gifts keep the
 * currency in which they were given.
 */
final class CurrencyRules {

	/** The earlier currencies of a registry, oldest first, each with the time at which it ended. */
	private const FORMER = '_trousseau_former_currencies';
	private const MOST   = 20;

	public function __construct( private readonly GiftCache $gift_cache ) {
	}

	/** The currency that a registry had at a time, which is written as the service writes times. */
	public static function at( int $post_id, string $time ): string {
		// A change of currency and a share may fall into the same second.
		$at = (float) ( date_create( $time ) ?: date_create() )->format( 'U.u' );
		foreach ( (array) get_post_meta( $post_id, self::FORMER, true ) as $former ) {
			if ( is_array( $former ) && $at <= $former['until'] ) {
				return $former['currency'];
			}
		}
		return Meta::currency( $post_id );
	}

	/** Whether this change of currency has to be refused. Asks the service, since a group gift may have come or gone a moment ago. */
	private function refuses( int $post_id, mixed $value ): bool {
		$before = get_post_type( $post_id ) === PostType::NAME ? Meta::currency( $post_id ) : '';
		if ( $before === '' || Meta::clean_currency( $value ) === $before ) {
			return false;
		}
		$this->gift_cache->renew( $post_id );
		$items = $this->gift_cache->known( $post_id );
		// Gifts that can't be read may be group gifts.
		return $items === null ? Meta::item_ids( $post_id ) !== array() : (bool) array_filter( $items, static fn( Item $item ): bool => $item->is_money() );
	}

	public function refuse_change( int $post_id, mixed $value ): ?WP_Error {
		if ( ! $this->refuses( $post_id, $value ) ) {
			return null;
		}
		$words = $this->gift_cache->known( $post_id ) === null ? Page::not_just_now() : __( 'This list has group gifts, so its currency can’t change.', 'trousseau' );
		return new WP_Error( 'trousseau_currency_in_use', $words, array( 'status' => 409 ) );
	}

	/** Refuses a change of the stored currency by any form or program, or else records the earlier one. */
	public function keep( ?bool $done, int $post_id, mixed $value ): ?bool {
		if ( $done !== null ) {
			return $done;
		}
		if ( $this->refuses( $post_id, $value ) ) {
			return false;
		}
		$currency = Meta::currency( $post_id );
		if ( $currency !== '' && Meta::clean_currency( $value ) !== $currency && get_post_type( $post_id ) === PostType::NAME ) {
			$former   = array_filter( (array) get_post_meta( $post_id, self::FORMER, true ), 'is_array' );
			$former[] = array( 'until' => microtime( true ), 'currency' => $currency );
			update_post_meta( $post_id, self::FORMER, array_slice( $former, -self::MOST ) );
		}
		return null;
	}
}
