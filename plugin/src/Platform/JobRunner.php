<?php

declare(strict_types=1);

namespace Trousseau\Platform;

use Trousseau\Plugin;

/** Runs the jobs of the queue, the kinds in turn, so that many or slow jobs of one kind delay no others. */
final class JobRunner {

	/** Seconds for a run, and for a piece of a long job. */
	public const SECONDS = 20.0;
	private const PIECE  = 5.0;

	/** Seconds until a new site's daily work begins. */
	private const FIRST = HOUR_IN_SECONDS;

	/** @var array<string, JobHandler|class-string<JobHandler>> By the kind of job. */
	private readonly array $handlers;

	/** @param array<string, JobHandler|class-string<JobHandler>>|null $only The kinds that it runs; null: those of all features. */
	public function __construct( private readonly Tables $tables, private readonly JobQueue $job_queue, ?array $only = null ) {
		$this->handlers = $only ?? Plugin::parts( JobHandler::class );
	}

	/** @return int The number of jobs that were begun. */
	public function run( float $seconds = self::SECONDS ): int {
		if ( ! $this->tables->are_there() ) {
			$this->job_queue->wake( time() + MINUTE_IN_SECONDS );
			return 0;
		}
		$this->expect_recurring();
		$until = microtime( true ) + $seconds;
		$kinds = $this->job_queue->due_of( ...array_keys( $this->handlers ) );
		// In random order: an email to a server that hangs can use up the run, or end PHP, before the other kinds.
		shuffle( $kinds );
		// Planned now, since a run that PHP ends can't plan the next one.
		$kinds && $this->job_queue->wake( time() + JobHandler::LEASE );
		$begun  = array_fill_keys( $kinds, 0 );
		$active = $begun;
		try {
			while ( $active && microtime( true ) < $until ) {
				foreach ( array_keys( $active ) as $kind ) {
					$handler = $this->handlers[ $kind ];
					$job     = microtime( true ) < $until && $begun[ $kind ] < $handler::A_RUN ? $this->job_queue->claim( $kind, $handler::LEASE, min( $until, microtime( true ) + self::PIECE ), turn: $handler::TURN ) : null;
					if ( ! $job ) {
						unset( $active[ $kind ] );
						continue;
					}
					$this->perform( $job, $this->handler( $kind ) );
					++$begun[ $kind ];
				}
			}
		} finally {
			foreach ( array_keys( array_filter( $begun ) ) as $kind ) {
				$this->handler( $kind )->finish();
			}
		}
		$next = $this->job_queue->next_at( ...array_keys( $this->handlers ) );
		$next === null || $this->job_queue->wake( $next );
		return array_sum( $begun );
	}

	/** Does one job at once, if it is due and no other process has it. */
	public function run_one( string $kind, string $key, float $seconds ): void {
		$handler = $this->handlers[ $kind ];
		$job     = $this->tables->are_there() ? $this->job_queue->claim( $kind, $handler::LEASE, microtime( true ) + $seconds, $key ) : null;
		if ( $job ) {
			$this->perform( $job, $this->handler( $kind ) );
			$this->handler( $kind )->finish();
		}
	}

	/** The handler, made when there is something for it to do. */
	private function handler( string $kind ): JobHandler {
		$handler = $this->handlers[ $kind ];
		return is_string( $handler ) ? Plugin::get( $handler ) : $handler;
	}

	private function perform( Job $job, JobHandler $handler ): void {
		try {
			if ( $job->attempts > count( $handler::RETRIES ) + 1 ) {
				throw new \RuntimeException( __( 'PHP stopped while doing this.', 'trousseau' ) );
			}
			if ( ! $job->is_readable ) {
				throw new \RuntimeException( __( 'This site can’t read it any more, because the key that encrypted it is missing.', 'trousseau' ) );
			}
			$handler->run( $job );
		} catch ( Postponed $later ) {
			$this->job_queue->postpone( $job, $later->seconds, $later->getMessage() );
			return;
		} catch ( \Throwable $error ) {
			$this->try_again( $job, $handler, $error );
			return;
		}
		$handler::EVERY ? $this->job_queue->postpone( $job, $handler::EVERY, '', 0 ) : $this->job_queue->done( $job );
		$job->afterwards && ( $job->afterwards )();
	}

	/** Plans the next attempt of a job that failed, such as an email that couldn't be sent, or gives it up. */
	private function try_again( Job $job, JobHandler $handler, \Throwable $error ): void {
		$retries = $handler::RETRIES;
		$why     = $error->getMessage() . ( $error instanceof \Error ? sprintf( ' (%s:%d)', basename( $error->getFile() ), $error->getLine() ) : '' );
		$wait    = $retries[ $job->attempts - 1 ] ?? $handler::EVERY;
		if ( $wait && $job->is_readable ) {
			$this->job_queue->postpone( $job, $wait, $why, isset( $retries[ $job->attempts - 1 ] ) ? $job->attempts : 0 );
		} else {
			$this->job_queue->fail( $job, $why );
			$handler->failed( $job );
		}
	}

	private function expect_recurring(): void {
		foreach ( $this->handlers as $kind => $handler ) {
			if ( ! $handler::EVERY ) {
				continue;
			}
			$at = $this->job_queue->run_at( $kind, 'all' );
			// A run that is further away was planned before the clock was set back.
			if ( ! $at || $at > time() + $handler::EVERY + DAY_IN_SECONDS ) {
				$this->job_queue->add( $kind, null, time() + self::FIRST, 'all' );
			}
		}
	}
}
