<?php

declare(strict_types=1);

namespace Trousseau\Connections;

/** Days as an iCalendar file (RFC 5545), to which calendars subscribe. */
final class Calendar {

	public const TYPE = 'text/calendar; charset=utf-8';

	/** How often a calendar checks for changes. */
	private const LOOK_AGAIN = 'PT6H';

	private const LONGEST_LINE = 75;

	/** A calendar must have a component; this one shows no day. */
	private const NO_DAYS = array( 'BEGIN:VTIMEZONE', 'TZID:UTC', 'BEGIN:STANDARD', 'DTSTART:19700101T000000', 'TZOFFSETFROM:+0000', 'TZOFFSETTO:+0000', 'END:STANDARD', 'END:VTIMEZONE' );

	/**
	 * @param array<array{id: string, day: string, title: string, address: string, changed: int}> $days `id` stays the same while the
	 *                                                                                                  day moves; `day` is `YYYY-MM-DD`.
	 */
	public static function text( string $name, array $days ): string {
		$lines = array(
			'BEGIN:VCALENDAR',
			'VERSION:2.0',
			'PRODID:-//Trousseau//Gift lists//EN',
			'CALSCALE:GREGORIAN',
			'METHOD:PUBLISH',
			'NAME:' . self::escaped( $name ),
			'X-WR-CALNAME:' . self::escaped( $name ),
			'REFRESH-INTERVAL;VALUE=DURATION:' . self::LOOK_AGAIN,
			'X-PUBLISHED-TTL:' . self::LOOK_AGAIN,
			...( $days ? array() : self::NO_DAYS ),
		);
		foreach ( $days as $day ) {
			array_push(
				$lines,
				'BEGIN:VEVENT',
				'UID:' . self::escaped( $day['id'] ),
				'DTSTAMP:' . gmdate( 'Ymd\THis\Z', $day['changed'] ),
				// Without an end it lasts that day.
				'DTSTART;VALUE=DATE:' . str_replace( '-', '', $day['day'] ),
				'SUMMARY:' . self::escaped( $day['title'] ),
				'URL:' . preg_replace( '/[^\x21-\x7e]/', '', $day['address'] ),
				// Nobody is busy all day.
				'TRANSP:TRANSPARENT',
				'END:VEVENT'
			);
		}
		$lines[] = 'END:VCALENDAR';
		return implode( '', array_map( array( self::class, 'folded' ), $lines ) );
	}

	private static function escaped( string $text ): string {
		$line = trim( (string) preg_replace( '/[\p{Cc}\s]+/u', ' ', $text ) );
		return addcslashes( $line, '\\;,' );
	}

	/** A line with its end; a long line is cut between characters, and each further part begins with a space. */
	private static function folded( string $line ): string {
		$parts = array( mb_strcut( $line, 0, self::LONGEST_LINE, 'UTF-8' ) );
		$done  = strlen( $parts[0] );
		while ( $done < strlen( $line ) ) {
			$part    = mb_strcut( $line, $done, self::LONGEST_LINE - 1, 'UTF-8' );
			$done   += strlen( $part );
			$parts[] = $part;
		}
		return implode( "\r\n ", $parts ) . "\r\n";
	}
}
