<?php

declare(strict_types=1);

namespace Trousseau\Admin;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\OpenQuestions;
use Trousseau\Platform\Job;
use Trousseau\Platform\JobHandler;
use Trousseau\Platform\JobQueue;
use Trousseau\Platform\KeptValues;
use Trousseau\Service\ChangeFeed;

/** Deletes expired values and jobs that failed long ago, starts following the service's feed, and asks for the key by which its questions are known. */
final class Sweep extends JobHandler {

	public const EVERY = HOUR_IN_SECONDS;

	private const FAILED_KEPT = 30 * DAY_IN_SECONDS;

	/** Seconds of each run for reading past events, until the feed can be followed. */
	private const FOR_THE_FEED = 10;

	public function __construct(
		private readonly ChangeFeed $change_feed,
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
		$this->change_feed->begin( self::FOR_THE_FEED );
		$this->open_questions->begin();
	}
}
