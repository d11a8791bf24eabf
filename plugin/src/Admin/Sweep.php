<?php

declare(strict_types=1);

namespace Trousseau\Admin;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\OpenQuestions;
use Trousseau\Platform\Job;
use Trousseau\Platform\JobHandler;
use Trousseau\Platform\JobQueue;
use Trousseau\Platform\KeptValues;

/** Deletes expired values and jobs that failed long ago, and asks for the key by which its questions are known. */
final class Sweep extends JobHandler {

	public const EVERY = HOUR_IN_SECONDS;

	private const FAILED_KEPT = 30 * DAY_IN_SECONDS;

	public function __construct(
		private readonly JobQueue $job_queue,
		private readonly KeptValues $kept_values,
		private readonly OpenQuestions $open_questions,
	) {
	}

	public static function words(): string {
		return __( 'Clean up', 'trousseau' );
	}

	public function run( Job $job ): void {
		$this->kept_values->sweep();
		$this->job_queue->sweep( self::FAILED_KEPT );
		$this->open_questions->begin();
	}
}
