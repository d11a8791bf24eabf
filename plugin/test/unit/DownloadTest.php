<?php

declare(strict_types=1);

namespace Trousseau\Test;

use Trousseau\Connections\Calendar;
use Trousseau\Lists\RegistryExport;
use Trousseau\Lists\RegistryImport;
use Trousseau\Platform\Download;
use Trousseau\Plugin;

final class DownloadTest extends UnitTestCase {

	public function test_a_table_is_read_by_spreadsheets_as_it_was_written_and_what_looks_like_a_formula_is_text(): void {
		$table = Plugin::get( Download::class )->table( array( 'Gift', 'From' ), array( array( 'Pan, "large"', "Ann\nBob" ), array( 'Töpfe', '' ) ) );
		self::assertSame( "\u{feff}Gift,From\n\"Pan, \"\"large\"\"\",\"Ann\nBob\"\nTöpfe,\n", $table );
		$cells = array(
			'=1+1'          => "'=1+1",
			'+49 30'        => "'+49 30",
			'@SUM(A1)'      => "'@SUM(A1)",
			'＝1'            => "'＝1",
			'" =1'          => "\" '=1",
			'a;=1'          => "a;'=1",
			"a\n-1+2"       => "a\n'-1+2",
			"a\t@SUM(1)"    => "a\t'@SUM(1)",
			' -1+1'         => " '-1+1",
			'-5'            => '-5',
			'24.90'         => '24.90',
			'a=1'           => 'a=1',
		);
		foreach ( $cells as $typed => $safe ) {
			$lines = Plugin::get( Download::class )->table( array(), array( array( (string) $typed ) ) );
			self::assertSame( $safe, str_getcsv( substr( $lines, strlen( "\u{feff}\n" ) ), ',', '"', '' )[0] );
		}
	}

	private const DAY = array(
		'id'      => 'day-7@lists.example',
		'day'     => '2027-12-31',
		'title'   => 'Ann & Sam',
		'address' => 'https://lists.example/registry/ann/',
		'changed' => 1_800_000_000,
	);

	/** @return string[] The lines before they were folded. */
	private static function lines( array $day = array() ): array {
		$text = Calendar::text( 'Ann, Sam', array( $day + self::DAY ) );
		self::assertStringEndsWith( "END:VCALENDAR\r\n", $text );
		self::assertDoesNotMatchRegularExpression( '/(?<!\r)\n|\r(?!\n)/', $text );
		foreach ( explode( "\r\n", $text ) as $line ) {
			self::assertLessThanOrEqual( 75, strlen( $line ) );
			self::assertTrue( mb_check_encoding( $line, 'UTF-8' ), 'no character is cut' );
		}
		return explode( "\r\n", str_replace( "\r\n ", '', $text ) );
	}

	public function test_a_day_is_a_date_without_a_time_and_a_calendar_without_days_has_a_part_all_the_same(): void {
		$lines = self::lines();
		foreach ( array( 'DTSTART;VALUE=DATE:20271231', 'DTSTAMP:20270115T080000Z', 'UID:day-7@lists.example', 'URL:https://lists.example/registry/ann/' ) as $line ) {
			self::assertContains( $line, $lines );
		}
		self::assertContains( 'X-WR-CALNAME:Ann\, Sam', $lines );
		self::assertStringContainsString( "BEGIN:VTIMEZONE\r\n", Calendar::text( 'x', array() ) );
		self::assertNotContains( 'BEGIN:VTIMEZONE', self::lines() );
	}

	public function test_text_brings_no_lines_of_its_own(): void {
		self::assertContains( 'SUMMARY:a\, b\; c\\\\d ATTENDEE:x e f', self::lines( array( 'title' => "a, b; c\\d\r\nATTENDEE:x\u{2028}e\u{85}f" ) ) );
		self::assertContains( 'URL:https://x.example/END:VEVENT', self::lines( array( 'address' => "https://x.example/\r\nEND:VEVENT" ) ) );
	}

	public function test_long_lines_are_cut_between_characters(): void {
		foreach ( array( 'x', 'é', '漢', '🎁', 'ع' ) as $character ) {
			foreach ( range( 60, 75 ) as $count ) {
				$title = str_repeat( $character, $count );
				self::assertContains( "SUMMARY:$title", self::lines( array( 'title' => $title ) ) );
			}
		}
	}

	private const GIFT = array( 'name' => 'Pan', 'url' => 'https://shop.example/pan' );

	private static function file( array $changes = array() ): string {
		return json_encode( $changes + array( 'format' => RegistryExport::FORMAT, 'title' => 'Ann & Bob', 'items' => array( self::GIFT ) ) );
	}

	public function test_a_whole_file_is_read_as_it_is(): void {
		$all  = self::GIFT + array( 'description' => 'Red', 'retailer' => '', 'image_url' => null, 'price' => 12.5, 'quantity_needed' => 2, 'section' => 'Kitchen' );
		$file = self::file( array( 'story' => 'We met.', 'items' => array( self::GIFT, $all ) ) );
		self::assertSame( json_decode( $file, true ), RegistryImport::read( $file ) );
		self::assertCount( 1000, RegistryImport::read( self::file( array( 'items' => array_fill( 0, 1000, self::GIFT ) ) ) )['items'] );
	}

	public function test_other_files_and_stories_that_are_too_long_are_refused(): void {
		$files = array(
			'',
			'[]',
			'"text"',
			'{"format":"trousseau-registry-1"',
			self::file( array( 'format' => 'trousseau-registry-2' ) ),
			self::file( array( 'title' => " \n" ) ),
			self::file( array( 'title' => "\u{a0}" ) ),
			self::file( array( 'title' => 5 ) ),
			self::file( array( 'items' => null ) ),
			self::file( array( 'items' => array( 'first' => self::GIFT ) ) ),
			self::file( array( 'items' => array_fill( 0, 1001, self::GIFT ) ) ),
		);
		foreach ( $files as $file ) {
			self::assertSame( 'This file isn’t a list saved by a site like this one.', RegistryImport::read( $file )->get_error_message(), substr( $file, 0, 100 ) );
		}
		self::assertIsArray( RegistryImport::read( self::file( array( 'story' => str_repeat( 'a', 125_000 ) ) ) ) );
		self::assertStringStartsWith( 'This story is too long', RegistryImport::read( self::file( array( 'story' => str_repeat( 'a', 125_001 ) ) ) )->get_error_message() );
	}

	public function test_a_file_with_an_incomplete_gift_is_refused_and_the_gift_is_named(): void {
		$gifts = array(
			'Pan',
			array( 'name' => 'Pan' ),
			array( 'name' => '' ) + self::GIFT,
			array( 'name' => str_repeat( 'a', 256 ) ) + self::GIFT,
			array( 'url' => 'short' ) + self::GIFT,
			self::GIFT + array( 'description' => str_repeat( 'ä', 501 ) ),
			self::GIFT + array( 'image_url' => 5 ),
			self::GIFT + array( 'price' => '12.50' ),
			self::GIFT + array( 'price' => 0 ),
			self::GIFT + array( 'price' => 9 ),
			self::GIFT + array( 'quantity_needed' => 0 ),
			self::GIFT + array( 'quantity_needed' => 1.5 ),
		);
		foreach ( $gifts as $gift ) {
			// JSON has no word for infinity, and reads a number that is too large as that.
			$file = str_replace( '"price":9', '"price":1e999', self::file( array( 'items' => array( self::GIFT, $gift ) ) ) );
			self::assertSame( 'Gift 2 in the file is incomplete, so nothing was imported.', RegistryImport::read( $file )->get_error_message(), $file );
		}
	}
}
