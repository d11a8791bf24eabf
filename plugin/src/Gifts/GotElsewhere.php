<?php

declare(strict_types=1);

namespace Trousseau\Gifts;

use Trousseau\Lists\GiftLists;
use Trousseau\Lists\GiftNotes;
use Trousseau\Service\Claim;
use Trousseau\Service\Conflict;
use Trousseau\Service\Item;
use Trousseau\Service\ItemService;
use WP_Post;

/**
 * The gifts that the owners of a list have got elsewhere. The service counts all pieces as given, beside those that guests
 * give, so that nobody chooses one any more; the mark tells guests and owners why, and tells a surprised owner nothing else.
 */
final class GotElsewhere {

	private const TRIES = 5;

	public function __construct( private readonly GiftLists $gift_lists, private readonly GiftNotes $gift_notes, private readonly ItemService $item_service ) {
	}

	public static function has( int $post_id, int $item_id ): bool {
		return isset( GiftNotes::got_elsewhere( $post_id )[ $item_id ] );
	}

	public function mark( WP_Post $post, int $item_id ): void {
		$item = $this->gift_lists->item_now( $post, $item_id );
		if ( ! self::has( $post->ID, $item_id ) ) {
			$claims = $this->claims( $post, $item_id );
			// The copy for an owner who is to be surprised has no numbers.
			$given = $this->gift_lists->known( $post, $item_id )->given ?? 0;
			$this->gift_notes->note_got( $post->ID, $item_id, max( 0, $given - self::sum( $claims ) ) );
			/** Fires when the owners have got a gift elsewhere. Passes the registry, the item, and the claims on it. */
			do_action( 'trousseau_got_elsewhere', $post, $item, $claims );
		}
		// An earlier press may have had no answer.
		$this->count( $post, $item_id, GiftNotes::got_elsewhere( $post->ID )[ $item_id ] + $item->needed() );
	}

	public function unmark( WP_Post $post, int $item_id ): void {
		if ( self::has( $post->ID, $item_id ) ) {
			$this->count( $post, $item_id, GiftNotes::got_elsewhere( $post->ID )[ $item_id ] );
			$this->gift_notes->note_got( $post->ID, $item_id, null );
		}
	}

	/** Moves the mark along with a gift that has moved to another list. The service has moved its numbers. */
	public function carry( WP_Post $from, WP_Post $to, int $item_id ): void {
		$before = GiftNotes::got_elsewhere( $from->ID )[ $item_id ] ?? null;
		if ( $before !== null ) {
			$this->gift_notes->note_got( $to->ID, $item_id, $before, GiftNotes::got_at( $from->ID, $item_id ) );
			$this->gift_notes->note_got( $from->ID, $item_id, null );
		}
	}

	/**
	 * Sets how many pieces the service counts as given, besides those that guests give. It stores the sum of both, so this starts again if
	 * guests choose a piece in the meantime.
	 */
	private function count( WP_Post $post, int $item_id, int $pieces ): void {
		$claims = $this->claims( $post, $item_id );
		for ( $tries = 0; $tries < self::TRIES; ++$tries ) {
			$sum = self::sum( $claims );
			try {
				$this->item_service->update_item( $item_id, array( 'quantity_purchased' => min( Item::ANY_NUMBER, $sum + $pieces ) ) );
			} catch ( Conflict $error ) {
				// Guests have chosen more than a moment ago.
				$tries < self::TRIES - 1 || throw $error;
			}
			$claims = $this->claims( $post, $item_id );
			if ( self::sum( $claims ) === $sum ) {
				break;
			}
		}
	}

	/** @return Claim[] The claims that hold pieces of a gift. */
	private function claims( WP_Post $post, int $item_id ): array {
		$claims = $this->item_service->claims_at( $post );
		return array_filter( $claims, static fn( Claim $claim ): bool => $claim->item_id === $item_id && $claim->is_open() );
	}

	private static function sum( array $claims ): int {
		return (int) array_sum( array_column( $claims, 'quantity' ) );
	}
}
