<?php

declare(strict_types=1);

namespace Trousseau\Test;

use Trousseau\Gifts\GiftParts;
use Trousseau\Lists\GiftAmount;
use Trousseau\Lists\Sections;
use Trousseau\Service\Item;

final class GiftPartsTest extends UnitTestCase {

	private static function gifts( int $count ): array {
		return array_map( static fn( int $id ): Item => new Item( array( 'id' => $id, 'name' => "Gift $id" ) ), range( 1, $count ) );
	}

	public function test_a_long_list_comes_in_parts_of_a_hundred(): void {
		$gifts = self::gifts( 250 );
		$third = GiftParts::of( $gifts, array(), 3, '' );
		self::assertSame( array( 250, 3, 3 ), array( $third->total, $third->part, $third->parts ) );
		self::assertSame( range( 200, 249 ), array_keys( $third->shown ) );
		self::assertSame( array( 3, 1 ), array( GiftParts::of( $gifts, array(), 9, '' )->part, GiftParts::of( $gifts, array(), -1, '' )->part ) );
		self::assertSame( array( 1, 1, 2, 3 ), array_map( static fn( int $id ): int => GiftParts::part_of( $gifts, $id ), array( 1, 100, 101, 250 ) ) );
		self::assertSame( 1, GiftParts::of( array(), array(), 1, '' )->parts );
	}

	public function test_a_search_finds_all_its_words_in_name_shop_note_and_heading(): void {
		$gifts = Item::all(
			array(
				array( 'id' => 1, 'name' => 'Kännchen, blau', 'retailer' => 'Porzellan & Co', 'description' => null ),
				array( 'id' => 2, 'name' => 'Pan', 'description' => 'blue, 28 cm' ),
				array( 'id' => 3, 'name' => 'Towel' ),
			)
		);
		$found = static fn( string $text ): array => array_column( GiftParts::of( $gifts, array( 3 => 'Bath' ), 1, $text )->shown, 'id' );
		self::assertSame( array( 1 ), $found( 'KANNCHEN porzellan' ) );
		self::assertSame( array( 2 ), $found( ' 28  pan ' ) );
		self::assertSame( array( 3 ), $found( 'bath' ) );
		self::assertSame( array(), $found( 'pan towel' ) );
	}

	public function test_headings_come_in_the_order_of_their_first_gifts_and_the_empty_one_last_with_words_of_its_own(): void {
		$gifts = self::gifts( 4 );
		self::assertSame( array( 'Bath' => 2, 'Kitchen' => 3, '' => 1 ), GiftParts::of( $gifts, array( 2 => 'Bath', 3 => 'Kitchen', 4 => 'Bath' ), 1, '' )->first );
		self::assertSame( array(), GiftParts::of( $gifts, array(), 1, '' )->first );
		$under    = array( '', 'Bath', '7', 'Bath' );
		$sections = Sections::arranged( array_map( static fn( Item $gift, string $section ): array => array( 'id' => $gift->id, 'place' => $gift->id ) + compact( 'section' ), $gifts, $under ) );
		self::assertSame( array( 'Bath', '7', '' ), array_column( $sections, 'name' ) );
		self::assertSame( array( array( 2, 4 ), array( 3 ), array( 1 ) ), array_map( static fn( array $section ): array => array_column( $section['items'], 'id' ), $sections ) );
		self::assertSame( array( 'Bath', 'More gifts' ), array_map( array( Sections::class, 'words' ), array( 'Bath', '' ) ) );
	}

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
			self::assertSame( array( $needed, $remaining, $words ), array( $item->needed(), $item->remaining(), GiftAmount::still_needed( $item, '' ) ) );
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
