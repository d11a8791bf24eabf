<?php

declare(strict_types=1);

namespace Trousseau\GroupGifts;

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\GiftAmount;
use Trousseau\Platform\Encryption;
use Trousseau\Platform\KeptValues;
use Trousseau\Service\ClaimState;
use WP_Post;

/** What the site notes of shares, which the service doesn't know. */
final class ShareNotes {

	/** Its giver has the money back, and still has to send it. */
	public const BACK = 'back';

	/** Its giver buys the gift, and lets the others read their name. */
	public const NAMED = 'named';

	/** Its giver lets the owners use it for something else, since money was missing on the day. */
	public const FREE = 'free';

	private const ALL = array( self::BACK, self::NAMED, self::FREE );

	public function __construct( private readonly KeptValues $kept_values ) {
	}

	/** The beginning of the names of a registry's notes. */
	private static function beginning( int $registry_id ): string {
		return "share_answer_{$registry_id}_";
	}

	private static function name( array $share, string $note ): string {
		return self::beginning( (int) $share['registry_id'] ) . Encryption::hex( 'share', $share['id'] ) . $note;
	}

	/** @param array<string, mixed>[] $claims */
	public function read_ahead( array $claims ): void {
		$shares = array_values( array_filter( $claims, array( GiftAmount::class, 'is_share' ) ) );
		$names  = static fn( string $note ): array => array_map( static fn( array $share ): string => self::name( $share, $note ), $shares );
		$shares && $this->kept_values->read_ahead( array( ...$names( self::BACK ), ...$names( self::FREE ) ) );
	}

	public function has( array $share, string $note ): bool {
		return (bool) $this->kept_values->get( self::name( $share, $note ) );
	}

	public function set( array $share, string $note, bool $is_so ): void {
		$is_so ? $this->kept_values->set( self::name( $share, $note ), 1 ) : $this->kept_values->delete( self::name( $share, $note ) );
	}

	/** The buyer's name, if the others may know it, or else empty. */
	public function name_of( array $buyer ): string {
		return $this->has( $buyer, self::NAMED ) ? (string) $buyer['giver']['name'] : '';
	}

	/** Forgets the notes of a share that ends, on `trousseau_claim_changed`. */
	public function changed( array $before, array $after ): void {
		if ( GiftAmount::is_share( $before ) && ClaimState::is_given( $before ) && ! ClaimState::is_given( $after ) ) {
			array_map( fn( string $note ) => $this->set( $before, $note, false ), self::ALL );
		}
	}

	/** Moves the notes along with a gift, on `trousseau_gift_moved`. */
	public function move( WP_Post $from, WP_Post $to, array $item, array $claims ): void {
		foreach ( array_filter( $claims, array( GiftAmount::class, 'is_share' ) ) as $share ) {
			foreach ( self::ALL as $note ) {
				if ( $this->has( $share, $note ) ) {
					$this->set( array( 'registry_id' => $to->ID ) + $share, $note, true );
					$this->set( $share, $note, false );
				}
			}
		}
	}

	/** Forgets the notes of a registry that is deleted. */
	public function forget( int $registry_id ): void {
		foreach ( $this->kept_values->all( self::beginning( $registry_id ) ) as $name => $note ) {
			$this->kept_values->delete( $name );
		}
	}
}
