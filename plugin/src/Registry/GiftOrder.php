<?php

declare(strict_types=1);

namespace Trousseau\Registry;

defined( 'ABSPATH' ) || exit;

use Trousseau\Service\ItemService;
use Trousseau\Support\EncryptedMeta;
use Trousseau\Support\Lock;
use WP_Error;
use WP_Post;

/** The order of a registry's gifts, and those that its owner has removed and may put back. */
final class GiftOrder {

	/** The code of an error: the gift is on the list no more, or was never there. */
	public const GONE = 'gift_gone';

	private const REMOVED = '_trousseau_removed';
	private const MOST    = 30;

	/** The last order that a page's script has sent: the page, and the number of its message. */
	private const SENT = '_trousseau_order_sent';

	/** Seconds after which a request that was changing the order has died: the service is waited for no longer. */
	private const TURN = 30;

	/**
	 * Moves gifts: one to the top, up, down, to the bottom, or any number to their places (from 0).
	 *
	 * @param array<int, string> $moves Number of a gift → where to.
	 * @param string             $sent  “page:number” of a script's message. Each message has the places of all moved gifts, so
	 *                                  one that arrives after a later one is ignored.
	 */
	public static function move( WP_Post $post, array $moves, string $sent = '' ): bool|WP_Error {
		return Lock::alone( "order-$post->ID", self::TURN, static fn(): bool|WP_Error => self::is_late( $post, $sent ) ? true : self::arrange( $post, $moves ) );
	}

	/** Takes a gift off the list and remembers where it stood. */
	public static function remove( WP_Post $post, int $item_id ): bool|WP_Error {
		$items = GiftList::items( $post );
		if ( is_wp_error( $items ) ) {
			return $items;
		}
		$ids   = array_column( $items, 'id' );
		$place = array_search( $item_id, $ids, true );
		if ( $place === false ) {
			// Pressed twice, or in two windows.
			return isset( self::removed( $post )[ $item_id ] ) ? true : self::gone();
		}
		$item  = $items[ $place ];
		$entry = array(
			'name'  => (string) $item['name'],
			'place' => $place,
			'after' => $ids[ $place - 1 ] ?? 0,
			'at'    => microtime( true ),
		);
		// Noted before the gift goes, so that it can be put back even if this request ends in the middle. Two requests at the
		// same time share one note.
		$notes   = self::change( $post, static fn( array $notes ): array => self::lately( array( $item_id => $notes[ $item_id ] ?? $entry ) + $notes ) );
		$entry   = self::entry( $notes[ $item_id ] );
		$removed = ItemService::of_site()->delete_registry_item( $post->ID, $item_id );
		if ( $removed === null ) {
			GiftList::renew( $post->ID );
			$is_there = GiftList::item( $post, $item_id ) !== null;
			if ( $is_there ) {
				self::forget( $post, $item_id );
			}
			return $is_there ? new WP_Error( 'api_error' ) : true;
		}
		if ( is_wp_error( $removed ) ) {
			self::forget( $post, $item_id );
			return $removed;
		}
		do_action( 'trousseau_gift_removed', $post, $item, $entry['at'] );
		return true;
	}

	/** Puts a gift back that was removed, where it stood. */
	public static function restore( WP_Post $post, int $item_id ): bool|WP_Error {
		$entry = self::removed( $post )[ $item_id ] ?? null;
		if ( ! $entry ) {
			return is_array( GiftList::item( $post, $item_id ) ) ? true : self::gone();
		}
		$restored = ItemService::of_site()->update_item( $item_id, array( 'is_active' => true ) );
		if ( is_wp_error( $restored ) ) {
			return $restored;
		}
		if ( is_array( $restored ) ) {
			Lock::alone( "order-$post->ID", self::TURN, static fn(): bool|WP_Error => self::arrange( $post, array( $item_id => (string) self::place( $post, $item_id, $entry ) ) ) );
		}
		self::forget( $post, $item_id );
		return is_array( $restored ) ? true : self::gone();
	}

	/** @return array<int, array{name: string, place: int, after: int, at: float}> By the gifts' numbers, the last one removed first. */
	public static function removed( WP_Post $post ): array {
		return array_map( array( self::class, 'entry' ), EncryptedMeta::read( $post->ID, self::REMOVED ) );
	}

