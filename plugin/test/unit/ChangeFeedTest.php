<?php

declare(strict_types=1);

namespace Trousseau\Test;

use Trousseau\Platform\KeptValues;
use Trousseau\Platform\Lock;
use Trousseau\Platform\Tables;
use Trousseau\Service\ChangeFeed;
use Trousseau\Service\HttpClient;
use Trousseau\Service\ItemService;

final class ChangeFeedTest extends UnitTestCase {

	private ValuesDatabase $database;

	/** @var string[] The paths of the requests so far. */
	private array $asked = array();

	/** @var array<array{0: int, 1: mixed}> The service's next answers: status and body; the last one stays. */
	private array $answers = array();

	protected function setUp(): void {
		parent::setUp();
		$this->database          = new ValuesDatabase();
		$GLOBALS['cache']        = array();
		$GLOBALS['object_cache'] = false;
	}

	/** The feed in a new request, whose turn it is to read on. */
	private function feed( bool $is_turn = true ): ChangeFeed {
		unset( $GLOBALS['cache'][ KeptValues::GROUP ] );
		$transport = function ( string $url ): array {
			$this->asked[]         = substr( $url, strlen( 'https://items.example' ) );
			list( $status, $body ) = count( $this->answers ) > 1 ? array_shift( $this->answers ) : $this->answers[0];
			return array( 'status' => $status, 'body' => json_encode( $body ), 'headers' => array() );
		};
		$tables    = new Tables();
		$values    = new KeptValues( $tables );
		$lock      = new Lock( $values, $tables );
		$is_turn && $lock->forget( 'feed' );
		return new ChangeFeed( new ItemService( new HttpClient( 'https://items.example', '', 'ann', 'abcd', $transport ) ), $values, $lock );
	}

	/** @param int[] $ids Registries of the events. */
	private static function page( string $next, array $ids = array() ): array {
		return array( 200, array( 'events' => array_map( static fn( int $id ): array => array( 'registry_id' => $id ), $ids ), 'next' => $next ) );
	}

	/** A feed that is followed from this cursor on, since long ago. */
	private function follow( string $cursor = 'a' ): void {
		$state                        = array( 'cursor' => $cursor, 'since' => microtime( true ) - 1000, 'changed' => array() );
		$this->database->rows['feed'] = (object) array( 'value' => serialize( $state ), 'expires_at' => '0' );
	}

	private function state(): mixed {
		return isset( $this->database->rows['feed'] ) ? unserialize( $this->database->rows['feed']->value ) : null;
	}

	private function set( string $name, float $time ): void {
		$this->database->rows['feed']->value = serialize( array( $name => $time ) + $this->state() );
	}

	public function test_nobody_asks_before_the_beginning_has_read_all_that_is_kept_also_after_a_failure(): void {
		self::assertFalse( $this->feed()->says_unchanged( 7, microtime( true ) ) );
		self::assertSame( array(), $this->asked );
		$this->answers = array( self::page( 'b', array_fill( 0, 1000, 7 ) ), array( 503, array() ) );
		$this->feed()->begin( 5 );
		self::assertNull( $this->state() );
		$this->answers = array( self::page( 'c', array( 7 ) ) );
		$this->feed()->begin( 5 );
		self::assertSame( array( '/events?limit=1000', '/events?limit=1000&after=b', '/events?limit=1000&after=b' ), $this->asked );
		self::assertSame( 'c', $this->state()['cursor'] );
		$this->feed()->begin( 5 );
		self::assertCount( 3, $this->asked, 'it has begun' );
		self::assertFalse( $this->feed()->says_unchanged( 7, microtime( true ) - 1 ), 'nobody knows what happened before' );
	}

	public function test_the_beginning_reads_on_behind_a_page_that_the_service_has_cut(): void {
		$this->answers = array( self::page( 'b', array_fill( 0, 200, 7 ) ), self::page( 'c', array_fill( 0, 199, 7 ) ) );
		$this->feed()->begin( 5 );
		self::assertSame( array( '/events?limit=1000', '/events?limit=1000&after=b' ), $this->asked );
		self::assertSame( 'c', $this->state()['cursor'] );
	}

