<?php

declare(strict_types=1);

namespace Trousseau\Test;

use Closure;
use Trousseau\Platform\Encryption;
use Trousseau\Platform\KeptValues;
use Trousseau\Platform\Lock;
use Trousseau\Platform\Tables;
use Trousseau\Service\GiftCache;
use Trousseau\Service\GiftList;
use Trousseau\Service\HttpClient;
use Trousseau\Service\ItemService;

final class GiftCacheTest extends UnitTestCase {

	private const PAN = array( 'id' => 1, 'name' => 'Pan', 'registry_id' => 7 );
	private const POT = array( 'id' => 2, 'name' => 'Pot', 'registry_id' => 7 );

	private ValuesDatabase $database;

	/** @var array<string|null> `If-None-Match` of the requests so far. */
	private array $asked = array();

	protected function setUp(): void {
		parent::setUp();
		$this->begin( false );
	}

	private function begin( bool $object_cache ): void {
		$this->database          = new ValuesDatabase();
		$this->asked             = array();
		$GLOBALS['done']         = array();
		$GLOBALS['cache']        = array();
		$GLOBALS['object_cache'] = $object_cache;
	}

	/** The lists in a new request, whose turn it is to ask a service that answers so. */
	private function lists( int $status, ?array $items = null, string $etag = '', ?Closure $meanwhile = null, ?Closure $status_of = null ): GiftCache {
		unset( $GLOBALS['cache'][ KeptValues::GROUP ] );
		$transport   = function ( string $url, array $arguments ) use ( $status, $items, $etag, $meanwhile, $status_of ): array {
			$this->asked[] = $arguments['headers']['If-None-Match'] ?? null;
			$meanwhile && $meanwhile();
			$status = $status_of ? $status_of() : $status;
			return array( 'status' => $status, 'body' => $items === null ? '' : json_encode( $items ), 'headers' => array( 'etag' => $etag ) );
		};
		$tables      = new Tables();
		$kept_values = new KeptValues( $tables );
		$lock        = new Lock( $kept_values, $tables );
		$lock->forget( 'gifts-7' );
		$lock->forget( 'service' );
		$service = new ItemService( new HttpClient( 'https://items.example', '', 'ann', 'abcd', $transport ) );
		return new GiftCache( $service, $kept_values, $lock );
	}

	private function page( int $status, ?array $items = null, string $etag = '', ?Closure $meanwhile = null ): GiftList {
		return $this->lists( $status, $items, $etag, $meanwhile )->of( 7 );
	}

	private static function shown( GiftList $list ): array {
		return array( array_column( $list->items ?? array(), 'name' ), $list->is_current );
	}

	private function kept(): ?array {
		return Encryption::open( $this->database->rows['gifts_7']->value ?? null );
	}

	private function keep( array $changes ): void {
		$this->database->rows['gifts_7']->value = Encryption::seal( $changes + $this->kept() );
	}

	private static function fired( string $hook ): int {
		return count( array_keys( array_column( $GLOBALS['done'], 0 ), $hook, true ) );
	}

	public function test_a_list_that_has_not_changed_is_not_sent_again(): void {
		foreach ( array( false, true ) as $object_cache ) {
			$this->begin( $object_cache );
			$first = $this->page( 200, array( self::PAN, self::POT ), '"7-1"' );
			$rows  = array_diff_key( $this->database->rows, array( 'lock_gifts-7' => 1 ) );
			$again = $this->page( 304, null, '"7-1"' );
			$last  = $this->page( 304 );
			foreach ( array( $first, $again, $last ) as $list ) {
				self::assertSame( array( array( 'Pan', 'Pot' ), true ), self::shown( $list ) );
			}
			self::assertGreaterThanOrEqual( $first->known_at, $last->known_at );
			self::assertSame( array( null, '"7-1"', '"7-1"' ), $this->asked, 'a 304 without the tag is one, too' );
			self::assertEquals( $rows, array_diff_key( $this->database->rows, array( 'lock_gifts-7' => 1 ) ), 'nothing is written' );
			self::assertStringNotContainsString( 'Pan', serialize( array( $rows, $GLOBALS['cache'] ) ), 'all of it is encrypted' );
			self::assertSame( array( 3, 1 ), array( self::fired( 'trousseau_gifts_received' ), self::fired( 'trousseau_gifts_changed' ) ) );
		}
	}

	public function test_a_304_begins_the_time_of_a_list_anew(): void {
		$this->page( 200, array( self::PAN ), '"7-1"' );
		$this->page( 304 );
		$request = $this->lists( 304 );
		$values  = new KeptValues( new Tables() );
		$service = new ItemService( new HttpClient( '' ) );
		$lock    = new Lock( $values, new Tables() );
		$lists   = new GiftCache( $service, $values, $lock );
		self::assertTrue( $request->of( 7 )->was_asked );
		$list = $lists->of( 7 );
		self::assertSame( array( array( 'Pan' ), true, false ), array( ...self::shown( $list ), $list->was_asked ) );
	}

	public function test_a_changed_list_comes_with_the_tag_for_the_next_request(): void {
		$this->page( 200, array( self::PAN ), '"7-1"' );
		self::assertSame( array( array( 'Pan', 'Pot' ), true ), self::shown( $this->page( 200, array( self::PAN, self::POT ), '"7-2"' ) ) );
		self::assertSame( array( array( 'Pan', 'Pot' ), true ), self::shown( $this->page( 304 ) ) );
		self::assertSame( array( array(), true ), self::shown( $this->page( 200, array(), 'W/"7-3"' ) ) );
		self::assertSame( array( array(), true ), self::shown( $this->page( 304 ) ), 'an empty list is one, too' );
		self::assertSame( array( null, '"7-1"', '"7-2"', '"7-2"', 'W/"7-3"' ), $this->asked );
	}

