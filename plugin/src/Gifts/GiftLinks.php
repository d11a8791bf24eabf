<?php

declare(strict_types=1);

namespace Trousseau\Gifts;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\GiftLists;
use Trousseau\Lists\LastChanges;
use Trousseau\Platform\Form;
use Trousseau\Service\ItemService;
use Trousseau\Service\ServiceError;
use WP_Post;

/** Adds many gifts by their links alone. */
final class GiftLinks {

	/** The most links at once. */
	public const MOST = 50;

	/** Seconds for which one press adds gifts; the rest wait for the next one. */
	private const PATIENCE = 15;

	public function __construct(
		private readonly GiftForm $gift_form,
		private readonly GiftLists $gift_lists,
		private readonly ItemService $item_service,
		private readonly LastChanges $last_changes,
		private readonly PictureFetch $picture_fetch,
	) {
	}

	/**
	 * @param string[] $links
	 * @return array<string, array{state: string, words: string}> By the links. States are `waiting`, `added` and `failed`; the words are the
	 *                                                            gift's name, or the reason.
	 */
	public function add( WP_Post $post, array $links, string $key ): array {
		$until = microtime( true ) + self::PATIENCE;
		$known = array_column( $this->gift_lists->items( $post ), 'name', 'url' );
		$add   = function ( string $link ) use ( $post, $key, $until, &$known ): array {
			return match ( true ) {
				isset( $known[ $link ] )    => self::added( $known[ $link ] ),
				microtime( true ) > $until => array( 'state' => 'waiting', 'words' => '' ),
				default                    => $this->add_one( $post, $link, "$key-" . substr( md5( $link ), 0, 12 ), $known ),
			};
		};
		return $this->gift_lists->renew_after( static fn(): array => array_combine( $links, array_map( $add, $links ) ) );
	}

	/** @return array{state: string, words: string} */
	private static function added( string $name ): array {
		return array( 'state' => 'added', 'words' => $name );
	}

	/**
	 * @param array<string, string> $known The names of the gifts on the list, by their links.
	 * @return array{state: string, words: string}
	 */
	private function add_one( WP_Post $post, string $link, string $key, array &$known ): array {
		$form = new Form( array( 'address' => $link, 'quantity' => '1' ) );
		try {
			$this->gift_form->look_up( $form, $post );
			// The page may name another address as its own.
			if ( isset( $known[ $form->text( 'address' ) ] ) ) {
				return self::added( $known[ $form->text( 'address' ) ] );
			}
			$item = $form->text( 'name' ) === '' || $form->text( 'price' ) . $form->text( 'image' ) === '' ? null : $this->gift_form->item( $form, $post );
			if ( ! $item ) {
				return array( 'state' => 'failed', 'words' => array_values( $form->faults() )[0] ?? __( 'We couldn’t read enough on this page. Add the rest yourself.', 'trousseau' ) );
			}
			$stored = $this->item_service->create_registry_item( $post->ID, $item, $key );
		} catch ( ServiceError $error ) {
			return array( 'state' => 'failed', 'words' => $error->words() );
		}
		$stored = $stored['data'] ?? $stored;
		$this->picture_fetch->expect( $post->ID, array( $stored ) );
		$this->last_changes->note( $post, (int) $stored['id'] );
		return self::added( $known[ (string) $stored['url'] ] = (string) $stored['name'] );
	}
}
