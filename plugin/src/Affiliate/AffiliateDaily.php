<?php

declare(strict_types=1);

namespace Trousseau\Affiliate;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Job;
use Trousseau\Platform\JobHandler;
use Trousseau\Platform\KeptValues;
use Trousseau\Service\ItemService;

/** Begins the daily round through all affiliate links, which checks them once a week. */
final class AffiliateDaily extends JobHandler {

	public const EVERY = DAY_IN_SECONDS;

	/** Seconds between two checks of all links. */
	private const CHECK_EVERY = WEEK_IN_SECONDS;

	public function __construct(
		private readonly AffiliateRound $affiliate_round,
		private readonly ItemService $item_service,
		private readonly KeptValues $kept_values,
	) {
	}

	public static function words(): string {
		return __( 'Affiliate links', 'trousseau' );
	}

	public function run( Job $job ): void {
		if ( $this->item_service->is_configured() && ! $this->kept_values->get( AffiliateRound::STATE ) ) {
			$found = $this->kept_values->get( AffiliateRound::FOUND );
			$this->affiliate_round->begin( time() - (int) ( $found['checked'] ?? 0 ) > self::CHECK_EVERY - HOUR_IN_SECONDS ? '' : null );
		}
	}
}
