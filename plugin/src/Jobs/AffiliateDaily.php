<?php

declare(strict_types=1);

namespace Trousseau\Jobs;

defined( 'ABSPATH' ) || exit;

use Trousseau\Support\Job;
use Trousseau\Support\JobHandler;

/** Adds up the clicks to shops, and starts a round through all affiliate links. */
final class AffiliateDaily extends JobHandler {

	public const EVERY = DAY_IN_SECONDS;

	public function run( Job $job ): void {
		AffiliateUpdate::daily();
	}
}
