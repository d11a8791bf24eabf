<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

use Trousseau\Plugin;

/** How many of the plugin's objects a request makes that has nothing to do with lists: a hook makes its object when there is something to do. */
final class ObjectsTest extends WordPressTestCase {

	/** @return string[] */
	private static function made(): array {
		return array_map( static fn( string $name ): string => substr( $name, strlen( 'Trousseau\\' ) ), array_keys( ( new \ReflectionProperty( Plugin::class, 'made' ) )->getValue() ) );
	}

	public function test_a_page_that_shows_no_list_and_a_rest_request_that_is_not_ours_make_few(): void {
		self::assertSame( 200, $this->page( null, '/' )->status );
		$page = self::made();
		// WordPress queries posts, among which may be lists that the visitor must not see.
		self::assertContains( 'Visibility\QueryFilter', $page );
		self::assertSame( array(), array_intersect( array( 'Lists\Router', 'Display\RegistryView', 'PageCaching\PageCache', 'Service\GiftCache' ), $page ) );
		self::assertLessThanOrEqual( 9, count( $page ), implode( ', ', $page ) );
		self::assertSame( 200, $this->rest( null, 'GET', '/wp/v2/types/post' )->status );
		self::assertLessThanOrEqual( 11, count( self::made() ), implode( ', ', self::made() ) );
	}
}
