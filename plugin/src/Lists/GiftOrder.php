<?php

declare(strict_types=1);

namespace Trousseau\Lists;

use Trousseau\Platform\Lock;
use Trousseau\Service\Invalid;
use Trousseau\Service\ItemService;
use WP_Post;

/** The order in which an owner has put the gifts of a registry. */
final class GiftOrder {

	/** The last order that a page's script has sent, as the page and the number of its message. */
	private const SENT = '_trousseau_order_sent';

	/** Seconds after which a request that was changing the order is considered dead: it wouldn't wait longer for the service. */
	private const TURN = 30;

	public function __construct( private readonly GiftLists $gift_lists, private readonly ItemService $item_service, private readonly Lock $lock ) {
	}

	/**
	 * Moves gifts: one to the top, up, down, to the bottom, or any number to their places (from 0). Returns whether one of them is on the list.
	 *
	 * @param array<int, string> $moves Number of a gift → its new place.
	 * @param string             $sent  “page:number” of a script's message, which has the places of all moved gifts: one that comes after a later one is ignored.
	 */
	public function move( WP_Post $post, array $moves, string $sent = '' ): bool {
		return $this->lock->alone( "order-$post->ID", self::TURN, fn(): bool => $this->is_late( $post, $sent ) ? true : $this->arrange( $post, $moves ) );
	}

	/** Puts a restored gift after another one, or to its place where that one is gone. */
	public function put_back( WP_Post $post, int $item_id, int $after, int $place ): void {
		$put = function () use ( $post, $item_id, $after, $place ): bool {
			$others   = array_values( array_diff( $this->ids( $post ), array( $item_id ) ) );
			$previous = array_search( $after, $others, true );
			return $this->arrange( $post, array( $item_id => (string) ( $previous === false ? $place : $previous + 1 ) ), array( $item_id ) );
		};
		$this->lock->alone( "order-$post->ID", self::TURN, $put );
	}

	/** @param int[] $there Gifts that are on the list, even if the site's copy of it is older. */
	private function arrange( WP_Post $post, array $moves, array $there = array(), bool $again = true ): bool {
		$ids    = array_values( array_unique( array( ...$this->ids( $post ), ...$there ) ) );
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
			return false;
		}
		asort( $places );
		$after = array_values( array_diff( $ids, array_keys( $places ) ) );
		foreach ( $places as $id => $place ) {
			array_splice( $after, max( 0, min( count( $after ), $place ) ), 0, array( $id ) );
		}
		if ( $after === $ids ) {
			return true;
		}
		try {
			$this->item_service->update_registry( $post->ID, array( 'meta' => array( Meta::ITEM_IDS => $after ) ) );
			return true;
		} catch ( Invalid $error ) {
			if ( ! $again ) {
				throw $error;
			}
		} finally {
			// The service writes the order to this site.
			wp_cache_delete( $post->ID, 'post_meta' );
		}
		// A gift was removed since this site read the list.
		$this->gift_lists->renew( $post->ID );
		return $this->arrange( $post, $moves, again: false );
	}

	/** @return int[] The gifts in their order, as it is in the database now. */
	private function ids( WP_Post $post ): array {
		wp_cache_delete( $post->ID, 'post_meta' );
		return array_column( $this->gift_lists->items_now( $post ), 'id' );
	}

	private function is_late( WP_Post $post, string $sent ): bool {
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
}
