<?php

declare(strict_types=1);

namespace Trousseau\Jobs;

defined( 'ABSPATH' ) || exit;

use Trousseau\Support\Job;
use Trousseau\Support\JobHandler;

/** Tells the service whether a registry that it asked for is gone. */
final class LookForRegistry extends JobHandler {

	public function run( Job $job ): void {
		DeletionReport::look( (int) $job->key, is_int( $job->payload ) ? $job->payload : null, $job->until - microtime( true ) );
	}
}
