<?php

declare(strict_types=1);

namespace Trousseau\Lists;

use Trousseau\Platform\Currency;
use Trousseau\Platform\Language;
use Trousseau\Service\Claim;
use Trousseau\Service\Item;

/** Prices and quantities in words: pieces, or amounts of money for group gifts. */
final class GiftAmount {

	/** The currency of a group gift. Empty for a gift of pieces. */
	public static function currency( Item $item, int $post_id ): string {
		return $item->is_money() ? Meta::currency( $post_id ) : '';
	}

	/** The currency in which a share was given. Empty for a claim on pieces. */
	public static function currency_of_claim( Claim $claim ): string {
		return $claim->is_share() ? CurrencyRules::at( $claim->registry_id, $claim->created_at ) : '';
	}

	/** The price in the reader's language, in the registry's currency or a draft's own. Empty if the owner left it out. */
	public static function price( Item $item, int $post_id, ?string $currency = null ): string {
		if ( $item->price === null ) {
			return '';
		}
		$text = Language::isolate( Currency::amount( $item->price, $currency ?? Meta::currency( $post_id ) ) );
		/** Filters a price as it is shown. */
		return (string) apply_filters( 'trousseau_price', $text, $item->answer );
	}

	/** Such as “3” or “100 €”. */
	public static function of( int $quantity, string $currency ): string {
		return $currency === '' ? number_format_i18n( $quantity ) : Language::isolate( Currency::of_units( $quantity, $currency ) );
	}

	/** The quantity that an owner would like, in words. */
	public static function wished( Item $item, string $currency ): string {
		if ( $item->has_no_goal() ) {
			return __( 'Any amount', 'trousseau' );
		}
		return $item->is_any_number() ? __( 'Any number', 'trousseau' ) : sprintf( self::needed_words( $currency !== '' ), self::of( $item->needed(), $currency ) );
	}

	public static function needed_words( bool $is_money ): string {
		/* translators: %s: number of pieces, or amount of money */
		return $is_money ? _x( '%s needed', 'amount of money', 'trousseau' ) : __( '%s needed', 'trousseau' );
	}

	/** The quantity that is given, or the amount that is promised, in words. */
	public static function given( Item $item, string $currency ): string {
		// A number that was lowered may be less than what is given.
		$given  = self::of( $item->given ?? 0, $currency );
		$needed = self::of( $item->needed(), $currency );
		return match ( true ) {
			/* translators: %s: number given of a gift of which any number may be given */
			$item->is_any_number() => sprintf( __( 'Any number, %s given so far', 'trousseau' ), $given ),
			/* translators: %s: amount of money */
			$item->has_no_goal()   => sprintf( __( '%s promised', 'trousseau' ), $given ),
			/* translators: 1: number given, 2: number wished for */
			$currency === ''             => sprintf( __( '%1$s of %2$s given', 'trousseau' ), $given, $needed ),
			/* translators: 1: amount of money promised, 2: amount of money wished for */
			default                      => sprintf( __( '%1$s of %2$s promised', 'trousseau' ), $given, $needed ),
		};
	}

	/** Such as “3 × Glasses” or “100 € towards Pram”; a gift whose name nobody knows is “A gift”. */
	public static function named( int $quantity, string $name, string $currency ): string {
		if ( $name === '' ) {
			$name = $currency === '' && $quantity < 2 ? __( 'A gift', 'trousseau' ) : __( 'a gift', 'trousseau' );
		}
		/* translators: 1: amount of money, 2: name of a gift that several pay for */
		return $currency === '' ? Language::times( $quantity, $name ) : sprintf( __( '%1$s towards %2$s', 'trousseau' ), self::of( $quantity, $currency ), Language::isolate( $name ) );
	}

	/** How far a gift is that someone gives, in words. */
	public static function stage( Claim $claim ): string {
		$is_money = $claim->is_share() && ! $claim->buys;
		return match ( $claim->state ) {
			'pending'   => __( 'To be confirmed', 'trousseau' ),
			'reserved'  => $is_money ? _x( 'Not sent yet', 'share of a gift', 'trousseau' ) : __( 'Reserved', 'trousseau' ),
			'purchased' => $is_money ? _x( 'Sent', 'share of a gift', 'trousseau' ) : __( 'Bought', 'trousseau' ),
			'released'  => __( 'Cancelled', 'trousseau' ),
			default     => __( 'Time ran out', 'trousseau' ),
		};
	}

	/** What a giver reads about the number or amount still needed. Empty for a gift of one piece. */
	public static function still_needed( Item $item, string $currency ): string {
		$left = $item->remaining();
		return match ( true ) {
			$item->needed() === Item::ANY_NUMBER || ( $currency === '' && $item->needed() === 1 ) => '',
			$left === 0       => $currency === '' ? __( 'With yours, no more are needed.', 'trousseau' ) : __( 'With your share, the goal is reached.', 'trousseau' ),
			/* translators: %s: number of pieces */
			$currency === ''  => sprintf( _n( '%s more is needed.', '%s more are needed.', $left, 'trousseau' ), number_format_i18n( $left ) ),
			/* translators: %s: amount of money */
			default           => sprintf( __( '%s is still needed.', 'trousseau' ), self::of( $left, $currency ) ),
		};
	}
}
