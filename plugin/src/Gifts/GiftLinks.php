<?php

declare(strict_types=1);

namespace Trousseau\Gifts;

use Trousseau\Lists\GiftLists;
use Trousseau\Lists\LastChanges;
use Trousseau\Platform\Form;
use Trousseau\Platform\MetaList;
use Trousseau\Service\Item;
use Trousseau\Service\ItemService;
use Trousseau\Service\ServiceError;
use Trousseau\Service\TooMany;
use Trousseau\Service\Unavailable;
use WP_Post;

/** Adds many gifts at once, by their links or their names alone. */
final class GiftLinks {

	/** The most gifts at once. */
	public const MOST = 50;

	/** Seconds for which one press adds gifts; the rest wait for the next one. */
	private const PATIENCE = 15;

	/** The links and names that wait, while their owner may leave the page, and the most of them. */
	private const META     = '_trousseau_links';
	public const MOST_KEPT = 500;

	public function __construct(
		private readonly GiftForm $gift_form,
		private readonly GiftLists $gift_lists,
		private readonly ItemService $item_service,
		private readonly LastChanges $last_changes,
		private readonly MetaList $meta_list,
		private readonly ShopLookup $shop_lookup,
	) {
	}

	/** @return string[] The links and names that were pasted and not added yet. */
	public static function waiting( int $post_id ): array {
		return MetaList::read( $post_id, self::META );
	}

	/** @return string[] Those for which there is no room, after as many as can wait. */
	public function keep( WP_Post $post, array $links ): array {
		$this->change( $post, static fn( array $before ): array => array_slice( array_unique( array( ...$before, ...$links ) ), 0, self::MOST_KEPT ) );
		return array_values( array_diff( $links, self::waiting( $post->ID ) ) );
	}

	public function forget( WP_Post $post ): void {
		$this->change( $post, static fn(): array => array() );
	}

	/** @param callable(string[]): string[] $change */
	private function change( WP_Post $post, callable $change ): void {
		$this->meta_list->change( $post->ID, self::META, static fn( array $before ): array => array_values( $change( $before ) ), false );
	}

	/**
	 * @return array<string, array{state: string, words: string}> By the links. States are `waiting`, `added`, `failed`, and `stopped` for one
	 *                                                            that waits for another press; the words are the gift's name, or the reason.
	 */
	public function add( WP_Post $post, array $links, string $key ): array {
		$until = microtime( true ) + self::PATIENCE;
		$items = $this->gift_lists->items( $post );
		$names = array_column( $items, 'name' );
		$known = array_column( $items, 'name', 'url' ) + array_combine( $names, $names );
		// Gifts without a shop have the list's own address.
		unset( $known[ get_permalink( $post ) ] );
		$add   = function ( string $link ) use ( $post, $key, $until, &$known ): array {
			return match ( true ) {
				isset( $known[ $link ] )    => self::added( $known[ $link ] ),
				microtime( true ) > $until => array( 'state' => 'waiting', 'words' => '' ),
				default                    => $this->add_one( $post, $link, "$key-" . substr( md5( $link ), 0, 12 ), $known ),
			};
		};
		$added = $this->gift_lists->renew_after( static fn(): array => array_combine( $links, array_map( $add, $links ) ) );
		$tried = array_keys( array_filter( $added, static fn( array $one ): bool => ! in_array( $one['state'], array( 'waiting', 'stopped' ), true ) ) );
		$this->change( $post, static fn( array $before ): array => array_diff( $before, $tried ) );
		return $added;
	}

	private static function added( string $name ): array {
		return array( 'state' => 'added', 'words' => $name );
	}

	/** @param array<string, string> $known The names of the gifts on the list, by their links and by themselves. */
	private function add_one( WP_Post $post, string $link, string $key, array &$known ): array {
		$is_link = PastedGifts::is_link( $link );
		$form    = new Form( array( $is_link ? 'address' : 'name' => $link, 'quantity' => '1' ) );
		try {
			$is_link && $this->shop_lookup->read_page( $form, $post );
		} catch ( ServiceError $error ) {
			return array( 'state' => 'stopped', 'words' => ShopLookup::words( $error ) );
		}
		try {
			// The page may name another address as its own.
			if ( $is_link && isset( $known[ $form->text( 'address' ) ] ) ) {
				return self::added( $known[ $form->text( 'address' ) ] );
			}
			$lacks = $is_link && ( $form->text( 'name' ) === '' || $form->text( 'price' ) . $form->text( 'image' ) === '' );
			$item  = $lacks ? null : $this->gift_form->item( $form, $post );
			if ( ! $item ) {
				return array( 'state' => 'failed', 'words' => array_values( $form->faults() )[0] ?? __( 'We couldn’t read enough on this page.', 'trousseau' ) );
			}
			$stored = Item::stored( $this->item_service->create_registry_item( $post->ID, $item, $key ) );
		} catch ( ServiceError $error ) {
			return array( 'state' => $error instanceof Unavailable || $error instanceof TooMany ? 'stopped' : 'failed', 'words' => $error->words() );
		}
		$this->last_changes->note( $post, $stored->id );
		return self::added( $known[ $is_link ? $stored->url : $link ] = $stored->name );
	}
}
