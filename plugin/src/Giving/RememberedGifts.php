<?php

declare(strict_types=1);

namespace Trousseau\Giving;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\Access;
use Trousseau\Lists\Surprise;
use Trousseau\Platform\Cookie;
use Trousseau\Service\Claim;
use WP_Post;

/** The gifts that this device has given, in a cookie: guests without an account find theirs by it. */
final class RememberedGifts {

	private const COOKIE = 'gifts';
	private const KEPT   = 400 * DAY_IN_SECONDS;
	private const MOST   = 60;

	/** The entries whose stages were read last. */
	private string $read = '';

	public function __construct( private readonly Cookie $cookie, private readonly GiftStages $gift_stages ) {
	}

	/** Adds a gift to this device's cookie, or removes one that has ended. */
	public function remember( Claim $claim ): void {
		$entries = array_filter( $this->entries(), static fn( string $entry ): bool => self::id( $entry ) !== $claim->id );
		$stage   = GiftStages::of( $claim );
		if ( $stage !== GiftStages::OVER ) {
			array_unshift( $entries, rtrim( implode( ':', array( $claim->registry_id, $claim->item_id, $claim->id, get_current_user_id(), $stage ) ), ':' ) );
		}
		$this->cookie->set( self::COOKIE, implode( ',', array_slice( $entries, 0, self::MOST ) ), self::KEPT );
	}

	/**
	 * Remembers the stages of this device's gifts where the site didn't know them: the service ends some by itself, and programs change others.
	 *
	 * @param Claim[] $claims As the service knows them.
	 */
	public function compare( array $claims ): void {
		$stages = array();
		foreach ( $this->entries() as $entry ) {
			$stages[ self::id( $entry ) ] = $this->stage_in( $entry );
		}
		foreach ( $claims as $claim ) {
			if ( isset( $stages[ $claim->id ] ) && $stages[ $claim->id ] !== GiftStages::of( $claim ) ) {
				$this->gift_stages->remember( $claim->id, GiftStages::of( $claim ) );
			}
		}
	}

	/** @return string[] Ids of the gifts that the viewer may see. */
	public function ids(): array {
		return array_map( array( self::class, 'id' ), $this->entries_for_viewer() );
	}

	/** @return string[] The places where this device gives: registry and item, such as `12-5`, with a `w` while it waits to be confirmed. */
	public function places(): array {
		$place = fn( string $entry ): string => implode( '-', array_slice( explode( ':', $entry ), 0, 2 ) ) . ( ctype_digit( $this->stage_in( $entry ) ) ? 'w' : '' );
		return array_map( $place, array_values( array_filter( $this->entries(), array( $this, 'holds' ) ) ) );
	}

	/**
	 * The gifts of this device from a registry; none for an owner, whose device a guest may also have used.
	 *
	 * @return array<int, array{id: string, waits: bool}> Number of an item → claim, and whether it waits to be confirmed.
	 */
	public function at( WP_Post $post ): array {
		$found = array();
		foreach ( Access::owns( $post, get_current_user_id() ) ? array() : array_filter( $this->entries_for_viewer(), array( $this, 'holds' ) ) as $entry ) {
			list( $at, $item, $id ) = explode( ':', $entry ) + array( '', '', '' );
			if ( (int) $at === $post->ID ) {
				$found[ (int) $item ] = array( 'id' => $id, 'waits' => ctype_digit( $this->stage_in( $entry ) ) );
			}
		}
		return $found;
	}

	/** @return string[] Registry, item, claim, the user who was signed in, and the stage. */
	private function entries(): array {
		$cookie  = $this->cookie->read( self::COOKIE );
		$entries = array_filter( explode( ',', $cookie ) );
		if ( $entries && $cookie !== $this->read ) {
			$this->gift_stages->read_ahead( array_map( array( self::class, 'id' ), $entries ) );
			$this->read = $cookie;
		}
		return array_map( array( $this, 'as_given_now' ), $entries );
	}

	private static function id( string $entry ): string {
		return explode( ':', $entry )[2] ?? '';
	}

	/** The entry with the claim by which its gift is given now, if another device has cancelled it and given it again. */
	private function as_given_now( string $entry ): string {
		list( $registry, $item, $id, $user ) = explode( ':', $entry ) + array( '', '', '', '' );
		$latest                              = $this->gift_stages->latest( $id );
		return $latest === $id ? $entry : implode( ':', array( $registry, $item, $latest, $user ) );
	}

	/**
	 * A family shares a device: people who are signed in don't see what someone else gave there, and an owner who is to be
	 * surprised sees nothing of that list.
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
				return (int) $giver === $viewer && ! ( $post && Access::owns( $post, $viewer ) && Surprise::is_on( $post->ID ) );
			}
		);
	}

	private function stage_in( string $entry ): string {
		list( , , $id, , $stage ) = explode( ':', $entry ) + array( '', '', '', '', '' );
		return (string) ( $this->gift_stages->remembered( $id ) ?? $stage );
	}

	/** Whether a gift still holds its pieces: one that nobody confirms or buys in time is free again. */
	private function holds( string $entry ): bool {
		$stage = $this->stage_in( $entry );
		return $stage === '' || (int) ltrim( $stage, 'r' ) > time();
	}
}
