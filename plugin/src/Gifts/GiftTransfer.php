<?php

declare(strict_types=1);

namespace Trousseau\Gifts;

use Trousseau\Lists\GiftLists;
use Trousseau\Lists\GiftNotes;
use Trousseau\Lists\Meta;
use Trousseau\Lists\Registries;
use Trousseau\Platform\Currency;
use Trousseau\Service\Claim;
use Trousseau\Service\Conflict;
use Trousseau\Service\Item;
use Trousseau\Service\ItemService;
use Trousseau\Service\NotFound;
use Trousseau\Service\ServiceError;
use Trousseau\Service\Unavailable;
use WP_Post;

/** Moves or copies gifts to another list of the same owner. */
final class GiftTransfer {

	/** Seconds for which one press moves gifts; the rest wait for the next one. */
	private const PATIENCE = 20;

	public function __construct(
		private readonly BoughtForAll $bought_for_all,
		private readonly GiftLists $gift_lists,
		private readonly GiftNotes $gift_notes,
		private readonly GiftPicture $gift_picture,
		private readonly GotElsewhere $got_elsewhere,
		private readonly ItemService $item_service,
	) {
	}

	/** @return array<int, WP_Post> The other lists of the signed-in person, by their numbers. */
	public static function targets( WP_Post $from ): array {
		$may = static fn( WP_Post $post ): bool => $post->ID !== $from->ID && current_user_can( 'edit_post', $post->ID );
		return array_filter( array_column( Registries::owned_by( get_current_user_id() ), null, 'ID' ), $may );
	}

	/**
	 * @param string $key The key of the form, so that it copies them only once; '' if they are moved.
	 * @return array{done: string[], refused: array<int, array{0: string, 1: string}>, unpriced: string[]} The names of gifts that are on
	 *               the other list now, those of the others with the reason, and those of done ones whose price was in another currency.
	 */
	public function transfer( WP_Post $from, WP_Post $to, array $ids, string $key = '' ): array {
		// An earlier press, or another owner, may have moved some.
		$this->gift_lists->renew( $from->ID );
		$this->gift_lists->renew( $to->ID );
		$here  = array_column( $this->gift_lists->items( $from ), null, 'id' );
		$there = array_column( $this->gift_lists->items( $to ), null, 'id' );
		return $this->gift_lists->renew_after( fn(): array => $this->transfer_all( $from, $to, $ids, $key, $here, $there ) );
	}

	private function transfer_all( WP_Post $from, WP_Post $to, array $ids, string $key, array $here, array $there ): array {
		$until  = microtime( true ) + self::PATIENCE;
		$claims = null;
		$result = array( 'done' => array(), 'refused' => array(), 'unpriced' => array() );
		foreach ( $ids as $id ) {
			$item = $here[ $id ] ?? $there[ $id ] ?? new Item( array() );
			try {
				$item->name !== '' || throw new NotFound( '', 404 );
				microtime( true ) < $until || throw new Unavailable( '' );
				if ( isset( $here[ $id ] ) && $from->ID !== $to->ID ) {
					// What this site notes of claims has to move along, so they are read first.
					$claims ??= $key === '' ? $this->item_service->claims_at( $from ) : array();
					$there   += $key === '' ? $this->move( $from, $to, $item, $there, $claims ) : $this->copy( $from, $to, $item, "$key-$to->ID-$id" );
				}
			} catch ( ServiceError $error ) {
				$result['refused'][ $id ] = array( $item->name, self::reason( $error, $item, $from, $to, $there ) );
				$until                    = $error->is_for_all() ? 0 : $until;
				continue;
			}
			$result['done'][]     = $item->name;
			$result['unpriced'][] = isset( $here[ $id ] ) && self::loses_price( $item, $from, $to ) ? $item->name : '';
		}
		return array( 'unpriced' => array_values( array_filter( $result['unpriced'] ) ) ) + $result;
	}

