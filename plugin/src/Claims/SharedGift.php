<?php

declare(strict_types=1);

namespace Trousseau\Claims;

defined( 'ABSPATH' ) || exit;

use Trousseau\Registry\GiftAmount;
use Trousseau\Registry\Meta;
use Trousseau\Service\Item;
use Trousseau\Support\Encryption;
use Trousseau\Support\KeptValues;

/** A gift that several pay for: its shares, its buyer, whether its goal is missed on the day, and what givers want then. */
final class SharedGift {

	/** Answers of givers: the share stays for the gift, or may be used for something else. Taking it back releases it. */
	public const KEEP  = 'keep';
	public const OTHER = 'other';

	private const ANSWER = 'share_answer_';

	/** A note that the others may read a buyer's name. */
	private const NAMED = 'named';

	public function __construct( private readonly KeptValues $kept_values ) {
	}

	/** Whether a claim is a share that its giver has confirmed and not taken back. */
	public static function is_confirmed( array $claim ): bool {
		return GiftAmount::is_share( $claim ) && in_array( $claim['state'], array( 'reserved', 'purchased' ), true );
	}

	/** @return array<string, mixed>[] The confirmed shares of a gift. */
	public static function shares( array $claims, int $item_id ): array {
		return array_values( array_filter( $claims, static fn( array $claim ): bool => (int) $claim['item_id'] === $item_id && self::is_confirmed( $claim ) ) );
	}

	/** @return array<string, mixed>|null The share of the one who buys the gift. */
	public static function buyer( array $claims, int $item_id ): ?array {
		return array_values( array_filter( self::shares( $claims, $item_id ), static fn( array $claim ): bool => $claim['buys'] ) )[0] ?? null;
	}

	/** Whether a gift may have missed its goal: the registry's day has come, where the site is, and some of the money is missing. */
	public static function may_be_short( array $item, int $post_id ): bool {
		$day = Meta::event_date( $post_id );
		return Item::is_money( $item ) && $day !== '' && $day <= wp_date( 'Y-m-d' ) && Item::remaining( $item ) > 0;
	}

	/** Whether its givers are asked about their shares; a gift that somebody has bought needs no more money. */
	public static function is_short( array $item, int $post_id, array $claims ): bool {
		return self::may_be_short( $item, $post_id ) && ( self::buyer( $claims, (int) $item['id'] )['state'] ?? '' ) !== 'purchased';
	}

	/** Whether all of the money is promised, and nobody still has to confirm. */
	public static function is_reached( array $item, array $claims ): bool {
		$waits = array_filter( $claims, static fn( array $claim ): bool => $claim['item_id'] === $item['id'] && $claim['state'] === 'pending' );
		return Item::is_money( $item ) && Item::remaining( $item ) === 0 && ! $waits && self::shares( $claims, (int) $item['id'] );
	}

	/** The answer of a share's giver; nothing where there is none. */
	public function answer( array $claim ): string {
		return (string) $this->kept_values->get( self::name( $claim ) );
	}

	/** The name of the one who buys, as the others may read it: empty where they don't say it. */
	public function name_of( array $buyer ): string {
		return $this->kept_values->get( self::name( $buyer, self::NAMED ) ) ? (string) $buyer['giver']['name'] : '';
	}

	public function set_named( array $buyer, bool $is_named ): void {
		$name = self::name( $buyer, self::NAMED );
		$is_named ? $this->kept_values->set( $name, 1 ) : $this->kept_values->delete( $name );
	}

	public function read_ahead( array $claims ): void {
		$this->kept_values->read_ahead( array_map( array( self::class, 'name' ), $claims ) );
	}

	public function set_answer( array $claim, string $answer ): void {
		$this->kept_values->set( self::name( $claim ), $answer );
	}

	/** Forgets the answer and the name of a share that ends, on `trousseau_claim_changed`. */
	public function changed( array $before, array $after ): void {
		if ( self::is_confirmed( $before ) && ! self::is_confirmed( $after ) ) {
			$this->kept_values->delete( self::name( $before ) );
			$this->set_named( $before, false );
		}
	}

	/** Forgets the answers of a registry that is deleted. */
	public function forget( int $registry_id ): void {
		foreach ( $this->kept_values->all( self::ANSWER . "{$registry_id}_" ) as $name => $answer ) {
			$this->kept_values->delete( $name );
		}
	}

	private static function name( array $claim, string $what = '' ): string {
		return self::ANSWER . (int) $claim['registry_id'] . '_' . Encryption::hex( 'share', $claim['id'] ) . $what;
	}
}
