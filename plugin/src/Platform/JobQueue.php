<?php

declare(strict_types=1);

namespace Trousseau\Platform;

/**
 * The queue of work behind the pages: one row a job. A process claims a job by a statement that changes the row for
 * one process only, so that none is done by two at once; a job whose process died is claimed again after a while. All times
 * are milliseconds.
 */
final class JobQueue {

	/** WordPress's event that runs the jobs: once an hour, and with `SOON` when work is due before. */
	public const HOOK = 'trousseau_jobs';
	public const SOON = array( 'soon' );

	/** The number of jobs that one statement stores, and of those that are read to claim one. */
	private const AT_ONCE    = 100;
	private const CANDIDATES = 5;

	/** The milliseconds after which no claim can end: the longest is an hour, and another machine's clock may be ahead. */
	private const LATEST_CLAIM = 2 * 1000 * HOUR_IN_SECONDS;

	/** The turn of jobs that someone waits for is made of this letter. */
	public const FIRST = '0';

	private const MOST_CHARACTERS = 300;

	public function __construct( private readonly Tables $tables ) {
	}

	/**
	 * @param int    $at  The time for it, in seconds; 0: as soon as possible.
	 * @param string $key Jobs of the same handler and key are one job. A job that is running now runs once more.
	 */
	public function add( string $handler, mixed $payload = null, int $at = 0, string $key = '' ): bool {
		if ( $key === '' ) {
			return $this->add_many( $handler, array( array( $payload, $at ) ) );
		}
		$sealed = self::sealed( $payload );
		$run_at = $at ? 1000 * $at : Tables::now();
		// The job may end between the two statements, which are then repeated.
		for ( $tries = 0; $tries < 3; ++$tries ) {
			$is_stored = $this->insert( $handler, $key, $sealed, $run_at )
				|| $this->tables->change( 'UPDATE {jobs} SET revision = revision + 1, payload = %s, run_at = CASE WHEN run_at < %d AND failed_at = 0 THEN run_at ELSE %d END, attempts = CASE WHEN failed_at = 0 THEN attempts ELSE 0 END, failed_at = 0 WHERE unique_key = %s', $sealed, $run_at, $run_at, "$handler $key" );
			if ( $is_stored ) {
				$this->wake( intdiv( $run_at, 1000 ) );
				return true;
			}
		}
		return false;
	}

	/** Adds a job unless there is one of this key. */
	public function add_once( string $handler, mixed $payload, int $at, string $key ): void {
		if ( $this->insert( $handler, $key, self::sealed( $payload ), 1000 * $at ) ) {
			$this->wake( $at );
		}
	}

	/**
	 * Adds many jobs by a few statements. Returns whether all of them are stored.
	 *
	 * @param array{0: mixed, 1: int, 2?: string}[] $jobs Payload, the time in seconds or 0, and for handlers whose jobs take turns, whose turn it is.
	 */
	public function add_many( string $handler, array $jobs ): bool {
		$stored = array();
		foreach ( array_chunk( $jobs, self::AT_ONCE ) as $some ) {
			$values = array();
			foreach ( $some as $job ) {
				list( $payload, $at ) = $job;
				array_push( $values, $handler, "$handler " . ( $job[2] ?? '' ) . bin2hex( random_bytes( 8 ) ), self::sealed( $payload ), $at ? 1000 * $at : Tables::now() );
			}
			$places   = implode( ', ', array_fill( 0, count( $some ), "(%s, %s, %s, %d, '')" ) );
			$stored[] = $this->tables->change( "INSERT INTO {jobs} (handler, unique_key, payload, run_at, last_error) VALUES $places", $values );
		}
		$jobs && $this->wake( min( array_map( static fn( array $job ): int => $job[1] ?: time(), $jobs ) ) );
		return ! in_array( false, $stored, true );
	}

