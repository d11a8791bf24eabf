<?php

declare(strict_types=1);

namespace Trousseau\Jobs;

defined( 'ABSPATH' ) || exit;

use Trousseau\Support\Job;
use Trousseau\Support\JobHandler;

/** Brings the affiliate links of all items in line with the rules, a piece at a time. */
final class AffiliateRound extends JobHandler {

	public function run( Job $job ): void {
		AffiliateUpdate::run_next( $job->until );
	}
}
