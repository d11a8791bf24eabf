<?php

declare(strict_types=1);

namespace Trousseau\Support;

defined( 'ABSPATH' ) || exit;

/**
 * How often somebody may do something. The counts are numbers under keyed hashes, which tell nobody who it was. They stand
 * in the database also where there is an object cache: a cache that drops what it holds would lift the limits.
 */
final class RateLimiter {

	/** A count's row has the end of its span in its name, by which it is swept out. */
	private const PREFIX = 'trousseau_count_';

	/** How many counters one statement takes. */
	private const AT_ONCE = 500;

	/** Whether `$by` more are still within `$most` in this span of seconds; counts them if so. */
	public static function allows( string $what, string $who, int $most, int $seconds, int $by = 1 ): bool {
		$wpdb = $GLOBALS['wpdb'];
		$row  = self::row( $what, $who, $seconds );
		// In one statement, so that none of many at once is lost; a row that stays as it is counts as none for MySQL.
		return $by <= $most && 0 < $wpdb->query( $wpdb->prepare( "INSERT INTO $wpdb->options (option_name, option_value, autoload) VALUES (%s, %d, 'no') ON DUPLICATE KEY UPDATE option_value = IF( option_value + %d <= %d, option_value + %d, option_value )", $row, $by, $by, $most, $by ) );
	}

	/** How many of `$wanted` are still within `$most` in this span; counts those. */
	public static function how_many( string $what, string $who, int $wanted, int $most, int $seconds ): int {
		// Another request may count in between: then once more.
		for ( $tries = 0; $tries < 3; ++$tries ) {
			$some = min( $wanted, $most - self::so_far( $what, $who, $seconds ) );
			if ( $some < 1 ) {
				return 0;
			}
			if ( self::allows( $what, $who, $most, $seconds, $some ) ) {
				return $some;
			}
		}
		return 0;
	}

	/**
	 * Counts one for each of many, in a few statements.
	 *
	 * @param string[] $whom
	 * @return string[] Those for whom it is allowed, with their keys.
	 */
	public static function those_allowed( string $what, array $whom, int $most, int $seconds ): array {
		$wpdb   = $GLOBALS['wpdb'];
		$rows   = array_map( static fn( string $who ): string => self::row( $what, $who, $seconds ), $whom );
		$sorted = array_unique( $rows );
		sort( $sorted ); // In the same order everywhere: two requests that each wait for a row of the other would fail.
		$counts = array();
		foreach ( array_chunk( $sorted, self::AT_ONCE ) as $some ) {
			$new = implode( ', ', array_fill( 0, count( $some ), "(%s, '1', 'no')" ) );
			$in  = implode( ', ', array_fill( 0, count( $some ), '%s' ) );
			$wpdb->query( $wpdb->prepare( "INSERT INTO $wpdb->options (option_name, option_value, autoload) VALUES $new ON DUPLICATE KEY UPDATE option_value = option_value + 1", $some ) );
			// Somebody else who counts the same at this moment may make a number too high, never too low.
			$counts += array_column( $wpdb->get_results( $wpdb->prepare( "SELECT option_name, option_value FROM $wpdb->options WHERE option_name IN ( $in )", $some ) ), 'option_value', 'option_name' );
		}
		return array_filter( $whom, static fn( int|string $key ): bool => (int) ( $counts[ $rows[ $key ] ] ?? 1 ) <= $most, ARRAY_FILTER_USE_KEY );
	}

	/** How many were counted in this span; counts nothing. */
	public static function so_far( string $what, string $who, int $seconds ): int {
		$wpdb = $GLOBALS['wpdb'];
		return (int) $wpdb->get_var( $wpdb->prepare( "SELECT option_value FROM $wpdb->options WHERE option_name = %s", self::row( $what, $who, $seconds ) ) );
	}

	/**
	 * Decides about a request once, however often and however close together it is sent: the first answer holds for at least
	 * that many seconds.
	 *
	 * @param callable(): string $decide
	 */
	public static function once( string $what, string $who, int $seconds, callable $decide ): string {
		$wpdb  = $GLOBALS['wpdb'];
		$rows  = array( self::row( $what, $who, $seconds ), self::row( $what, $who, $seconds, -1 ) );
		$known = static fn(): ?string => $wpdb->get_var( $wpdb->prepare( "SELECT option_value FROM $wpdb->options WHERE option_name IN ( %s, %s ) ORDER BY option_name LIMIT 1", ...$rows ) );
		$found = $known();
		if ( $found === null ) {
			$wpdb->query( $wpdb->prepare( "INSERT IGNORE INTO $wpdb->options (option_name, option_value, autoload) VALUES (%s, %s, 'no')", $rows[0], $decide() ) );
			$found = $known();
		}
		return (string) $found;
	}

	/** Spans that are over. */
	public static function sweep(): void {
		$wpdb = $GLOBALS['wpdb'];
		$wpdb->query( $wpdb->prepare( "DELETE FROM $wpdb->options WHERE option_name LIKE %s AND option_name < %s", $wpdb->esc_like( self::PREFIX ) . '%', self::PREFIX . sprintf( '%011d', time() ) ) );
	}

	/** @param int $shift -1: of the span before, which is kept as long as this one. */
	private static function row( string $what, string $who, int $seconds, int $shift = 0 ): string {
		$span = intdiv( time(), $seconds ) + $shift;
		return self::PREFIX . sprintf( '%011d_', ( $span + 2 ) * $seconds ) . substr( hash_hmac( 'sha256', "$what\n$who\n$span", wp_salt( 'auth' ) ), 0, 32 );
	}
}
