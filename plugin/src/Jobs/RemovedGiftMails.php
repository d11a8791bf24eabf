<?php

declare(strict_types=1);

namespace Trousseau\Jobs;

defined( 'ABSPATH' ) || exit;

use Trousseau\Service\TooMany;
use Trousseau\Service\Unavailable;
use Trousseau\Support\Job;
use Trousseau\Support\JobHandler;
use Trousseau\Support\Postponed;

/** Plans the mails about a removed gift whose givers the service could not name at once. */
final class RemovedGiftMails extends JobHandler {

	/** Seconds until the next attempt while the service is away. */
	private const AWAY = 5 * MINUTE_IN_SECONDS;

	public function run( Job $job ): void {
		$post = get_post( (int) $job->key );
		if ( ! $post ) {
			return;
		}
		try {
			ClaimMails::plan_removed( $post, $job->payload['item'], (float) $job->payload['removed_at'] );
		} catch ( Unavailable | TooMany $error ) {
			throw new Postponed( self::AWAY, $error->getMessage() );
		}
	}
}
