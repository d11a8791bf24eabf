<?php

declare(strict_types=1);

namespace Trousseau\Jobs;

defined( 'ABSPATH' ) || exit;

use Trousseau\Service\ItemService;
use Trousseau\Support\Job;
use Trousseau\Support\JobHandler;
use Trousseau\Support\KeptValues;

/** Adds up the clicks to shops, and begins the daily round through all affiliate links, which checks them once a week. */
final class AffiliateDaily extends JobHandler {

	public const EVERY = DAY_IN_SECONDS;

	/** Seconds between two checks of everything. */
	private const CHECK_EVERY = WEEK_IN_SECONDS;

	public function run( Job $job ): void {
		ShopClicks::fold();
		if ( ItemService::of_site()->is_configured() && ! KeptValues::get( AffiliateRound::STATE ) ) {
			$found = KeptValues::get( AffiliateRound::FOUND );
			AffiliateRound::begin( time() - (int) ( $found['checked'] ?? 0 ) > self::CHECK_EVERY - HOUR_IN_SECONDS ? '' : null );
		}
	}
}
