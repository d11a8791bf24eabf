<?php

declare(strict_types=1);

namespace Trousseau\Platform;

/**
 * Limits how often someone may do something. The counts are stored under keyed hashes, which tell nobody who it was. They stand
 * in the database also where there is an object cache: a cache that drops what it holds would lift the limits.
 */
final class RateLimiter {

	private const PREFIX = 'count_';

	private const AT_ONCE = 500;

	public function __construct( private readonly KeptValues $kept_values, private readonly Tables $tables ) {
	}

	/** Whether `$by` more are still within `$most` in this span of seconds, or in one that comes `$later`; counts them if so. */
	public function allows( string $what, string $who, int $most, int $seconds, int $by = 1, int $later = 0 ): bool {
		if ( $by > $most ) {
			return false;
		}
		list( $row, $ends_at ) = self::row( $what, $who, $seconds, $later );
		// No count of simultaneous requests is lost: one statement adds to a counter, and one makes it.
		return $this->add( $row, $most, $by ) || $this->kept_values->insert( $row, (string) $by, $ends_at ) || $this->add( $row, $most, $by );
	}

	/** The number of `$wanted` that are still within `$most` in this span, or in one that comes `$later`; counts those. */
	public function how_many( string $what, string $who, int $wanted, int $most, int $seconds, int $later = 0 ): int {
		// Another request may count in between; the attempt is then repeated.
		for ( $tries = 0; $tries < 3; ++$tries ) {
			$some = min( $wanted, $most - $this->so_far( $what, $who, $seconds, $later ) );
			if ( $some < 1 ) {
				return 0;
			}
			if ( $this->allows( $what, $who, $most, $seconds, $some, $later ) ) {
				return $some;
			}
		}
		return 0;
	}

	/** Counts one for each of many, in a few statements. Returns the allowed ones with their keys. */
	public function those_allowed( string $what, array $whom, int $most, int $seconds ): array {
		$rows = array_map( static fn( string $who ): array => self::row( $what, $who, $seconds ), $whom );
		$ends = array_column( $rows, 1, 0 );
		ksort( $ends ); // All requests use the same order: two that each wait for a row of the other would fail.
		$counts = array();
		foreach ( array_chunk( $ends, self::AT_ONCE, true ) as $some ) {
			$names = array_keys( $some );
			$new   = implode( ', ', array_fill( 0, count( $some ), "(%s, '0', %d)" ) );
			$in    = implode( ', ', array_fill( 0, count( $some ), '%s' ) );
			$this->tables->change( "INSERT IGNORE INTO {values} (name, value, expires_at) VALUES $new", array_merge( ...array_map( null, $names, array_values( $some ) ) ) );
			$this->tables->change( "UPDATE {values} SET value = value + 1 WHERE name IN ( $in )", $names );
			// A concurrent request with the same count may make a number too high, never too low.
			$counts += array_column( $this->tables->rows( "SELECT name, value FROM {values} WHERE name IN ( $in )", $names ), 'value', 'name' );
		}
		return array_filter( $whom, static fn( int|string $key ): bool => (int) ( $counts[ $rows[ $key ][0] ] ?? 1 ) <= $most, ARRAY_FILTER_USE_KEY );
	}

	/** The number counted in this period, or in one that comes `$later`. Counts nothing itself. */
	public function so_far( string $what, string $who, int $seconds, int $later = 0 ): int {
		return (int) $this->kept_values->get( self::row( $what, $who, $seconds, $later )[0], true );
	}

	/**
	 * Decides once about a request that is sent several times, even at once: the first answer holds for at least
	 * that many seconds.
	 */
	public function once( string $what, string $who, int $seconds, callable $decide ): string {
		list( $row, $ends_at ) = self::row( $what, $who, $seconds );

		$known = fn(): ?string => $this->kept_values->get( self::row( $what, $who, $seconds, -1 )[0], true ) ?? $this->kept_values->get( $row, true );
		$found = $known();
		if ( $found === null ) {
			$this->kept_values->insert( $row, $decide(), $ends_at );
			$found = $known();
		}
		return (string) $found;
	}

	private function add( string $row, int $most, int $by ): bool {
		return (bool) $this->tables->change( 'UPDATE {values} SET value = value + %d WHERE name = %s AND value + %d <= %d', $by, $row, $by, $most );
	}

	/**
	 * A counter's name, and the time at which its row may be deleted.
	 *
	 * @param int $shift -1: the span before, which is kept as long as this one; 1: the next one.
	 * @return array{0: string, 1: int}
	 */
	private static function row( string $what, string $who, int $seconds, int $shift = 0 ): array {
		$span = intdiv( time(), $seconds ) + $shift;
		$end  = ( $span + 2 ) * $seconds;
		return array( self::PREFIX . substr( hash_hmac( 'sha256', "$what\n$who\n$span", wp_salt( 'auth' ) ), 0, 32 ), 1000 * $end );
	}
}
