<?php

declare(strict_types=1);

namespace Trousseau\Affiliate;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\GiftLists;
use Trousseau\Platform\Job;
use Trousseau\Platform\JobHandler;
use Trousseau\Platform\JobQueue;
use Trousseau\Platform\Lock;
use Trousseau\Platform\Postponed;
use Trousseau\Service\Item;
use Trousseau\Service\ItemService;
use Trousseau\Service\NotFound;
use Trousseau\Service\TooMany;
use Trousseau\Service\Unavailable;

/** Brings the affiliate links of one registry in line with the rules. */
final class AffiliateRegistry extends JobHandler {

	public const JOB = 'affiliate-registry';

	/** Seconds between two checks of a registry. */
	private const AGAIN = 15;

	public function __construct(
		private readonly GiftLists $gift_lists,
		private readonly ItemService $item_service,
		private readonly JobQueue $job_queue,
		private readonly LinkCheck $link_check,
		private readonly Lock $lock,
	) {
	}

	/** Queues a registry whose items' links differ from the rules, because an item is new or its address has changed. */
	public function expect( int $registry, array $items ): void {
		$rules   = AffiliateRules::of_site();
		$differs = static fn( Item $item ): bool => array_key_exists( 'affiliate_url', $item->answer ) && ! in_array( $rules->link_for( $item ), array( null, (string) $item->answer['affiliate_url'] ), true );
		if ( ! $rules->are_none() && array_filter( $items, $differs ) && $this->lock->take( "affiliate-$registry", self::AGAIN ) ) {
			$this->job_queue->add( self::JOB, null, 0, (string) $registry );
		}
	}

	public static function words(): string {
		return __( 'Affiliate links', 'trousseau' );
	}

	public function run( Job $job ): void {
		$links = new AffiliateLinks( $this->item_service, $this->link_check, AffiliateRules::of_site(), null, $job->until );
		try {
			$items = $this->item_service->registry_items( (int) $job->key );
			$this->gift_lists->renew_after(
				static function () use ( $items, $links ): void {
					foreach ( $items as $item ) {
						if ( $links->is_over() ) {
							throw new Postponed( 0 );
						}
						$links->look_after( $item );
					}
				}
			);
		} catch ( NotFound ) {
			return; // The registry is gone.
		} catch ( Unavailable | TooMany $error ) {
			throw new Postponed( self::AWAY, $error->getMessage() );
		}
	}
}
