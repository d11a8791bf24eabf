<?php

declare(strict_types=1);

namespace Trousseau\Jobs;

defined( 'ABSPATH' ) || exit;

use Trousseau\Registry\GiftLists;
use Trousseau\Support\Job;
use Trousseau\Support\JobHandler;

/** Has the service look at the order of a registry’s items again. */
final class RepairOrder extends JobHandler {

	public function run( Job $job ): void {
		GiftLists::repair_order( (int) $job->key );
	}
}
