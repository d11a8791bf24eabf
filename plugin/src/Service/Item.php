<?php

declare(strict_types=1);

namespace Trousseau\Service;

defined( 'ABSPATH' ) || exit;

/** An item as the service sends it: its numbers and addresses. Users wrote the text in it, so pages escape it. */
final class Item {

	/** The most characters of a name that the service accepts. */
	public const MAX_NAME = 100;

	/** The fields that an owner fills in, of which drafts, exports and imports are made: the least and the most characters of texts. */
	public const FIELDS = array(
		'name'            => array( 1, self::MAX_NAME ),
		'description'     => array( 0, 500 ),
		'url'             => array( 10, 2000 ),
		'retailer'        => array( 0, 2000 ),
		'image_url'       => array( 0, 2000 ),
		'price'           => null,
		'quantity_needed' => null,
		'unit'            => null,
	);

	/** The most characters of a short text, which pages show in a line. */
	private const MAX_FACT = 200;

	/** @return array<string, string> The short texts that pages show beside the price, with their labels: one more stands here and in FIELDS. */
	public static function facts(): array {
		return array( 'retailer' => __( 'Shop', 'trousseau' ) );
	}

	/** The most characters of a short text that a form takes: never more than the service does. */
	public static function longest_fact( string $field ): int {
		return min( self::MAX_FACT, self::FIELDS[ $field ][1] );
	}

	/** @return array<string, string> Those that a gift has. */
	public static function facts_of( array $item ): array {
		return array_filter( array_map( 'strval', array_intersect_key( $item, self::facts() ) ), static fn( string $fact ): bool => $fact !== '' );
	}

	/** The most gifts that the service accepts on a list. */
	public const MAX_ON_LIST = 1000;

	/** The quantity of a gift of which guests may give as many as they like: the largest that the service takes. */
	public const ANY_NUMBER = 2_147_483_647;

	/** The most pieces of such a gift that one person gives at once, so that nobody takes all of them. */
	private const AT_ONCE = 1000;

	/** The same for a fund without a goal, in minor units of its currency. */
	private const SHARE_AT_ONCE = 1_000_000;

	/** Whether several may pay for it: its pieces are minor units of its registry's currency. */
	public static function is_money( array $item ): bool {
		return ( $item['unit'] ?? null ) === 'money';
	}

	public static function needed( array $item ): int {
		return max( 1, (int) ( $item['quantity_needed'] ?? 1 ) );
	}

	public static function remaining( array $item ): int {
		return max( 0, self::needed( $item ) - (int) ( $item['quantity_purchased'] ?? 0 ) );
	}

	public static function is_any_number( array $item ): bool {
		return ! self::is_money( $item ) && self::needed( $item ) === self::ANY_NUMBER;
	}

	/** Whether guests give money as they like, and nobody says how much is wished for. */
	public static function has_no_goal( array $item ): bool {
		return self::is_money( $item ) && self::needed( $item ) === self::ANY_NUMBER;
	}

	/** The most pieces that one person may add to this many. */
	public static function most( array $item, int $given = 0 ): int {
		return match ( true ) {
			self::is_any_number( $item ) => max( $given, self::AT_ONCE ),
			self::has_no_goal( $item )   => max( $given, self::SHARE_AT_ONCE ),
			default                      => $given + self::remaining( $item ),
		};
	}

	/** What a giver reads about the pieces still needed. Empty for a gift of one piece. */
	public static function still_needed( array $item ): string {
		$left = self::remaining( $item );
		return match ( true ) {
			self::needed( $item ) === 1 || self::is_any_number( $item ) => '',
			$left === 0 => __( 'With yours, no more are needed.', 'trousseau' ),
			/* translators: %s: number of pieces */
			default                     => sprintf( _n( '%s more is needed.', '%s more are needed.', $left, 'trousseau' ), number_format_i18n( $left ) ),
		};
	}

	/** The item without its affiliate link, which only administrators may see. */
	public static function without_affiliate( array $item ): array {
		unset( $item['affiliate_url'], $item['affiliate_status'] );
		return $item;
	}

	/** The item without numbers, for an owner who is to be surprised. */
	public static function without_numbers( array $item ): array {
		unset( $item['quantity_purchased'], $item['updated_at'] );
		return $item;
	}

	public static function affiliate_url( array $item ): string {
		return ( $item['affiliate_status'] ?? null ) === 'active' ? self::web_address( $item['affiliate_url'] ?? '' ) : '';
	}

	/** The address if it is on the web, and so safe in a link, or else empty. */
	public static function web_address( mixed $url ): string {
		return is_string( $url ) && preg_match( '#^https?://[^/\s]#i', trim( $url ) ) ? esc_url_raw( trim( $url ), array( 'http', 'https' ) ) : '';
	}
}
