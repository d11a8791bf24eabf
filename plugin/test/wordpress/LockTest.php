<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

use Trousseau\Platform\Busy;
use Trousseau\Platform\Lock;
use Trousseau\Platform\MetaList;
use Trousseau\Plugin;

/** Locks over all workers: no object cache has a part in them. */
final class LockTest extends WordPressTestCase {

	protected function tearDown(): void {
		wp_using_ext_object_cache( false );
		parent::tearDown();
	}

	private static function of_another_process(): Lock {
		return clone Plugin::get( Lock::class );
	}

	public function test_a_failing_object_cache_neither_takes_nor_withholds_a_lock(): void {
		$cache                      = $GLOBALS['wp_object_cache'];
		$GLOBALS['wp_object_cache'] = new class() {
			public function __call( string $name, array $arguments ): mixed {
				return $name === 'get_multiple' ? array_fill_keys( $arguments[0], false ) : false;
			}
		};
		wp_using_ext_object_cache( true );
		try {
			self::assertSame( 'done', Plugin::get( Lock::class )->alone( 'press', 30, static fn(): bool|string => self::of_another_process()->take( 'press', 30 ) ? 'taken twice' : 'done' ) );
			self::assertTrue( self::of_another_process()->take( 'press', 30 ) );
		} finally {
			$GLOBALS['wp_object_cache'] = $cache;
		}
	}

	public function test_work_does_not_begin_without_its_lock(): void {
		self::of_another_process()->take( 'press', 9 );
		$this->expectException( Busy::class );
		Plugin::get( Lock::class )->alone( 'press', 1, static fn() => self::fail() );
	}

	public function test_a_list_in_a_posts_meta_is_changed_by_one_process_at_a_time(): void {
		$id   = self::post( array( 'post_title' => 'Listed' ) );
		$take = static fn( string $key ): bool => self::of_another_process()->take( "meta-$id$key", 30 );
		$took = array();
		Plugin::get( MetaList::class )->change( $id, '_trousseau_guests', static function ( array $list ) use ( $take, &$took ): array {
			$took = array( $take( '_trousseau_guests' ), $take( '_trousseau_gifts' ) );
			return $list;
		} );
		self::assertSame( array( false, true, true ), array( ...$took, $take( '_trousseau_guests' ) ) );
	}

	/** As a filter of all statements: one of them fails, as in a database that takes no writes. */
	public static function write_nothing( string $statement ): string {
		return preg_match( '/^(INSERT|UPDATE)\b/', $statement ) ? 'SELECT no_such_column' : $statement;
	}

	public function test_nobody_waits_for_a_lock_in_a_database_that_takes_no_writes(): void {
		$errors = $GLOBALS['wpdb']->suppress_errors();
		$asked  = 0;
		$count  = static function ( string $statement ) use ( &$asked ): string {
			++$asked;
			return self::write_nothing( $statement );
		};
		add_filter( 'query', $count );
		try {
			Plugin::get( Lock::class )->alone( 'press', 30, static fn() => self::fail() );
			self::fail();
		} catch ( Busy ) {
			self::assertLessThan( 300, $asked, 'where somebody who waits for the lock asks thousands of times' );
		} finally {
			remove_filter( 'query', $count );
			$GLOBALS['wpdb']->suppress_errors( $errors );
			Complaints::take();
		}
	}

	/** As a filter of all statements: others have the locks of all lists in a registry's meta. */
	public static function lock_no_meta( string $statement ): string {
		return preg_match( "/'lock_meta-/", $statement ) ? self::write_nothing( $statement ) : $statement;
	}

	public function test_a_change_is_stored_even_if_its_note_does_not_get_its_turn_and_a_press_that_does_not_says_so_and_stores_nothing(): void {
		$list   = $this->registry( 'alice', array( 'title' => 'Us', 'status' => 'private' ) );
		$errors = $GLOBALS['wpdb']->suppress_errors();
		add_filter( 'query', array( self::class, 'lock_no_meta' ) );
		$answer = $this->rest( 'alice', 'POST', "/wp/v2/registry/$list->id", array( 'title' => 'Us two', 'meta' => array( 'registry_owners' => '["bob"]' ) ) );
		remove_filter( 'query', array( self::class, 'lock_no_meta' ) );
		$GLOBALS['wpdb']->suppress_errors( $errors );
		Complaints::take();
		self::assertSame( array( 200, 'Us two' ), array( $answer->status, get_post( $list->id )->post_title ) );
		add_filter( 'wp_insert_post_data', array( self::class, 'be_busy' ) );
		$page = $this->page( 'alice', "/registries/$list->id/details/", form: array( 'do' => 'change', 'title' => 'Us three' ) );
		self::assertStringContainsString( 'couldn’t be saved right now', $page->text );
		self::assertSame( 'Us two', get_post( $list->id )->post_title );
	}

	public static function be_busy(): never {
		throw new Busy( 'as where others have the lock' );
	}
}
