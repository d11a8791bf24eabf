<?php

declare(strict_types=1);

namespace Trousseau\Service;

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

	public readonly int $id;
	public readonly int $registry_id;
	public readonly string $name;
	public readonly string $description;
	public readonly string $url;
	public readonly string $image_url;
	public readonly ?float $price;

	/** The pieces that are given, or the units that are promised; null where the reader may not know. */
	public readonly ?int $given;

	public function __construct( public readonly array $answer ) {
		$this->id          = (int) ( $answer['id'] ?? 0 );
		$this->registry_id = (int) ( $answer['registry_id'] ?? 0 );
		$this->name        = (string) ( $answer['name'] ?? '' );
		$this->description = (string) ( $answer['description'] ?? '' );
		$this->url         = (string) ( $answer['url'] ?? '' );
		$this->image_url   = (string) ( $answer['image_url'] ?? '' );
		$this->price       = is_numeric( $answer['price'] ?? null ) ? (float) $answer['price'] : null;
		$this->given       = isset( $answer['quantity_purchased'] ) ? (int) $answer['quantity_purchased'] : null;
	}

	/** The item that the service stored, out of its envelope. */
	public static function stored( array $answer ): self {
		return new self( $answer['data'] ?? $answer );
	}

	/** @return self[] */
	public static function all( array $answers ): array {
		return array_map( static fn( array $answer ): self => new self( $answer ), $answers );
	}

	/** @return array<string, string> The short texts that pages show beside the price, with their labels: one more stands here and in FIELDS. */
	public static function facts(): array {
		return array( 'retailer' => __( 'Shop', 'trousseau' ) );
	}

	/** The most characters of a short text that a form takes: never more than the service does. */
	public static function longest_fact( string $field ): int {
		return min( self::MAX_FACT, self::FIELDS[ $field ][1] );
	}

	/** Whether the gift names a shop, as every gift does that was found in one. */
	public function has_shop(): bool {
		return isset( $this->own_facts()['retailer'] );
	}

	/** @return array<string, string> Those that a gift has. */
	public function own_facts(): array {
		return array_filter( array_map( 'strval', array_intersect_key( $this->answer, self::facts() ) ), static fn( string $fact ): bool => $fact !== '' );
	}

	/** The most gifts that the service accepts on a list. */
	public const MAX_ON_LIST = 1000;

	/** The quantity of a gift of which guests may give as many as they like: the largest that the service takes. */
	public const ANY_NUMBER = 2_147_483_647;

	/** The most pieces of such a gift that one person gives at once, so that nobody takes all of them. */
	private const AT_ONCE = 1000;

	/** The same for a fund without a goal, in minor units: a list's 50 unconfirmed shares don't fill it. */
	private const SHARE_AT_ONCE = 40_000_000;

	/** Whether several may pay for it: its pieces are minor units of its registry's currency. */
	public function is_money(): bool {
		return ( $this->answer['unit'] ?? null ) === 'money';
	}

	public function needed(): int {
		return max( 1, (int) ( $this->answer['quantity_needed'] ?? 1 ) );
	}

	public function remaining(): int {
		return max( 0, $this->needed() - ( $this->given ?? 0 ) );
	}

	public function is_any_number(): bool {
		return ! $this->is_money() && $this->needed() === self::ANY_NUMBER;
	}

	/** Whether guests give money as they like, and nobody says how much is wished for. */
	public function has_no_goal(): bool {
		return $this->is_money() && $this->needed() === self::ANY_NUMBER;
	}

	/** The most pieces that one person may add to this many. */
	public function most( int $given = 0 ): int {
		return match ( true ) {
			$this->is_any_number() => max( $given, self::AT_ONCE ),
			$this->has_no_goal()   => max( $given, self::SHARE_AT_ONCE ),
			default                      => $given + $this->remaining(),
		};
	}

	/** The item without its affiliate link, which only administrators may see. */
	public function without_affiliate(): self {
		return $this->without( 'affiliate_url', 'affiliate_status' );
	}

	/** The item without numbers, for an owner who is to be surprised. */
	public function without_numbers(): self {
		return $this->without( 'quantity_purchased', 'updated_at' );
	}

	private function without( string ...$fields ): self {
		return new self( array_diff_key( $this->answer, array_flip( $fields ) ) );
	}

	public function affiliate_url(): string {
		return ( $this->answer['affiliate_status'] ?? null ) === 'active' ? self::web_address( $this->answer['affiliate_url'] ?? '' ) : '';
	}

	/** The address if it is on the web, and so safe in a link, or else empty. */
	public static function web_address( mixed $url ): string {
		return is_string( $url ) && preg_match( '#^https?://[^/\s]#i', trim( $url ) ) ? esc_url_raw( trim( $url ), array( 'http', 'https' ) ) : '';
	}
}
