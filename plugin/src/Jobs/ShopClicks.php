<?php

declare(strict_types=1);

namespace Trousseau\Jobs;

defined( 'ABSPATH' ) || exit;

use Trousseau\Support\KeptValues;

/**
 * How often affiliate links were followed: a number a shop and day, and nothing about who it was. A day is counted in rows
 * of its own, one statement each, so that none of many at once is lost; when it is over they become one.
 */
final class ShopClicks {

	/** Shop → day → number. */
	private const KEPT = 'followed';

	private const ROW = 'followed_';

	/** Days for which each is known by itself, and days that count at all. */
	public const DAYS  = 30;
	private const YEAR = 365;

	/** Names of values end somewhere. */
	private const MOST_CHARACTERS = 150;

	public static function count( string $shop ): void {
		// A browser that fetches pages ahead follows nothing, nor does whoever only asks for the headers.
		$ahead = $_SERVER['HTTP_SEC_PURPOSE'] ?? $_SERVER['HTTP_PURPOSE'] ?? $_SERVER['HTTP_X_MOZ'] ?? '';
		if ( ( $_SERVER['REQUEST_METHOD'] ?? '' ) !== 'GET' || str_contains( (string) $ahead, 'prefetch' ) || $shop === '' ) {
			return;
		}
		// Databases compare names without accents.
		while ( strlen( rawurlencode( $shop ) ) > self::MOST_CHARACTERS ) {
			$shop = mb_substr( $shop, 0, -1 );
		}
		KeptValues::increase( self::ROW . gmdate( 'Y-m-d' ) . '_' . rawurlencode( $shop ) );
	}

	/** @return array<string, array<string, int>> Shop → day → number, of the last year; what is older than a month by month. */
	public static function all(): array {
		$all = KeptValues::get( self::KEPT );
		$all = is_array( $all ) ? $all : array();
		foreach ( self::rows() as $row => $number ) {
			list( $day, $shop )   = explode( '_', rawurldecode( substr( $row, strlen( self::ROW ) ) ), 2 );
			$all[ $shop ][ $day ] = ( $all[ $shop ][ $day ] ?? 0 ) + $number;
		}
		return $all;
	}

	/** Days that are over, put together; those of the past months become the number of the month, what is older than a year goes. */
	public static function fold(): void {
		$all = KeptValues::get( self::KEPT );
		$all = is_array( $all ) ? $all : array();
		// Yesterday's last guest may be on the way still.
		$over = array_filter( self::rows(), static fn( string $row ): bool => substr( $row, strlen( self::ROW ), 10 ) < gmdate( 'Y-m-d', time() - DAY_IN_SECONDS ), ARRAY_FILTER_USE_KEY );
		foreach ( $over as $row => $number ) {
			list( $day, $shop )   = explode( '_', rawurldecode( substr( $row, strlen( self::ROW ) ) ), 2 );
			$all[ $shop ][ $day ] = ( $all[ $shop ][ $day ] ?? 0 ) + $number;
		}
		$month = gmdate( 'Y-m-d', time() - ( self::DAYS + 1 ) * DAY_IN_SECONDS );
		$year  = gmdate( 'Y-m', time() - self::YEAR * DAY_IN_SECONDS );
		foreach ( $all as $shop => $days ) {
			$folded = array();
			foreach ( $days as $day => $number ) {
				$when            = $day < $month ? substr( (string) $day, 0, 7 ) : $day;
				$folded[ $when ] = ( $folded[ $when ] ?? 0 ) + $number;
			}
			$all[ $shop ] = array_filter( $folded, static fn( string $when ): bool => $when >= $year, ARRAY_FILTER_USE_KEY );
		}
		KeptValues::set( self::KEPT, array_filter( $all ) );
		foreach ( array_keys( $over ) as $row ) {
			KeptValues::delete( $row );
		}
	}

	/**
	 * A shop's numbers of the last days, oldest first.
	 *
	 * @param array<string, int> $days
	 * @return array<string, int> Day → number.
	 */
	public static function last_days( array $days ): array {
		$last = array();
		for ( $ago = self::DAYS - 1; $ago >= 0; $ago-- ) {
			$day          = gmdate( 'Y-m-d', time() - $ago * DAY_IN_SECONDS );
			$last[ $day ] = $days[ $day ] ?? 0;
		}
		return $last;
	}

	/** @return array<string, int> */
	private static function rows(): array {
		return array_map( 'intval', iterator_to_array( KeptValues::all( self::ROW ) ) );
	}
}