	/** When a gift was removed; 0: it wasn't, or is back. */
	public static function removed_at( int $post_id, int $item_id ): float {
		$post = get_post( $post_id );
		return $post ? self::removed( $post )[ $item_id ]['at'] ?? 0.0 : 0.0;
	}

	/** @param array<int, string> $moves */
	private static function arrange( WP_Post $post, array $moves, bool $again = true ): bool|WP_Error {
		$ids = self::ids( $post );
		if ( is_wp_error( $ids ) ) {
			return $ids;
		}
		$places = array();
		foreach ( $moves as $id => $where ) {
			$from = array_search( $id, $ids, true );
			if ( $from !== false ) {
				$places[ $id ] = match ( $where ) {
					'top'    => 0,
					'up'     => $from - 1,
					'down'   => $from + 1,
					'bottom' => count( $ids ),
					default  => ctype_digit( $where ) ? (int) $where : $from,
				};
			}
		}
		if ( ! $places ) {
			return self::gone();
		}
		asort( $places );
		$after = array_values( array_diff( $ids, array_keys( $places ) ) );
		foreach ( $places as $id => $place ) {
			array_splice( $after, max( 0, min( count( $after ), $place ) ), 0, array( $id ) );
		}
		if ( $after === $ids ) {
			return true;
		}
		$stored = ItemService::of_site()->update_registry( $post->ID, array( 'meta' => array( Meta::ITEM_IDS => $after ) ) );
		// The service writes the order to this site.
		wp_cache_delete( $post->ID, 'post_meta' );
		if ( $again && ItemService::status_of( $stored ) === 422 ) {
			// A gift has gone since this site heard of its list.
			GiftList::renew( $post->ID );
			return self::arrange( $post, $moves, false );
		}
		return $stored === null ? new WP_Error( 'api_error' ) : ( is_wp_error( $stored ) ? $stored : true );
	}

	/** @return int[]|WP_Error The gifts in their order, as it is in the database now. */
	private static function ids( WP_Post $post ): array|WP_Error {
		wp_cache_delete( $post->ID, 'post_meta' );
		$items = GiftList::items( $post );
		return is_wp_error( $items ) ? $items : array_column( $items, 'id' );
	}

	private static function is_late( WP_Post $post, string $sent ): bool {
		if ( ! preg_match( '/^([\w-]{1,40}):(\d{1,9})$/D', $sent, $new ) ) {
			return false;
		}
		wp_cache_delete( $post->ID, 'post_meta' );
		$last = explode( ':', (string) get_post_meta( $post->ID, self::SENT, true ) ) + array( '', '0' );
		if ( $last[0] === $new[1] && (int) $last[1] > (int) $new[2] ) {
			return true;
		}
		update_post_meta( $post->ID, self::SENT, $sent );
		return false;
	}

	/** @param array{name: string, place: int, after: int, at: float} $entry */
	private static function place( WP_Post $post, int $item_id, array $entry ): int {
		$ids      = self::ids( $post );
		$others   = is_wp_error( $ids ) ? array() : array_values( array_diff( $ids, array( $item_id ) ) );
		$previous = array_search( $entry['after'], $others, true );
		return $previous === false ? $entry['place'] : $previous + 1;
	}

	/** @return array{name: string, place: int, after: int, at: float} Older ones are names alone. */
	private static function entry( mixed $stored ): array {
		return ( is_array( $stored ) ? $stored : array( 'name' => (string) $stored ) ) + array(
			'name'  => '',
			'place' => PHP_INT_MAX,
			'after' => 0,
			'at'    => 0.0,
		);
	}

	/** The last ones, and all of the last hour: mails about those may still wait. */
	private static function lately( array $entries ): array {
		$new = array_filter( $entries, static fn( mixed $entry ): bool => self::entry( $entry )['at'] > time() - HOUR_IN_SECONDS );
		return array_slice( $entries, 0, max( self::MOST, count( $new ) ), true );
	}

	private static function forget( WP_Post $post, int $item_id ): void {
		self::change( $post, static fn( array $entries ): array => array_diff_key( $entries, array( $item_id => true ) ) );
	}

	private static function change( WP_Post $post, callable $change ): array {
		return EncryptedMeta::change( $post->ID, self::REMOVED, $change );
	}

	private static function gone(): WP_Error {
		return new WP_Error( self::GONE, __( 'That gift is no longer on your list.', 'trousseau' ) );
	}
}
