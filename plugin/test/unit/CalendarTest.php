<?php

declare(strict_types=1);

namespace Trousseau\Test;

use Trousseau\Connections\Calendar;

final class CalendarTest extends UnitTestCase {

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
}
