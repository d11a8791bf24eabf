<?php

declare(strict_types=1);

namespace Trousseau\Platform;

/** A job of the queue that this process has claimed. */
final class Job {

	/** Called after the job is done and its row deleted, so that a failure here doesn't repeat the job. */
	public ?\Closure $afterwards = null;

	/**
	 * @param bool  $is_readable   False where none of the site's keys opens it.
	 * @param int   $attempts      The number of times it was begun, this time included.
	 * @param int   $claimed_until After this time, in milliseconds, another process may claim it.
	 * @param int   $revision      A number that changes when the job is added again.
	 * @param float $until         The time at which its handler should leave the rest for later, in seconds.
	 */
	public function __construct(
		public readonly int $id,
		public readonly string $kind,
		public readonly string $key,
		public readonly mixed $payload,
		public readonly bool $is_readable,
		public readonly int $attempts,
		public readonly int $claimed_until,
		public readonly int $revision,
		public readonly float $until,
	) {
	}
}
