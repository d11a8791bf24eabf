<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

use Trousseau\Plugin;

/** A request that has nothing to do with lists makes none of the plugin's objects: a hook makes its object when there is something to do. */
final class ObjectsTest extends WordPressTestCase {

	/** @return string[] */
	private static function made(): array {
		return array_map( static fn( string $name ): string => substr( $name, strlen( 'Trousseau\\' ) ), array_keys( ( new \ReflectionProperty( Plugin::class, 'made' ) )->getValue() ) );
	}

	public function test_a_page_that_shows_no_list_and_a_rest_request_that_is_not_ours_make_none(): void {
		foreach ( array( '/', get_permalink( 1 ), get_permalink( 2 ), get_category_link( 1 ), get_feed_link() ) as $address ) {
			self::assertSame( 200, $this->page( null, $address )->status, $address );
			self::assertSame( array(), self::made(), $address );
		}
		self::assertSame( 200, $this->rest( null, 'GET', '/wp/v2/types/post' )->status );
		self::assertSame( array(), self::made() );
	}

	public function test_a_search_leaves_out_what_the_visitor_must_not_see(): void {
		$this->page( null, '/?s=list' );
		self::assertContains( 'Visibility\QueryFilter', self::made() );
	}
}
