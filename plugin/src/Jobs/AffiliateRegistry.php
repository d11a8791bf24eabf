<?php

declare(strict_types=1);

namespace Trousseau\Jobs;

defined( 'ABSPATH' ) || exit;

use Trousseau\Support\Job;
use Trousseau\Support\JobHandler;

/** Brings the affiliate links of one registry in line with the rules. */
final class AffiliateRegistry extends JobHandler {

	public function run( Job $job ): void {
		AffiliateUpdate::run_for( (int) $job->key, $job->until );
	}
}
