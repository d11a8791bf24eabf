<?php

declare(strict_types=1);

namespace Trousseau\Test;

use Trousseau\Platform\Encryption;
use Trousseau\Platform\Job;
use Trousseau\Platform\JobQueue;
use Trousseau\Plugin;

final class JobQueueTest extends UnitTestCase {

	private static function row( int $id, int $attempts = 0 ): object {
		return (object) array( 'id' => $id, 'unique_key' => "mail k$id", 'claimed_until' => 0, 'attempts' => $attempts, 'revision' => 7 );
	}

	public function test_where_another_process_was_faster_the_next_job_is_claimed(): void {
		$answers  = array(
			'get_results' => array( array( self::row( 1 ), self::row( 2, 3 ) ) ),
			'query'       => array( 0, 1 ),
			'get_var'     => array( Encryption::seal( array( 'to' => 'Ann' ) ) ),
		);
		$database = new ScriptedDatabase( $answers );
		$before   = (int) ( 1000 * microtime( true ) );
		$job      = Plugin::get( JobQueue::class )->claim( 'mail', 60, 5.0 );
		self::assertSame( array( 2, 'k2', array( 'to' => 'Ann' ), true, 4, 7, 5.0 ), array( $job->id, $job->key, $job->payload, $job->is_readable, $job->attempts, $job->revision, $job->until ) );
		self::assertEqualsWithDelta( $before + 60_000, $job->claimed_until, 30_000 );
		self::assertStringContainsString( 'WHERE id = 2 AND claimed_until = 0 AND attempts = 3 AND revision = 7 AND failed_at = 0', $database->statements[2] );
	}

	public function test_a_claim_ends_where_nothing_is_due_or_others_are_always_faster(): void {
		$database = new ScriptedDatabase( array( 'get_results' => array( array() ) ) );
		self::assertNull( Plugin::get( JobQueue::class )->claim( 'mail', 60, 5.0 ) );
		self::assertCount( 1, $database->statements );
		$database = new ScriptedDatabase( array( 'get_results' => array_fill( 0, 100, array( self::row( 1 ) ) ), 'query' => array_fill( 0, 100, 0 ) ) );
		self::assertNull( Plugin::get( JobQueue::class )->claim( 'mail', 60, 5.0 ) );
		self::assertCount( 40, $database->statements );
	}

	public function test_the_longest_claim_of_a_machine_whose_clock_is_ahead_is_left_alone(): void {
		$database = new ScriptedDatabase( array( 'get_results' => array( array() ) ) );
		$now      = (int) ( 1000 * microtime( true ) );
		Plugin::get( JobQueue::class )->claim( 'mail', 60, 5.0 );
		self::assertSame( 1, preg_match( '/claimed_until > (\d+)/', $database->statements[0], $latest ) );
		$classes = array_map( static fn( string $file ): string => 'Trousseau\\' . basename( dirname( $file ) ) . '\\' . basename( $file, '.php' ), array_filter( glob( dirname( __DIR__, 2 ) . '/src/*/*.php' ), static fn( string $file ): bool => str_contains( (string) file_get_contents( $file ), ' extends JobHandler' ) ) );
		self::assertGreaterThan( 20, count( $classes ) );
		$longest = max( array_map( static fn( string $handler ): int => $handler::LEASE, $classes ) );
		self::assertGreaterThan( $now + 1000 * ( $longest + 10 * MINUTE_IN_SECONDS ), (int) $latest[1] );
	}

	public function test_a_payload_of_other_salts_is_unreadable_and_none_is_not(): void {
		foreach ( array( 'of other salts' => false, '' => true ) as $stored => $is_readable ) {
			new ScriptedDatabase( array( 'get_results' => array( array( self::row( 1 ) ) ), 'query' => array( 1 ), 'get_var' => array( $stored ) ) );
			$job = Plugin::get( JobQueue::class )->claim( 'mail', 60, 5.0 );
			self::assertSame( array( null, $is_readable ), array( $job->payload, $job->is_readable ), $stored );
		}
	}

	public function test_a_job_that_is_done_stays_where_it_was_added_again_meanwhile(): void {
		$job = new Job( 4, 'k4', null, true, 2, 9000, 7, 5.0 );
		foreach ( array( array( 1, 1 ), array( 0, 2 ) ) as list( $deleted, $statements ) ) {
			$database = new ScriptedDatabase( array( 'query' => array( $deleted, 1 ) ) );
			Plugin::get( JobQueue::class )->done( $job );
			self::assertCount( $statements, $database->statements );
			self::assertSame( 'DELETE FROM wp_trousseau_jobs WHERE id = 4 AND claimed_until = 9000 AND revision = 7', $database->statements[0] );
		}
		self::assertStringContainsString( 'SET claimed_until = 0, attempts = 0', $database->statements[1] );
	}

	public function test_reasons_name_no_address_and_are_short(): void {
		$database = new ScriptedDatabase( array( 'query' => array( 1 ) ) );
		Plugin::get( JobQueue::class )->fail( new Job( 4, 'k4', null, true, 2, 9000, 7, 5.0 ), 'no post for <ann@example.org>' . str_repeat( '.', 300 ) . 'end' );
		self::assertStringContainsString( 'no post for <…>...', $database->statements[0] );
		self::assertStringNotContainsString( 'end', $database->statements[0] );
	}
}
