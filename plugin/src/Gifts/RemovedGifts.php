<?php

declare(strict_types=1);

namespace Trousseau\Gifts;

use Trousseau\Lists\GiftAmount;
use Trousseau\Lists\GiftLists;
use Trousseau\Lists\GiftOrder;
use Trousseau\Lists\LastChanges;
use Trousseau\Lists\Surprise;
use Trousseau\Platform\Language;
use Trousseau\Platform\MetaList;
use Trousseau\Service\Item;
use Trousseau\Service\ItemService;
use Trousseau\Service\NotFound;
use Trousseau\Service\ServiceError;
use Trousseau\Service\Unavailable;
use WP_Post;

/** The gifts that an owner has removed and may put back. */
final class RemovedGifts {

	private const MOST = 30;

	public function __construct(
		private readonly MetaList $meta_list,
		private readonly GiftLists $gift_lists,
		private readonly GiftOrder $gift_order,
		private readonly ItemService $item_service,
	) {
	}

	/** Removes a gift from the list and remembers its place. */
	public function remove( WP_Post $post, int $item_id ): void {
		$items = $this->gift_lists->items( $post );
		$ids   = array_column( $items, 'id' );
		$place = array_search( $item_id, $ids, true );
		if ( $place === false ) {
			// The button was pressed twice, or in two windows.
			isset( self::of( $post )[ $item_id ] ) || throw new NotFound( __( 'This gift is no longer on your list.', 'trousseau' ), 404 );
			return;
		}
		$item  = $items[ $place ];
		$entry = LastChanges::mark(
			'',
			array(
				'name'      => $item->name,
				'image_url' => $item->image_url,
				'place'     => $place,
				'after'     => $ids[ $place - 1 ] ?? 0,
				'at'        => microtime( true ),
			)
		);
		// The entry is stored before the removal, so that the gift can be put back even if this request dies. Two requests at the
		// same time share one entry.
		$this->note( $post, $item_id, $entry, false );
		try {
			$this->item_service->delete_registry_item( $post->ID, $item_id );
		} catch ( Unavailable $error ) {
			// Its answer may be lost: the gift can be put back if it is gone. The emails ask for that, too.
			$this->note( $post, $item_id, array( 'is_unsure' => true ) + array_diff_key( $entry, array( 'changed' => true ) ) );
			$this->tell( $post, $item, $entry );
			throw $error;
		} catch ( ServiceError $error ) {
			if ( $error instanceof NotFound && ! $this->is_listed( $post, $item_id ) ) {
				// Another press came first.
				$this->gift_lists->renew( $post->ID );
				return;
			}
			$this->forget( $post, $item_id );
			throw $error instanceof NotFound ? new Unavailable( $error->getMessage(), $error->status ) : $error;
		}
		// An older entry is of a gift that came back by other ways.
		self::removed_at( $post->ID, $item_id ) === $entry['at'] || $this->note( $post, $item_id, $entry );
		$this->tell( $post, $item, $entry );
	}

	private function note( WP_Post $post, int $item_id, array $entry, bool $replaces = true ): void {
		$this->meta_list->change( $post->ID, LastChanges::OF_REMOVED, static fn( array $entries ): array => self::without_old( array( $item_id => $replaces ? $entry : $entries[ $item_id ] ?? $entry ) + $entries ) );
	}

	private function tell( WP_Post $post, Item $item, array $entry ): void {
		/** Fires when the owner has removed a gift. Passes the registry, the item, and the time of its entry; see removed_at(). */
		do_action( 'trousseau_gift_removed', $post, $item, $entry['at'] );
	}

	/** Forgets a gift that has moved to another list, on `trousseau_gift_moved`: it is put back there. */
	public function moved( WP_Post $from, WP_Post $to, Item $item ): void {
		isset( self::of( $from )[ $item->id ] ) && $this->forget( $from, $item->id );
	}

