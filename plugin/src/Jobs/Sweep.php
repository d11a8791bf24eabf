<?php

declare(strict_types=1);

namespace Trousseau\Jobs;

defined( 'ABSPATH' ) || exit;

use Trousseau\Support\FormerOptions;
use Trousseau\Support\Job;
use Trousseau\Support\JobHandler;
use Trousseau\Support\JobQueue;
use Trousseau\Support\KeptValues;

/** Deletes kept values that have ended and jobs that failed long ago, and moves options that the former version has still written. */
final class Sweep extends JobHandler {

	public const EVERY = HOUR_IN_SECONDS;

	private const FAILED_KEPT = 30 * DAY_IN_SECONDS;

	public function __construct(
		private readonly FormerOptions $former_options,
		private readonly JobQueue $job_queue,
		private readonly KeptValues $kept_values,
	) {
	}

	public function run( Job $job ): void {
		$this->kept_values->sweep();
		$this->job_queue->sweep( self::FAILED_KEPT );
		$this->former_options->move();
	}
}