	/** @return array<int, Item> The gift by its number. */
	private function move( WP_Post $from, WP_Post $to, Item $item, array $there, array $claims ): array {
		$id      = $item->id;
		$moved   = $this->item_service->move_item( $id, $from->ID, $to->ID );
		$section = GiftNotes::sections( $from )[ $id ] ?? '';
		$is_star = in_array( $id, GiftNotes::most_wanted( $from ), true );
		$this->gift_notes->put( $to, $id, $section, $is_star, array_keys( $there ), '' );
		$this->gift_notes->put( $from, $id, '' );
		$this->got_elsewhere->carry( $from, $to, $id );
		in_array( $id, BoughtForAll::of( $from->ID ), true ) && $this->bought_for_all->note( $to->ID, array( ...BoughtForAll::of( $to->ID ), $id ) );
		$this->gift_picture->adopt( $item->image_url, $to->ID, $from->ID );
		/** Fires when a gift has moved to another list. Passes both registries, the item, and the claims on it as they were before. */
		do_action( 'trousseau_gift_moved', $from, $to, $item, array_filter( $claims, static fn( Claim $claim ): bool => $claim->item_id === $id ) );
		$this->adapt( $id, self::changes( $item, $from, $to ) );
		return array( $id => new Item( Item::stored( $moved )->answer + $item->answer ) );
	}

	/** Changes a gift that has moved. If that fails it is on the other list all the same, and the page asks for its price. */
	private function adapt( int $id, array $changes ): void {
		try {
			$changes && $this->item_service->update_item( $id, $changes );
		} catch ( ServiceError ) {
			return;
		}
	}

	/** @return array<int, Item> The copy by its number. */
	private function copy( WP_Post $from, WP_Post $to, Item $item, string $key ): array {
		if ( $item->is_money() && Meta::currency( $from->ID ) !== Meta::currency( $to->ID ) ) {
			throw new Conflict( '', 409 );
		}
		$this->gift_picture->adopt( $item->image_url, $to->ID, $from->ID );
		$fields = array_intersect_key( self::changes( $item, $from, $to ) + $item->answer, Item::FIELDS );
		$copy   = Item::stored( $this->item_service->create_registry_item( $to->ID, $fields, $key ) );
		$this->gift_notes->put( $to, $copy->id, GiftNotes::sections( $from )[ $item->id ] ?? '', form: '' );
		return array( $copy->id => $copy );
	}

	/** @return array<string, mixed> The fields in which a gift differs on the other list: without a shop its address is the list's own. */
	private static function changes( Item $item, WP_Post $from, WP_Post $to ): array {
		$picture = GiftPicture::address( $item->image_url, $to->ID );
		return ( GiftPicture::is_upload( $picture ) ? array( 'image_url' => $picture ) : array() )
			+ ( ShopLink::of( $item, $from->ID ) === '' ? array( 'url' => (string) get_permalink( $to ) ) : array() )
			+ ( self::loses_price( $item, $from, $to ) ? array( 'price' => null ) : array() );
	}

	/** Whether a gift's price would mean another amount on the other list. */
	private static function loses_price( Item $item, WP_Post $from, WP_Post $to ): bool {
		$currencies = array_filter( array( Meta::currency( $from->ID ), Meta::currency( $to->ID ) ) );
		return $item->price !== null && count( array_unique( $currencies ) ) > 1;
	}

	/** Why a gift stays where it is, in words. */
	private static function reason( ServiceError $error, Item $item, WP_Post $from, WP_Post $to, array $there ): string {
		$currency = Meta::currency( $to->ID );
		return match ( true ) {
			$error instanceof NotFound => __( 'This gift is no longer on your list.', 'trousseau' ),
			! $error instanceof Conflict => $error->words(),
			count( $there ) >= Item::MAX_ON_LIST => __( 'That list is full.', 'trousseau' ),
			$item->is_money() && Meta::currency( $from->ID ) !== $currency
				/* translators: %s: currency, such as “British pounds” */
				=> $currency === '' ? __( 'Group gifts need a currency. Choose one for that list first.', 'trousseau' ) : sprintf( __( 'Group gifts keep their currency, and that list uses %s.', 'trousseau' ), Currency::plural( $currency ) ),
			default                    => __( 'This list is a surprise, so its gifts can only go to a list that stays a surprise at least as long.', 'trousseau' ),
		};
	}
}
