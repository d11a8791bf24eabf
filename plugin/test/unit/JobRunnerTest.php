<?php

declare(strict_types=1);

namespace Trousseau\Test;

use RuntimeException;
use Throwable;
use Trousseau\Platform\Encryption;
use Trousseau\Platform\Job;
use Trousseau\Platform\JobHandler;
use Trousseau\Platform\JobQueue;
use Trousseau\Platform\JobRunner;
use Trousseau\Platform\Postponed;
use Trousseau\Platform\Tables;
use Trousseau\Plugin;

final class JobRunnerTest extends UnitTestCase {

	/** A handler whose jobs do this; it notes the methods that are called. */
	private static function handler( callable $work ): JobHandler {
		return new class( $work ) extends JobHandler {
			public static function words(): string {
				return 'Test';
			}

			public const RETRIES = array( 60, 600 );

			public array $called = array();

			public function __construct( private $work ) {
			}

			public function run( Job $job ): void {
				$this->called[] = 'run';
				( $this->work )( $job );
			}

			public function failed( Job $job ): void {
				$this->called[] = 'failed';
			}

			public function finish(): void {
				$this->called[] = 'finish';
			}
		};
	}

	/** A handler of a job that never ends. */
	private static function recurring( callable $work ): JobHandler {
		return new class( $work ) extends JobHandler {
			public static function words(): string {
				return 'Test';
			}

			public const RETRIES = array( 60 );
			public const EVERY   = 3600;

			public function __construct( private $work ) {
			}

			public function run( Job $job ): void {
				( $this->work )( $job );
			}
		};
	}

	private static function throwing( Throwable $error ): callable {
		return static function () use ( $error ): void {
			throw $error;
		};
	}

	/** Runs a job that was begun so many times before, and returns the statement by which it ends. */
	private static function end_of( JobHandler $handler, int $begun = 0, ?string $stored = null ): string {
		$row      = (object) array( 'id' => 4, 'unique_key' => 'test all', 'claimed_until' => 0, 'attempts' => $begun, 'revision' => 7 );
		$database = new ScriptedDatabase( array( 'get_results' => array( array( $row ) ), 'query' => array( 1, 1 ), 'get_var' => array( $stored ?? Encryption::seal( 'payload' ) ) ) );
		( new JobRunner( Plugin::get( Tables::class ), Plugin::get( JobQueue::class ), array( 'test' => $handler ) ) )->run_one( 'test', 'all', 5 );
		self::assertCount( 4, $database->statements );
		return $database->statements[3];
	}

	private static function assert_postponed( int $seconds, int $attempts, string $why, string $statement ): void {
		self::assertSame( 1, preg_match( '/attempts = (\d+), last_error = (.*), run_at = CASE WHEN revision = 7 THEN (\d+) /', $statement, $found ), $statement );
		self::assertSame( array( (string) $attempts, $why ), array( $found[1], $found[2] ) );
		self::assertEqualsWithDelta( time() + $seconds, intdiv( (int) $found[3], 1000 ), 20 );
	}

	public function test_a_failed_job_waits_longer_each_time_and_then_has_failed_for_good(): void {
		$handler = self::handler( self::throwing( new RuntimeException( 'No.' ) ) );
		self::assert_postponed( 60, 1, 'No.', self::end_of( $handler, 0 ) );
		self::assert_postponed( 600, 2, 'No.', self::end_of( $handler, 1 ) );
		self::assertSame( array( 'run', 'finish', 'run', 'finish' ), $handler->called );
		self::assertMatchesRegularExpression( '/last_error = No\., failed_at = CASE WHEN revision = 7 THEN \d+ ELSE 0 END/', self::end_of( $handler, 2 ) );
		self::assertSame( array( 'run', 'failed', 'finish' ), array_slice( $handler->called, 4 ) );
	}

	public function test_a_recurring_job_never_fails_for_good(): void {
		$handler = self::recurring( self::throwing( new RuntimeException( 'No.' ) ) );
		self::assert_postponed( 60, 1, 'No.', self::end_of( $handler, 0 ) );
		self::assert_postponed( 3600, 0, 'No.', self::end_of( $handler, 1 ) );
		self::assert_postponed( 3600, 0, '', self::end_of( self::recurring( fn() => null ), 1 ) );
	}

	public function test_a_postponed_job_has_not_failed(): void {
		self::assert_postponed( 7200, 1, 'Away.', self::end_of( self::handler( self::throwing( new Postponed( 7200, 'Away.' ) ) ), 1 ) );
	}

	public function test_a_job_that_ended_php_or_is_unreadable_fails_without_being_run(): void {
		$handler = self::handler( fn() => self::fail( 'It was run.' ) );
		self::assertMatchesRegularExpression( '/last_error = PHP stopped while doing this\., failed_at/', self::end_of( $handler, 3 ) );
		self::assertMatchesRegularExpression( '/last_error = This site can’t read it any more.*, failed_at/', self::end_of( $handler, 0, 'of other salts' ) );
		self::assertNotContains( 'run', $handler->called );
	}

	public function test_a_job_s_last_step_follows_the_deletion_of_its_row(): void {
		$at_the_end = null;
		$work       = function ( Job $job ) use ( &$at_the_end ): void {
			$job->afterwards = function () use ( &$at_the_end ): void {
				$at_the_end = $GLOBALS['wpdb']->statements[3];
			};
		};
		self::assertStringStartsWith( 'DELETE FROM wp_trousseau_jobs', self::end_of( self::handler( $work ) ) );
		self::assertStringStartsWith( 'DELETE FROM wp_trousseau_jobs', (string) $at_the_end );
	}
}
