<?php

declare(strict_types=1);

namespace Trousseau\Test;

use Trousseau\Gifts\PastedGifts;

final class PastedGiftsTest extends UnitTestCase {

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
