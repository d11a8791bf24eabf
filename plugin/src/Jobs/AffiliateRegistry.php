<?php

declare(strict_types=1);

namespace Trousseau\Jobs;

defined( 'ABSPATH' ) || exit;

use Trousseau\Registry\GiftLists;
use Trousseau\Service\ItemService;
use Trousseau\Service\NotFound;
use Trousseau\Service\TooMany;
use Trousseau\Service\Unavailable;
use Trousseau\Support\Job;
use Trousseau\Support\JobHandler;
use Trousseau\Support\JobQueue;
use Trousseau\Support\Lock;
use Trousseau\Support\Postponed;

/** Brings the affiliate links of one registry in line with the rules. */
final class AffiliateRegistry extends JobHandler {

	/** Its jobs in the queue. */
	public const JOB = 'affiliate-registry';

	/** Seconds between two looks at one registry. */
	private const AGAIN = 15;

	/** Queues a registry whose items' links differ from the rules, because an item is new or its address has changed. */
	public static function expect( int $registry, array $items ): void {
		$rules = AffiliateRules::of_site();
		if ( $rules->are_none() ) {
			return;
		}
		foreach ( $items as $item ) {
			if ( array_key_exists( 'affiliate_url', $item ) && ! in_array( $rules->link_for( $item ), array( null, (string) $item['affiliate_url'] ), true ) ) {
				if ( Lock::take( "affiliate-$registry", self::AGAIN ) ) {
					( new JobQueue() )->add( self::JOB, null, 0, (string) $registry );
				}
				return;
			}
		}
	}

	/** Deletes the pending work for a deleted registry. */
	public static function forget( int $registry ): void {
		Lock::forget( "affiliate-$registry" );
	}

	public function run( Job $job ): void {
		$links = new AffiliateLinks( AffiliateRules::of_site(), null, $job->until );
		try {
			$items = ItemService::of_site()->registry_items( (int) $job->key );
			GiftLists::renew_after(
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
			throw new Postponed( AffiliateLinks::AWAY, $error->getMessage() );
		}
	}
}