	/**
	 * Claims a job that is due, so that no other process does it in the meantime.
	 *
	 * @param int    $seconds The length of the claim.
	 * @param string $key     Any when absent.
	 * @param int    $turn    The letters of keys that name whose turn it is; 0: the oldest job comes first.
	 */
	public function claim( string $handler, int $seconds, float $until, string $key = '', int $turn = 0 ): ?Job {
		$wpdb = $GLOBALS['wpdb'];
		$only = $key === '' ? '' : $wpdb->prepare( 'AND unique_key = %s', "$handler $key" );
		for ( $tries = 0; $tries < 20; ++$tries ) {
			$due = 'FROM {jobs} WHERE failed_at = 0 AND ' . self::due( $handler );
			if ( $turn ) {
				$turns = $this->tables->column( "SELECT DISTINCT SUBSTR( unique_key, 1, %d ) $due", strlen( "$handler " ) + $turn );
				$first = "$handler " . str_repeat( self::FIRST, $turn );
				$whose = in_array( $first, $turns, true ) ? $first : ( $turns ? $turns[ array_rand( $turns ) ] : '' );
				$only  = $wpdb->prepare( 'AND unique_key LIKE %s', $this->tables->beginning( $whose ) );
			}
			$rows = $this->tables->rows( "SELECT id, unique_key, claimed_until, attempts, revision $due $only ORDER BY run_at, id LIMIT %d", self::CANDIDATES );
			if ( ! $rows ) {
				return null;
			}
			foreach ( $rows as $row ) {
				$end = Tables::now() + 1000 * $seconds;
				// Both columns change with every claim.
				if ( $this->tables->change( 'UPDATE {jobs} SET claimed_until = %d, attempts = attempts + 1 WHERE id = %d AND claimed_until = %d AND attempts = %d AND revision = %d AND failed_at = 0', $end, $row->id, $row->claimed_until, $row->attempts, $row->revision ) ) {
					$sealed = $this->tables->column( 'SELECT payload FROM {jobs} WHERE id = %d', $row->id )[0] ?? null;
					if ( $sealed === null ) {
						// It was deleted, or the query failed: the job is claimed again after this claim.
						continue;
					}
					$payload = Encryption::open( $sealed );
					return new Job( (int) $row->id, $handler, substr( $row->unique_key, strlen( "$handler " ) ), $payload, $payload !== null || $sealed === '', (int) $row->attempts + 1, $end, (int) $row->revision, $until );
				}
			}
		}
		return null;
	}

	/** Deletes a job that is done, unless it was added again in the meantime or another process has claimed it. */
	public function done( Job $job ): void {
		// A database in trouble may refuse a statement once. Once its claim ends, a job that stays would be done again.
		for ( $tries = 0, $deleted = false; $deleted === false && $tries < 3; ++$tries ) {
			$deleted = $this->tables->change(
				'DELETE FROM {jobs} WHERE id = %d AND claimed_until = %d AND revision = %d',
				$job->id,
				$job->claimed_until,
				$job->revision
			);
		}
		$deleted === 0 && $this->tables->change(
			'UPDATE {jobs} SET claimed_until = 0, attempts = 0 WHERE id = %d AND claimed_until = %d',
			$job->id,
			$job->claimed_until
		);
	}

	/** Postpones a job, or the rest of it, without counting a failed attempt. A job that was added again in the meantime stays due. */
	public function postpone( Job $job, int $seconds, string $why = '', ?int $attempts = null ): void {
		$this->tables->change( 'UPDATE {jobs} SET claimed_until = 0, attempts = %d, last_error = %s, run_at = CASE WHEN revision = %d THEN %d ELSE run_at END WHERE id = %d AND claimed_until = %d', $attempts ?? $job->attempts - 1, self::without_addresses( $why ), $job->revision, Tables::now() + 1000 * $seconds, $job->id, $job->claimed_until );
	}

	/** Marks a job as failed for good; it stays for people to see and to retry. */
	public function fail( Job $job, string $why ): void {
		$this->tables->change( 'UPDATE {jobs} SET claimed_until = 0, last_error = %s, failed_at = CASE WHEN revision = %d THEN %d ELSE 0 END WHERE id = %d AND claimed_until = %d', self::without_addresses( $why ), $job->revision, Tables::now(), $job->id, $job->claimed_until );
	}

