<?php

declare(strict_types=1);

namespace Trousseau\Test;

use Trousseau\Platform\Language;
use Trousseau\Platform\PlainText;

final class LanguageTest extends UnitTestCase {

	public function test_a_text_that_runs_the_other_way_is_held_together_and_turns_no_sentence_round(): void {
		self::assertSame( 'Pannap', Language::isolate( "Pan\u{202e}nap\u{2066}" ) );
		self::assertSame( 'Pan', Language::isolate( 'Pan' ) );
		self::assertSame( "\u{2068}مقلاة\u{2069}", Language::isolate( 'مقلاة' ) );
		self::assertSame( '', Language::isolate( '' ) );
		$GLOBALS['locale'] = 'ar';
		self::assertSame( "\u{2068}Pan (28 cm)\u{2069}", Language::isolate( 'Pan (28 cm)' ) );
	}

	public function test_initials_are_those_of_the_first_and_the_last_word_and_several_pieces_are_said(): void {
		self::assertSame( array( 'B', 'RA', 'ÉB', 'A', 'ر', '王', '·' ), array_map( Language::initials( ... ), array( 'bob', 'Ruth M. Applebaum', 'émile-zola (b.)', 'A', 'رشا حداد', '王小明', '!' ) ) );
		self::assertSame( array( 'Pan', '3 × Pan' ), array( Language::times( 1, 'Pan' ), Language::times( 3, 'Pan' ) ) );
		self::assertSame( 'Pan, Pot', Language::list( array( 'Pan', 'Pot' ) ) );
	}

	public function test_a_time_is_said_in_its_largest_unit(): void {
		$spans = array( -5 => 'a moment ago', 58 => 'a moment ago', 60 => '1 minute ago', 3598 => '59 minutes ago', 3600 => '1 hour ago', 86400 => '1 day ago', 13 * 86400 => '13 days ago', 14 * 86400 => '2 weeks ago', 60 * 86400 => '2 months ago', 364 * 86400 => '12 months ago', 730 * 86400 => '2 years ago' );
		foreach ( $spans as $seconds => $words ) {
			self::assertSame( $words, Language::ago( time() - $seconds ) );
		}
	}

	public function test_a_day_has_the_format_that_the_site_chose(): void {
		$GLOBALS['stored'] = array(
			'date_format' => 'Y-m-d',
			'time_format' => 'H:i',
		);
		self::assertSame( '2027-06-12', Language::day( 1812809100 ) );
		self::assertSame( '2027-06-12, 14:05', Language::moment( 1812809100 ) );
	}

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
