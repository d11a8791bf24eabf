<?php

declare(strict_types=1);

namespace Trousseau\Jobs;

defined( 'ABSPATH' ) || exit;

use Trousseau\Support\Job;
use Trousseau\Support\JobHandler;

/** Stores the next gifts of a registry that another site has saved. */
final class ImportPiece extends JobHandler {

	/** A piece waits for the service no longer than this. */
	public const LEASE = MINUTE_IN_SECONDS;

	public function run( Job $job ): void {
		RegistryImport::go_on( (int) $job->key, $job->payload, $job->until );
	}
}
