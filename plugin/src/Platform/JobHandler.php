<?php

declare(strict_types=1);

namespace Trousseau\Platform;

/** Does the jobs of one kind. */
abstract class JobHandler {

	/** Seconds until each further attempt of a job that failed; after the last one it has failed for good. */
	public const RETRIES = array( 60, 600, HOUR_IN_SECONDS, 6 * HOUR_IN_SECONDS, DAY_IN_SECONDS );

	/** Seconds after which a process that still has a job is considered dead. */
	public const LEASE = 5 * MINUTE_IN_SECONDS;

	/** Seconds until the next attempt while the service is away. Work waits for it, however long that takes. */
	public const AWAY = 5 * MINUTE_IN_SECONDS;

	/** Seconds between two runs of a job that never ends; 0: it ends. */
	public const EVERY = 0;

	/** The most jobs of this kind in one run. */
	public const A_RUN = PHP_INT_MAX;

	/** The letters of a job's key that name whose turn it is, so that nobody's many jobs delay those of others; 0: the oldest comes first. */
	public const TURN = 0;

	/** Whether its jobs may tell an administrator of gifts that are to be a surprise. */
	public const IS_SECRET = false;

	/** What its jobs do, as an administrator reads it. */
	abstract public static function words(): string;

	/**
	 * Does a job, or a piece of it.
	 *
	 * @throws Postponed  Where the job, or the rest of it, is to be done later.
	 * @throws \Exception Where this attempt has failed.
	 */
	abstract public function run( Job $job ): void;

	/** Runs when a job has failed for good. */
	public function failed( Job $job ): void {
	}

	/** Runs at the end of a run with jobs of this kind. */
	public function finish(): void {
	}
}