	public static function words( WP_Post $post, array $items ): string {
		$names = array_column( $items, 'name' );
		/* translators: %s: name of a gift */
		$one = __( '“%s” has been removed from your list.', 'trousseau' );
		/* translators: %s: names of gifts */
		$several = __( 'Removed from your list: %s.', 'trousseau' );
		$said    = count( $names ) === 1 ? sprintf( $one, Language::isolate( $names[0] ) ) : sprintf( $several, Language::list( $names ) );
		$given   = array_filter( Surprise::hides_numbers( $post ) ? array() : $items, static fn( Item $item ): bool => $item->given > 0 && ! GotElsewhere::has( $post->ID, $item->id ) );
		$pieces  = array_filter( $given, static fn( Item $item ): bool => ! $item->is_money() );
		/* translators: %s: names of gifts */
		$said .= $pieces ? ' ' . sprintf( __( 'Already being given: %s. In 15 minutes we’ll email those who have confirmed.', 'trousseau' ), Language::list( array_column( $pieces, 'name' ) ) ) : '';
		foreach ( array_diff_key( $given, $pieces ) as $item ) {
			/* translators: 1: amount of money, 2: name of a gift */
			$promised = __( 'Guests have promised %1$s for “%2$s”. In 15 minutes we’ll email those who have confirmed. Please return what they’ve sent you.', 'trousseau' );
			$said    .= ' ' . sprintf( $promised, GiftAmount::of( $item->given, GiftAmount::currency( $item, $post->ID ) ), Language::isolate( $item->name ) );
		}
		return $said;
	}

	public function restore( WP_Post $post, int $item_id ): void {
		$entry = self::of( $post )[ $item_id ] ?? null;
		if ( ! $entry ) {
			// The button was pressed twice, or the gift was never removed.
			$this->is_listed( $post, $item_id ) || throw new NotFound( 'The gift is not on the list.', 404 );
			return;
		}
		try {
			$this->item_service->update_item( $item_id, array( 'is_active' => true ) );
		} catch ( NotFound $error ) {
			$this->forget( $post, $item_id );
			throw $error;
		}
		// The entry stays until the gift is at its place: another press of the button goes on here.
		$this->gift_order->put_back( $post, $item_id, $entry['after'], $entry['place'] );
		$this->forget( $post, $item_id );
	}

	/** Whether a gift is on the list now: the site's copy may be older than another press. */
	private function is_listed( WP_Post $post, int $item_id ): bool {
		return $this->item_service->find_item( $item_id )?->registry_id === $post->ID;
	}

	/** @param int[] $listed The gifts that are on the list: one of them whose removal had no answer was not removed. */
	public static function to_put_back( WP_Post $post, array $listed ): array {
		return array_filter( self::of( $post ), static fn( array $entry, int $id ): bool => empty( $entry['is_unsure'] ) || ! in_array( $id, $listed, true ), ARRAY_FILTER_USE_BOTH );
	}

	/** @return array<int, array{name: string, image_url: string, place: int, after: int, at: float, is_unsure?: true}> By the gifts' numbers, the last one removed first. */
	public static function of( WP_Post $post ): array {
		return MetaList::read( $post->ID, LastChanges::OF_REMOVED );
	}

	/** What is known of a gift that isn't on the list: its name and picture, if an owner has removed it. */
	public static function item( WP_Post $post, int $item_id ): Item {
		return new Item( array_intersect_key( self::of( $post )[ $item_id ] ?? array(), array( 'name' => true, 'image_url' => true ) ) );
	}

	/** Whether a gift was removed, as far as the site knows without asking the service. */
	public static function is_removed( WP_Post $post, int $item_id ): bool {
		$entry = self::of( $post )[ $item_id ] ?? null;
		return $entry && empty( $entry['is_unsure'] );
	}

	/** Whether the reader removed the gift: putting it back leaves it as it was. */
	public static function is_by_reader( WP_Post $post, int $item_id ): bool {
		return ( self::of( $post )[ $item_id ]['changed'][0] ?? 0 ) === get_current_user_id();
	}

	/** When a gift was removed. 0 if it wasn't, or is back. */
	public static function removed_at( int $post_id, int $item_id ): float {
		return MetaList::read( $post_id, LastChanges::OF_REMOVED )[ $item_id ]['at'] ?? 0.0;
	}

	/** Keeps the newest entries, and every entry of the last hour: emails about those gifts may still wait. */
	private static function without_old( array $entries ): array {
		$new = array_filter( $entries, static fn( array $entry ): bool => $entry['at'] > time() - HOUR_IN_SECONDS );
		return array_slice( $entries, 0, max( self::MOST, count( $new ) ), true );
	}

	private function forget( WP_Post $post, int $item_id ): void {
		$this->meta_list->change( $post->ID, LastChanges::OF_REMOVED, static fn( array $entries ): array => array_diff_key( $entries, array( $item_id => true ) ) );
	}
}
