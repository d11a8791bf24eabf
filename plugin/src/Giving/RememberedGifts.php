<?php

declare(strict_types=1);

namespace Trousseau\Giving;

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
		$entries = array_filter( $this->entries(), static fn( array $entry ): bool => $entry['id'] !== $claim->id );
		if ( $claim->is_open() ) {
			array_unshift( $entries, array( 'list' => $claim->registry_id, 'item' => $claim->item_id, 'id' => $claim->id, 'user' => get_current_user_id(), 'stage' => GiftStages::of( $claim ) ) );
		}
		$texts = array_map( static fn( array $entry ): string => rtrim( implode( ':', $entry ), ':' ), array_slice( $entries, 0, self::MOST ) );
		$this->cookie->set( self::COOKIE, implode( ',', $texts ), self::KEPT );
	}

	/** Remembers the stages of this device's gifts where the site didn't know them: the service ends some by itself, and programs change others. */
	public function compare( array $claims ): void {
		$stages = array_column( $this->entries(), 'stage', 'id' );
		foreach ( $claims as $claim ) {
			if ( isset( $stages[ $claim->id ] ) && $stages[ $claim->id ] !== GiftStages::of( $claim ) ) {
				$this->gift_stages->remember( $claim->id, GiftStages::of( $claim ) );
			}
		}
	}

	/** @return string[] Ids of the gifts that the viewer may see. */
	public function ids(): array {
		return array_column( $this->entries_for_viewer(), 'id' );
	}

	/** @return string[] The places where this device gives: registry and item, such as `12-5`, with a `w` while it waits to be confirmed. */
	public function places(): array {
		$place = static fn( array $entry ): string => "{$entry['list']}-{$entry['item']}" . ( ctype_digit( $entry['stage'] ) ? 'w' : '' );
		return array_map( $place, array_values( array_filter( $this->entries(), self::holds( ... ) ) ) );
	}

	/** The gifts of this device from a registry, by their items; none for an owner, whose device a guest may also have used. */
	public function at( WP_Post $post ): array {
		$found = array();
		foreach ( Access::owns( $post, get_current_user_id() ) ? array() : array_filter( $this->entries_for_viewer(), self::holds( ... ) ) as $entry ) {
			if ( $entry['list'] === $post->ID ) {
				$found[ $entry['item'] ] = array( 'id' => $entry['id'], 'waits' => ctype_digit( $entry['stage'] ) );
			}
		}
		return $found;
	}

	/** @return array{list: int, item: int, id: string, user: int, stage: string}[] The user is the one who was signed in. */
	private function entries(): array {
		$cookie  = $this->cookie->read( self::COOKIE );
		$entries = array_map( static fn( string $text ): array => explode( ':', $text ) + array( '', '', '', '', '' ), array_filter( explode( ',', $cookie ) ) );
		if ( $entries && $cookie !== $this->read ) {
			$this->gift_stages->read_ahead( array_column( $entries, 2 ) );
			$this->read = $cookie;
		}
		return array_map( array( $this, 'as_given_now' ), $entries );
	}

	/** The entry with the claim by which its gift is given now, if another device has cancelled it and given it again. */
	private function as_given_now( array $entry ): array {
		list( $list, $item, $id, $user, $stage ) = $entry;
		$latest                                  = $this->gift_stages->latest( $id );
		$stage                                   = (string) ( $this->gift_stages->remembered( $latest ) ?? ( $latest === $id ? $stage : '' ) );
		return array( 'list' => (int) $list, 'item' => (int) $item, 'id' => $latest, 'user' => (int) $user, 'stage' => $stage );
	}

	/** A family shares a device: people who are signed in don't see what someone else gave there, nor owners a surprise of theirs. */
	private function entries_for_viewer(): array {
		$viewer = get_current_user_id();
		return array_filter(
			$this->entries(),
			static function ( array $entry ) use ( $viewer ): bool {
				$post = $viewer ? get_post( $entry['list'] ) : null;
				return $entry['user'] === $viewer && ! ( $post && Access::owns( $post, $viewer ) && Surprise::is_on( $post->ID ) );
			}
		);
	}

	/** Whether a gift still holds its pieces: one that nobody confirms or buys in time is free again. */
	private static function holds( array $entry ): bool {
		return $entry['stage'] === '' || (int) ltrim( $entry['stage'], 'r' ) > time();
	}
}
