<?php

declare(strict_types=1);

namespace Trousseau\Lists;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Job;
use Trousseau\Platform\JobHandler;
use Trousseau\Platform\JobQueue;
use Trousseau\Service\GiftCache;
use Trousseau\Service\GiftList;
use Trousseau\Service\Item;
use Trousseau\Service\ItemService;
use Trousseau\Service\NotFound;
use Trousseau\Service\Unavailable;
use WP_Post;

/** The gifts of a registry for the current visitor, who may read it, in the owner's order. */
final class GiftLists extends JobHandler {

	/** The job that asks the service to check the order of the items again. */
	public const REPAIR = 'repair-order';

	/** @var array<int, true>|null Lists whose renewal is postponed; null: each is renewed at once. */
	private ?array $postponed = null;

	public function __construct( private readonly GiftCache $gift_cache, private readonly ItemService $item_service, private readonly JobQueue $job_queue ) {
	}

	public function of( WP_Post $post ): GiftList {
		$kept = $this->gift_cache->of( $post->ID );
		if ( $kept->was_asked && $kept->items !== null ) {
			$active = array_column( $kept->items, 'id' );
			$listed = Meta::item_ids( $post->ID );
			if ( array_diff( $active, $listed ) || array_diff( $listed, $active ) ) {
				// The service once could not write the order to this site.
				$this->job_queue->add_once( self::REPAIR, null, time(), (string) $post->ID );
			}
		}
		// An empty list may have gifts by now.
		$is_known = $kept->items || ( $kept->items !== null && $kept->is_current );
		return $kept->with( $is_known ? self::arranged( $post, $kept->items ) : null );
	}

	/**
	 * The items in the owner's order, unlisted ones last, with all that the plugin's own account may see.
	 *
	 * @return Item[]
	 * @throws Unavailable Where nothing is known.
	 */
	public function items( WP_Post $post ): array {
		return $this->of( $post )->items ?? throw self::not_now();
	}

	/** @return Item[] The items for a file that someone saves: not those of a live list from before an outage. */
	public function current_items( WP_Post $post ): array {
		if ( ! PostType::is_live( $post ) ) {
			return $this->items( $post );
		}
		// One slow answer doesn't count as an outage yet.
		$this->renew( $post->ID );
		return $this->of( $post )->is_current ? $this->items( $post ) : throw self::not_now();
	}

	private static function not_now(): Unavailable {
		return new Unavailable( __( 'The gifts can’t be shown right now. Please come back in a minute.', 'trousseau' ) );
	}

	/**
	 * An active item of the registry.
	 *
	 * @throws NotFound    Where it is not on the list.
	 * @throws Unavailable Where that can't be told.
	 */
	public function item( WP_Post $post, int $item_id ): Item {
		$item = array_column( $this->items( $post ), null, 'id' )[ $item_id ] ?? null;
		return $item ?? throw ( $this->of( $post )->is_current ? new NotFound( __( 'This gift is no longer on the list.', 'trousseau' ), 404 ) : self::not_now() );
	}

	/** @return Item[] The items as another request may have stored them a moment ago. */
	public function items_now( WP_Post $post ): array {
		$this->gift_cache->read_again( $post->ID );
		return $this->items( $post );
	}

	/** An active item of the registry, likewise. */
	public function item_now( WP_Post $post, int $item_id ): Item {
		$this->items_now( $post );
		return $this->item( $post, $item_id );
	}

	/** An item as the site has stored it, for a form that changes it: the service, which checks the change, is asked only where the site doesn't know it. */
	public function known_item( WP_Post $post, int $item_id ): Item {
		return $this->known( $post, $item_id ) ?? $this->item( $post, $item_id );
	}

	/** An item as the site knows it. The service is not asked. */
	public function known( WP_Post $post, int $item_id ): ?Item {
		return array_column( $this->gift_cache->known( $post->ID ) ?? array(), null, 'id' )[ $item_id ] ?? null;
	}

	/** Renews a list after a change, so that the next page shows it. */
	public function renew( int $id ): void {
		$this->gift_cache->read_again( $id );
		if ( $this->postponed !== null ) {
			$this->postponed[ $id ] = true;
		} elseif ( get_post_type( $id ) === PostType::NAME ) {
			$this->gift_cache->renew( $id );
		}
	}

	/** Runs several changes, then renews each changed list once. */
	public function renew_after( callable $work ): mixed {
		$this->postponed = array();
		try {
			return $work();
		} finally {
			$ids             = array_keys( $this->postponed );
			$this->postponed = null;
			array_map( array( $this, 'renew' ), $ids );
		}
	}

	public static function words(): string {
		return __( 'Order of a list', 'trousseau' );
	}

	/** The service checks the order on this site where somebody with the right to change it asks for the registry. */
	public function run( Job $job ): void {
		$this->item_service->get_registry( (int) $job->key );
	}

	/**
	 * The items in the owner's order, with unlisted ones last, and without the numbers that a surprise hides from owners. They are sorted here:
	 * the service would have to ask this site for the order while the page waits, and may not know the newest one yet.
	 */
	private static function arranged( WP_Post $post, array $items ): array {
		$place = array_flip( Meta::item_ids( $post->ID ) );
		usort( $items, static fn( Item $one, Item $other ): int => ( $place[ $one->id ] ?? PHP_INT_MAX ) <=> ( $place[ $other->id ] ?? PHP_INT_MAX ) );
		return Surprise::hides_numbers( $post ) ? array_map( static fn( Item $item ): Item => $item->without_numbers(), $items ) : $items;
	}
}
