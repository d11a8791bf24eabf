<?php

declare(strict_types=1);

namespace Trousseau;

defined( 'ABSPATH' ) || exit;

use WP_Error;
use WP_Post;

/** The order of a registry's gifts, and those that its owner has taken off and may put back. */
final class GiftOrder {

	private const REMOVED = '_trousseau_removed';
	private const MOST    = 30;

	/** Moves a gift: to the top, up, down, to the bottom, or to a place (from 0). */
	public static function move( WP_Post $post, int $item_id, string $where ): mixed {
		$items = Registry::items( $post );
		if ( is_wp_error( $items ) ) {
			return $items;
		}
		$ids  = array_column( $items, 'id' );
		$from = array_search( $item_id, $ids, true );
		if ( $from === false ) {
			return null;
		}
		$to = match ( $where ) {
			'top'    => 0,
			'up'     => $from - 1,
			'down'   => $from + 1,
			'bottom' => count( $ids ),
			default  => ctype_digit( $where ) ? (int) $where : $from,
		};
		array_splice( $ids, $from, 1 );
		array_splice( $ids, max( 0, min( count( $ids ), $to ) ), 0, array( $item_id ) );
		return ApiClient::of_site()->update_registry( $post->ID, array( 'meta' => array( Meta::ITEM_IDS => $ids ) ) );
	}

	/** Takes a gift off the list and remembers it. */
	public static function remove( WP_Post $post, int $item_id ): bool|WP_Error {
		$item = Registry::item( $post, $item_id );
		if ( ! is_array( $item ) ) {
			return is_wp_error( $item ) ? $item : true;
		}
		$removed = ApiClient::of_site()->delete_registry_item( $post->ID, $item_id );
		if ( is_wp_error( $removed ) ) {
			return $removed;
		}
		$entries = array( $item_id => (string) $item['name'] ) + self::removed( $post );
		self::store( $post, array_slice( $entries, 0, self::MOST, true ) );
		Claim::tell_givers( $post, $item );
		return true;
	}

	/** Puts a gift back that was taken off. */
	public static function restore( WP_Post $post, int $item_id ): mixed {
		$entries = self::removed( $post );
		if ( ! isset( $entries[ $item_id ] ) ) {
			return null;
		}
		$restored = ApiClient::of_site()->update_item( $item_id, array( 'is_active' => true ) );
		if ( ! is_wp_error( $restored ) ) {
			unset( $entries[ $item_id ] );
			self::store( $post, $entries );
		}
		return $restored;
	}

	/** @return array<int, string> Number → name, the last one taken off first. */
	public static function removed( WP_Post $post ): array {
		$stored = Sealed::open( get_post_meta( $post->ID, self::REMOVED, true ) );
		return is_array( $stored ) ? $stored : array();
	}

	/** @param array<int, string> $entries */
	private static function store( WP_Post $post, array $entries ): void {
		update_post_meta( $post->ID, self::REMOVED, Sealed::seal( $entries ) );
	}
}
