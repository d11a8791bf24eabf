<?php

declare(strict_types=1);

namespace Trousseau\Test;

use Trousseau\Pages\GiftForm;

final class GiftFormTest extends UnitTestCase {

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

	public function test_an_address_is_found_in_a_pasted_text_and_wherever_a_phone_puts_it(): void {
		foreach ( self::PASTED as list( $texts, $address ) ) {
			self::assertSame( $address, GiftForm::address_in( ...$texts ) );
		}
	}
}
