<?php

declare(strict_types=1);

namespace Trousseau\Jobs;

defined( 'ABSPATH' ) || exit;

use Trousseau\Support\Job;
use Trousseau\Support\JobHandler;
use Trousseau\Support\Postponed;

/** Tells the service of a registry that this site has deleted. */
final class TellDeletion extends JobHandler {

	/** Seconds until the next attempt: the service learns of every deletion, even after a long outage. */
	private const PAUSE = 5 * MINUTE_IN_SECONDS;

	public function run( Job $job ): void {
		if ( ! DeletionReport::tell( (int) $job->key, $job->until - microtime( true ) ) ) {
			throw new Postponed( self::PAUSE, __( 'The item service does not answer.', 'trousseau' ) );
		}
	}
}
