<?php

declare(strict_types=1);

namespace Trousseau\Test;

use Trousseau\Service\Item;

final class ItemTest extends UnitTestCase {

	public function test_pieces_are_counted_whatever_an_older_service_leaves_out(): void {
		$counts = array(
			array( array(), 1, 1, '' ),
			array( array( 'quantity_needed' => 3, 'quantity_purchased' => 1 ), 3, 2, '2 more are needed.' ),
			array( array( 'quantity_needed' => 3, 'quantity_purchased' => 2 ), 3, 1, '1 more is needed.' ),
			array( array( 'quantity_needed' => 3, 'quantity_purchased' => 4 ), 3, 0, 'With yours, no more are needed.' ),
			array( array( 'quantity_needed' => 1, 'quantity_purchased' => 1 ), 1, 0, '' ),
			array( array( 'quantity_needed' => 0 ), 1, 1, '' ),
		);
		foreach ( $counts as list( $item, $needed, $remaining, $words ) ) {
			$item = new Item( $item );
			self::assertSame( array( $needed, $remaining, $words ), array( $item->needed(), $item->remaining(), $item->still_needed() ) );
		}
		self::assertSame( array(), array_diff_key( Item::facts(), array_filter( Item::FIELDS ) ) );
	}

	public function test_only_an_address_on_the_web_stands_in_a_link(): void {
		self::assertSame( 'HTTPS://shop.example/a', Item::web_address( ' HTTPS://shop.example/a ' ) );
		foreach ( array( 'javascript:alert(1)', 'https:///a', 'https:// a', 'shop.example', '//shop.example', array( 'https://shop.example' ), null ) as $other ) {
			self::assertSame( '', Item::web_address( $other ) );
		}
	}
}
