<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

use ReflectionMethod;
use RuntimeException;
use Throwable;
use Trousseau\Admin\JobsScreen;
use Trousseau\Admin\Uninstall;
use Trousseau\Platform\Job;
use Trousseau\Platform\JobHandler;
use Trousseau\Platform\JobQueue;
use Trousseau\Platform\JobRunner;
use Trousseau\Platform\Postponed;
use Trousseau\Platform\Tables;
use Trousseau\Plugin;

/** How a job of the queue ends: done, later, or failed for good; and what the site's keepers see of the work under Tools. */
final class JobsTest extends WordPressTestCase {

	/** A handler whose jobs do this; it notes the methods that are called. */
	private static function handler( callable $work ): JobHandler {
		return new class( $work ) extends JobHandler {
			public const RETRIES = array( 60, 600 );

			public array $called = array();

			public static function words(): string {
				return 'Test';
			}

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

	private static function recurring( callable $work ): JobHandler {
		return new class( $work ) extends JobHandler {
			public const RETRIES = array( 60 );
			public const EVERY   = 3600;

			public static function words(): string {
				return 'Test';
			}

			public function __construct( private $work ) {
			}

			public function run( Job $job ): void {
				( $this->work )( $job );
			}
		};
	}

	private static function throwing( Throwable $error ): callable {
		return static fn() => throw $error;
	}

	private static function change( array $columns ): void {
		$GLOBALS['wpdb']->update( $GLOBALS['wpdb']->prefix . 'trousseau_jobs', $columns, array( 'unique_key' => 'test all' ) );
	}

	private static function row(): ?array {
		return array_column( self::call( 'rows', 'trousseau_jobs' ), null, 'unique_key' )['test all'] ?? null;
	}

	/**
	 * Runs a job that was begun so many times before.
	 *
	 * @return array{0: int, 1: string, 2: int|string}|null Its attempts, the reason, and the minutes that it waits or that it has failed; null where it is done.
	 */
	private static function end_of( JobHandler $handler, int $begun = 0, array $stored = array() ): ?array {
		$queue = Plugin::get( JobQueue::class );
		$queue->add( 'test', 'payload', 0, 'all' );
		self::change( array( 'attempts' => $begun ) + $stored );
		( new JobRunner( Plugin::get( Tables::class ), $queue, array( 'test' => $handler ) ) )->run_one( 'test', 'all', 5 );
		$row = self::row();
		$queue->delete_of( 'test', 'all' );
		if ( ! $row ) {
			return null;
		}
		self::assertSame( '0', $row['claimed_until'] );
		return array( (int) $row['attempts'], $row['last_error'], (int) $row['failed_at'] ? 'failed' : (int) round( ( (int) $row['run_at'] / 1000 - time() ) / 60 ) );
	}

	public function test_a_failed_job_waits_longer_each_time_and_then_has_failed_for_good_a_postponed_one_has_not_and_reasons_name_no_address_and_are_short(): void {
		$handler = self::handler( self::throwing( new RuntimeException( 'No.' ) ) );
		self::assertSame( array( 1, 'No.', 1 ), self::end_of( $handler ) );
		self::assertSame( array( 2, 'No.', 10 ), self::end_of( $handler, 1 ) );
		self::assertSame( array( 3, 'No.', 'failed' ), self::end_of( $handler, 2 ) );
		self::assertSame( array( 'run', 'finish', 'run', 'finish', 'run', 'failed', 'finish' ), $handler->called );
		self::assertSame( array( 1, 'Away.', 120 ), self::end_of( self::handler( self::throwing( new Postponed( 7200, 'Away.' ) ) ), 1 ) );
		list( , $why ) = self::end_of( self::handler( self::throwing( new RuntimeException( 'no post for <ann@example.org>' . str_repeat( '.', 300 ) . 'end' ) ) ) );
		self::assertStringStartsWith( 'no post for <…>...', $why );
		self::assertStringNotContainsString( 'end', $why );
	}

	public function test_a_recurring_job_never_fails_for_good_and_the_longest_claim_of_a_machine_whose_clock_is_ahead_is_left_alone(): void {
		$handler = self::recurring( self::throwing( new RuntimeException( 'No.' ) ) );
		self::assertSame( array( 1, 'No.', 1 ), self::end_of( $handler ) );
		self::assertSame( array( 0, 'No.', 60 ), self::end_of( $handler, 1 ) );
		self::assertSame( array( 0, '', 60 ), self::end_of( self::recurring( static fn() => null ), 1 ) );
		$longest = max( array_map( static fn( string $handler ): int => $handler::LEASE, Plugin::parts( JobHandler::class ) ) );
		$queue   = Plugin::get( JobQueue::class );
		foreach ( array( $longest + 10 * MINUTE_IN_SECONDS => false, DAY_IN_SECONDS => true ) as $seconds => $is_free ) {
			$queue->add( 'test', 'payload', 0, 'all' );
			self::change( array( 'claimed_until' => 1000 * ( time() + $seconds ) ) );
			self::assertSame( $is_free ? array( 'test' ) : array(), $queue->due_of( 'test' ) );
			self::assertSame( $is_free, $queue->claim( 'test', 60, microtime( true ) ) !== null, (string) $seconds );
		}
	}

	public function test_a_job_that_ended_php_or_is_unreadable_fails_without_being_run_and_one_without_a_payload_is_run(): void {
		$handler = self::handler( static fn() => null );
		self::assertSame( array( 4, 'PHP stopped while doing this.', 'failed' ), self::end_of( $handler, 3 ) );
		$unreadable = self::end_of( $handler, 0, array( 'payload' => 'of other salts' ) );
		self::assertSame( 'failed', $unreadable[2] );
		self::assertStringStartsWith( 'This site can’t read it any more', $unreadable[1] );
		self::assertNotContains( 'run', $handler->called );
		self::assertNull( self::end_of( $handler, 0, array( 'payload' => '' ) ) );
		self::assertContains( 'run', $handler->called );
	}

	public function test_a_jobs_last_step_follows_the_deletion_of_its_row_and_one_that_is_added_again_while_it_runs_runs_once_more_however_it_ends(): void {
		$left = 'not called';
		$work = static function ( Job $job ) use ( &$left ): void {
			$job->afterwards = static function () use ( &$left ): void {
				$left = self::row();
			};
		};
		self::assertNull( self::end_of( self::handler( $work ) ) );
		self::assertNull( $left );
		$again = static fn( ?Throwable $error = null ): JobHandler => self::handler(
			static function () use ( $error ): void {
				Plugin::get( JobQueue::class )->add( 'test', 'once more', 0, 'all' );
				$error && throw $error;
			}
		);
		self::assertSame( array( 0, '', 0 ), self::end_of( $again() ) );
		self::assertSame( array( 1, 'No.', 0 ), self::end_of( $again( new RuntimeException( 'No.' ) ) ) );
		self::assertSame( array( 3, 'No.', 0 ), self::end_of( $again( new RuntimeException( 'No.' ) ), 2 ) );
	}

	private const TELLING = 'Tell the service about a list';

	private function screen_of( string $login ): string {
		return $this->admin_page( $login, 'tools.php', 'trousseau-jobs' );
	}

	private function shown(): array {
		preg_match_all( '/<tr>\s*<th scope="row">(.*?)<\/th>\s*<td>(.*?)<\/td>/s', $this->screen_of( 'admin' ), $rows, PREG_SET_ORDER );
		$shown = array_map( static fn( array $row ): string => html_entity_decode( "$row[1] $row[2]", ENT_QUOTES ), $rows );
		sort( $shown );
		return $shown;
	}

	private function press( string $do, string $kind ): void {
		$job = self::found( '/<tr>(?:(?!<\/tr>).)*?>' . $kind . '<\/th>.*?name="job" value="(\d+)"/s', $this->screen_of( 'admin' ) );
		self::assertSame( 303, $this->admin_post( 'admin', 'trousseau_jobs', compact( 'do', 'job' ) )->status );
	}

	public function test_a_keeper_sees_failed_work_tries_it_again_or_deletes_it_and_learns_of_no_surprise(): void {
		self::assertStringContainsString( 'No failed or late tasks', $this->screen_of( 'admin' ) );
		foreach ( array( 'invitation', 'claim-reserved' ) as $template ) {
			self::call( 'send_mail', 'ann@example.org', $template, array() );
		}
		self::call( 'send_mail', 'ann@example.org', 'claim-reminder', array(), time() + WEEK_IN_SECONDS );
		self::call( 'add_job', 'deletion', null, 0, '4711' );
		$GLOBALS['wpdb']->query( "UPDATE {$GLOBALS['wpdb']->prefix}trousseau_jobs SET failed_at = 5000, last_error = 'Refused <b>' WHERE handler IN ( 'mail', 'deletion' ) AND run_at <= " . Tables::now() );
		self::assertSame( array( 'Email failed', 'Email failed', self::TELLING . ' failed' ), $this->shown() );
		self::assertStringContainsString( 'Refused &lt;b&gt;', $this->screen_of( 'admin' ) );
		self::assertSame( '', $this->screen_of( 'alice' ), 'nobody else has the screen' );
		self::assertSame( 403, $this->admin_post( 'alice', 'trousseau_jobs', array( 'do' => 'retry_all' ) )->status );
		// The keeper now owns a surprise, so the only mails that they see are invitations.
		self::post( array( 'post_type' => 'registry', 'post_status' => 'private', 'post_author' => self::user( 'admin' ), 'meta_input' => array( 'registry_surprise_until' => 'always' ) ) );
		self::assertSame( array( 'Email failed', self::TELLING . ' failed' ), $this->shown() );
		$this->press( 'delete', 'Email' );
		self::assertSame( array( self::TELLING . ' failed' ), $this->shown() );
		$this->press( 'retry', self::TELLING );
		self::assertSame( array( '0' ), array_column( self::jobs( 'deletion' ), 'failed_at' ) );
		self::assertCount( 2, self::jobs( 'mail' ) );
	}

	public function test_a_form_that_asks_for_something_else_changes_no_task_and_uninstalling_ends_the_plans_of_a_site_whose_events_are_broken(): void {
		Plugin::get( JobQueue::class )->add( 'test', 'payload', 0, 'all' );
		self::change( array( 'failed_at' => 5 ) );
		$press = static function (): void {
			$_REQUEST = $_POST = array( 'do' => 'else', 'job' => self::row()['id'], '_wpnonce' => wp_create_nonce( JobsScreen::ACTION ) );
			try {
				Plugin::get( JobsScreen::class )->handle();
			} catch ( Stopped $stopped ) {
				self::assertSame( 303, $stopped->status );
			}
		};
		$this->in_request( 'admin', $press, 'POST', '/wp-admin/admin-post.php' );
		self::assertSame( '5', self::row()['failed_at'] );

		update_option( 'cron', array( 1 => null ) + _get_cron_array() + array( 'version' => 2 ) );
		wp_schedule_event( time(), 'hourly', JobQueue::HOOK );
		( new ReflectionMethod( Uninstall::class, 'drop_events' ) )->invoke( null );
		self::assertFalse( wp_next_scheduled( JobQueue::HOOK ) );
	}
}
