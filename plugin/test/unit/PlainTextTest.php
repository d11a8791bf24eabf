<?php

declare(strict_types=1);

namespace Trousseau\Test;

use Trousseau\Platform\PlainText;

final class PlainTextTest extends UnitTestCase {

	public function test_a_text_comes_back_from_its_html_without_tags_and_with_all_other_characters(): void {
		foreach ( array( 'Ann & Bob', 'Tom <3 Ann', '5 > 4', '&amp;', '“Ann”', "O'Neil" ) as $text ) {
			self::assertSame( $text, PlainText::of_html( PlainText::to_html( $text ) ) );
		}
		$texts = array(
			'<p>Ann &amp; Bob</p>'              => 'Ann & Bob',
			'Tom <3 Ann'                        => 'Tom <3 Ann',
			'a<script>alert( 1 )</script >b'    => 'ab',
			'a<style media="print">b</style>c'  => 'ac',
			'a<!-- wp:paragraph -->b<br />c'    => 'abc',
		);
		foreach ( $texts as $html => $text ) {
			self::assertSame( $text, PlainText::of_html( $html ) );
		}
	}
}