	/** @return string[] Those of some handlers that have jobs that are due. */
	public function due_of( string ...$handlers ): array {
		$due = self::due( ...$handlers );
		return $this->tables->column( "SELECT DISTINCT handler FROM {jobs} WHERE failed_at = %d AND $due", 0 );
	}

	/** When the next job of some handlers is due, in seconds. Null if there is none. */
	public function next_at( string ...$handlers ): ?int {
		$next = $this->tables->cell( 'SELECT MIN( CASE WHEN claimed_until > run_at THEN claimed_until ELSE run_at END ) FROM {jobs} WHERE failed_at = %d AND ' . self::of( ...$handlers ), 0 );
		return $next === null ? null : intdiv( (int) $next + 999, 1000 );
	}

	/** The time at which a job is due, in seconds; 0 where there is none of this key. */
	public function run_at( string $handler, string $key ): int {
		return intdiv( (int) $this->tables->cell( 'SELECT run_at FROM {jobs} WHERE unique_key = %s', "$handler $key" ), 1000 );
	}

	/** Changes the payload of a job for its next run. */
	public function set_payload( string $handler, string $key, mixed $payload ): void {
		$this->tables->change( 'UPDATE {jobs} SET payload = %s WHERE unique_key = %s', self::sealed( $payload ), "$handler $key" );
	}

	/** When the oldest due job of some handlers that nobody has begun became due, in seconds. 0 if there is none. */
	public function due_since( string ...$handlers ): int {
		return intdiv( (int) $this->tables->cell( 'SELECT MIN( run_at ) FROM {jobs} WHERE failed_at = %d AND ' . self::due( ...$handlers ), 0 ), 1000 );
	}

	/** The number of a handler's jobs that have failed since a time, and the last one's reason. @return array{0: int, 1: string} */
	public function failed_since( string $handler, int $since ): array {
		$rows = $this->tables->column( 'SELECT last_error FROM {jobs} WHERE handler = %s AND failed_at >= %d AND failed_at > 0 ORDER BY failed_at DESC', $handler, 1000 * $since );
		return array( count( $rows ), (string) ( $rows[0] ?? '' ) );
	}

	/** The number of a handler's jobs that failed and will be tried again, and one of the reasons. @return array{0: int, 1: string} */
	public function trying_again( string $handler ): array {
		$row = $this->tables->rows( "SELECT COUNT(*) AS number, MAX( last_error ) AS error FROM {jobs} WHERE handler = %s AND failed_at = 0 AND last_error <> ''", $handler )[0];
		return array( (int) $row->number, (string) $row->error );
	}

	/** @return object[] Rows of jobs to show to people: those that have failed, will be tried again, or have been due for so many seconds. */
	public function visible( int $late, int $most ): array {
		return $this->tables->rows( "SELECT id, handler, CASE WHEN handler = 'mail' THEN payload ELSE '' END AS payload, run_at, attempts, last_error, failed_at FROM {jobs} WHERE failed_at > 0 OR last_error <> '' OR run_at < %d ORDER BY failed_at = 0, run_at, id LIMIT %d", Tables::now() - 1000 * $late, $most );
	}

	/** @return \Generator<int, mixed> The payloads of all jobs of a handler by their numbers, read some at a time. */
	public function payloads( string $handler ): \Generator {
		$last = 0;
		do {
			$rows = $this->tables->rows( 'SELECT id, payload FROM {jobs} WHERE handler = %s AND id > %d ORDER BY id LIMIT %d', $handler, $last, self::AT_ONCE );
			foreach ( $rows as $row ) {
				$last = (int) $row->id;
				yield $last => Encryption::open( $row->payload );
			}
		} while ( count( $rows ) === self::AT_ONCE );
	}

