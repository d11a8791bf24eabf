<?php

declare(strict_types=1);

namespace Trousseau\Test;

use Trousseau\Gifts\PastedGifts;
use Trousseau\Gifts\ShopLookup;
use Trousseau\Service\Item;

final class ShopLookupTest extends UnitTestCase {

	/** Texts that somebody pasted or shared, and the address in them. */
	private const PASTED = array(
		array( array( 'https://shop.example/a' ), 'https://shop.example/a' ),
		array( array( '', 'https://shop.example/a?b=c&d=1#e' ), 'https://shop.example/a?b=c&d=1#e' ),
		array( array( '', 'Look at this: https://shop.example/a!', 'Kettle' ), 'https://shop.example/a' ),
		array( array( 'Kettle (https://shop.example/a).' ), 'https://shop.example/a' ),
		array( array( "Kettle\nhttps://shop.example/a_(b)" ), 'https://shop.example/a_(b)' ),
		array( array( '“https://shop.example/ä”' ), 'https://shop.example/ä' ),
		array( array( "'https://shop.example/women's'" ), "https://shop.example/women's" ),
		array( array( '', '', 'HTTPS://SHOP.example/a' ), 'HTTPS://SHOP.example/a' ),
		array( array( 'shop.example/kettle' ), 'https://shop.example/kettle' ),
		array( array( '', 'Kettle', '' ), '' ),
		array( array( 'javascript:alert(1)' ), '' ),
		array( array( 'ftp://shop.example/ and mailto:a@b.example' ), '' ),
		array( array( 'https://a:b@shop.example/', 'https://a@shop.example https://shop.example/@b' ), 'https://shop.example/@b' ),
		array( array(), '' ),
	);

	/** Addresses of shops' pages, and the names of gifts that they tell. */
	private const NAMES = array(
		'https://shop.example/upphetta-french-press-coffee-maker'                                                   => 'Upphetta French Press Coffee Maker',
		'https://www.ikea.com/us/en/p/upphetta-french-press-coffee-maker-glass-stainless-steel-00310895/'           => 'Upphetta French Press Coffee Maker Glass Stainless Steel',
		'https://www.amazon.com/Bodum-1928-16US4-Chambord-French-Press/dp/B00005LM0S/ref=sr_1_1?keywords=not-this-one' => 'Bodum 1928 16US4 Chambord French Press',
		'https://shop.example/collections/new-arrivals/products/blue_mug.html#the-details'                          => 'Blue Mug',
		'https://shop.example/p/B00005LM0S-oak-dining-table-12345678'                                               => 'Oak Dining Table',
		'https://shop.example/cup-set-6-pieces'                                                                     => 'Cup Set 6 Pieces',
		'https://shop.example/caf%C3%A9+pour+deux'                                                                  => 'Café Pour Deux',
		'https://shop.example/en-us/product/12345'                                                                  => '',
		'https://shop.example/3f2504e0-4f89-11d3-9a0c-0305e82c3301'                                                 => '',
		'https://shop.example/product.php?id=blue-mug'                                                              => '',
		'https://shop.example/%FF%FE-%FF-mug'                                                                       => '',
		'https://shop.example/kettle'                                                                               => '',
		'https://blue-mug.example/'                                                                                 => '',
		'https://blue-mug.example'                                                                                  => '',
	);

	public function test_the_address_of_a_page_that_cannot_be_read_tells_a_name(): void {
		foreach ( self::NAMES as $address => $name ) {
			self::assertSame( $name, ShopLookup::name_in( $address ), $address );
		}
		self::assertLessThanOrEqual( Item::MAX_NAME, mb_strlen( ShopLookup::name_in( 'https://shop.example/' . str_repeat( 'very-', 100 ) . 'long-name' ) ) );
	}

	public function test_addresses_are_found_in_a_pasted_text_wherever_a_phone_puts_them_each_once(): void {
		foreach ( self::PASTED as list( $texts, $address ) ) {
			self::assertSame( $address, ShopLookup::address_in( ...$texts ) );
		}
		$chat = "[12:01] Ann: look, https://shop.example/a, and https://shop.example/b!\n[12:02] Ben: <https://shop.example/a>\nno-address here\nhttps://a:b@shop.example/";
		self::assertSame( array( 'https://shop.example/a', 'https://shop.example/b' ), ShopLookup::addresses_in( $chat ) );
		self::assertCount( 60, ShopLookup::addresses_in( implode( "\n", array_map( static fn( int $n ): string => "https://shop.example/$n", range( 1, 60 ) ) ) ) );
	}

	private const PAN = 'https://shop.example/pan';
	private const POT = 'https://shop.example/pot?size=1,2';

	public static function texts(): array {
		$pan = self::PAN;
		$pot = self::POT;
		return array(
			'nothing'                        => array( '', array(), array() ),
			'a link'                         => array( $pan, array( $pan ), array() ),
			'a name'                         => array( 'A toaster', array( 'A toaster' ), array() ),
			'names alone'                    => array( "A toaster\nKettle, red", array( 'A toaster', 'Kettle, red' ), array() ),
			'links and names, with bullets'  => array( "• $pan\r\n- A toaster\n3) Wine glasses\n\n$pot\nA toaster", array( $pan, 'A toaster', 'Wine glasses', $pot ), array() ),
			'a checklist'                    => array( "- [ ] Bread knife\n- [x] Kettle\n1. - Bowls", array( 'Bread knife', 'Kettle', 'Bowls' ), array() ),
			'links in one line, and a name'  => array( "$pan $pot\n2 bowls", array( $pan, $pot, '2 bowls' ), array() ),
			'a link without its beginning'   => array( "shop.example/pan\nA toaster\nA kettle\nBowls", array( $pan, 'A toaster', 'A kettle', 'Bowls' ), array() ),
			'a page that a phone shares'     => array( "Pan\nThe pan of the year\n$pan", array( $pan ), array( 'Pan', 'The pan of the year' ) ),
			'a message with a greeting'      => array( "Hi Mum!\n$pan\n$pot\nso pretty", array( $pan, $pot ), array( 'Hi Mum!', 'so pretty' ) ),
			'a message with words at a link' => array( "look at this $pan\n$pot\nso pretty", array( $pan, $pot ), array( 'so pretty' ) ),
			'a chat with times'              => array( "[10:32] Mum\n$pan\n$pot", array( $pan, $pot ), array( '[10:32] Mum' ) ),
			'a long line'                    => array( str_repeat( 'so ', 27 ) . "nice\n$pan\n$pot", array( $pan, $pot ), array( str_repeat( 'so ', 27 ) . 'nice' ) ),
			'a sentence'                     => array( 'I’d love a toaster.', array(), array( 'I’d love a toaster.' ) ),
			'addresses that aren’t links'    => array( "javascript://alert\nmum@example.com\nshop.example\n42", array(), array( 'javascript://alert', 'mum@example.com', 'shop.example', '42' ) ),
		);
	}

	/** @dataProvider texts */
	public function test_a_list_has_links_and_names_and_a_message_only_links( string $text, array $gifts, array $left_out ): void {
		$pasted = PastedGifts::in( $text );
		self::assertSame( array( $gifts, $left_out ), array( $pasted->gifts, $pasted->left_out ) );
	}
}