	public function test_a_beginning_with_a_cursor_of_another_store_starts_over(): void {
		$this->answers = array( self::page( 'b', array_fill( 0, 1000, 7 ) ), array( 422, array( 'detail' => 'no' ) ) );
		$this->feed()->begin( 5 );
		$this->answers = array( self::page( 'z' ) );
		$this->feed()->begin( 5 );
		self::assertSame( '/events?limit=1000', $this->asked[2] );
		self::assertSame( 'z', $this->state()['cursor'] );
	}

	public function test_a_list_holds_until_its_registry_changes(): void {
		$this->follow();
		$this->answers = array( self::page( 'a' ) );
		$asked_at      = microtime( true ) - 20;
		self::assertTrue( $this->feed()->says_unchanged( 7, $asked_at ) );
		self::assertTrue( $this->feed()->says_unchanged( 7, $asked_at ) );
		self::assertTrue( $this->feed( false )->says_unchanged( 7, $asked_at ), 'another page has just read it' );
		self::assertCount( 2, $this->asked );

		$this->answers = array( self::page( 'b', array( 7, 8, 7 ) ) );
		self::assertFalse( $this->feed()->says_unchanged( 7, $asked_at ) );
		self::assertFalse( $this->feed( false )->says_unchanged( 8, $asked_at ) );
		self::assertTrue( $this->feed( false )->says_unchanged( 9, $asked_at ) );
		self::assertFalse( $this->feed( false )->says_unchanged( 7, microtime( true ) + 1 ), 'another server’s clock may be ahead' );
		self::assertTrue( $this->feed( false )->says_unchanged( 7, microtime( true ) + 6 ) );
		self::assertSame( '/events?limit=200&after=b', ( function (): string {
			$this->feed()->says_unchanged( 7, 0.0 );
			return end( $this->asked );
		} )() );
	}

	public function test_a_list_that_is_older_than_a_minute_or_than_the_feed_is_asked_for(): void {
		$this->follow();
		$this->answers = array( self::page( 'a' ) );
		self::assertFalse( $this->feed()->says_unchanged( 7, microtime( true ) - 61 ) );
		$this->set( 'since', microtime( true ) - 10 );
		self::assertFalse( $this->feed()->says_unchanged( 7, microtime( true ) - 20 ) );
		self::assertTrue( $this->feed()->says_unchanged( 7, microtime( true ) - 1 ) );
	}

	public function test_a_reading_counts_for_some_seconds(): void {
		$this->follow();
		$this->answers = array( self::page( 'a' ), array( 503, array() ) );
		$asked_at      = microtime( true ) - 20;
		self::assertTrue( $this->feed()->says_unchanged( 7, $asked_at ) );
		$this->set( 'read', $this->state()['read'] - 9 );
		self::assertFalse( $this->feed( false )->says_unchanged( 7, $asked_at ), 'somebody else is reading, after a quiet time' );
		self::assertFalse( $this->feed()->says_unchanged( 7, $asked_at ) );
		self::assertFalse( $this->feed( false )->says_unchanged( 7, $asked_at ), 'the last reading has failed' );
	}

	public function test_more_events_than_one_answer_holds_say_nothing_until_all_are_read(): void {
		$this->follow();
		$this->answers = array( self::page( 'b', array_fill( 0, 200, 8 ) ), self::page( 'c', array( 9 ) ), self::page( 'c' ) );
		self::assertFalse( $this->feed()->says_unchanged( 7, microtime( true ) + 20 ) );
		self::assertFalse( $this->feed()->says_unchanged( 7, microtime( true ) - 1 ) );
		self::assertTrue( $this->feed()->says_unchanged( 7, microtime( true ) + 6 ) );
	}

	public function test_a_service_that_is_away_ends_nothing_and_a_foreign_cursor_begins_anew(): void {
		$this->follow();
		$this->answers = array( array( 503, array() ) );
		self::assertFalse( $this->feed()->says_unchanged( 7, microtime( true ) ) );
		self::assertSame( 'a', $this->state()['cursor'] );
		foreach ( array( 410, 422, 404, 403 ) as $status ) {
			$this->follow();
			$this->answers = array( array( $status, array( 'detail' => 'no' ) ) );
			self::assertFalse( $this->feed()->says_unchanged( 7, microtime( true ) ) );
			self::assertNull( $this->state() );
		}
		$this->follow();
		$this->answers = array( array( 200, array( 'something' => 'else' ) ) );
		self::assertFalse( $this->feed()->says_unchanged( 7, microtime( true ) ) );
	}
}