	/** Makes a job that failed or waits due at once. */
	public function retry( int $id ): bool {
		$found = (bool) $this->tables->change( 'UPDATE {jobs} SET run_at = %d, failed_at = 0, attempts = 0, revision = revision + 1 WHERE id = %d', Tables::now(), $id );
		$found && $this->wake( time() );
		return $found;
	}

	/** Makes all jobs of a turn due that nobody has tried yet. */
	public function hasten( string $handler, string $turn ): void {
		$now = Tables::now();
		$this->tables->change( 'UPDATE {jobs} SET run_at = %d WHERE unique_key LIKE %s AND run_at > %d AND attempts = 0', $now, $this->tables->beginning( "$handler $turn" ), $now ) && $this->wake( time() );
	}

	/** Makes all jobs that failed for good due at once. */
	public function retry_failed(): void {
		$this->tables->change( 'UPDATE {jobs} SET run_at = %d, failed_at = 0, attempts = 0, revision = revision + 1 WHERE failed_at > 0', Tables::now() );
		$this->wake( time() );
	}

	public function delete( int $id ): bool {
		return (bool) $this->tables->change( 'DELETE FROM {jobs} WHERE id = %d', $id );
	}

	public function delete_of( string $handler, string $key ): bool {
		return (bool) $this->tables->change( 'DELETE FROM {jobs} WHERE unique_key = %s', "$handler $key" );
	}

	/** Deletes jobs that failed at least this many seconds ago. */
	public function sweep( int $seconds ): void {
		$this->tables->change( 'DELETE FROM {jobs} WHERE failed_at > 0 AND failed_at < %d', Tables::now() - 1000 * $seconds );
	}

	/** Plans WordPress's event for soon. Later jobs are found by the hourly run: WordPress reads all its events with every page. */
	public function wake( int $at ): void {
		$next = wp_next_scheduled( self::HOOK, self::SOON );
		if ( $at > time() + HOUR_IN_SECONDS || ( $next && $next <= $at ) ) {
			return;
		}
		$next && wp_unschedule_event( $next, self::HOOK, self::SOON );
		wp_schedule_single_event( max( $at, time() ), self::HOOK, self::SOON );
	}

	/** Plans the hourly run, even if the last one died. */
	public static function keep_going(): void {
		$next = wp_next_scheduled( self::HOOK );
		// A run that is further away was planned before the clock was set back.
		if ( ! $next || $next > time() + 2 * HOUR_IN_SECONDS ) {
			$next && wp_unschedule_event( $next, self::HOOK );
			wp_schedule_event( time(), 'hourly', self::HOOK );
		}
	}

	/** Stores a job unless there is one of this key. Says whether there was none. */
	private function insert( string $handler, string $key, string $sealed, int $run_at ): bool {
		return (bool) $this->tables->change( "INSERT IGNORE INTO {jobs} (handler, unique_key, payload, run_at, last_error) VALUES (%s, %s, %s, %d, '')", $handler, "$handler $key", $sealed, $run_at );
	}

	/** The condition for jobs of these handlers. */
	private static function of( string ...$handlers ): string {
		return $GLOBALS['wpdb']->prepare( 'handler IN (' . implode( ', ', array_fill( 0, count( $handlers ), '%s' ) ) . ')', $handlers );
	}

	/** The condition for those that are due and that no process is doing. */
	private static function due( string ...$handlers ): string {
		$now = Tables::now();
		// A claim that ends too late to be valid was made before the clock was set back.
		return self::of( ...$handlers ) . $GLOBALS['wpdb']->prepare( ' AND run_at <= %d AND ( claimed_until <= %d OR claimed_until > %d )', $now, $now, $now + self::LATEST_CLAIM );
	}

	/** The encrypted payload. Empty for a job that needs only its key. */
	private static function sealed( mixed $payload ): string {
		return $payload === null ? '' : Encryption::seal( $payload );
	}

	private static function without_addresses( string $error ): string {
		return mb_substr( (string) preg_replace( '/[^\s<>]+@[^\s<>]+/u', '…', $error ), 0, self::MOST_CHARACTERS );
	}
}
