<?php

declare(strict_types=1);

namespace Trousseau\Claims;

defined( 'ABSPATH' ) || exit;

use Trousseau\Registry\Access;
use Trousseau\Registry\GiftAmount;
use Trousseau\Registry\Surprise;
use Trousseau\Service\ClaimState;
use Trousseau\Support\Cookie;
use Trousseau\Support\Encryption;
use Trousseau\Support\KeptValues;

/** The gifts that this device has given, in a cookie: guests without an account find theirs by it. */
final class RememberedGifts {

	private const COOKIE = 'gifts';
	private const KEPT   = 400 * DAY_IN_SECONDS;
	private const MOST   = 60;

	/** A note that a gift was confirmed, for devices whose cookie says that it waits, and the seconds for which the site keeps it. */
	private const CONFIRMED      = 'confirmed_';
	private const CONFIRMED_KEPT = MONTH_IN_SECONDS;

	/** The end of the entry of a share that was taken back while somebody has its money. */
	private const OVER = ':over';

	public function __construct( private readonly Cookie $cookie, private readonly KeptValues $kept_values, private readonly ShareMoney $share_money ) {
	}

	/** Adds a gift to this device's cookie, or removes it; a share that has ended stays until its giver has the money back. */
	public function remember( array $claim ): void {
		$entries = array_filter( $this->entries(), static fn( string $entry ): bool => ( explode( ':', $entry )[2] ?? '' ) !== $claim['id'] );
		$end     = match ( true ) {
			! ClaimState::is_open( $claim ) => self::OVER,
			$claim['state'] === 'pending'   => ':' . (int) strtotime( (string) $claim['expires_at'] ),
			default                         => '',
		};
		if ( $end !== self::OVER || ( GiftAmount::is_share( $claim ) && $this->share_money->lies( $claim ) !== '' ) ) {
			array_unshift( $entries, $claim['registry_id'] . ':' . $claim['item_id'] . ':' . $claim['id'] . ':' . get_current_user_id() . $end );
		}
		$this->cookie->set( self::COOKIE, implode( ',', array_slice( $entries, 0, self::MOST ) ), self::KEPT );
	}

	/** Notes that a gift was confirmed, for devices whose cookie says that it waits. */
	public function confirm( string $id ): void {
		$this->kept_values->set( self::confirmed( $id ), 1, self::CONFIRMED_KEPT );
	}

	/** @return string[] Ids of the gifts that the viewer may see. */
	public function ids(): array {
		return array_map( static fn( string $entry ): string => explode( ':', $entry )[2] ?? '', $this->entries_for_viewer() );
	}

	/** @return string[] The places where this device gives: registry and item, such as `12-5`, with a `w` while it waits to be confirmed. */
	public function places(): array {
		$place = fn( string $entry ): string => implode( '-', array_slice( explode( ':', $entry ), 0, 2 ) ) . ( $this->waits_until( $entry ) ? 'w' : '' );
		return array_map( $place, array_values( array_filter( $this->entries(), array( $this, 'holds' ) ) ) );
	}

	/** @return array<int, array{id: string, waits: bool}> The gifts of this device at a registry: number of an item → claim, and whether it waits to be confirmed. */
	public function at( int $registry ): array {
		$found = array();
		foreach ( array_filter( $this->entries_for_viewer(), array( $this, 'holds' ) ) as $entry ) {
			list( $at, $item, $id ) = explode( ':', $entry ) + array( '', '', '' );
			if ( (int) $at === $registry ) {
				$found[ (int) $item ] = array(
					'id'    => $id,
					'waits' => $this->waits_until( $entry ) > 0,
				);
			}
		}
		return $found;
	}

	/** @return string[] Registry, item, claim, the user who was signed in, and until when it waits to be confirmed, if it did. */
	private function entries(): array {
		return array_filter( explode( ',', $this->cookie->read( self::COOKIE ) ) );
	}

	/**
	 * A family shares a device: people who are signed in don't see what somebody else gave there, and an owner who is to be
	 * surprised sees nothing of that list. Older entries don't say who gave.
	 *
	 * @return string[]
	 */
	private function entries_for_viewer(): array {
		$viewer = get_current_user_id();
		return array_filter(
			$this->entries(),
			static function ( string $entry ) use ( $viewer ): bool {
				list( $registry, , , $giver ) = explode( ':', $entry ) + array( '', '', '', '' );
				$post                         = $viewer ? get_post( (int) $registry ) : null;
				if ( $post && Access::owns( $post, $viewer ) ) {
					return (int) $giver === $viewer && ! Surprise::is_on( $post->ID );
				}
				return $giver === '' || (int) $giver === $viewer;
			}
		);
	}

	/** The time until which a gift has to be confirmed; 0: it was, or never had to be. */
	private function waits_until( string $entry ): int {
		list( , , $id, , $until ) = explode( ':', $entry ) + array( '', '', '', '', '' );
		return (int) $until && ! $this->kept_values->get( self::confirmed( $id ) ) ? (int) $until : 0;
	}

	/** Whether a gift still holds its pieces: one that nobody confirms in time is free again. */
	private function holds( string $entry ): bool {
		if ( str_ends_with( $entry, self::OVER ) ) {
			return false;
		}
		$until = $this->waits_until( $entry );
		return ! $until || $until > time();
	}

	private static function confirmed( string $id ): string {
		return self::CONFIRMED . Encryption::hex( 'confirmed', $id );
	}
}