	public function test_without_a_tag_or_a_kept_list_the_whole_is_asked_for(): void {
		$this->page( 200, array( self::PAN ), '"7-1"' );
		$this->page( 200, array( self::POT ) );
		$this->page( 200, array( self::PAN ), '"7-3"' );
		$this->lists( 304 )->forget( 7 );
		$this->page( 200, array( self::PAN ), '"7-3"' );
		$this->keep( array( 'id' => 8 ) );
		$this->page( 200, array( self::PAN ), '"7-3"' );
		$this->database->rows['gifts_7']->value = 'sealed with another salt';
		$this->page( 200, array( self::PAN ), '"7-3"' );
		$kept = $this->kept();
		unset( $kept['etag'] );
		$this->database->rows['gifts_7']->value = Encryption::seal( $kept );
		self::assertSame( array( array( 'Pan' ), true ), self::shown( $this->page( 200, array( self::PAN ), '"7-3"' ) ), 'as an earlier version has kept it' );
		self::assertSame( array( null, '"7-1"', null, null, null, null, null ), $this->asked );
	}

	public function test_a_minute_after_the_last_whole_answer_the_whole_is_asked_for(): void {
		$this->page( 200, array( self::PAN ), '"7-1"' );
		$this->keep( array( 'asked_at' => microtime( true ) - 50 ) );
		self::assertLessThan( 30, time() - $this->page( 304 )->known_at );
		$this->keep( array( 'asked_at' => microtime( true ) - 61 ) );
		self::assertSame( array( array( 'Pot' ), true ), self::shown( $this->page( 200, array( self::POT ), '"7-1"' ) ), 'another store had the same tag' );
		self::assertSame( array( null, '"7-1"', null ), $this->asked );
		self::assertLessThan( 30, microtime( true ) - $this->kept()['asked_at'] );
	}

	public function test_a_304_that_nobody_asked_for_is_no_list(): void {
		$list = $this->page( 304, null, '"7-1"' );
		self::assertSame( array( null, false ), array( $list->items, $list->is_current ) );
		self::assertSame( array( null, 0 ), array( $this->kept(), self::fired( 'trousseau_gifts_received' ) ) );
		$this->page( 200, array( self::PAN ) );
		self::assertSame( array( array( 'Pan' ), false ), self::shown( $this->page( 304, null, '"7-1"' ) ) );
		self::assertSame( array_fill( 0, 5, null ), $this->asked, 'each time it is asked for once more' );
	}

	public function test_an_outage_is_shown_after_a_second_try_and_asked_about_once_at_a_time_from_then_on(): void {
		$this->page( 200, array( self::PAN ), '"7-1"' );
		$tries = 0;
		$ask   = function ( int ...$statuses ) use ( &$tries ): GiftList {
			$tries       = 0;
			$this->asked = array();
			return $this->lists( 200, array( self::POT ), '"7-2"', null, static function () use ( &$tries, $statuses ): int {
				return $statuses[ $tries++ ] ?? 200;
			} )->of( 7 );
		};
		self::assertSame( array( array( 'Pot' ), true ), self::shown( $ask( 500 ) ), 'one slow answer is no outage' );
		self::assertCount( 2, $this->asked );
		self::assertArrayNotHasKey( 'trouble', $this->database->rows );
		self::assertSame( array( array( 'Pot' ), false ), self::shown( $ask( 500, 500 ) ) );
		self::assertCount( 2, $this->asked );
		self::assertSame( array( array( 'Pot' ), false ), self::shown( $ask( 503 ) ) );
		self::assertCount( 1, $this->asked, 'no page waits twice while it lasts' );
		self::assertSame( array( array( 'Pot' ), true ), self::shown( $ask() ) );
		self::assertSame( array( array( 'Pot' ), false ), self::shown( $ask( 429 ) ) );
		self::assertCount( 1, $this->asked, 'a service that has enough is not asked again' );
	}

	public function test_the_site_s_own_write_counts_at_once(): void {
		$this->page( 200, array( self::PAN ), '"7-1"' );
		$request = $this->lists( 200, array( self::POT ), '"7-2"' );
		$request->renew( 7 );
		self::assertSame( array( array( 'Pot' ), true ), self::shown( $request->of( 7 ) ) );
		self::assertSame( array( array( 'Pot' ), true ), self::shown( $this->page( 304 ) ) );
		self::assertSame( array( null, '"7-1"', '"7-2"' ), $this->asked );
	}

	public function test_a_newer_list_is_not_replaced(): void {
		$newer = fn() => $this->database->rows['gifts_7']->value = Encryption::seal( array( 'id' => 7, 'etag' => '"7-2"', 'asked_at' => microtime( true ) + 1, 'items' => array( self::POT ) ) );
		foreach ( array( 304, 200 ) as $status ) {
			$this->begin( false );
			$this->page( 200, array( self::PAN ), '"7-1"' );
			$this->page( 403, array( 'detail' => 'No' ) );
			self::assertSame( array( array( 'Pot' ), true ), self::shown( $this->page( $status, $status === 200 ? array() : null, '"7-1"', $newer ) ), "$status" );
			self::assertSame( '"7-2"', $this->kept()['etag'] );
		}
	}

	public function test_a_list_from_before_the_clock_was_set_back_is_replaced(): void {
		$this->begin( false );
		$this->page( 200, array( self::PAN ), '"7-1"' );
		$this->keep( array( 'asked_at' => microtime( true ) + HOUR_IN_SECONDS ) );
		self::assertSame( array( array( 'Pot' ), true ), self::shown( $this->page( 200, array( self::POT ), '"7-2"' ) ) );
		self::assertSame( '"7-2"', $this->kept()['etag'] );
	}
}
