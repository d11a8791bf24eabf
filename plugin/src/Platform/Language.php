<?php

declare(strict_types=1);

namespace Trousseau\Platform;

use const Trousseau\PLUGIN_FILE;

/** The language of a reader: its words, its dates and times, and texts in other languages within it. */
final class Language {

	/** Hebrew, Arabic and their kin. */
	private const FROM_THE_RIGHT = '/[\x{590}-\x{8ff}\x{fb1d}-\x{fdff}\x{fe70}-\x{fefc}]/u';

	/** Loads the translations, early on `init`, which needs the names of registries. */
	public static function load(): void {
		load_plugin_textdomain( 'trousseau', false, dirname( plugin_basename( PLUGIN_FILE ) ) . '/languages' );
	}

	/** The translation of another country for a language whose own country has none: Austria reads Germany's words. */
	public static function nearest( string $file, string $domain ): string {
		// The words in the sources are English.
		if ( $domain !== 'trousseau' || str_contains( $file, '-en_' ) || is_readable( $file ) ) {
			return $file;
		}
		$near = glob( (string) preg_replace( '/([a-z]{2,3})(_\w+)?\.mo$/', '$1*.mo', $file ) );
		return $near[0] ?? $file;
	}

	public static function day( int $time, ?\DateTimeZone $zone = null ): string {
		/* translators: a day as people write it, in the letters of https://www.php.net/date (j the day, F the month's name, Y the year; a letter that stands for itself has a backslash before it): “j. F Y” in German. */
		$own = _x( 'F j, Y', 'day', 'trousseau' );
		return (string) wp_date( self::format( 'date_format', $own, 'F j, Y', '/^(?=.*F)[jdFY.,\s]+$/D' ), $time, $zone );
	}

	/** A date such as `2027-06-12` in words: it's the same all over the world. */
	public static function calendar_day( string $date ): string {
		return self::day( (int) strtotime( "$date UTC" ), new \DateTimeZone( 'UTC' ) );
	}

	public static function moment( int $time ): string {
		/* translators: a time of day, in the letters of https://www.php.net/date (G or g the hour, i the minutes, a am or pm): “G:i” in German. */
		$own = _x( 'g:i a', 'time of day', 'trousseau' );
		/* translators: 1: day, 2: time of day */
		return sprintf( __( '%1$s, %2$s', 'trousseau' ), self::day( $time ), wp_date( self::format( 'time_format', $own, 'g:i a', '/^g:i a$/Di' ), $time ) );
	}

	/** @param string[] $facts Those in one line, which never begins with a dot. */
	public static function facts( array $facts ): string {
		return implode( "\u{a0}· ", array_filter( $facts ) );
	}

	/** How long ago a moment was. WordPress's own words for it are missing in some translations. */
	public static function ago( int $time ): string {
		$seconds = max( 0, time() - $time );
		$count   = static fn( int $unit ): int => (int) ( $seconds / $unit );
		$words   = match ( true ) {
			$seconds < MINUTE_IN_SECONDS    => array( 0, __( 'a moment ago', 'trousseau' ) ),
			/* translators: %s: number of minutes */
			$seconds < HOUR_IN_SECONDS      => array( $count( MINUTE_IN_SECONDS ), _n( '%s minute ago', '%s minutes ago', $count( MINUTE_IN_SECONDS ), 'trousseau' ) ),
			/* translators: %s: number of hours */
			$seconds < DAY_IN_SECONDS       => array( $count( HOUR_IN_SECONDS ), _n( '%s hour ago', '%s hours ago', $count( HOUR_IN_SECONDS ), 'trousseau' ) ),
			/* translators: %s: number of days */
			$seconds < 2 * WEEK_IN_SECONDS  => array( $count( DAY_IN_SECONDS ), _n( '%s day ago', '%s days ago', $count( DAY_IN_SECONDS ), 'trousseau' ) ),
			/* translators: %s: number of weeks */
			$seconds < 2 * MONTH_IN_SECONDS => array( $count( WEEK_IN_SECONDS ), _n( '%s week ago', '%s weeks ago', $count( WEEK_IN_SECONDS ), 'trousseau' ) ),
			/* translators: %s: number of months */
			$seconds < 2 * YEAR_IN_SECONDS  => array( $count( MONTH_IN_SECONDS ), _n( '%s month ago', '%s months ago', $count( MONTH_IN_SECONDS ), 'trousseau' ) ),
			/* translators: %s: number of years */
			default                         => array( $count( YEAR_IN_SECONDS ), _n( '%s year ago', '%s years ago', $count( YEAR_IN_SECONDS ), 'trousseau' ) ),
		};
		return sprintf( $words[1], number_format_i18n( $words[0] ) );
	}

	/** The first letters of a name's first and last word; of one only where letters join. */
	public static function initials( string $name ): string {
		$words = preg_split( '/[^\p{L}\p{M}\p{N}]+/u', $name, -1, PREG_SPLIT_NO_EMPTY ) ?: array( '·' );
		$first = mb_strtoupper( mb_substr( $words[0], 0, 1 ) );
		return $first . ( count( $words ) > 1 && $first !== mb_strtolower( $first ) ? mb_strtoupper( mb_substr( end( $words ), 0, 1 ) ) : '' );
	}

	/**
	 * Someone's own text within a sentence. Where the two have different directions, invisible marks
	 * keep its signs and numbers with it; marks of its own could turn the sentence round.
	 */
	public static function isolate( string $text ): string {
		$text = preg_replace( '/[\x{202a}-\x{202e}\x{2066}-\x{2069}]/u', '', $text ) ?? $text;
		return $text !== '' && ( is_rtl() || preg_match( self::FROM_THE_RIGHT, $text ) ) ? "\u{2068}$text\u{2069}" : $text;
	}

	/** A list of someone's own texts. */
	public static function list( array $texts ): string {
		return implode( wp_get_list_item_separator(), array_map( array( self::class, 'isolate' ), $texts ) );
	}

	/** A thing with its number of pieces, where there are several. */
	public static function times( int $count, string $name ): string {
		return $count > 1 ? number_format_i18n( $count ) . ' × ' . self::isolate( $name ) : self::isolate( $name );
	}

	/**
	 * The format that the site's administrator chose. The language's own format replaces it in another language than the site's, and where
	 * the choice is an English order of words in a language that isn't English: “12 Juni 2027” lacks its dot.
	 */
	private static function format( string $option, string $own, string $english, string $ordered ): string {
		$chosen     = (string) get_option( $option );
		$is_english = str_starts_with( determine_locale(), 'en' );
		if ( ! is_locale_switched() && ( $is_english || ! preg_match( $ordered, $chosen ) ) ) {
			return $chosen;
		}
		// WordPress may have a translation where the plugin has none.
		return $own === $english && ! $is_english ? translate( $english ) : $own;
	}
}
