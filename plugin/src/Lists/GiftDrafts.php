<?php

declare(strict_types=1);

namespace Trousseau\Lists;

use Trousseau\Platform\MetaList;
use Trousseau\Service\IdempotencyKey;
use Trousseau\Service\Item;
use Trousseau\Service\ItemService;
use Trousseau\Service\NotFound;
use Trousseau\Service\ServiceError;
use Trousseau\Service\Unavailable;
use WP_Post;

/**
 * Gifts that only a list's owners see until they publish them: the service learns of a draft when it becomes an item. A draft is an item with
 * a number below 0, its `section`, whether it is `most_wanted`, the `currency` of its price, and the `key` under which it becomes an item once.
 */
final class GiftDrafts {

	/** The most drafts of a list. */
	public const MOST = 100;

	/** Seconds that one press spends on publishing; remaining drafts wait for the next press. */
	private const PATIENCE = 20;

	/** Seconds for which the service surely knows a key. */
	private const KEY_HOLDS = 20 * HOUR_IN_SECONDS;

	public function __construct(
		private readonly MetaList $meta_list,
		private readonly GiftLists $gift_lists,
		private readonly GiftNotes $gift_notes,
		private readonly ItemService $item_service,
	) {
	}

	/** @return array<int, array<string, mixed>> Number → draft, the first one first. */
	public static function of( WP_Post $post ): array {
		return MetaList::read( $post->ID, LastChanges::OF_DRAFTS );
	}

	/** @throws NotFound Where it was published or deleted. */
	public static function draft( WP_Post $post, int $id ): array {
		return self::of( $post )[ $id ] ?? throw new NotFound( 'The draft is gone.', 404 );
	}

	/** Whether a draft may have reached the list, although no answer said so. It can't be changed until one does. */
	public static function is_on_its_way( array $draft ): bool {
		return $draft['sent_at'] > 0;
	}

	/** Stores a new draft, once for each key of a form, however often the form is sent. Returns whether the list has room for it. */
	public function add( WP_Post $post, string $key, array $draft ): bool {
		$id     = -1 - (int) hexdec( substr( hash( 'sha256', $key ), 0, 7 ) );
		$stored = self::of( $post )[ $id ] ?? null;
		return ( $stored && array_intersect_key( $stored, $draft ) == $draft ) || $this->keep( $post, $stored ? -random_int( 1, 0xfffffff ) : $id, $draft );
	}

	/** Stores a draft under its number, as a form changes it that `LastChanges` names. Returns whether the list has room for it. */
	public function keep( WP_Post $post, int $id, array $draft, string $form = '' ): bool {
		$draft += array( 'id' => $id, 'currency' => Meta::currency( $post->ID ), 'key' => IdempotencyKey::make( "draft-$post->ID" ), 'sent_at' => 0 );
		$drafts = $this->meta_list->change(
			$post->ID,
			LastChanges::OF_DRAFTS,
			static fn( array $drafts ): array => isset( $drafts[ $id ] ) || count( $drafts ) < self::MOST ? array_replace( $drafts, array( $id => LastChanges::mark( $form, $draft + array_intersect_key( $drafts[ $id ] ?? array(), array( 'changed' => true ) ) ) ) ) : $drafts
		);
		return isset( $drafts[ $id ] );
	}

	public function delete( WP_Post $post, int $id ): void {
		$this->meta_list->change( $post->ID, LastChanges::OF_DRAFTS, static fn( array $drafts ): array => array_diff_key( $drafts, array( $id => true ) ) );
	}

	/** @return array{items: Item[], refused: array<int, string>} The published items, and why others are still drafts. One that is gone was published by an earlier press. */
	public function publish( WP_Post $post, array $ids ): array {
		$drafts = array_intersect_key( self::of( $post ), array_flip( $ids ) );
		if ( array_filter( $drafts, array( self::class, 'is_on_its_way' ) ) ) {
			// The list itself shows whether they have arrived.
			$this->gift_lists->renew( $post->ID );
			$this->gift_lists->of( $post )->is_current || throw new Unavailable( '' );
		}
		return $this->gift_lists->renew_after( fn(): array => $this->publish_all( $post, $drafts, $this->gift_lists->items( $post ) ) );
	}

	private function publish_all( WP_Post $post, array $drafts, array $listed ): array {
		$until   = microtime( true ) + self::PATIENCE;
		$items   = array();
		$refused = array();
		foreach ( $drafts as $id => $draft ) {
			$why = microtime( true ) > $until ? ( new Unavailable( '' ) )->words() : self::obstacle( $post, $draft, $listed );
			if ( $why === '' ) {
				try {
					$items[]  = $this->publish_one( $post, $draft, $listed );
					$listed[] = end( $items );
					continue;
				} catch ( ServiceError $error ) {
					$why = $error->words();
					// A first attempt that was refused has made no item, so the draft may change.
					if ( ! $error instanceof Unavailable && ! self::is_on_its_way( $draft ) ) {
						$this->note_sent( $post, $id, 0 );
					}
				}
			}
			$refused[ $id ] = $why;
		}
		return compact( 'items', 'refused' );
	}

	private static function obstacle( WP_Post $post, array $draft, array $listed ): string {
		$currency = Meta::currency( $post->ID );
		$is_money = ( new Item( $draft ) )->is_money();
		return match ( true ) {
			$draft['currency'] !== $currency
				&& ( $is_money || ( $draft['price'] !== null && ! self::is_on_its_way( $draft ) ) )
				/* translators: 1: currency, such as EUR, 2: currency, or nothing */
				=> sprintf( __( 'Its price is in %1$s, but your list now uses %2$s. Open it and save it with the right price.', 'trousseau' ), $draft['currency'] ?: '–', $currency ?: '–' ),
			$is_money && Meta::pay_to( $post->ID ) === '' => __( 'Say how people should pay you.', 'trousseau' ),
			$draft['most_wanted'] => GiftNotes::obstacle( $post, $listed ),
			default               => '',
		};
	}

	private function publish_one( WP_Post $post, array $draft, array $listed ): Item {
		$item = self::is_on_its_way( $draft ) && $draft['sent_at'] < time() - self::KEY_HOLDS ? self::arrived( $draft, $listed ) : null;
		if ( ! $item ) {
			self::is_on_its_way( $draft ) || $this->note_sent( $post, $draft['id'], time() );
			// Another owner may have changed or deleted it since this request read it.
			$draft = self::draft( $post, $draft['id'] );
			$item  = Item::stored( $this->item_service->create_registry_item( $post->ID, array_intersect_key( $draft, Item::FIELDS ), $draft['key'] ) );
		}
		$this->gift_notes->put( $post, $item->id, $draft['section'], $draft['most_wanted'], array_column( $listed, 'id' ), '' );
		$this->delete( $post, $draft['id'] );
		return $item;
	}

	/** The item that an old attempt has made. */
	private static function arrived( array $draft, array $listed ): ?Item {
		$is_it = static fn( Item $item ): bool => $item->name === $draft['name'] && $item->url === $draft['url'] && strtotime( (string) ( $item->answer['created_at'] ?? '' ) ) >= $draft['sent_at'] - MINUTE_IN_SECONDS;
		return array_values( array_filter( $listed, $is_it ) )[0] ?? null;
	}

	private function note_sent( WP_Post $post, int $id, int $time ): void {
		$this->meta_list->change( $post->ID, LastChanges::OF_DRAFTS, static fn( array $drafts ): array => isset( $drafts[ $id ] ) ? array_replace( $drafts, array( $id => array( 'sent_at' => $time ) + $drafts[ $id ] ) ) : $drafts );
	}
}
